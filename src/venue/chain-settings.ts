/** The setting `chains`: how the venue deals with the chains that it reaches over nodes, by their names. */

import type { EvmOptions, HotOptions } from "../chains/chain-terms.ts";
import { isDecimal } from "../engine/money/decimal.ts";
import { isRecord, jsonOf } from "./setting-values.ts";

export const CHAINS_EXPECTED =
  "an object with a chain's name and its terms each: rpc, chain_id, coin and the others of docs/guides/payments.md";

const NODES_MAX = 8;
const POLL_MS = 2_000;
const SWEEP_MS = 30_000;
const STALE_MS = 600_000;
const STUCK_MS = 180_000;
const MAX_FEE_GWEI = 500;
const DAY_MS = 86_400_000;
/** No token counts more finely. */
const DECIMALS_MAX = 36;

/** The terms by chain; undefined when something is wrong. An object in the file, its JSON text on the command line. */
export function readChains(raw: unknown): ReadonlyMap<string, EvmOptions> | undefined {
  if (raw === "none") return new Map();
  const value = typeof raw === "string" ? jsonOf(raw) : raw;
  if (!isRecord(value)) return undefined;
  const chains = new Map<string, EvmOptions>();
  for (const [name, one] of Object.entries(value)) {
    const terms = /^[A-Za-z0-9_-]{1,32}$/.test(name) && isRecord(one) ? termsIn(one) : undefined;
    if (terms === undefined) return undefined;
    chains.set(name, terms);
  }
  return chains;
}

const NAMES: ReadonlySet<string> = new Set([
  ...["rpc", "chain_id", "coin", "poll_ms", "sweep_ms", "stale_after_ms", "stuck_after_ms"],
  ...["max_fee_gwei", "start_block", "hot", "cold_address", "sweep_min", "one_node", "decimals"],
]);

function termsIn(one: Readonly<Record<string, unknown>>): EvmOptions | undefined {
  // A misspelt threshold would leave money where nobody wants it.
  if (Object.keys(one).some((name) => !NAMES.has(name))) return undefined;
  const rpc = nodesIn(one["rpc"]);
  const { coin } = one;
  const whole = (name: string, otherwise: number | undefined, max: number) => wholeIn(one[name], otherwise, max);
  const chainId = whole("chain_id", undefined, Number.MAX_SAFE_INTEGER);
  const pollMs = whole("poll_ms", POLL_MS, DAY_MS);
  const treasuryMs = whole("sweep_ms", SWEEP_MS, DAY_MS);
  const staleAfterMs = whole("stale_after_ms", STALE_MS, DAY_MS);
  const stuckAfterMs = whole("stuck_after_ms", STUCK_MS, DAY_MS);
  const maxFeeGwei = whole("max_fee_gwei", MAX_FEE_GWEI, 1_000_000);
  const startBlock = one["start_block"] === undefined ? undefined : whole("start_block", undefined, 2 ** 40);
  const hot = hotIn(one["hot"] ?? {});
  const sweepMin = amountsIn(one["sweep_min"] ?? {});
  const coldAddress = one["cold_address"] ?? "";
  const oneNode = one["one_node"] ?? "hold";
  const decimals = decimalsIn(one["decimals"] ?? {});
  if (rpc === undefined || typeof coin !== "string" || !/^[A-Z0-9]{1,20}$/.test(coin) || hot === undefined)
    return undefined;
  if (chainId === undefined || pollMs === undefined || treasuryMs === undefined || staleAfterMs === undefined)
    return undefined;
  if (stuckAfterMs === undefined || maxFeeGwei === undefined || sweepMin === undefined) return undefined;
  if (one["start_block"] !== undefined && startBlock === undefined) return undefined;
  if (typeof coldAddress !== "string" || !/^(?:0x[0-9a-fA-F]{40})?$/.test(coldAddress)) return undefined;
  if ((oneNode !== "hold" && oneNode !== "trust") || decimals === undefined) return undefined;
  return {
    ...{
      rpc,
      oneNode,
      decimals,
      chainId,
      coin,
      pollMs,
      treasuryMs,
      staleAfterMs,
      stuckAfterMs,
      maxFeeGwei,
      startBlock,
    },
    ...{ hot, coldAddress, sweepMin },
  };
}

function nodesIn(raw: unknown): readonly string[] | undefined {
  const urls: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const isNode = (url: unknown): url is string =>
    typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url);
  return urls.length > 0 && urls.length <= NODES_MAX && urls.every(isNode) ? urls : undefined;
}

function wholeIn(raw: unknown, otherwise: number | undefined, max: number): number | undefined {
  if (raw === undefined) return otherwise;
  return Number.isSafeInteger(raw) && (raw as number) >= 0 && (raw as number) <= max ? (raw as number) : undefined;
}

function amountsIn(raw: unknown): ReadonlyMap<string, string> | undefined {
  if (!isRecord(raw)) return undefined;
  const pairs = Object.entries(raw).map(([ccy, amount]) => [ccy, String(amount)] as const);
  return pairs.every(([, amount]) => isDecimal(amount)) ? new Map(pairs) : undefined;
}

function decimalsIn(raw: unknown): ReadonlyMap<string, number> | undefined {
  if (!isRecord(raw)) return undefined;
  const pairs = Object.entries(raw).map(
    ([ccy, decimals]) => [ccy, wholeIn(decimals, undefined, DECIMALS_MAX)] as const,
  );
  return pairs.every((pair): pair is readonly [string, number] => pair[1] !== undefined) ? new Map(pairs) : undefined;
}

function hotIn(raw: unknown): ReadonlyMap<string, HotOptions> | undefined {
  if (!isRecord(raw)) return undefined;
  const all = new Map<string, HotOptions>();
  for (const [ccy, one] of Object.entries(raw)) {
    const amounts = amountsIn(one);
    if (amounts === undefined || [...amounts.keys()].some((name) => !["least", "target", "most"].includes(name))) {
      return undefined;
    }
    const [least = "0", target, most] = ["least", "target", "most"].map((name) => amounts.get(name));
    if (target === undefined || most === undefined) return undefined;
    // Compared as numbers only to find what makes no sense; the amounts themselves stay texts.
    if (!(Number(least) <= Number(target) && Number(target) <= Number(most))) return undefined;
    all.set(ccy, { least, target, most });
  }
  return all;
}
