/** Orders and stop orders of spot and margin as the legacy generation prints them. */
import { decodeOrder, type OrderRecord } from "../../../engine/event.ts";
import type { Asset } from "../../../engine/listing/asset.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import { accountIdOf } from "../accounts.ts";
import type { LegacyOrderStatus, LegacyStopStatus } from "../types.generated.ts";
import { seconds } from "./time.ts";

const STATUS = {
  open: "not_deal",
  part_filled: "part_deal",
  filled: "done",
  part_canceled: "cancel",
  canceled: "cancel",
} as const satisfies Record<string, LegacyOrderStatus>;

/** How an order stands, in the words of this generation. */
export function legacyStatus({ status }: Pick<OrderRecord, "status">): LegacyOrderStatus {
  return STATUS[status];
}

export class SpotOrderPrinter {
  readonly #state: State;
  readonly #printers: Printers;

  constructor(state: State, printers: Printers) {
    this.#state = state;
    this.#printers = printers;
  }

  /** A LegacyOrder. `sourceId` is only known while it is placed: nothing keeps it. */
  order(order: OrderRecord, sourceId = ""): JsonText {
    const printer = this.#printers.of(order.marketId);
    const inQuote = order.amountIn === "quote";
    const count = (amount: bigint) => (inQuote ? printer.value(amount) : printer.amount(amount));
    const hasEnded = order.status !== "open" && order.status !== "part_filled";
    const received = order.side === "buy" ? printer.baseFee(order.baseFee) : printer.value(order.quoteFee);
    const { ccy, factor } = deductionOf(this.#state, order.discountFee !== 0n);
    return asJson(
      `{"id":${order.orderId},"market":"${printer.market.name}","account_id":${accountIdOf(this.#state, order)},` +
        `"type":"${order.side}","order_type":"${order.type === "market" ? "market" : "limit"}",` +
        `"amount":"${count(order.amount)}","price":"${printer.priceOrNothing(order.price)}",` +
        `"avg_price":"${averagePrice(printer, order)}","deal_amount":"${printer.amount(order.filledLots)}",` +
        `"deal_money":"${printer.value(order.filledValue)}","left":"${count(order.left)}",` +
        `"deal_fee":"${received}","stock_fee":"${printer.baseFee(order.baseFee)}",` +
        `"money_fee":"${printer.value(order.quoteFee)}","asset_fee":"${printer.discountFee(order.discountFee)}",` +
        `"fee_asset":${ccy},"fee_discount":"${factor}",` +
        `"maker_fee_rate":"${rateText(order.makerFeeRateE8)}","taker_fee_rate":"${rateText(order.takerFeeRateE8)}",` +
        `"status":"${legacyStatus(order)}","create_time":${seconds(order.createdAt)},` +
        `"finished_time":${hasEnded ? seconds(order.updatedAt) : null},` +
        `"client_id":"${order.clientId}","source_id":${JSON.stringify(sourceId)}}`,
    );
  }

  orderAt(events: WordBuffer, at: number, sourceId?: string): JsonText {
    return this.order(decodeOrder(events, at), sourceId);
  }

  /** A LegacyStopOrder; `status` is that of one that no longer waits. */
  stop(stop: StopRecord, status?: LegacyStopStatus): JsonText {
    const printer = this.#printers.of(stop.marketId);
    const { market } = printer;
    const inQuote = stop.amountIn === "quote";
    return asJson(
      `{"order_id":${stop.stopId},"market":"${market.name}","account_id":${accountIdOf(this.#state, stop)},` +
        `"type":"${stop.side}","order_type":"${stop.type === "market" ? "market" : "limit"}",` +
        `"amount":"${inQuote ? printer.value(stop.amount) : printer.amount(stop.amount)}",` +
        `"price":"${printer.priceOrNothing(stop.price)}","stop_price":"${printer.price(stop.trigger)}",` +
        `"state":${directionNumber(stop)},` +
        `"maker_fee":"${rateText(market.makerFeeRateE8)}","taker_fee":"${rateText(market.takerFeeRateE8)}",` +
        `"fee_asset":null,"fee_discount":"1","create_time":${seconds(stop.createdAt)},` +
        `"client_id":"${stop.clientId}"${status === undefined ? "" : `,"status":${status}`}}`,
    );
  }
}

/** The currency that a fee was deducted in, as JSON, and the share of the fee that was left to pay. */
export function deductionOf(
  { assets, deduction }: State,
  isDeducted: boolean,
): { readonly ccy: string; readonly factor: string } {
  if (!isDeducted) return { ccy: "null", factor: "1" };
  const { ccy } = assets[deduction.chargedAssetId] as Asset;
  return { ccy: `"${ccy}"`, factor: trimmed(formatDecimal(10n ** 8n - BigInt(deduction.discountE8), RATE_SCALE)) };
}

/** A trigger that is reached by falling is 1, by rising 2; `higher` says that the price stood above it. */
export function directionNumber({ direction }: Pick<StopRecord, "direction">): 1 | 2 {
  return direction === "higher" ? 1 : 2;
}

/** What was paid for each lot, in ticks and rounded down; 0 without a fill. */
export function averagePrice(printer: MarketPrinter, { filledLots, filledValue }: OrderRecord): string {
  if (filledLots === 0n) return NOTHING;
  const { market, quote } = printer;
  const up = 10n ** BigInt(market.amountPrecision + market.pricePrecision);
  return printer.price((filledValue * up) / (filledLots * 10n ** BigInt(quote.scale)));
}

/** Without trailing zeros. */
export function trimmed(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}
