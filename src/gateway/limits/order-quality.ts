/**
 * Reads the course of orders from events, for the long cycle: how many there are, which are executed, how long they
 * live.
 */
import { EVENT, ORDER_FLAG } from "../../engine/event.ts";
import type { State } from "../../engine/state.ts";
import type { WordBuffer } from "../../engine/words.ts";
import type { QuotaTime } from "./group-limit.ts";
import type { LongCycle } from "./long-cycle.ts";

const FINISH = 3;

/** Who keeps count. */
export type QualityCounter = Pick<LongCycle, "placed" | "effective" | "ended">;

export class OrderQuality {
  readonly #state: State;
  readonly #counter: QualityCounter;
  readonly #quotaTime: QuotaTime;
  /** Ids ascend: an order above it is a new one. */
  #lastOrderId: number;
  /**
   * Lots executed since the order's last event: of the taker, whose event follows all of its deals, and of the maker.
   */
  #takerOrderId = 0;
  #takerLots = 0;
  #makerOrderId = 0;
  #makerLots = 0;

  /** `state` is that of a venue none of whose further events are missed. */
  constructor(state: State, counter: QualityCounter, quotaTime: QuotaTime = (venueMs) => venueMs) {
    this.#state = state;
    this.#counter = counter;
    this.#quotaTime = quotaTime;
    this.#lastOrderId = state.nextOrderId - 1;
  }

  /** As Buckets.save; to be called between commands. */
  save(): () => void {
    const lastOrderId = this.#lastOrderId;
    return () => {
      this.#lastOrderId = lastOrderId;
      this.#takerOrderId = 0;
      this.#makerOrderId = 0;
    };
  }

  /** Takes in events, which are whole commands. Layouts as in engine/event.ts. */
  apply({ i32, f64, i64, length }: WordBuffer): void {
    let timeMs = 0;
    for (let at = 0; at < length; at += (i32[at * 2] as number) >>> 8) {
      const kind = (i32[at * 2] as number) & 255;
      if (kind === EVENT.command) timeMs = f64[at + 2] as number;
      else if (kind === EVENT.deal) {
        this.#deal(f64[at + 7] as number, f64[at + 8] as number, Number(i64[at + 4]));
      } else if (kind === EVENT.order) {
        const userId = i32[at * 2 + 2] as number;
        const orderId = f64[at + 2] as number;
        const event = ((i32[at * 2 + 3] as number) >> ORDER_FLAG.eventShift) & ORDER_FLAG.eventMask;
        const mainUserId = this.#state.users.mainOf(userId);
        const nowMs = this.#quotaTime(timeMs);
        this.#order(mainUserId, orderId, i32[at * 2 + 1] as number, Number(i64[at + 6]), nowMs);
        if (event === FINISH) this.#counter.ended(mainUserId, timeMs - (f64[at + 14] as number), nowMs);
      }
    }
  }

  #deal(takerOrderId: number, makerOrderId: number, lots: number): void {
    this.#takerLots = this.#takerOrderId === takerOrderId ? this.#takerLots + lots : lots;
    this.#takerOrderId = takerOrderId;
    this.#makerOrderId = makerOrderId;
    this.#makerLots = lots;
  }

  /** An order stands at `filledLots`; some of them may be new. */
  #order(mainUserId: number, orderId: number, marketId: number, filledLots: number, nowMs: number): void {
    if (orderId > this.#lastOrderId) {
      this.#lastOrderId = orderId;
      this.#counter.placed(mainUserId, nowMs);
    }
    let lots = 0;
    if (orderId === this.#makerOrderId) {
      lots = this.#makerLots;
      this.#makerOrderId = 0;
    } else if (orderId === this.#takerOrderId) {
      lots = this.#takerLots;
      this.#takerOrderId = 0;
    }
    if (lots === 0) return;
    const minLots = Number(this.#state.markets[marketId]?.minAmount ?? 0n);
    if (filledLots >= minLots && filledLots - lots < minLots) this.#counter.effective(mainUserId, nowMs);
  }
}
