/** Orders and stop orders as the legacy sockets tell them, as JSON: those of spot in words of their own, those of futures as over HTTP. */
import type { OrderRecord } from "../../../../engine/event.ts";
import type { State } from "../../../../engine/state.ts";
import type { StopRecord } from "../../../../engine/stops/stop-event.ts";
import { feeRatesOf } from "../../../reading/fee-rates.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../../reading/market-printer.ts";
import { accountIdOf } from "../../accounts.ts";
import { PerpetualOrderPrinter, SIDE, SOURCE } from "../../records/perpetual-orders.ts";
import { deductionOf, directionNumber } from "../../records/spot-orders.ts";
import { exactSeconds } from "../../records/time.ts";
import type { LegacyStopStatus } from "../../types.generated.ts";
import { ROLE } from "./deals.ts";

export interface LastDeal {
  readonly dealId: number;
  readonly role: keyof typeof ROLE;
}

/** What is known of an order beside itself. */
export interface OrderNews {
  /** The stop order that it came from; 0: none that is known. */
  readonly stopId: number;
  readonly lastDeal: LastDeal | undefined;
}

const NO_NEWS: OrderNews = { stopId: 0, lastDeal: undefined };

export class OrderTexts {
  readonly #state: State;
  readonly #printers: Printers;
  readonly #perpetual: PerpetualOrderPrinter;

  constructor(state: State, printers: Printers) {
    this.#state = state;
    this.#printers = printers;
    this.#perpetual = new PerpetualOrderPrinter(state, printers);
  }

  /** A LegacyWsSpotOrder, of a futures order a LegacyWsFuturesOrder. */
  order(order: OrderRecord, { stopId, lastDeal }: OrderNews = NO_NEWS): string {
    const dealId = lastDeal?.dealId ?? 0;
    const role = lastDeal === undefined ? 0 : ROLE[lastDeal.role];
    if (order.account === "futures") return this.#perpetual.order(order, { stopId, dealId, role });
    const printer = this.#printers.of(order.marketId);
    const inQuote = order.amountIn === "quote";
    const count = (amount: bigint) => (inQuote ? printer.value(amount) : printer.amount(amount));
    const isFilled = order.filledLots !== 0n;
    const received = order.side === "buy" ? printer.baseFee(order.baseFee) : printer.value(order.quoteFee);
    const deduction = deductionOf(this.#state, order.discountFee !== 0n);
    return (
      `{"id":${order.orderId},${commonFields(this.#state, printer, order)},` +
      `"price":"${printer.priceOrNothing(order.price)}","amount":"${count(order.amount)}","left":"${count(order.left)}",` +
      `"deal_stock":"${printer.amount(order.filledLots)}","deal_money":"${printer.value(order.filledValue)}",` +
      `"stock_fee":"${printer.baseFee(order.baseFee)}","money_fee":"${printer.value(order.quoteFee)}",` +
      `"asset_fee":"${printer.discountFee(order.discountFee)}","deal_fee":"${received}",` +
      `"fee_asset":${deduction.ccy},"fee_discount":"${deduction.factor}",` +
      `"taker_fee":"${rateText(order.takerFeeRateE8)}","maker_fee":"${rateText(order.makerFeeRateE8)}",` +
      `"last_deal_amount":"${isFilled ? printer.amount(order.lastFilledLots) : NOTHING}",` +
      `"last_deal_price":"${isFilled ? printer.price(order.lastFilledPrice) : NOTHING}",` +
      `"last_deal_time":${isFilled ? exactSeconds(order.updatedAt) : 0},"last_deal_id":${dealId},"last_role":${role},` +
      `"stop_id":${stopId}}`
    );
  }

  /** A LegacyWsSpotStop, of a futures stop order a LegacyWsFuturesStop, which has no status. */
  stop(stop: StopRecord, status: LegacyStopStatus = 0): string {
    if (stop.account === "futures") return this.#perpetual.stop(stop);
    const printer = this.#printers.of(stop.marketId);
    // The order that it becomes takes the rates of its time; until then those of today are shown.
    const { maker, taker } = feeRatesOf(this.#state, stop.userId, printer.market);
    const amount = stop.amountIn === "quote" ? printer.value(stop.amount) : printer.amount(stop.amount);
    return (
      `{"id":${stop.stopId},${commonFields(this.#state, printer, stop)},"direction":${directionNumber(stop)},` +
      `"stop_price":"${printer.price(stop.trigger)}","price":"${printer.priceOrNothing(stop.price)}","amount":"${amount}",` +
      `"taker_fee":"${rateText(taker)}","maker_fee":"${rateText(maker)}","fee_discount":"1","fee_asset":null,` +
      `"status":${status}}`
    );
  }
}

/** What orders and stop orders of spot have in common. Of `option` no bit is known. */
function commonFields(state: State, { market }: MarketPrinter, order: OrderRecord | StopRecord): string {
  return (
    `"type":${order.type === "market" ? 2 : 1},"side":${SIDE[order.side]},"user":${order.userId},` +
    `"account":${accountIdOf(state, order)},"option":0,"ctime":${exactSeconds(order.createdAt)},` +
    `"mtime":${exactSeconds(order.updatedAt)},"market":"${market.name}","source":"${SOURCE}","client_id":"${order.clientId}"`
  );
}
