import type { Audit, Hearing } from "../../audit/audit.ts";
import { decodeEvent, type EngineEvent } from "../../event.ts";
import { IndexAudit } from "../../listing/index-audit.ts";
import type { State } from "../../state.ts";
import type { WordBuffer } from "../../words.ts";
import { recordWords } from "../../words.ts";
import { levelName, OrderAudit } from "./order-audit.ts";

/** Follows orders, deals and what is displayed of the books. */
export class TradingAudit implements Audit {
  private readonly state: State;
  private readonly indexes: IndexAudit;
  private readonly orders: OrderAudit;
  private readonly checksPriority: boolean;
  /** Levels as the present command published them last. */
  private readonly levels = new Map<string, bigint>();
  /** Markets that leave with the event at a word of the present command. */
  private leaving: ReadonlyMap<number, readonly number[]> = new Map();

  constructor(state: State, checksPriority: boolean) {
    this.state = state;
    this.indexes = new IndexAudit(state);
    this.orders = new OrderAudit(state, this.indexes);
    this.checksPriority = checksPriority;
  }

  get touched(): Iterable<string> {
    return this.orders.touched;
  }

  frozen(cell: string): bigint {
    return this.orders.frozen.get(cell) ?? 0n;
  }

  begin(events: WordBuffer, from: number, to: number): void {
    this.leaving = this.leavingAt(events, from, to);
    this.levels.clear();
  }

  take(event: EngineEvent, { timeMs, available, report }: Hearing, at: number): void {
    const { orders } = this;
    for (const marketId of this.leaving.get(at) ?? []) orders.leave(marketId);
    switch (event.kind) {
      case "deal":
        orders.deal(event, available, report);
        if (this.checksPriority) orders.checkPriority(event, report);
        return;
      case "order":
        orders.order(event, timeMs, report);
        return;
      case "position":
        orders.realize(event.orderId, event.pnl);
        return;
      case "level":
        this.levels.set(levelName(event.marketId, event.side, event.price), event.lots);
        return;
      case "json":
        this.indexes.follow(event.event);
        if (event.event.type === "pool_set") orders.givePool(event.event.marketId);
        if (event.event.type === "deleveraged") orders.passDeal(event.event.dealId, report);
        if (event.event.type === "iceberg_placed") orders.iceberg(event.event, report);
        if (event.event.type === "auction_uncrossed") orders.uncross(event.event, report);
    }
  }

  end({ explain, report }: Hearing): void {
    this.orders.end(explain, report);
    for (const [level, lots] of this.levels) {
      const displayed = this.orders.displayed.get(level) ?? 0n;
      if (lots !== displayed) report(`${lots} lots were published for ${level}, which displays ${displayed}.`);
    }
    for (const level of this.orders.takeChangedLevels().keys()) {
      if (!this.levels.has(level)) report(`The change of ${level} was not published.`);
    }
  }

  compare(report: (breach: string) => void): void {
    this.orders.compare(this.state, report);
  }

  /**
   * Markets that the command delisted, by the event that tells of it: the last change of a market of that name. The
   * state is already that after the command, and what was traded before the market left was traded beside it.
   */
  private leavingAt(events: WordBuffer, from: number, to: number): Map<number, number[]> {
    const leaving = new Map<number, number[]>();
    for (const { id, name } of this.orders.leftUntold()) {
      let last = from;
      for (let at = from; at < to; at += recordWords(events, at)) {
        const event = decodeEvent(events, at);
        if (event.kind !== "json" || event.event.type !== "market_changed") continue;
        if (event.event.market === name) last = at;
      }
      leaving.set(last, [...(leaving.get(last) ?? []), id]);
    }
    return leaving;
  }
}
