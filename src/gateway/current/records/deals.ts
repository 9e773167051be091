/** Records of deals as the contract prints them. */
import { DEAL_FIELDS, OWN_DEAL_FIELDS, type PublicDeal } from "../../../engine/event.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import { type JsonText, jsonList } from "../../reading/json-text.ts";
import type { MarketPrinter, Printers } from "../../reading/market-printer.ts";
import { recordPrinter, type Shape, UNIT_TEXTS } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { loadContract } from "../contract.ts";

const DEAL_SHAPE: Shape<PublicDeal, unknown> = {
  fields: DEAL_FIELDS,
  units: UNIT_TEXTS,
  others: { side: ({ side }) => side },
};

/** Where the fields of own deals come from, over HTTP and on sockets. */
export const OWN_DEAL_SHAPE = {
  fields: OWN_DEAL_FIELDS,
  units: UNIT_TEXTS,
  others: {
    market: (_, { market }) => market.name,
    marginMarket: ({ account }, { market }) => (account === "margin" ? market.name : null),
    side: ({ side }) => side,
    role: ({ role }) => role,
    fee: ({ fee, feeAssetId }, printer) => printer.units(fee, feeAssetId),
    feeCcy: ({ feeAssetId }, printer) => printer.asset(feeAssetId).ccy,
  },
} as const satisfies Shape<UserDeal, unknown>;

const { records } = loadContract();
const printDeal = recordPrinter(records.get("Deal") as RecordType, DEAL_SHAPE);
const printSpot = recordPrinter(records.get("SpotUserDeal") as RecordType, OWN_DEAL_SHAPE);
const printFutures = recordPrinter(records.get("FuturesUserDeal") as RecordType, OWN_DEAL_SHAPE);

/** Executions as everybody may see them. */
export function dealListText(printer: MarketPrinter, deals: readonly PublicDeal[]): JsonText {
  return jsonList(deals, (deal) => printDeal(deal, printer));
}

/** Own sides of executions, as the product of their market shows them. */
export function userDealListText(printers: Printers, deals: readonly UserDeal[]): JsonText {
  return jsonList(deals, (deal) => {
    const printer = printers.of(deal.marketId);
    return printer.market.futures === undefined ? printSpot(deal, printer) : printFutures(deal, printer);
  });
}
