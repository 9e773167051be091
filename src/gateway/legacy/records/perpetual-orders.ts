/** Orders and stop orders of futures as the legacy generation prints them, in numbers where the others have words. */
import type { OrderType } from "../../../engine/command.ts";
import type { Engine, Outcome } from "../../../engine/engine.ts";
import { decodeEvents, decodeOrder, type OrderRecord } from "../../../engine/event.ts";
import type { State } from "../../../engine/state.ts";
import type { StopRecord } from "../../../engine/stops/stop-event.ts";
import type { WordBuffer } from "../../../engine/words.ts";
import type { JsonText } from "../../reading/json-text.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { recordPrinter } from "../../reading/record-printer.ts";
import { legacyRecord } from "../contract.ts";
import type { PerpetualEffectType, PerpetualOption } from "../types.generated.ts";
import { HIDDEN, MAKER_ONLY, NO_NEWS, orderShape, type StopNews, stopShape } from "./order-shape.ts";
import { exactSeconds } from "./time.ts";

export class PerpetualOrderPrinter {
  readonly #printers: Printers;
  readonly #order;
  readonly #orderStatus;
  readonly #stop;
  readonly #finishedStop;
  readonly #stopStatus;

  constructor(state: State, printers: Printers) {
    const record = (name: string) => legacyRecord("futures-http", name);
    const [order, stop] = [orderShape(state, exactSeconds), stopShape(state, exactSeconds)];
    this.#printers = printers;
    this.#order = recordPrinter(record("PerpetualOrder"), order);
    this.#orderStatus = recordPrinter(record("PerpetualOrderStatus"), order);
    this.#stop = recordPrinter(record("PerpetualStopOrder"), stop);
    this.#finishedStop = recordPrinter(record("PerpetualStopOrderFinished"), stop);
    this.#stopStatus = recordPrinter(record("PerpetualStopOrderStatus"), stop);
  }

  /**
   * A PerpetualOrder. Of its last fill the venue keeps price, amount and time; what else is known is known when it
   * happens.
   */
  order(order: OrderRecord, news = NO_NEWS): JsonText {
    return this.#order(order, this.#printers.of(order.marketId), news);
  }

  /** A PerpetualOrderStatus. */
  orderStatus(order: OrderRecord): JsonText {
    return this.#orderStatus(order, this.#printers.of(order.marketId), NO_NEWS);
  }

  orderAt(events: WordBuffer, at: number): JsonText {
    return this.order(decodeOrder(events, at));
  }

  /** A PerpetualOrder that closes, right after the command that placed it: nothing of the position may be left. */
  closeAt({ orderEvent, from, to }: Outcome, { events }: Engine): JsonText {
    const order = decodeOrder(events, orderEvent);
    let positionId: number | undefined;
    for (const event of decodeEvents(events, from, to)) {
      if (event.kind === "position" && event.orderId === order.orderId && event.userId === order.userId) {
        positionId = event.positionId;
      }
    }
    return this.order(order, { ...NO_NEWS, positionId });
  }

  /** A PerpetualStopOrder. */
  stop(stop: StopRecord): JsonText {
    return this.#stop(stop, this.#printers.of(stop.marketId), { status: 0 });
  }

  /** A PerpetualStopOrderFinished. */
  finishedStop(stop: StopRecord, news: StopNews): JsonText {
    return this.#finishedStop(stop, this.#printers.of(stop.marketId), news);
  }

  /** A PerpetualStopOrderStatus. */
  stopStatus(stop: StopRecord, news: StopNews): JsonText {
    return this.#stopStatus(stop, this.#printers.of(stop.marketId), news);
  }
}

/** The type of a limit order with this effect and option; undefined where they exclude each other. */
export function typeOf(effect: PerpetualEffectType, option: PerpetualOption): OrderType | undefined {
  const isMakerOnly = (option & MAKER_ONLY) !== 0;
  if (effect === 2 || effect === 3) return isMakerOnly ? undefined : effect === 2 ? "ioc" : "fok";
  return isMakerOnly ? "maker_only" : "limit";
}

export function isHidden(option: PerpetualOption): boolean {
  return (option & HIDDEN) !== 0;
}
