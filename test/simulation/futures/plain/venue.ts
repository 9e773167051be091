/**
 * What the futures accounts of a venue must hold, kept by hand: it reads what happened (deals, marks, rates, commands), works
 * out from the rules what that does to each position and each account, and says where the engine tells otherwise. Nothing of
 * the engine's arithmetic is used. Source: domain 4.
 */
import type { Command } from "../../../../src/engine/command.ts";
import type { DealEvent, EngineEvent, Happening, OrderRecord } from "../../../../src/engine/event.ts";
import type { PositionEvent } from "../../../../src/engine/futures/position-event.ts";
import { type Depth, HOUR_MS, markBy, rateBy, type Sample, sampled } from "./premiums.ts";
import { down, e8, least, most, near, ratio, times, up } from "./rational.ts";
import { feeOf, type PlainMarket, type PlainPosition, priceOf, sigma, traded, valued } from "./records.ts";

/** The user that holds what the venue takes over; its cash is the insurance fund. */
const LIQUIDATOR = 0;

/** What a market has gone through. */
interface Course {
  index: bigint;
  mark: bigint;
  samples: Sample[];
  intervalH: number;
  collectedAt: number;
}

/** Cross positions of one account on their way to the venue. */
interface Takeover {
  readonly equity: bigint;
  readonly maintenance: bigint;
  /** Ids, the next one first. */
  readonly waiting: number[];
  left: bigint;
}

/** One part of a deal that an order takes, or of what is like a deal: it closes or it opens. */
interface Part {
  readonly closes: boolean;
  readonly isShort: boolean;
  readonly lots: bigint;
  readonly value: bigint;
  readonly fee: bigint;
}

/** What the engine told of one change, and what follows from the rules. */
type Expected = Partial<Record<keyof PositionEvent, unknown>>;

export class PlainFutures {
  markets = new Map<number, PlainMarket>();
  readonly courses = new Map<number, Course>();
  /** Oldest first. */
  readonly positions: PlainPosition[] = [];
  /** By "user asset"; that of the liquidator is the insurance fund. */
  readonly cash = new Map<string, bigint>();
  /** What profits of a market were paid from. */
  readonly cleared = new Map<number, bigint>();
  /** Learns the terms of all markets anew. */
  learnTerms: () => void = () => {};
  /** Facts of the time before the command: own rates, modes, freezes by account, displayed depth by market. */
  rates: (userId: number, marketId: number) => number = () => 0;
  isHedge: (userId: number) => boolean = () => false;
  frozen = new Map<string, bigint>();
  depth = new Map<number, readonly [Depth, Depth]>();
  private differences: string[] = [];
  private deals = new Map<number, DealEvent>();
  private readonly orders = new Map<number, OrderRecord>();
  private parts = new Map<string, Part[]>();
  private funding: PositionEvent[] = [];
  /** What a takeover, a deleveraging or a netting must do to positions next, whose they are first. */
  private due: { readonly userId: number; readonly part: Part }[] = [];
  private readonly takeovers = new Map<string, Takeover>();
  private settled = new Set<number>();
  /** Whether the command lets a market leave. */
  isLeaving: (marketId: number) => boolean = () => false;
  /** Whose positions are settled. */
  settles: (userId: number) => boolean = () => true;
  /** Whether the command has changed orders so far, so that freezes and depth are not those of before. */
  private stirred = false;

