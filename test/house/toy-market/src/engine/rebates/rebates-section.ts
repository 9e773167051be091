import type { Market } from "../listing/market.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { rebateSettlement } from "./rebate-settlement.ts";
import { type RebateSpec, rebates } from "./rebates-state.ts";

/** The markets with rebates and their terms; each gets its settlement back. */
export const rebatesSection: Section = {
  name: "rebates",
  version: 1,
  write: (state) => [jsonChunk([...rebates.of(state)])],
  read: (state, [json]) => {
    for (const [marketId, terms] of jsonOf(json) as [number, RebateSpec][]) {
      rebates.of(state).set(marketId, terms);
      (state.markets[marketId] as Market).settlement = rebateSettlement;
    }
  },
};
