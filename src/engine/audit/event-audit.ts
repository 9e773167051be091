import { decodeEvent, type EngineEvent, eventWords, type Happening } from "../event.ts";
import { adjustingCell, CELL, VENUE } from "../ledger/cell.ts";
import { parseSignedDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";
import type { WordBuffer } from "../words.ts";
import { ExitAudit } from "./exit-audit.ts";
import { FuturesAudit } from "./futures-audit.ts";
import { cellName, LedgerAudit } from "./ledger-audit.ts";
import { MaintenanceAudit } from "./maintenance-audit.ts";
import { levelName, OrderAudit } from "./order-audit.ts";
import { StopAudit } from "./stop-audit.ts";

/**
 * Reads the events of command after command and checks that they tell one true story: every unit that moves has a deal,
 * a deposit or an adjustment as its reason, every freeze an order, every order event follows from the last one and from its deals, and what
 * is published of the book is what it displays. It follows cells and orders by their events alone, so it also finds what
 * the state keeps to itself. Of listings it reads the state, which tells how large lots and ticks are.
 *
 * Source: domain 10, numbers 1-4, 8-15, 31, 34 and 37. The state itself is checked by invariants.ts.
 */
export class EventAudit {
  private readonly state: State;
  private readonly ledger: LedgerAudit;
  private readonly orders: OrderAudit;
  private readonly maintenance: MaintenanceAudit;
  private readonly stops: StopAudit;
  private readonly futures: FuturesAudit;
  private readonly exits: ExitAudit;
  private readonly checksPriority: boolean;
  private lastSeq: number;
  private lastTimeMs: number;

  /** Begins with the state as it stands. With `checksPriority` each deal costs time linear in all resting orders. */
  constructor(state: State, checksPriority = false) {
    this.state = state;
    this.ledger = new LedgerAudit(state);
    this.orders = new OrderAudit(state);
    this.maintenance = new MaintenanceAudit(state);
    this.stops = new StopAudit(state);
    this.futures = new FuturesAudit(state);
    this.exits = new ExitAudit(state);
    this.checksPriority = checksPriority;
    this.lastSeq = state.seq;
    this.lastTimeMs = state.timeMs;
  }

  /** Checks the events of one command, the words from `from` to `to`. Sentences that say what is wrong with them. */
  check(events: WordBuffer, from: number, to: number): string[] {
    const breaches: string[] = [];
    const say = (breach: string) => breaches.push(breach);
    const levels = new Map<string, bigint>();
    const leaving = this.leavingAt(events, from, to);
    for (let at = from; at < to; at += eventWords(events, at)) {
      const event = decodeEvent(events, at);
      for (const marketId of leaving.get(at) ?? []) this.orders.leave(marketId);
      if ((at === from) !== (event.kind === "command")) say("Events do not begin with their one command.");
      this.take(event, levels, say);
    }
    for (const cell of new Set([...this.ledger.touched, ...this.orders.touched])) {
      const frozen = this.ledger.frozen(cell);
      const needed = this.orders.frozen.get(cell) ?? 0n;
      if (frozen !== needed) say(`${frozen} units are frozen in ${cell} for orders that need ${needed}.`);
    }
    this.orders.end((cell, units) => this.ledger.explain(cell, units), say);
    this.futures.end(say);
    this.stops.end();
    this.exits.end();
    this.ledger.end(say);
    this.maintenance.end(this.lastTimeMs, say);
    for (const [level, lots] of levels) {
      const displayed = this.orders.displayed.get(level) ?? 0n;
      if (lots !== displayed) say(`${lots} lots were published for ${level}, which displays ${displayed}.`);
    }
    for (const level of this.orders.takeChangedLevels().keys()) {
      if (!levels.has(level)) say(`The change of ${level} was not published.`);
    }
    return breaches;
  }

  /** Checks that the events told everything: what was followed is what the state holds. Linear in the whole state. */
  compare(): string[] {
    const breaches: string[] = [];
    const say = (breach: string) => breaches.push(breach);
    this.ledger.compare(this.state, say);
    this.orders.compare(this.state, say);
    this.maintenance.compare(this.state, say);
    this.stops.compare(this.state, say);
    this.futures.compare(this.state, say);
    this.exits.compare(this.state, say);
    return breaches;
  }

  /**
   * Markets that the command delisted, by the event that tells of it: the last change of a market of that name. The state is
   * already that after the command, and what was traded before the market left was traded beside it.
   */
  private leavingAt(events: WordBuffer, from: number, to: number): Map<number, number[]> {
    const leaving = new Map<number, number[]>();
    for (const { id, name } of this.orders.leftUntold()) {
      let last = from;
      for (let at = from; at < to; at += eventWords(events, at)) {
        const event = decodeEvent(events, at);
        if (event.kind !== "json" || event.event.type !== "market_changed") continue;
        if (event.event.market === name) last = at;
      }
      leaving.set(last, [...(leaving.get(last) ?? []), id]);
    }
    return leaving;
  }

  private take(event: EngineEvent, levels: Map<string, bigint>, say: (breach: string) => void): void {
    switch (event.kind) {
      case "command":
        if (event.seq <= this.lastSeq) say(`Command ${event.seq} follows command ${this.lastSeq}.`);
        if (event.timeMs < this.lastTimeMs) say(`Command ${event.seq} is earlier than the one before it.`);
        this.lastSeq = event.seq;
        this.lastTimeMs = event.timeMs;
        return;
      case "posting":
        this.ledger.post(event, say);
        return;
      case "deal":
        this.orders.deal(event, (cell) => this.ledger.available(cell), say);
        if (this.checksPriority) this.orders.checkPriority(event, say);
        this.maintenance.deal(event.taker.account === "futures", say);
        if (event.taker.account === "futures") this.futures.deal(event);
        return;
      case "order":
        this.orders.order(event, this.lastTimeMs, say);
        this.maintenance.order(event, say);
        this.stops.order(event.order);
        this.exits.order(event.order);
        return;
      case "stop":
        this.stops.stop(event, this.lastTimeMs, say);
        return;
      case "position":
        this.futures.position(event, this.lastTimeMs, (cell, units) => this.ledger.explain(cell, units), say);
        this.orders.realize(event.orderId, event.pnl);
        this.exits.position(event);
        return;
      case "level":
        levels.set(levelName(event.marketId, event.side, event.price), event.lots);
        return;
      case "json":
        this.explainFunds(event.event);
        if (event.event.type === "deleveraged") this.orders.passDeal(event.event.dealId, say);
        this.futures.happen(event.event, (cell, units) => this.ledger.explain(cell, units), say);
        if (event.event.type === "exit") this.exits.exit(event.event, this.lastTimeMs, say);
        this.maintenance.happen(event.event, say);
        if (event.event.type === "auction_uncrossed") {
          this.orders.uncross(event.event.marketId, BigInt(event.event.price));
        }
    }
  }

  /** What deposits and adjustments say should have moved. */
  private explainFunds(happening: Happening): void {
    if (happening.type !== "deposited" && happening.type !== "adjusted") return;
    const asset = this.state.assetByCcy.get(happening.ccy);
    const units = asset === undefined ? undefined : parseSignedDecimal(happening.amount, asset.scale);
    if (asset === undefined || units === undefined) return;
    const { type, userId, cell } = happening;
    const named = cell === null ? undefined : adjustingCell(cell);
    const from = type === "adjusted" && named !== undefined ? named : CELL.outside;
    const to = type === "deposited" && named !== undefined ? named : CELL.spot;
    this.ledger.explain(cellName(from, VENUE, 0, asset.id), -units);
    this.ledger.explain(cellName(to, userId ?? VENUE, 0, asset.id), units);
  }
}
