/** Orders and stop orders of spot and margin as the legacy generation prints them. */
import { decodeOrder, type OrderRecord } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { JsonText } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { recordPrinter } from "../../reading/record-printer.ts";
import { legacyRecord } from "../contract.ts";
import type { LegacyStopStatus } from "../types.generated.ts";
import { NO_NEWS, orderShape, stopShape } from "./order-shape.ts";
import { seconds } from "./time.ts";

export class SpotOrderPrinter {
  readonly #printers: Printers;
  readonly #order;
  readonly #stop;
  readonly #endedStop;

  constructor(state: State, printers: Printers) {
    this.#printers = printers;
    const stop = legacyRecord("spot-http", "LegacyStopOrder");
    const waiting = { fields: stop.fields.filter(({ optional }) => optional !== true) };
    this.#order = recordPrinter(legacyRecord("spot-http", "LegacyOrder"), orderShape(state, seconds));
    this.#stop = recordPrinter(waiting, stopShape(state, seconds));
    this.#endedStop = recordPrinter(stop, stopShape(state, seconds));
  }

  /** A LegacyOrder. `sourceId` is only known while it is placed: nothing keeps it. */
  order(order: OrderRecord, sourceId?: string): JsonText {
    return this.#order(order, this.#printers.of(order.marketId), { ...NO_NEWS, sourceId });
  }

  orderAt(events: WordBuffer, at: number, sourceId?: string): JsonText {
    return this.order(decodeOrder(events, at), sourceId);
  }

  /** A LegacyStopOrder; `status` is that of one that no longer waits. */
  stop(stop: StopRecord, status?: LegacyStopStatus): JsonText {
    const print = status === undefined ? this.#stop : this.#endedStop;
    return print(stop, this.#printers.of(stop.marketId), { status: status ?? 0 });
  }
}

/** Without trailing zeros. */
export function trimmed(decimal: string): string {
  return decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
}
