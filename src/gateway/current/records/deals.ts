/** Records of deals as the contract prints them. */
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { PublicDeal, UserDeal } from "../../../history/deals/deal-queries.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import type { MarketPrinter, Printers } from "../../reading/market-printer.ts";
import type { Deal, FuturesUserDeal, SpotUserDeal } from "../types.generated.ts";

/** An execution as everybody may see it. */
export function dealOf(printer: MarketPrinter, deal: PublicDeal): Deal {
  return {
    deal_id: deal.dealId,
    created_at: deal.createdAt,
    side: deal.side,
    price: printer.price(deal.price),
    amount: printer.amount(deal.lots),
  };
}

/** Own sides of executions, as the product of their market shows them. */
export function userDealListText(state: State, printers: Printers, deals: readonly UserDeal[]): JsonText {
  const rows = deals.map((deal) => {
    const printer = printers.of(deal.marketId);
    return printer.market.futures === undefined
      ? spotDealOf(state, printer, deal)
      : futuresDealOf(state, printer, deal);
  });
  return asJson(JSON.stringify(rows));
}

function spotDealOf(state: State, printer: MarketPrinter, deal: UserDeal): SpotUserDeal {
  const { market } = printer;
  return {
    deal_id: deal.dealId,
    created_at: deal.createdAt,
    order_id: deal.orderId,
    market: market.name,
    margin_market: deal.account === "margin" ? market.name : null,
    ...executionOf(state, printer, deal),
  };
}

function futuresDealOf(state: State, printer: MarketPrinter, deal: UserDeal): FuturesUserDeal {
  return {
    deal_id: deal.dealId,
    created_at: deal.createdAt,
    order_id: deal.orderId,
    position_id: deal.positionId,
    market: printer.market.name,
    ...executionOf(state, printer, deal),
  };
}

function executionOf(state: State, printer: MarketPrinter, deal: UserDeal) {
  const feeAsset = state.assets[deal.feeAssetId] as Asset;
  return {
    side: deal.side,
    price: printer.price(deal.price),
    amount: printer.amount(deal.lots),
    role: deal.role,
    fee: formatDecimal(deal.fee, feeAsset.scale),
    fee_ccy: feeAsset.ccy,
  };
}
