import type { Audit, Hearing } from "../../audit/audit.ts";
import type { Report } from "../../audit/ledger-audit.ts";
import type { EngineEvent, OrderRecord } from "../../event.ts";
import type { State } from "../../state.ts";
import { NONE } from "../../trading/order.ts";
import type { PositionEvent } from "../positions/position-event.ts";
import { type ExitRareEvent, type ExitRecord, readExit } from "./exit-event.ts";

/** Fields that no event may change in the life of an exit. */
const FOR_LIFE = ["positionId", "userId", "marketId", "isShort", "exit", "createdAt"] as const;

/** Follows every exit by its events alone: put, changed, then ended once, and not after its position. */
export class ExitAudit implements Audit {
  private readonly state: State;
  private readonly live = new Map<number, ExitRecord>();
  /** Orders as the present command first told of them, and the positions that it closed. */
  private readonly told = new Map<number, OrderRecord>();
  private readonly closed = new Set<number>();
  private lastExitId: number;

  constructor(state: State) {
    this.state = state;
    this.lastExitId = state.nextExitId - 1;
    for (const { id } of state.markets) {
      for (const slot of state.futures.exits.ofMarket(id)) {
        const record = readExit(state, slot);
        this.live.set(record.exitId, record);
      }
    }
  }

  take(event: EngineEvent, { timeMs, report }: Hearing): void {
    if (event.kind === "order") this.order(event.order);
    else if (event.kind === "position") this.position(event);
    else if (event.kind === "json" && event.event.type === "exit") this.exit(event.event, timeMs, report);
  }

  /** Takes note of an order, in case an exit says that it became this one. */
  order(order: OrderRecord): void {
    if (!this.told.has(order.orderId)) this.told.set(order.orderId, order);
  }

  position(event: PositionEvent): void {
    if (event.amount === 0n) this.closed.add(event.positionId);
  }

  exit({ type: _, event, orderId, refusal, ...exit }: ExitRareEvent, timeMs: number, report: Report): void {
    const { exitId } = exit;
    const wrong = (what: string) => report(`Exit ${exitId}, told by ${event}, ${what}.`);
    const before = this.live.get(exitId);
    if (event === "put") {
      if (exitId !== this.lastExitId + 1) wrong(`follows exit ${this.lastExitId}`);
      if (exit.createdAt !== timeMs) wrong("was not created now");
      if (this.closed.has(exit.positionId)) wrong("is of a position that is closed");
      this.lastExitId = exitId;
    } else if (before === undefined) wrong("was not waiting");
    else {
      for (const field of FOR_LIFE) if (before[field] !== exit[field]) wrong(`has changed its ${field}`);
      if (event !== "modify" && !isSame({ ...before, updatedAt: exit.updatedAt }, exit)) wrong("has changed");
    }
    if (exit.updatedAt !== timeMs) wrong("was not updated now");
    if ((event === "active_success") !== orderId > 0) wrong(`names order ${orderId}`);
    if ((event === "active_fail") !== refusal > 0) wrong(`names refusal ${refusal}`);
    if (event === "end" && !this.closed.has(exit.positionId)) wrong("ends before its position");
    if (event === "active_success") this.checkOrder(exit, orderId, wrong);
    if (event === "put" || event === "modify") this.live.set(exitId, exit);
    else this.live.delete(exitId);
  }

  /** Ends a command. */
  end(): void {
    this.told.clear();
    this.closed.clear();
  }

  /** Whether the events told everything: the exits followed are those that wait. */
  compare(report: Report): void {
    const { state } = this;
    const { exits } = state.futures;
    if (this.live.size !== exits.live) report(`Events tell of ${this.live.size} exits of ${exits.live}.`);
    for (const exit of this.live.values()) {
      const slot = exits.find(exit.exitId);
      if (slot === NONE) report(`Exit ${exit.exitId} waits by its events and is not in the state.`);
      else if (!isSame(readExit(state, slot), exit)) report(`Events do not tell how exit ${exit.exitId} stands.`);
    }
  }

  private checkOrder(exit: ExitRecord, orderId: number, wrong: (what: string) => void): void {
    const order = this.told.get(orderId);
    if (order === undefined) {
      wrong(`became order ${orderId}, of which nothing was told`);
      return;
    }
    const { userId, marketId, exit: aim, amount } = exit;
    const expected = { userId, marketId, aim, type: "market", side: exit.isShort ? "buy" : "sell" } as const;
    for (const field of Object.keys(expected) as (keyof typeof expected)[]) {
      if (order[field] !== expected[field]) wrong(`became an order with another ${field}`);
    }
    if (amount !== "0" && order.amount > BigInt(amount)) wrong("became an order of more than its amount");
  }
}

function isSame(left: ExitRecord, right: ExitRecord): boolean {
  return (Object.keys(left) as (keyof ExitRecord)[]).every((field) => left[field] === right[field]);
}
