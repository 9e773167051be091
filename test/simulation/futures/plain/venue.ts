/**
 * What the futures accounts of a venue must hold, kept by hand: it reads what happened (deals, marks, rates, commands),
 * works out from the rules what that does to each position and each account, and says where the engine tells otherwise.
 * Nothing of the engine's arithmetic is used. Source: domain 4.
 */
import type { Command } from "../../../../src/engine/command.ts";
import type { EngineEvent, RareEvent } from "../../../../src/engine/event.ts";
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { type Course, LIQUIDATOR } from "./accounts.ts";
import { PlainClock } from "./clock.ts";
import { most, ratio, up } from "./rational.ts";
import type { Part } from "./trades.ts";

export class PlainFutures extends PlainClock {
  /** Learns the terms of all markets anew. */
  learnTerms: () => void = () => {};
  assetNamed: (ccy: string) => { readonly id: number; readonly scale: number } | undefined = () => undefined;

  /** Positions that have waited to be settled and must be now. */
  private readonly late = new Set<number>();

  /** Takes in what a command did; what contradicts the rules. */
  follow(command: Command, events: readonly EngineEvent[]): string[] {
    this.differences = [];
    this.deals = new Map();
    this.parts = new Map();
    this.dirty = false;
    this.settled = new Set();
    this.takeovers.clear();
    this.capped.clear();
    const toSettle = this.waiting(events);
    const ended: number[] = [];
    for (const event of events) {
      if (event.kind === "order" && event.order.account === "futures") {
        this.orders.set(event.order.orderId, event.order);
        if (event.event === "finish") ended.push(event.order.orderId);
      }
    }
    for (const event of events) if (event.kind === "deal" && this.markets.has(event.marketId)) this.enter(event);
    for (const event of events) {
      if (event.kind === "position") {
        // Collections that nobody noticed are over before somebody holds something again.
        const course = this.courses.get(event.marketId);
        if (event.reason === "increase" && course !== undefined) this.skipIdle(event.marketId, course, this.timeMs);
        this.position(event, command);
      } else if (event.kind === "json") {
        const { event: rareEvent } = event;
        // What the operator changes holds for all that follows from it.
        const isChange = rareEvent.type === "market_changed" && command.kind === "change_market";
        if (isChange && rareEvent.market === command.market) this.learnTerms();
        this.happen(rareEvent, command.kind === "set_index_prices");
      } else if (event.kind === "order") this.dirty = true;
    }
    for (const event of events) {
      if (event.kind === "json" && event.event.type === "mark_price") this.checkLadder(event.event.marketId);
    }
    for (const { id } of this.positions)
      if (this.capped.has(id)) this.report(`Position ${id} could not pay and stays.`);
    for (const key of this.parts.keys())
      this.report(`Deal and order ${key} do not change positions by all of the deal.`);
    if (this.funding.length > 0) this.report("Funding moves without a collection.");
    if (this.due.length > 0) this.report("What the venue takes over, nets or deleverages is not all told.");
    for (const [key, { waiting }] of this.takeovers) {
      if (waiting.length > 0) this.report(`Of account ${key} only some cross positions are taken over.`);
    }
    this.checkLate(events);
    for (const id of toSettle) if (!this.settled.has(id)) this.report(`Position ${id} is not settled.`);
    for (const [key, units] of this.cash)
      if (key.startsWith("0 ") && units < 0n) this.report(`The fund holds ${units}.`);
    this.funding = [];
    this.due = [];
    for (const orderId of ended) this.orders.delete(orderId);
    return this.differences;
  }

  protected position(event: PositionEvent, command: Command): undefined {
    switch (event.reason) {
      case "increase":
      case "reduce": {
        if (this.due.length > 0 || event.dealId === 0) return this.hand(event);
        const deal = this.deals.get(event.dealId);
        if (deal === undefined) return this.report(`Position ${event.positionId} trades without a deal.`);
        const key = `${event.dealId} ${event.orderId}`;
        const open = this.parts.get(key);
        if (open === undefined) return this.report(`Order ${event.orderId} is no side of deal ${event.dealId}.`);
        const left = open.length > 0 ? open : this.partsOf(deal, event.orderId);
        const [part, ...rest] = left as [Part, ...Part[]];
        if (rest.length > 0) this.parts.set(key, rest);
        else this.parts.delete(key);
        return this.take(event, part);
      }
      case "funding":
        this.funding.push(event);
        return;
      case "settle":
        return this.settle(event);
      case "margin":
      case "leverage":
        return this.adjust(event, command);
      default:
        return this.report(`Nobody knows why position ${event.positionId} changes: ${event.reason}.`);
    }
  }

