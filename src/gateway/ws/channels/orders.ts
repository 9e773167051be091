import type { OrderEventName, OrderRecord } from "../../../engine/event.ts";
import { ORDER_SHAPE } from "../../current/records/orders.ts";
import type { MarketPrinter } from "../../reading/market-printer.ts";
import { recordPrinter } from "../../reading/record-printer.ts";
import type { RecordType } from "../../request/rules.ts";
import { PrivateChannel } from "../channel.ts";
import type { Client } from "../client.ts";
import { loadSocketContract } from "../contract.ts";

/** Events of an account's orders. */
export class OrderChannel extends PrivateChannel {
  order(clients: readonly Client[], event: OrderEventName, order: OrderRecord, stopId: number): void {
    const printer = this.context.printers.of(order.marketId);
    this.tell(clients, printer.market.name, () => this.print(printer, event, order, stopId));
  }

  protected print(printer: MarketPrinter, event: OrderEventName, order: OrderRecord, stopId: number): string {
    const print = printer.market.futures === undefined ? printSpot : printFutures;
    return `{"event":"${event}","order":${print(order, printer, stopId)}}`;
  }
}

/** As over HTTP, and of futures the stop order that it came from. */
const SHAPE = {
  ...ORDER_SHAPE,
  others: { ...ORDER_SHAPE.others, stopId: (_: OrderRecord, _printer: MarketPrinter, stopId: number) => stopId },
};

const { records } = loadSocketContract().values;
const printSpot = recordPrinter(records.get("SpotOrder") as RecordType, SHAPE);
const printFutures = recordPrinter(records.get("FuturesOrder") as RecordType, SHAPE);
