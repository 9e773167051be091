/** The pools of a play: which market has one, on what terms, and who is in it honestly. */
import type { Command } from "../../../../src/engine/command.ts";
import { Random } from "../../random.ts";
import type { Script } from "../strategy.ts";
import { MARKETS, type Terms } from "../terms.ts";

export type PooledMarket = "spot" | "coin";
export const PROVIDER = "honest provider";
export const TRADER = "honest trader";

export interface Pooled {
  readonly market: PooledMarket;
  /** Dollars of each currency that the honest provider has in it; 0: it waits for its first. */
  readonly depth: number;
  /** Ends of a finite pool, in percent of the fair price at the start. */
  readonly range: readonly [low: number, high: number] | undefined;
}

/** The pool of a play; every seed has its own. */
export function pooledOf({ seed }: Terms): Pooled {
  const random = new Random(seed ^ 0x9001);
  return {
    market: random.pick(["coin", "spot"]),
    depth: random.pick([0, 3_000, 100_000, 2_000_000]),
    range: random.pick([undefined, undefined, [80, 125], [98, 102], [100, 110], [70, 100], [103, 120]]),
  };
}

/** So many dollars in each currency of a market at the fair price of the start, as amounts. */
export function amountsOf(market: PooledMarket, dollars: number): { baseAmount: string; quoteAmount: string } {
  const price = PRICE[market];
  return { baseAmount: (dollars / price).toFixed(8), quoteAmount: dollars.toFixed(8) };
}

/** What makes a pool, after markets and accounts are there. */
export function poolListings(terms: Terms): Command[] {
  const { market: key, depth, range } = pooledOf(terms);
  const market = MARKETS[key].name;
  const at = (percent: number) => ((PRICE[key] * percent) / 100).toFixed(key === "coin" ? 6 : 2);
  const finite = range && { type: "finite", low: at(range[0]), high: at(range[1]), price: at(100) };
  const commands: Command[] = [{ kind: "set_pool", market, ...(finite ?? { type: "infinite" }) }];
  if (!terms.fees) commands.push({ kind: "change_market", market, makerFeeRate: "0", takerFeeRate: "0" });
  commands.push(...account(PROVIDER, 5_000_000), ...account(TRADER, 1_000_000));
  if (depth > 0) {
    const userId = PROVIDER as unknown as number;
    commands.push({ kind: "add_liquidity", userId, market, ...amountsOf(key, depth) });
  }
  return commands;
}

/** Somebody who takes what is there, at any time and without a price; in half of the plays. */
export function tradeHonestly(script: Script, terms: Terms): void {
  const random = new Random(terms.seed ^ 0x9002);
  const { market, depth } = pooledOf(terms);
  if (random.chance(50)) return;
  const lots = Math.max(1, Math.floor(((Math.max(depth, 3_000) / PRICE[market]) * LOTS[market]) / 50));
  for (let atMs = 2_500; atMs < terms.lastsMs; atMs += random.pick([5_000, 11_000, 40_000])) {
    const side = random.pick(["buy", "sell"] as const);
    const order = { user: TRADER, market, side, type: "market", lots: { is: lots } } as const;
    script.add("honest", atMs, { do: "order", ...order });
  }
}

/** Prices at the start, and lots of a coin. */
const PRICE: Readonly<Record<PooledMarket, number>> = { spot: 60_000, coin: 1 };
const LOTS: Readonly<Record<PooledMarket, number>> = { spot: 1_000_000, coin: 100 };

function account(name: string, dollars: number): Command[] {
  const userId = name as unknown as number;
  const put = (ccy: string, amount: number): Command => ({
    kind: "deposit",
    userId,
    ccy,
    amount: amount.toFixed(8),
    note: "",
  });
  return [{ kind: "create_user", name }, put("USDT", dollars), put("BTC", dollars / PRICE.spot), put("DSC", dollars)];
}
