import type { Audit, Hearing } from "../audit/audit.ts";
import type { Report } from "../audit/ledger-audit.ts";
import type { EngineEvent, OrderRecord } from "../event.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import { readStop } from "./emit-stop.ts";
import type { StopEvent, StopRecord } from "./stop-event.ts";

/** Fields that no event may change in the life of a stop order. */
const FOR_LIFE = [
  ...(["userId", "marketId", "account", "side", "type", "amountIn", "hidden", "stpMode", "clientId"] as const),
  ...(["createdAt", "triggerType", "trail", "trailRateE8", "activation", "groupId", "display", "reduces"] as const),
] as const;

/** Fields of a trail that move with the price, of which nothing is told before it fires or changes. */
const MOVING: readonly string[] = ["trigger", "extreme"];

/** The fields that a stop order and the order that it becomes have in common. */
const HANDED_ON = [
  ...(["userId", "marketId", "account", "side", "type", "amountIn", "hidden", "stpMode", "clientId"] as const),
  ...(["price", "amount"] as const),
] as const;

/** Follows every stop order by its events alone: put, changed, then ended once, by a cancel or by firing. */
export class StopAudit implements Audit {
  private readonly state: State;
  private readonly live = new Map<number, StopRecord>();
  /** Orders as the present command first told of them. */
  private readonly told = new Map<number, OrderRecord>();
  private lastStopId: number;
  private lastOrderId: number;

  constructor(state: State) {
    this.state = state;
    this.lastStopId = state.nextStopId - 1;
    this.lastOrderId = state.nextOrderId - 1;
    for (const { id } of state.markets) {
      for (const slot of state.stops.ofMarket(id)) this.live.set(state.stops.stopId(slot), readStop(state, slot));
    }
  }

  take(event: EngineEvent, { timeMs, report }: Hearing): void {
    if (event.kind === "order") this.order(event.order);
    else if (event.kind === "stop") this.stop(event, timeMs, report);
  }

  /** Takes note of an order, in case a stop order says that it became this one. */
  private order(order: OrderRecord): void {
    if (!this.told.has(order.orderId)) this.told.set(order.orderId, order);
  }

  stop({ event, stop, orderId, refusal }: StopEvent, timeMs: number, report: Report): void {
    const { stopId } = stop;
    const wrong = (what: string) => report(`Stop order ${stopId}, told by ${event}, ${what}.`);
    const before = this.live.get(stopId);
    if (event === "put") {
      if (stopId !== this.lastStopId + 1) wrong(`follows stop order ${this.lastStopId}`);
      if (stop.createdAt !== timeMs) wrong("was not created now");
      this.lastStopId = stopId;
    } else if (before === undefined) wrong("was not waiting");
    else {
      for (const field of FOR_LIFE) if (before[field] !== stop[field]) wrong(`has changed its ${field}`);
      if (event !== "modify" && !isSame({ ...before, updatedAt: stop.updatedAt }, stop)) wrong("has changed");
      if (isTurnedBack(before, stop)) wrong("has lost a price that it had seen");
    }
    if (stop.updatedAt !== timeMs) wrong("was not updated now");
    if ((event === "active_success") !== orderId > 0) wrong(`names order ${orderId}`);
    if ((event === "active_fail") !== refusal > 0) wrong(`names refusal ${refusal}`);
    if (event === "active_success") this.checkOrder(stop, orderId, wrong);
    if (event === "put" || event === "modify") this.live.set(stopId, stop);
    else this.live.delete(stopId);
  }

  /** Ends a command. */
  end(): void {
    this.told.clear();
  }

  /** Whether the events told everything: the stop orders followed are those that wait. */
  compare(report: Report): void {
    const { state } = this;
    if (this.live.size !== state.stops.live)
      report(`Events tell of ${this.live.size} stop orders of ${state.stops.live}.`);
    for (const stop of this.live.values()) {
      const slot = state.stops.find(stop.stopId);
      if (slot === NONE) report(`Stop order ${stop.stopId} waits by its events and is not in the state.`);
      else if (!isSame(readStop(state, slot), stop)) report(`Events do not tell how stop order ${stop.stopId} stands.`);
    }
  }

  private checkOrder(stop: StopRecord, orderId: number, wrong: (what: string) => void): void {
    const order = this.told.get(orderId);
    if (order === undefined) wrong(`became order ${orderId}, of which nothing was told`);
    else {
      for (const field of HANDED_ON) {
        // What only reduces may be cut to what there is.
        const isCut = field === "amount" && stop.reduces === true && order.amount < stop.amount;
        if (order[field] !== stop[field] && !isCut) wrong(`became an order with another ${field}`);
      }
    }
    if (orderId <= this.lastOrderId) wrong(`became order ${orderId}, which is not new`);
    this.lastOrderId = orderId;
  }
}

function isSame(left: StopRecord, right: StopRecord): boolean {
  const moves = isFollowing(right);
  return (Object.keys(left) as (keyof StopRecord)[]).every(
    (field) => left[field] === right[field] || (moves && MOVING.includes(field)),
  );
}

function isFollowing({ trail = 0n, trailRateE8 = 0, extreme = 0n }: StopRecord): boolean {
  return (trail > 0n || trailRateE8 > 0) && extreme > 0n;
}

/** Whether a trail has gone back on its extreme. */
function isTurnedBack(before: StopRecord, after: StopRecord): boolean {
  const [was = 0n, is = 0n] = [before.extreme, after.extreme];
  if (was === 0n) return false;
  return after.side === "sell" ? is < was : is > was || is === 0n;
}
