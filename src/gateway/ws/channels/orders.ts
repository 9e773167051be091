import type { OrderEventName, OrderRecord } from "../../../engine/event.ts";
import { type MarketPrinter, NOTHING, rateText } from "../../reading/market-printer.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";

/** What becomes of an account's orders. */
export class OrderChannel extends PrivateChannel {
  order(clients: readonly Client[], event: OrderEventName, order: OrderRecord, stopId: number): void {
    const printer = this.context.printers.of(order.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, event, order, stopId));
  }

  protected print(printer: MarketPrinter, event: OrderEventName, order: OrderRecord, stopId: number): string {
    const fields = printer.market.futures ? futuresFieldsOf(printer, order, stopId) : spotFieldsOf(printer, order);
    return `{"event":"${event}","order":{${fields}}}`;
  }
}

/** A SpotOrder of the sockets, which spells some fields otherwise than that of HTTP. */
function spotFieldsOf(printer: MarketPrinter, order: OrderRecord): string {
  const { market } = printer;
  const inQuote = order.amountIn === "quote";
  const isFilled = order.filledLots !== 0n;
  const amount = (units: bigint) => (inQuote ? printer.value(units) : printer.amount(units));
  return (
    `"order_id":${order.orderId},"market":"${market.name}",` +
    `"margin_market":"${order.account === "margin" ? market.name : ""}",` +
    `"type":"${order.type}","side":"${order.side}","amount":"${amount(order.amount)}",` +
    `"price":"${printer.priceOrNothing(order.price)}","unfilled_amount":"${amount(order.left)}",` +
    `"filled_amount":"${printer.amount(order.filledLots)}","filled_value":"${printer.value(order.filledValue)}",` +
    `"base_ccy_fee":"${printer.baseFee(order.baseFee)}","quote_ccy_fee":"${printer.value(order.quoteFee)}",` +
    `"discount_ccy_fee":"${printer.discountFee(order.discountFee)}",` +
    `"taker_fee_rate":"${rateText(order.takerFeeRateE8)}","maker_fee_rate":"${rateText(order.makerFeeRateE8)}",` +
    `"last_filled_amount":"${isFilled ? printer.amount(order.lastFilledLots) : NOTHING}",` +
    `"last_filled_price":"${isFilled ? printer.price(order.lastFilledPrice) : NOTHING}",` +
    `"client_id":"${order.clientId}","created_at":${order.createdAt},"updated_at":${order.updatedAt}`
  );
}

/** A FuturesOrder of the sockets. */
function futuresFieldsOf(printer: MarketPrinter, order: OrderRecord, stopId: number): string {
  const isFilled = order.filledLots !== 0n;
  return (
    `"order_id":${order.orderId},"stop_id":${stopId},"market":"${printer.market.name}",` +
    `"side":"${order.side}","type":"${order.type}","amount":"${printer.amount(order.amount)}",` +
    `"price":"${printer.priceOrNothing(order.price)}","unfilled_amount":"${printer.amount(order.left)}",` +
    `"filled_amount":"${printer.amount(order.filledLots)}","filled_value":"${printer.value(order.filledValue)}",` +
    `"fee":"${printer.value(order.quoteFee)}","fee_ccy":"${printer.settle.ccy}",` +
    `"taker_fee_rate":"${rateText(order.takerFeeRateE8)}","maker_fee_rate":"${rateText(order.makerFeeRateE8)}",` +
    `"last_filled_amount":"${isFilled ? printer.amount(order.lastFilledLots) : NOTHING}",` +
    `"last_filled_price":"${isFilled ? printer.price(order.lastFilledPrice) : NOTHING}",` +
    `"client_id":"${order.clientId}","created_at":${order.createdAt},"updated_at":${order.updatedAt}`
  );
}
