/**
 * The traits that orders and stop orders of this generation have in common. Names of markets and currencies and client
 * ids hold nothing that JSON would escape.
 */
import type { OrderTraits } from "../../../engine/command.ts";
import type { Shape } from "../../reading/record-printer.ts";
import { UNIT_TEXTS } from "../../reading/record-printer.ts";

export const MARKET_TYPE = { spot: "SPOT", margin: "MARGIN", futures: "FUTURES" } as const;

type OfTraits = Shape<OrderTraits, unknown>;

export const TRAIT_UNITS: OfTraits["units"] = {
  ...UNIT_TEXTS,
  asked: (amount, printer, { amountIn }) => (amountIn === "quote" ? printer.value(amount) : printer.amount(amount)),
};

export const TRAIT_TEXTS = {
  market: (_, { market }) => market.name,
  marketType: ({ account }) => MARKET_TYPE[account],
  marginMarket: ({ account }, { market }) => (account === "margin" ? market.name : ""),
  ccy: ({ amountIn }, { base, quote }) => (amountIn === "quote" ? quote.ccy : base.ccy),
  side: ({ side }) => side,
  type: ({ type }) => type,
  positionSide: ({ positionSide }) => positionSide ?? "",
} as const satisfies OfTraits["others"];
