import { divideUp, ONE_E8 } from "./numbers.ts";
import type { ModelMarket, ModelOrder } from "./records.ts";
import type { ModelVenue } from "./venue.ts";

/** Takes the fee of one side of a fill, of which both sides have been paid. Domain 2.6. */
export function chargeFee(
  venue: ModelVenue,
  market: ModelMarket,
  order: ModelOrder,
  rate: bigint,
  base: bigint,
  value: bigint,
): { readonly fee: bigint; readonly feeAssetId: number } {
  const buys = order.side === "buy";
  const feeAssetId = buys ? market.base.id : market.quote.id;
  const fee = divideUp((buys ? base : value) * rate, ONE_E8);
  if (buys) order.baseFee += fee;
  else order.quoteFee += fee;
  venue.balance(order.userId, feeAssetId).available -= fee;
  venue.addFee(feeAssetId, fee);
  return { fee, feeAssetId };
}
