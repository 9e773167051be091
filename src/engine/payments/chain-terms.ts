/** What holds for an asset on a chain, in units of the asset. */
import type { Asset } from "../listing/asset.ts";
import type { AssetChain } from "../listing/forms.ts";
import { parseDecimal } from "../money/decimal.ts";
import { parseRateE8 } from "../money/rate.ts";
import type { State } from "../state.ts";

const MINUTE_MS = 60_000;

export interface ChainTerms {
  readonly settings: AssetChain;
  readonly minDeposit: bigint;
  readonly minWithdrawal: bigint;
  readonly withdrawalFee: bigint;
  readonly deflationE8: number;
  /** Decimals that the amount of a withdrawal may have. */
  readonly precision: number;
  readonly delayMs: number;
  /** Confirmations from which on a deposit is credited, and from which on it may be withdrawn. */
  readonly safe: number;
  readonly irreversible: number;
}

/** How an asset moves on a chain; undefined when it does not, or when its settings are none that anything can be worked out with. */
export function termsOn(asset: Asset, chain: string): ChainTerms | undefined {
  const settings = asset.chains.find((one) => one.chain === chain);
  return settings === undefined ? undefined : termsOf(settings, asset.scale);
}

/** The settings as numbers; undefined when they are not sound. */
export function termsOf(settings: AssetChain, scale: number): ChainTerms | undefined {
  const minDeposit = parseDecimal(settings.minDepositAmount, scale);
  const minWithdrawal = parseDecimal(settings.minWithdrawAmount, scale);
  const withdrawalFee = parseDecimal(settings.withdrawalFee, scale);
  const deflationE8 = parseRateE8(settings.deflationRate);
  if (minDeposit === undefined || minWithdrawal === undefined || withdrawalFee === undefined) return undefined;
  if (deflationE8 === undefined) return undefined;
  const { withdrawalPrecision, depositDelayMinutes, safeConfirmations, irreversibleConfirmations } = settings;
  if (withdrawalPrecision < 0 || depositDelayMinutes < 0 || safeConfirmations < 0 || irreversibleConfirmations < 0) {
    return undefined;
  }
  // A deposit that is in no block yet is never credited.
  const safe = Math.max(1, safeConfirmations);
  return {
    settings,
    minDeposit,
    minWithdrawal,
    withdrawalFee,
    deflationE8,
    precision: Math.min(withdrawalPrecision, scale),
    delayMs: depositDelayMinutes * MINUTE_MS,
    safe,
    irreversible: Math.max(safe, irreversibleConfirmations),
  };
}

/** Whether the chain tells users apart by memo. */
export function needsMemo({ assets }: State, chain: string): boolean {
  return assets.some(({ chains }) => chains.some((one) => one.chain === chain && one.isMemoRequiredForDeposit));
}

/** Whether anything moves on a chain of this name. */
export function isChain({ assets }: State, chain: string): boolean {
  return assets.some(({ chains }) => chains.some((one) => one.chain === chain));
}

/** The most confirmations that any asset of a chain waits for. */
export function depthOf({ assets }: State, chain: string): number {
  let depth = 1;
  for (const asset of assets) depth = Math.max(depth, termsOn(asset, chain)?.irreversible ?? 0);
  return depth;
}
