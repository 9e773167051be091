/** The terms of an asset on a chain, in units of the asset. */
import type { Asset } from "../listing/asset.ts";
import { type ChainSpec, termsOf } from "../listing/chain-settings.ts";
import type { State } from "../state.ts";

/**
 * How an asset moves on a chain; undefined when it does not, or when its settings are none that anything can be worked
 * out with.
 */
export function termsOn(asset: Asset, chain: string): ChainSpec | undefined {
  const settings = asset.chains.find((one) => one.chain === chain);
  return settings === undefined ? undefined : termsOf(settings, asset.scale);
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
