import type { OrderEventName, OrderRecord } from "../../../../engine/event.ts";
import type { OwnDeal } from "../../../../feeds/private-feed.ts";
import type { MarketPrinter } from "../../../reading/market-printer.ts";
import type { ChannelContext } from "../../../ws/channel.ts";
import { OrderChannel } from "../../../ws/channels/orders.ts";
import type { Client } from "../../../ws/client.ts";
import type { SocketChannel } from "../../../ws/contract.ts";
import { type LastDeal, OrderTexts } from "../records/orders.ts";

/** LegacyWsOrderEvent. */
const TOLD_AS = { put: 1, update: 2, modify: 2, finish: 3 } as const satisfies Record<OrderEventName, number>;

/** Events of an account's orders: `[event, order]`. */
export class LegacyOrderChannel extends OrderChannel {
  readonly #texts: OrderTexts;
  /**
   * The last deals of orders, by their ids, in the group of commands under way: each comes before what becomes of its
   * order.
   */
  readonly #deals = new Map<number, LastDeal>();

  constructor(contract: SocketChannel, context: ChannelContext) {
    super(contract, context);
    this.#texts = new OrderTexts(context.backend.state, context.printers);
  }

  deal(_clients: readonly Client[], { deal, own, role }: OwnDeal): void {
    this.#deals.set(own.orderId, { dealId: deal.dealId, role });
  }

  applied(): void {
    this.#deals.clear();
  }

  protected override print(_: MarketPrinter, event: OrderEventName, order: OrderRecord, stopId: number): string {
    const lastDeal = order.filledLots === 0n ? undefined : this.#deals.get(order.orderId);
    return `${TOLD_AS[event]},${this.#texts.order(order, { stopId, lastDeal })}`;
  }
}
