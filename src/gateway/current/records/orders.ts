/** Records of orders as the contract prints them. */
import { decodeOrder, type OrderRecord } from "../../../engine/event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import { asJson, type JsonText } from "../../reading/json-text.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";

export const MARKET_TYPE = { spot: "SPOT", margin: "MARGIN", futures: "FUTURES" } as const;

/**
 * A SpotOrder or a FuturesOrder, as the product of its market shows it. The same printer serves events, live orders and
 * history; a template, because it is what clients wait for. Names of markets and currencies and client ids hold nothing that
 * JSON would escape.
 */
export function orderText(printers: Printers, order: OrderRecord): JsonText {
  return asJson(`{${orderFields(printers, order)}}`);
}

/** The same with how the order stands. */
export function orderStatusText(printers: Printers, order: OrderRecord): JsonText {
  return asJson(`{${orderFields(printers, order)},"status":"${order.status}"}`);
}

/** A FuturesCloseOrder: it does not say which position it closes. */
export function closeOrderText(printers: Printers, order: OrderRecord): JsonText {
  return asJson(`{${futuresOrderFields(printers.ofOrders(order.marketId), order, "")}}`);
}

/** A list of orders. */
export function orderListText(printers: Printers, orders: readonly OrderRecord[]): JsonText {
  return asJson(`[${orders.map((order) => orderText(printers, order)).join()}]`);
}

/** The order whose event starts at word `at`. */
export function orderTextAt(printers: Printers, events: WordBuffer, at: number): JsonText {
  return orderText(printers, decodeOrder(events, at));
}

function orderFields(printers: Printers, order: OrderRecord): string {
  const printer = printers.ofOrders(order.marketId);
  if (printer.market.futures === undefined) return spotOrderFields(printer, order, printers.showsOrdersLive);
  return futuresOrderFields(printer, order, `"position_side":"${order.positionSide ?? ""}",`);
}

/** `namesFillTwice`: the last fill has both spellings (compat). */
function spotOrderFields(printer: MarketPrinter, order: OrderRecord, namesFillTwice: boolean): string {
  const { market, base, quote } = printer;
  const inQuote = order.amountIn === "quote";
  return (
    `"order_id":${order.orderId},"market":"${market.name}","market_type":"${MARKET_TYPE[order.account]}",` +
    `"ccy":"${inQuote ? quote.ccy : base.ccy}","side":"${order.side}","type":"${order.type}",` +
    `"amount":"${inQuote ? printer.value(order.amount) : printer.amount(order.amount)}",` +
    `"price":"${printer.priceOrNothing(order.price)}",` +
    `"unfilled_amount":"${inQuote ? printer.value(order.left) : printer.amount(order.left)}",` +
    `"filled_amount":"${printer.amount(order.filledLots)}","filled_value":"${printer.value(order.filledValue)}",` +
    `"client_id":"${order.clientId}",` +
    `"base_fee":"${printer.baseFee(order.baseFee)}","quote_fee":"${printer.value(order.quoteFee)}",` +
    `"discount_fee":"${printer.discountFee(order.discountFee)}",` +
    `${rateFields(order)},${fillFields(printer, order, namesFillTwice)},${timeFields(order)}`
  );
}

function futuresOrderFields(printer: MarketPrinter, order: OrderRecord, positionSide: string): string {
  return (
    `"order_id":${order.orderId},"market":"${printer.market.name}","market_type":"${MARKET_TYPE.futures}",` +
    `"side":"${order.side}","type":"${order.type}","amount":"${printer.amount(order.amount)}",` +
    `"price":"${printer.priceOrNothing(order.price)}",${positionSide}` +
    `"unfilled_amount":"${printer.amount(order.left)}",` +
    `"filled_amount":"${printer.amount(order.filledLots)}","filled_value":"${printer.value(order.filledValue)}",` +
    `"client_id":"${order.clientId}","fee":"${printer.value(order.quoteFee)}","fee_ccy":"${printer.settle.ccy}",` +
    `${rateFields(order)},${fillFields(printer, order, false)},"realized_pnl":"${printer.value(order.realizedPnl)}",${timeFields(order)}`
  );
}

function rateFields({ makerFeeRateE8, takerFeeRateE8 }: OrderRecord): string {
  return `"maker_fee_rate":"${rateText(makerFeeRateE8)}","taker_fee_rate":"${rateText(takerFeeRateE8)}"`;
}

function fillFields(printer: MarketPrinter, order: OrderRecord, namesFillTwice: boolean): string {
  const isFilled = order.filledLots !== 0n;
  const amount = isFilled ? printer.amount(order.lastFilledLots) : NOTHING;
  const price = isFilled ? printer.price(order.lastFilledPrice) : NOTHING;
  const documented = `"last_filled_amount":"${amount}","last_filled_price":"${price}"`;
  return namesFillTwice ? `${documented},"last_fill_amount":"${amount}","last_fill_price":"${price}"` : documented;
}

function timeFields({ createdAt, updatedAt }: OrderRecord): string {
  return `"created_at":${createdAt},"updated_at":${updatedAt}`;
}