  /** Takes in what a command did; what contradicts the rules. */
  follow(command: Command, events: readonly EngineEvent[]): string[] {
    this.differences = [];
    this.deals = new Map();
    this.parts = new Map();
    this.stirred = false;
    this.settled = new Set();
    this.takeovers.clear();
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
      if (event.kind === "position") this.position(event, command);
      else if (event.kind === "json") {
        const { event: happening } = event;
        // What the operator changes holds for all that follows from it.
        const isChange = happening.type === "market_changed" && command.kind === "change_market";
        if (isChange && happening.market === command.market) this.learnTerms();
        this.happen(happening);
      } else if (event.kind === "order") this.stirred = true;
    }
    for (const [key, parts] of this.parts) if (parts.length > 0) this.say(`Deal and order ${key} change no position.`);
    if (this.funding.length > 0) this.say("Funding moves without a collection.");
    if (this.due.length > 0) this.say("What the venue takes over, nets or deleverages is not all told.");
    for (const [key, { waiting }] of this.takeovers) {
      if (waiting.length > 0) this.say(`Of account ${key} only some cross positions are taken over.`);
    }
    for (const id of toSettle) if (!this.settled.has(id)) this.say(`Position ${id} is not settled.`);
    for (const [key, units] of this.cash) if (key.startsWith("0 ") && units < 0n) this.say(`The fund holds ${units}.`);
    this.funding = [];
    this.due = [];
    for (const orderId of ended) this.orders.delete(orderId);
    return this.differences;
  }

  /** Positions that the command must settle, by their ids: at every eighth hour those that have gained or lost. */
  private waiting(events: readonly EngineEvent[]): number[] {
    const [first] = events;
    const now = first?.kind === "command" ? first.timeMs : this.timeMs;
    const passes = Math.floor(now / (8 * HOUR_MS)) > Math.floor(this.timeMs / (8 * HOUR_MS));
    this.timeMs = now;
    if (!passes) return [];
    const told = (reasons: readonly string[]) =>
      new Set(
        events.flatMap((event) =>
          event.kind === "position" && reasons.includes(event.reason) ? [event.positionId] : [],
        ),
      );
    // What funding has taken of an isolated margin may be what its settlement lacks; what trades may do so before.
    const [funded, traded] = [told(["funding"]), told(["increase", "reduce"])];
    const sound = this.positions.filter(({ id, isIsolated }) => !traded.has(id) && !(isIsolated && funded.has(id)));
    return sound.flatMap((one) => (this.maySettle(one) && this.at(one).profit !== 0n ? [one.id] : []));
  }

  private maySettle(position: PlainPosition): boolean {
    if (position.userId === LIQUIDATOR || !this.settles(position.userId)) return false;
    return !position.isIsolated || position.margin + this.at(position).profit >= 0n;
  }

  private timeMs = 0;

  say(difference: string): undefined {
    this.differences.push(difference);
  }

  private differ(what: string, told: unknown, expected: unknown): undefined {
    if (told !== expected) this.say(`${what}: ${told}, by the rules ${expected}`);
  }

  private tell(event: PositionEvent, expected: Expected): undefined {
    const name = `position ${event.positionId} of user ${event.userId} in market ${event.marketId}, ${event.reason}`;
    for (const [field, value] of Object.entries(expected)) {
      this.differ(`${name}: ${field}`, event[field as keyof PositionEvent], value);
    }
  }

  market(marketId: number): PlainMarket {
    return this.markets.get(marketId) as PlainMarket;
  }

  markOf(marketId: number): bigint {
    return this.courses.get(marketId)?.mark ?? 0n;
  }

  cashOf(userId: number, asset: number): bigint {
    return this.cash.get(`${userId} ${asset}`) ?? 0n;
  }

  pay(userId: number, asset: number, units: bigint): undefined {
    this.cash.set(`${userId} ${asset}`, this.cashOf(userId, asset) + units);
  }

  held(userId: number, marketId: number, isShort: boolean): PlainPosition | undefined {
    return this.positions.find((one) => one.userId === userId && one.marketId === marketId && one.isShort === isShort);
  }

  at(position: PlainPosition) {
    return valued(this.market(position.marketId), position, this.markOf(position.marketId));
  }

  /** Sums over the cross positions of an account, and its cash. */
  account(userId: number, asset: number) {
    const sums = { cash: this.cashOf(userId, asset), profit: 0n, initial: 0n, maintenance: 0n, value: 0n, closing: 0n };
    for (const position of this.positions) {
      if (position.userId !== userId || position.isIsolated) continue;
      if (this.market(position.marketId).settles !== asset) continue;
      const { value, profit, maintenance, initial } = this.at(position);
      sums.profit += profit;
      sums.initial += initial;
      sums.maintenance += maintenance;
      sums.value += value;
      sums.closing += feeOf(value, this.rates(userId, position.marketId));
    }
    return sums;
  }

  /** T1 and T2 of domain 4.8, before they stop at 0. */
  transferable(userId: number, asset: number, frozen: bigint): [bigint, bigint] {
    const { cash, profit, initial, maintenance, value } = this.account(userId, asset);
    const first = cash - frozen - initial + least(0n, profit);
    return [first, cash + profit - frozen - maintenance - up(ratio(15n * value, 1000n))];
  }

  // Deals.

  /** Splits a deal into what each side closes and opens. It happens when the positions change; until then only its facts count. */
  private enter(deal: DealEvent): undefined {
    const market = this.market(deal.marketId);
    this.deals.set(deal.dealId, deal);
    const value = traded(market, deal.price, deal.lots);
    this.differ(`value of deal ${deal.dealId}`, deal.value, value);
    for (const party of [deal.taker, deal.maker]) {
      const order = this.orders.get(party.orderId);
      if (order === undefined) {
        this.say(`Nothing is known of order ${party.orderId}, which traded.`);
        continue;
      }
      const rate = party === deal.taker ? order.takerFeeRateE8 : order.makerFeeRateE8;
      this.differ(`fee of order ${order.orderId} in deal ${deal.dealId}`, party.fee, feeOf(value, rate));
      this.parts.set(`${deal.dealId} ${party.orderId}`, []);
    }
  }

  private partsOf(deal: DealEvent, orderId: number): Part[] {
    const order = this.orders.get(orderId) as OrderRecord;
    const market = this.market(deal.marketId);
    const party = deal.taker.orderId === orderId ? deal.taker : deal.maker;
    const buys = order.side === "buy";
    const whole = { lots: deal.lots, value: deal.value, fee: party.fee };
    if (order.positionSide !== undefined) {
      const isShort = order.positionSide === "short";
      return [{ closes: buys === isShort, isShort, ...whole }];
    }
    const against = this.held(order.userId, market.id, buys)?.amount ?? 0n;
    const lots = least(against, deal.lots);
    if (order.aim !== "trade" && lots < deal.lots) this.say(`Order ${orderId} only reduces and opens a position.`);
    if (lots === 0n) return [{ closes: false, isShort: !buys, ...whole }];
    const rate = deal.taker.orderId === orderId ? order.takerFeeRateE8 : order.makerFeeRateE8;
    const value = traded(market, deal.price, lots);
    const fee = least(feeOf(value, rate), party.fee);
    const closing = { closes: true, isShort: buys, lots, value, fee };
    const rest = { lots: deal.lots - lots, value: deal.value - value, fee: party.fee - fee };
    return rest.lots === 0n ? [{ ...closing, ...whole }] : [closing, { closes: false, isShort: !buys, ...rest }];
  }

  private position(event: PositionEvent, command: Command): undefined {
    switch (event.reason) {
      case "increase":
      case "reduce": {
        if (this.due.length > 0 || event.dealId === 0) return this.hand(event);
        const deal = this.deals.get(event.dealId);
        if (deal === undefined) return this.say(`Position ${event.positionId} trades without a deal.`);
        const key = `${event.dealId} ${event.orderId}`;
        const open = this.parts.get(key);
        if (open === undefined) return this.say(`Order ${event.orderId} is no side of deal ${event.dealId}.`);
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
        return this.say(`Nobody knows why position ${event.positionId} changes: ${event.reason}.`);
    }
  }

  private take(event: PositionEvent, part: Part): undefined {
    this.tell(event, { reason: part.closes ? "reduce" : "increase", isShort: part.isShort });
    this.tell(event, { lots: part.lots, value: part.value, fee: part.fee });
    if (part.closes) this.reduce(event, part);
    else this.increase(event, part);
  }

  private increase(event: PositionEvent, { isShort, lots, value, fee }: Part): undefined {
    const { userId, marketId, isIsolated, leverage } = event;
    const market = this.market(marketId);
    let position = this.held(userId, marketId, isShort);
    if (position === undefined) {
      const bare = { amount: 0n, entry: 0n, settle: 0n, margin: 0n, realized: 0n };
      position = { id: event.positionId, userId, marketId, isShort, isIsolated, leverage, ...bare };
      this.positions.push(position);
    }
    this.pay(userId, market.settles, -fee);
    const wanted = position.isIsolated ? down(ratio(value, BigInt(position.leverage))) : 0n;
    const margin = most(0n, least(wanted, this.cashOf(userId, market.settles)));
    this.pay(userId, market.settles, -margin);
    position.amount += lots;
    position.entry += value;
    position.settle += value;
    position.margin += margin;
    position.realized -= fee;
    this.stands(event, position, { marginChange: margin, pnl: 0n });
  }

  private reduce(event: PositionEvent, { isShort, lots, value, fee }: Part): undefined {
    const { userId, marketId } = event;
    const { settles } = this.market(marketId);
    const position = this.held(userId, marketId, isShort);
    if (position === undefined || position.amount < lots) {
      return this.say(`Order ${event.orderId} reduces what is not there.`);
    }
    const share = (whole: bigint) => down(ratio(whole * lots, position.amount));
    const spent = share(position.settle);
    const profit = sigma(this.market(marketId), isShort) * (value - spent);
    const released = share(position.margin);
    // The loss that a share of the margin does not pay comes from the rest of it, then from cash, then from the fund.
    const short = position.isIsolated ? most(0n, -(released + profit - fee)) : 0n;
    const more = least(short, position.margin - released);
    const missing = short - more;
    const fund = this.cashOf(LIQUIDATOR, settles);
    if (event.covered < 0n || event.covered > least(missing, fund)) {
      this.say(`The fund of ${fund} pays ${event.covered} of ${missing} for position ${position.id}.`);
    }
    this.clear(marketId, -profit);
    this.pay(userId, settles, profit - fee + released + more + event.covered);
    this.pay(LIQUIDATOR, settles, -event.covered);
    const entry = share(position.entry);
    position.amount -= lots;
    position.settle -= spent;
    position.entry -= entry;
    position.margin -= released + more;
    position.realized += profit - fee;
    this.stands(event, position, { marginChange: -(released + more), pnl: profit });
    if (position.amount === 0n) this.positions.splice(this.positions.indexOf(position), 1);
  }

  clear(marketId: number, units: bigint): undefined {
    this.cleared.set(marketId, (this.cleared.get(marketId) ?? 0n) + units);
  }

  /** Compares how a position stands after a change. */
  private stands(event: PositionEvent, position: PlainPosition, change: Expected): undefined {
    this.tell(event, {
      positionId: position.id,
      isIsolated: position.isIsolated,
      leverage: position.leverage,
      amount: position.amount,
      entryCost: position.entry,
      settleCost: position.settle,
      margin: position.margin,
      realized: position.realized,
      ...change,
    });
  }

  // What the venue does by itself.

  /** A part of a takeover or of a deleveraging, or of a netting of the venue's own positions. */
  private hand(event: PositionEvent): undefined {
    if (this.due.length === 0 && event.finishedType === "sys") this.closeOf(event);
    if (this.due.length === 0) this.net(event);
    const next = this.due.shift();
    if (next === undefined) return;
    this.differ(`whose position ${event.positionId} is`, event.userId, next.userId);
    this.tell(event, { finishedType: this.endingOf(next.userId, event, next.part) });
    this.take(event, next.part);
  }

  private endingOf(userId: number, event: PositionEvent, part: Part): string {
    const amount = this.held(userId, event.marketId, part.isShort)?.amount;
    if (!part.closes || amount !== part.lots) return "";
    return this.isLeaving(event.marketId) && event.dealId === 0 ? "sys" : event.dealId === 0 ? "liq" : "adl";
  }

  /** A market leaves: the whole position closes at the mark. */
  private closeOf({ userId, marketId, isShort }: PositionEvent): undefined {
    const position = this.held(userId, marketId, isShort);
    if (position === undefined) return this.say(`Market ${marketId} leaves with a position that is not open.`);
    if (!this.isLeaving(marketId)) this.say(`Position ${position.id} is closed and market ${marketId} does not leave.`);
    const part = { closes: true, isShort, lots: position.amount, value: this.at(position).value, fee: 0n };
    this.due.push({ userId, part });
  }

  /** The venue's long and short position close against each other at the mark, what gains first. */
  private net({ marketId, positionId, userId }: PositionEvent): undefined {
    const both = [false, true].map((isShort) => this.held(LIQUIDATOR, marketId, isShort));
    const [long, short] = both;
    if (userId !== LIQUIDATOR || long === undefined || short === undefined) {
      return this.say(`Position ${positionId} changes without a deal.`);
    }
    const market = this.market(marketId);
    const lots = least(long.amount, short.amount);
    const value = traded(market, this.markOf(marketId), lots);
    const results = [long, short].map((one) => ({
      isShort: one.isShort,
      result: sigma(market, one.isShort) * (value - down(ratio(one.settle * lots, one.amount))),
    }));
    results.sort((left, right) => (left.result > right.result ? -1 : 1));
    for (const { isShort } of results) {
      this.due.push({ userId: LIQUIDATOR, part: { closes: true, isShort, lots, value, fee: 0n } });
    }
  }

  /** Closes a position at the value that leaves nothing of the equity which it carries, and opens it for the venue there. */
  private takeOver(event: Extract<Happening, { type: "liquidated" }>): undefined {
    const { userId, marketId, isShort } = event;
    const position = this.held(userId, marketId, isShort);
    if (position === undefined)
      return this.say(`The venue takes over position ${event.positionId}, which is not open.`);
    const market = this.market(marketId);
    const { value, profit, maintenance } = this.at(position);
    const sign = sigma(market, isShort);
    let equity = position.margin + profit;
    if (position.isIsolated) {
      if (equity > maintenance)
        this.say(`Position ${position.id} is taken over with ${equity} against ${maintenance}.`);
    } else equity = this.shareOf(position, market.settles, value, maintenance);
    const worth = value - sign * equity;
    const name = `takeover of position ${position.id}`;
    this.differ(`${name}: id`, event.positionId, position.id);
    this.differ(`${name}: lots`, event.lots, String(position.amount));
    this.differ(`${name}: value`, event.value, String(worth));
    const price = worth > 0n ? near(priceOf(market, position.amount, ratio(worth))) : 0n;
    this.differ(`${name}: price`, event.bkrPrice, String(price));
    const part = { isShort, lots: position.amount, value: worth, fee: 0n };
    this.due.push({ userId, part: { ...part, closes: true } });
    this.due.push({ userId: LIQUIDATOR, part: { ...part, closes: false } });
  }

  /** Of what all cross positions of an account leave, the part that one of them carries: by maintenance, the last the rest. */
  private shareOf(position: PlainPosition, asset: number, value: bigint, maintenance: bigint): bigint {
    const key = `${position.userId} ${asset}`;
    let takeover = this.takeovers.get(key);
    if (takeover === undefined || takeover.waiting.length === 0) {
      const sums = this.account(position.userId, asset);
      const equity = sums.cash + sums.profit;
      if (equity > sums.maintenance)
        this.say(`Account ${key} is taken over with ${equity} against ${sums.maintenance}.`);
      const waiting = this.positions.filter(
        (one) => one.userId === position.userId && !one.isIsolated && this.market(one.marketId).settles === asset,
      );
      const ids = waiting.map(({ id }) => id).sort((left, right) => left - right);
      takeover = { equity, maintenance: sums.maintenance, waiting: ids, left: equity };
      this.takeovers.set(key, takeover);
    }
    this.differ(`position of account ${key} to be taken over`, position.id, takeover.waiting.shift());
    const isLast = takeover.waiting.length === 0;
    const whole = takeover.maintenance;
    const share = isLast ? takeover.left : whole === 0n ? 0n : down(ratio(takeover.equity * maintenance, whole));
    const sign = sigma(this.market(position.marketId), position.isShort);
    // No position is taken over at less than nothing.
    const carried = sign > 0n ? least(share, value) : most(share, -value);
    takeover.left -= carried;
    return carried;
  }

  /** Closes the first of the queue against what the venue holds, at the venue's own cost. */
  private deleverage(event: Extract<Happening, { type: "deleveraged" }>): undefined {
    const { marketId, isShort, userId } = event;
    const own = this.held(LIQUIDATOR, marketId, !isShort);
    const [first] = this.queue(marketId, isShort);
    if (own === undefined || first === undefined) return this.say(`Nothing is there to deleverage in ${marketId}.`);
    const lots = least(own.amount, first.amount);
    const value = down(ratio(own.settle * lots, own.amount));
    const name = `deleveraging in market ${marketId}`;
    this.differ(`${name}: position`, event.positionId, first.id);
    this.differ(`${name}: lots`, event.lots, String(lots));
    this.differ(`${name}: value`, event.value, String(value));
    const part = { closes: true, lots, value, fee: 0n };
    this.due.push({ userId, part: { ...part, isShort } });
    this.due.push({ userId: LIQUIDATOR, part: { ...part, isShort: !isShort } });
  }

  /** Users' positions on one side, who gains most with the least margin first, then the older. */
  private queue(marketId: number, isShort: boolean): PlainPosition[] {
    const market = this.market(marketId);
    const inE8 = (over: bigint, under: bigint) => down(ratio(over * 100_000_000n, under));
    const priority = (one: PlainPosition) => {
      const { value, initial } = this.at(one);
      const margin = one.isIsolated ? one.margin : initial;
      const [gain, cost] = sigma(market, isShort) > 0n ? [value, one.entry] : [one.entry, value];
      if (cost === 0n || margin === 0n) return 0n;
      return down(ratio(inE8(gain, cost) * inE8(one.entry, margin), 100_000_000n));
    };
    const side = this.positions.filter(
      (one) => one.marketId === marketId && one.isShort === isShort && one.userId !== LIQUIDATOR,
    );
    return side
      .map((one) => ({ one, rank: priority(one) }))
      .sort((left, right) => (left.rank === right.rank ? left.one.id - right.one.id : left.rank > right.rank ? -1 : 1))
      .map(({ one }) => one);
  }

  // Margin and leverage.

  private adjust(event: PositionEvent, command: Command): undefined {
    const position = this.held(event.userId, event.marketId, event.isShort);
    if (position === undefined) return this.say(`There is no position ${event.positionId} to change.`);
    let change = 0n;
    if (event.reason === "margin") {
      if (command.kind !== "adjust_margin") return this.say("A margin changes that nobody asked to change.");
      const { scale } = this.market(event.marketId);
      const [whole = "", fraction = ""] = command.amount.replace("-", "").split(".");
      change = BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.padEnd(scale, "0") || "0");
      if (command.amount.startsWith("-")) change = -change;
    } else {
      if (command.kind !== "set_leverage") return this.say("A leverage changes that nobody asked to change.");
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

  // What comes by the clock.

  private settle(event: PositionEvent): undefined {
    const position = this.held(event.userId, event.marketId, event.isShort);
    if (position === undefined) return this.say(`There is no position ${event.positionId} to settle.`);
    if (!this.maySettle(position)) this.say(`Position ${position.id} must not be settled.`);
    const { value, profit } = this.at(position);
    this.settled.add(position.id);
    position.settle = value;
    position.realized += profit;
    if (position.isIsolated) position.margin += profit;
    else this.pay(position.userId, this.market(position.marketId).settles, profit);
    this.clear(position.marketId, -profit);
    const marginChange = position.isIsolated ? profit : 0n;
    this.stands(event, position, { value, pnl: profit, marginChange, lots: 0n, fee: 0n });
  }

  /** All that one collection must move, worked out from how everybody stands before it. */
  private collect(happening: Extract<Happening, { type: "funding_collected" }>): undefined {
    const told = this.funding;
    this.funding = [];
    const { marketId, rateE8 } = happening;
    const { settles } = this.market(marketId);
    const course = this.courses.get(marketId) as Course;
    this.differ(`mark at the funding of market ${marketId}`, happening.mark, String(course.mark));
    const rate = rateBy(this.market(marketId), course.samples, course.collectedAt);
    this.differ(`funding rate of market ${marketId}`, rateE8, rate);
    course.collectedAt = happening.atMs;
    const open = this.positions.filter((one) => one.marketId === marketId);
    open.sort((left, right) => left.id - right.id);
    const payers = rateE8 === 0 ? [] : open.filter(({ isShort }) => isShort === rateE8 < 0);
    const receivers = rateE8 === 0 ? [] : open.filter((one) => !payers.includes(one));
    const values = receivers.map((one) => this.at(one).value);
    const all = values.reduce((sum, value) => sum + value, 0n);
    let collected = 0n;
    const change = (position: PlainPosition, cash: bigint, margin: bigint) => {
      if (cash + margin === 0n) return;
      const event = told.shift();
      if (event === undefined) return this.say(`Position ${position.id} moves no funding and should move ${cash}.`);
      this.pay(position.userId, settles, cash);
      position.margin += margin;
      position.realized += cash + margin;
      this.stands(event, position, { pnl: cash + margin, marginChange: margin, lots: 0n, fee: 0n, covered: 0n });
    };
    for (const payer of all === 0n ? [] : payers) {
      const [cash, margin] = this.duesOf(payer, rateE8, told[0]);
      collected += cash + margin;
      change(payer, -cash, -margin);
    }
    let residue = collected;
    receivers.forEach((receiver, at) => {
      const share = all === 0n ? 0n : down(ratio(collected * (values[at] as bigint), all));
      residue -= share;
      change(receiver, share, 0n);
    });
    this.pay(LIQUIDATOR, settles, residue);
    this.differ(`funding collected in market ${marketId}`, happening.paid, String(collected));
    this.differ(`funding left over in market ${marketId}`, happening.residue, String(residue));
    const actual = all === 0n ? 0n : near(times(ratio(collected, all), ratio(100_000_000n)));
    this.differ(`actual rate of market ${marketId}`, BigInt(happening.actualRateE8), rateE8 < 0 ? -actual : actual);
    if (told.length > 0) this.say(`Position ${told[0]?.positionId} moves funding and should move none.`);
  }

  /** What a payer pays out of cash and out of margin. */
  private duesOf(payer: PlainPosition, rateE8: number, told: PositionEvent | undefined): [bigint, bigint] {
    const { settles, id } = this.market(payer.marketId);
    const { value, profit, maintenance } = this.at(payer);
    const due = down(times(ratio(value), e8(Math.abs(rateE8))));
    const sums = this.account(payer.userId, settles);
    if (payer.userId === LIQUIDATOR) return [least(due, most(0n, sums.cash)), 0n];
    if (!payer.isIsolated) {
      return [least(due, most(0n, sums.cash + sums.profit - sums.maintenance - sums.closing)), 0n];
    }
    const frozen = this.frozen.get(`${payer.userId} ${settles}`) ?? 0n;
    const free = most(0n, least(...this.transferable(payer.userId, settles, frozen)));
    let cash = least(due, most(0n, payer.realized), free);
    // Orders have changed within the command: what was free is the engine's word, within the other bounds.
    if (this.stirred && told !== undefined)
      cash = least(due, most(0n, payer.realized), most(0n, told.marginChange - told.pnl));
    const spare = payer.margin + profit - maintenance - feeOf(value, this.rates(payer.userId, id));
    return [cash, least(due - cash, payer.margin, most(0n, spare))];
  }

  private happen(event: Happening): undefined {
    switch (event.type) {
      case "index_price": {
        const course = this.courses.get(event.marketId);
        if (course === undefined) return;
        course.index = BigInt(event.price);
        return this.mark(event.marketId, course);
      }
      case "mark_price":
        return this.differ(`mark of market ${event.marketId}`, event.price, String(this.markOf(event.marketId)));
      case "premium_sampled":
        return this.sample(event);
      case "funding_interval":
        (this.courses.get(event.marketId) as Course).intervalH = event.intervalH;
        return;
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

  /** Moves what a happening words in decimals. */
  assetNamed: (ccy: string) => { readonly id: number; readonly scale: number } | undefined = () => undefined;

  private move(userId: number, ccy: string, amount: string): undefined {
    const asset = this.assetNamed(ccy);
    if (asset === undefined) return this.say(`There is no asset ${ccy}.`);
    const [whole = "", fraction = ""] = amount.replace("-", "").split(".");
    const units = BigInt(whole) * 10n ** BigInt(asset.scale) + BigInt(fraction.padEnd(asset.scale, "0") || "0");
    this.pay(userId, asset.id, amount.startsWith("-") ? -units : units);
  }

  private mark(marketId: number, course: Course): undefined {
    if (course.index > 0n) course.mark = markBy(this.market(marketId), course.index, course.samples, course.intervalH);
  }

  private sample(event: Extract<Happening, { type: "premium_sampled" }>): undefined {
    const { marketId, minuteMs, premiumE8, markPremiumE8 } = event;
    const course = this.courses.get(marketId) as Course;
    const market = this.market(marketId);
    const [bids, asks] = this.depth.get(marketId) ?? [[], []];
    const name = `of market ${marketId} in minute ${minuteMs}`;
    if (!this.stirred) {
      const [premium, lean] = sampled(market, bids, asks, course.index);
      this.differ(`premium ${name}`, BigInt(premiumE8), premium);
      this.differ(`mark premium ${name}`, BigInt(markPremiumE8), lean);
    }
    course.samples.push({ minuteMs, premiumE8, markPremiumE8 });
    if (course.samples.length > 480) course.samples.shift();
    this.differ(`latest rate ${name}`, event.latestRateE8, rateBy(market, course.samples, course.collectedAt));
    const trailing = minuteMs + 60_000 - course.intervalH * HOUR_MS;
    this.differ(`next rate ${name}`, event.nextRateE8, rateBy(market, course.samples, trailing));
    this.mark(marketId, course);
  }
}
