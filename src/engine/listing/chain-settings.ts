/** Checks the settings of a chain, whether they come with the listing of an asset or later. */
import { parseDecimal } from "../money/decimal.ts";
import { parseRateE8 } from "../money/rate.ts";
import type { AssetChain } from "./command-schemas.ts";

const MINUTE_MS = 60_000;
/** Of a contract, or of what else an asset is called on a chain: as long as an address may be. */
const IDENTITY_CHARS_MAX = 256;

/** Chains of one asset. */
const CHAINS_MAX = 32;
export const CHAIN_NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** The sentence for settings of one chain that cannot be, of an asset of this scale. */
export function chainFault(settings: AssetChain, scale: number): string | undefined {
  if (!CHAIN_NAME.test(settings.chain)) return "The name of a chain has 1 to 32 letters, digits, _ and -.";
  if (termsOf(settings, scale) === undefined || settings.identity.length > IDENTITY_CHARS_MAX) {
    return (
      `Amounts of a chain are decimals with at most ${scale} decimals, deflation_rate is from 0 to below 1, ` +
      "numbers are not below 0."
    );
  }
  return undefined;
}

/** The sentence for chains that an asset cannot have together. */
export function chainsFault(chains: readonly AssetChain[]): string | undefined {
  if (chains.length > CHAINS_MAX) return `An asset moves on at most ${CHAINS_MAX} chains.`;
  const names = new Set(chains.map(({ chain }) => chain));
  return names.size < chains.length ? "Each chain of an asset has a name of its own." : undefined;
}

export interface ChainSpec {
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

/** The settings as numbers; undefined when they are not sound. */
export function termsOf(settings: AssetChain, scale: number): ChainSpec | undefined {
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
