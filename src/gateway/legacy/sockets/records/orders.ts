/**
 * Orders and stop orders as the legacy sockets tell them, as JSON: those of spot in words of their own, those of
 * futures as over HTTP.
 */
import type { OrderRecord } from "../../../../engine/event.ts";
import type { State } from "../../../../engine/state.ts";
import type { StopRecord } from "../../../../engine/stops/stop-event.ts";
import type { Printers } from "../../../reading/market-printer.ts";
import { recordPrinter } from "../../../reading/record-printer.ts";
import { legacyRecord } from "../../contract.ts";
import { ROLE } from "../../records/deal-shape.ts";
import { NO_NEWS, orderShape, stopShape } from "../../records/order-shape.ts";
import { PerpetualOrderPrinter } from "../../records/perpetual-orders.ts";
import { exactSeconds } from "../../records/time.ts";
import type { LegacyStopStatus } from "../../types.generated.ts";

export interface LastDeal {
  readonly dealId: number;
  readonly role: keyof typeof ROLE;
}

/** Data about an order that its own record does not hold. */
interface Known {
  /** The stop order that it came from; 0: none that is known. */
  readonly stopId: number;
  readonly lastDeal: LastDeal | undefined;
}

export class OrderTexts {
  readonly #printers: Printers;
  readonly #perpetual: PerpetualOrderPrinter;
  readonly #order;
  readonly #stop;

  constructor(state: State, printers: Printers) {
    this.#printers = printers;
    this.#perpetual = new PerpetualOrderPrinter(state, printers);
    this.#order = recordPrinter(legacyRecord("websocket", "LegacyWsSpotOrder"), orderShape(state, exactSeconds));
    this.#stop = recordPrinter(legacyRecord("websocket", "LegacyWsSpotStop"), stopShape(state, exactSeconds));
  }

  /** A LegacyWsSpotOrder, of a futures order a LegacyWsFuturesOrder. */
  order(order: OrderRecord, known?: Known): string {
    const { stopId, lastDeal } = known ?? { stopId: 0, lastDeal: undefined };
    const news =
      lastDeal === undefined ? { ...NO_NEWS, stopId } : { stopId, dealId: lastDeal.dealId, role: ROLE[lastDeal.role] };
    if (order.account === "futures") return this.#perpetual.order(order, news);
    return this.#order(order, this.#printers.of(order.marketId), news);
  }

  /** A LegacyWsSpotStop, of a futures stop order a LegacyWsFuturesStop, which has no status. */
  stop(stop: StopRecord, status: LegacyStopStatus = 0): string {
    if (stop.account === "futures") return this.#perpetual.stop(stop);
    return this.#stop(stop, this.#printers.of(stop.marketId), { status });
  }
}