  protected adjust(event: PositionEvent, command: Command): undefined {
    const position = this.held(event.userId, event.marketId, event.isShort);
    if (position === undefined) return this.report(`There is no position ${event.positionId} to change.`);
    let change = 0n;
    if (event.reason === "margin") {
      if (command.kind !== "adjust_margin") return this.report("A margin changes that nobody asked to change.");
      const { scale } = this.market(event.marketId);
      const [whole = "", fraction = ""] = command.amount.replace("-", "").split(".");
      change = BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.padEnd(scale, "0") || "0");
      if (command.amount.startsWith("-")) change = -change;
    } else {
      if (command.kind !== "set_leverage") return this.report("A leverage changes that nobody asked to change.");
      const initial = (leverage: number) => up(ratio(position.settle, BigInt(leverage)));
      const floor = initial(command.leverage) + most(0n, -this.at(position).profit);
      const moved = position.margin + initial(command.leverage) - initial(position.leverage);
      if (position.isIsolated) change = most(moved, floor) - position.margin;
      position.leverage = command.leverage;
    }
    position.margin += change;
    this.pay(event.userId, this.market(event.marketId).settles, -change);
    this.stands(event, position, { marginChange: change, pnl: 0n, lots: 0n, fee: 0n, covered: 0n });
  }

  /** An index gets stale or fresh. */
  private turn(marketId: number, isStale: boolean, isUpdate: boolean): undefined {
    const course = this.courses.get(marketId);
    if (course === undefined) return;
    const isBack = isUpdate && course.returnedAt > 0 && this.timeMs - course.returnedAt >= 5_000;
    if (!isStale && !isBack) this.report(`The index of market ${marketId} is back too early.`);
    if (course.settlesLate && !isStale) {
      for (const position of this.positions) if (position.marketId === marketId) this.late.add(position.id);
    }
    course.isStale = isStale;
    course.returnedAt = 0;
    course.settlesLate &&= isStale;
  }

  /** Whether all that had waited to be settled is, unless it was traded besides. */
  private checkLate(events: readonly EngineEvent[]): undefined {
    const isTraded = (id: number) =>
      events.some((event) => event.kind === "position" && event.positionId === id && event.lots > 0n);
    for (const position of this.positions) {
      if (!this.late.has(position.id) || this.settled.has(position.id) || isTraded(position.id)) continue;
      if (this.maySettle(position) && this.at(position).profit !== 0n) {
        this.report(`Position ${position.id} is not settled, though its index is back.`);
      }
    }
    this.late.clear();
  }

  protected happen(event: RareEvent, isUpdate: boolean): undefined {
    switch (event.type) {
      case "index_price": {
        const course = this.courses.get(event.marketId);
        if (course === undefined) return;
        // What had waited for the first price of all is settled by it: nobody can have had a position.
        if (course.index === 0n) course.settlesLate = false;
        course.index = BigInt(event.price);
        // An index that is heard of again is believed with the second update, five seconds later.
        if (course.isStale && course.returnedAt === 0 && isUpdate) course.returnedAt = this.timeMs;
        return this.mark(event.marketId, course);
      }
      case "index_stale":
        return this.turn(event.marketId, event.isStale, isUpdate);
      case "fund_budget_set":
        this.budget.hourE8 = Number(event.hourRate.replace(".", ""));
        this.budget.dayE8 = Number(event.dayRate.replace(".", ""));
        return;
      case "mark_price":
        return this.differ(`mark of market ${event.marketId}`, event.price, String(this.markOf(event.marketId)));
      case "premium_sampled":
        return this.sample(event);
      case "funding_interval": {
        const course = this.courses.get(event.marketId) as Course;
        course.intervalH = event.intervalH;
        course.collectsAt = event.collectsAt;
        return;
      }
      case "funding_collected":
        return this.collect(event);
      case "liquidated":
        return this.takeOver(event);
      case "deleveraged":
        return this.deleverage(event);
      case "clearing_closed": {
        const left = this.cleared.get(event.marketId) ?? 0n;
        this.differ(`clearing of market ${event.marketId} as it leaves`, event.residue, String(left));
        this.clear(event.marketId, -left);
        return this.pay(LIQUIDATOR, this.market(event.marketId).settles, left);
      }
      case "transferred":
        return this.move(event.userId, event.ccy, event.to === "FUTURES" ? event.amount : `-${event.amount}`);
      case "account_lifted":
        this.move(event.userId, event.ccy, event.amount);
        return this.move(LIQUIDATOR, event.ccy, `-${event.amount}`);
      case "deposited":
        return event.cell === "sys:ins_futures" ? this.move(LIQUIDATOR, event.ccy, event.amount) : undefined;
      case "adjusted":
        if (event.cell !== "sys:ins_futures") return;
        return this.move(
          LIQUIDATOR,
          event.ccy,
          event.amount.startsWith("-") ? event.amount.slice(1) : `-${event.amount}`,
        );
    }
  }

  protected move(userId: number, ccy: string, amount: string): undefined {
    const asset = this.assetNamed(ccy);
    if (asset === undefined) return this.report(`There is no asset ${ccy}.`);
    const [whole = "", fraction = ""] = amount.replace("-", "").split(".");
    const units = BigInt(whole) * 10n ** BigInt(asset.scale) + BigInt(fraction.padEnd(asset.scale, "0") || "0");
    this.pay(userId, asset.id, amount.startsWith("-") ? -units : units);
  }
}
