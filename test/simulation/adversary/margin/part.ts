import type { Command } from "../../../../src/engine/command.ts";
import type { Market } from "../../../../src/engine/listing/market.ts";
import { figuresOf } from "../../../../src/engine/margin/risk.ts";
import { NONE } from "../../../../src/engine/trading/order.ts";
import type { Kept, PlayPart } from "../play-part.ts";
import { SOURCES, type Stage } from "../stage.ts";
import { MARKETS } from "../terms.ts";
import { worthOf } from "../worth.ts";
import { borrowed } from "./borrowed.ts";
import { slide } from "./slide.ts";

const LENT = { minAmount: "0.0001", maxAmount: "10000000", dailyInterestRate: "0.001" };

/** Loans to accounts of the spot market, out of a pool of the venue. */
export const margin: PlayPart = {
  name: "margin",
  strategies: [borrowed, slide],
  laws: [],
  listings: ({ seed }): Command[] => [
    deposit("sys:lend_pool", "USDT", "50000000"),
    deposit("sys:lend_pool", "BTC", "1000"),
    deposit("sys:ins_margin", "USDT", "1000000"),
    deposit("sys:ins_margin", "BTC", "20"),
    {
      kind: "change_market",
      market: MARKETS.spot.name,
      indexSources: SOURCES.map((exchange) => ({ exchange, weight: "0.5" })),
    },
    {
      kind: "set_margin_market",
      market: MARKETS.spot.name,
      leverage: [3, 5, 10][seed % 3] as number,
      loans: ["USDT", "BTC"].map((ccy) => ({ ccy, ...LENT })),
    },
  ],
  accounts: keptBy,
};

function deposit(cell: string, ccy: string, amount: string): Command {
  return { kind: "deposit", cell, ccy, amount, note: "" };
}

function* keptBy(stage: Stage, userId: number): Generator<Kept> {
  const { margin: lent, markets } = stage.state;
  for (const marketId of lent.terms.keys()) {
    const row = lent.accounts.find(userId, marketId);
    if (row === NONE) continue;
    const { baseAssetId, quoteAssetId } = markets[marketId] as Market;
    const { baseHave, quoteHave, basePrincipal, quotePrincipal } = figuresOf(stage.state, row);
    const base = worthOf(stage, baseAssetId, baseHave - basePrincipal);
    yield { equity: base + worthOf(stage, quoteAssetId, quoteHave - quotePrincipal) };
  }
}
