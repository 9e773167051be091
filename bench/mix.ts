/**
 * The mix of W1 - new orders, cancels, moves - over 20 markets with index updates in between, by 1,000 users, in spot
 * markets or in futures markets, where half of them trade on cross and half on isolated margin.
 */
import type { Command } from "../src/engine/command.ts";
import { indexPrice, USERS, type WorkloadShape } from "./workload.ts";

export const MARKETS = 20;
export const MID = 3_000_000;
export const MIX_SEED = 20_265;
/** One command in so many is an index update: twenty markets that hear of a price every second, under some load. */
const INDEX_EVERY = 200;

const CONTRACT = {
  marketType: "FUTURES",
  contractType: "linear",
  tickSize: "0.01",
  leverages: [1, 10, 100],
  levels: [
    { amount: "1000", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" },
    { amount: "4000", leverage: 10, maintenanceMarginRate: "0.05", minInitialMarginRate: "0.1" },
  ],
};

/** The shape of the mix, as `makeWorkload` takes it. */
export function mixOf(account: "spot" | "futures"): WorkloadShape {
  return { setup: mixSetup(account), markets: MARKETS, account, indexEvery: INDEX_EVERY };
}

/** The commands that make a venue with 20 markets, and users that never run out of funds. */
export function mixSetup(account: "spot" | "futures", users: number = USERS): Command[] {
  const setup: Command[] = [{ kind: "list_asset", ccy: "USDT", scale: 8 }];
  for (let market = 0; market < MARKETS; market++) {
    setup.push({ kind: "list_asset", ccy: `M${market}`, scale: 8 });
    setup.push({
      kind: "list_market",
      market: `M${market}USDT`,
      baseCcy: `M${market}`,
      quoteCcy: "USDT",
      amountPrecision: 6,
      pricePrecision: 2,
      minAmount: "0.000001",
      makerFeeRate: "0.0003",
      takerFeeRate: "0.0005",
      ...(account === "spot" ? {} : CONTRACT),
    });
    setup.push(indexPrice(`M${market}USDT`, account, MID));
  }
  for (let userId = 1; userId <= users; userId++) {
    setup.push({ kind: "create_user", name: `user-${userId}` });
    setup.push({ kind: "deposit", userId, ccy: "USDT", amount: "1000000", note: "bench" });
    if (account === "futures") {
      setup.push({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "1000000" });
    }
    // Two of four, so that both sides of a trade are of either kind.
    const marginMode = userId % 4 < 2 ? "cross" : "isolated";
    for (let marketId = 0; marketId < MARKETS; marketId++) {
      if (account === "futures") setup.push({ kind: "set_leverage", userId, marketId, marginMode, leverage: 10 });
      else setup.push({ kind: "deposit", userId, ccy: `M${marketId}`, amount: "1000", note: "bench" });
    }
  }
  return setup;
}
