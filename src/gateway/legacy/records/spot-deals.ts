/** Own deals of spot and margin as the legacy generation prints them. */
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import type { UserDeal } from "../../../history/deals/deal-queries.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { accountIdOf } from "../accounts.ts";
import type { LegacyOrderDeal, LegacyUserDeal } from "../types.generated.ts";
import { seconds } from "./time.ts";

/** A deal among those of one order. */
export function orderDealOf(state: State, printers: Printers, deal: UserDeal): LegacyOrderDeal {
  const { account_id: _account, market: _market, ...rest } = userDealOf(state, printers, deal);
  return rest;
}

/** A deal among those of an account. */
export function userDealOf(state: State, printers: Printers, deal: UserDeal): LegacyUserDeal {
  const printer = printers.of(deal.marketId);
  const { market, quote } = printer;
  const feeAsset = state.assets[deal.feeAssetId] as Asset;
  const down = 10n ** BigInt(market.amountPrecision + market.pricePrecision);
  return {
    id: deal.dealId,
    order_id: deal.orderId,
    account_id: accountIdOf(state, deal),
    market: market.name,
    create_time: seconds(deal.createdAt),
    type: deal.side,
    role: deal.role,
    price: printer.price(deal.price),
    amount: printer.amount(deal.lots),
    deal_money: printer.value((deal.price * deal.lots * 10n ** BigInt(quote.scale)) / down),
    fee: formatDecimal(deal.fee, feeAsset.scale),
    fee_asset: feeAsset.ccy,
  };
}
