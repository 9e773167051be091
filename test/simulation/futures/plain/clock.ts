/**
 * What comes by the clock: settlements, collections of funding, premium samples and the marks they make. Source: domain
 * 4.11-4.16.
 */
import type { EngineEvent, RareEvent } from "../../../../src/engine/event.ts";
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { type Course, collectionAfter, LIQUIDATOR } from "./accounts.ts";
import { PlainMinutes, type QuoteLimits } from "./minutes.ts";
import { HOUR_MS, markBy, rateBy } from "./premiums.ts";
import { down, e8, least, most, near, ratio, times } from "./rational.ts";
import { feeOf, type PlainPosition } from "./records.ts";
import { PlainTakeovers } from "./takeovers.ts";

export class PlainClock extends PlainTakeovers {
  /** Whose positions are settled. */
  settles: (userId: number) => boolean = () => true;
  /** Which markets have not left, and in which what rests can be taken. */
  isListed: (marketId: number) => boolean = () => true;
  isAtRisk: (marketId: number) => boolean = () => true;
  /** Whose quotes of a market are pulled at which limits. */
  protectionsOf: (marketId: number) => readonly QuoteLimits[] = () => [];
  readonly minutes = new PlainMinutes(() =>
    [...this.markets].map(([id, terms]) => {
      const { index, isStale } = this.courses.get(id) as Course;
      return {
        id,
        terms,
        index,
        isStale,
        isListed: this.isListed(id),
        isAtRisk: this.isAtRisk(id),
        protections: this.protectionsOf(id),
      };
    }),
  );
  /** Whether the command has changed orders so far, so that freezes are not those of before. */
  protected dirty = false;
  protected settled = new Set<number>();
  protected funding: PositionEvent[] = [];

  /** Positions that the command must settle, by their ids: at every eighth hour those that have gained or lost. */
  protected waiting(events: readonly EngineEvent[]): number[] {
    const [first] = events;
    const now = first?.kind === "command" ? first.timeMs : this.timeMs;
    const passes = Math.floor(now / (8 * HOUR_MS)) > Math.floor(this.timeMs / (8 * HOUR_MS));
    this.timeMs = now;
    if (!passes) return [];
    const gets = (isStale: boolean) =>
      new Set(
        events.flatMap(({ kind, ...rest }) => {
          const rareEvent = kind === "json" ? (rest as { readonly event: RareEvent }).event : undefined;
          return rareEvent?.type === "index_stale" && rareEvent.isStale === isStale ? [rareEvent.marketId] : [];
        }),
      );
    // What is due comes before the command, and so before an index that it brings back.
    const lost = gets(true);
    for (const [id, course] of this.courses) {
      if (course.isStale || lost.has(id) || course.index === 0n) course.settlesLate = true;
    }
    const told = (reasons: readonly string[]) =>
      new Set(
        events.flatMap((event) =>
          event.kind === "position" && reasons.includes(event.reason) ? [event.positionId] : [],
        ),
      );
    // What funding has taken of an isolated margin may be what its settlement lacks; what trades may do so before.
    const [funded, traded] = [told(["funding"]), told(["increase", "reduce"])];
    const sound = this.positions.filter(
      ({ id, isIsolated, marketId }) =>
        !traded.has(id) && !(isIsolated && funded.has(id)) && this.courses.get(marketId)?.settlesLate !== true,
    );
    return sound.flatMap((one) => (this.maySettle(one) && this.at(one).profit !== 0n ? [one.id] : []));
  }

  protected maySettle(position: PlainPosition): boolean {
    if (position.userId === LIQUIDATOR || !this.settles(position.userId)) return false;
    return !position.isIsolated || position.margin + this.at(position).profit >= 0n;
  }

  protected settle(event: PositionEvent): undefined {
    const position = this.held(event.userId, event.marketId, event.isShort);
    if (position === undefined) return this.report(`There is no position ${event.positionId} to settle.`);
    if (!this.maySettle(position)) this.report(`Position ${position.id} must not be settled.`);
    if (this.courses.get(event.marketId)?.isStale) this.report(`Position ${position.id} is settled by an old mark.`);
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
  protected collect(rareEvent: Extract<RareEvent, { type: "funding_collected" }>): undefined {
    const told = this.funding;
    this.funding = [];
    const { marketId, rateE8 } = rareEvent;
    const { settles } = this.market(marketId);
    const course = this.courses.get(marketId) as Course;
    this.differ(`mark at the funding of market ${marketId}`, rareEvent.mark, String(course.mark));
    if (course.isStale) this.report(`Funding is collected in market ${marketId} by an old mark.`);
    this.skipIdle(marketId, course, rareEvent.atMs - 1);
    const { skipped } = course;
    // It was told of after something else of the same command had shown that it was due.
    if (skipped?.timeMs === this.timeMs && skipped.collectsAt === rareEvent.atMs) {
      course.collectsAt = skipped.collectsAt;
      course.collectedAt = skipped.collectedAt;
    }
    const rate = rateBy(this.market(marketId), course.samples, course.collectedAt, course.intervalH * 60);
    this.differ(`funding rate of market ${marketId}`, rateE8, rate);
    this.differ(`time of the funding of market ${marketId}`, rareEvent.atMs, course.collectsAt);
    course.collectedAt = rareEvent.atMs;
    course.collectsAt = collectionAfter(rareEvent.atMs, course.intervalH);
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
      if (event === undefined) return this.report(`Position ${position.id} moves no funding and should move ${cash}.`);
      this.pay(position.userId, settles, cash);
      position.margin += margin;
      position.realized += cash + margin;
      this.stands(event, position, { pnl: cash + margin, marginChange: margin, lots: 0n, fee: 0n, covered: 0n });
    };
    for (const payer of all === 0n ? [] : payers) {
      const [cash, margin] = this.duesOf(payer, rateE8, told[0]);
      collected += cash + margin;
      const due = down(times(ratio(this.at(payer).value), e8(Math.abs(rateE8))));
      const isUsers = payer.userId !== LIQUIDATOR;
      if (isUsers && cash + margin < due && !this.isWaiting(marketId)) this.capped.add(payer.id);
      change(payer, -cash, -margin);
      if (payer.userId === LIQUIDATOR) this.bear(marketId, cash);
    }
    let residue = collected;
    receivers.forEach((receiver, at) => {
      const share = all === 0n ? 0n : down(ratio(collected * (values[at] as bigint), all));
      residue -= share;
      change(receiver, share, 0n);
    });
    this.pay(LIQUIDATOR, settles, residue);
    this.differ(`funding collected in market ${marketId}`, rareEvent.paid, String(collected));
    this.differ(`funding left over in market ${marketId}`, rareEvent.residue, String(residue));
    const actual = all === 0n ? 0n : near(times(ratio(collected, all), ratio(100_000_000n)));
    this.differ(`actual rate of market ${marketId}`, BigInt(rareEvent.actualRateE8), rateE8 < 0 ? -actual : actual);
    if (told.length > 0) this.report(`Position ${told[0]?.positionId} moves funding and should move none.`);
  }

  /** What a payer pays out of cash and out of margin. */
  protected duesOf(payer: PlainPosition, rateE8: number, told: PositionEvent | undefined): [bigint, bigint] {
    const { settles, id } = this.market(payer.marketId);
    const { value, profit, maintenance } = this.at(payer);
    const due = down(times(ratio(value), e8(Math.abs(rateE8))));
    const sums = this.account(payer.userId, settles);
    if (payer.userId === LIQUIDATOR) return [least(due, most(0n, sums.cash), this.bearable(payer.marketId)), 0n];
    if (!payer.isIsolated) {
      return [least(due, most(0n, sums.cash + sums.profit - sums.maintenance - sums.closing)), 0n];
    }
    const frozen = this.frozen.get(`${payer.userId} ${settles}`) ?? 0n;
    const free = most(0n, least(...this.transferable(payer.userId, settles, frozen)));
    let cash = least(due, most(0n, payer.realized), free);
    // Orders have changed within the command: what was free is the engine's word, within the other bounds.
    if (this.dirty) {
      const word = told?.positionId === payer.id ? told.marginChange - told.pnl : 0n;
      cash = least(due, most(0n, payer.realized), most(0n, word));
    }
    const spare = payer.margin + profit - maintenance - feeOf(value, this.rates(payer.userId, id));
    return [cash, least(due - cash, payer.margin, most(0n, spare))];
  }

  protected mark(marketId: number, course: Course): undefined {
    if (course.index > 0n && !course.isStale) course.mark = markBy(this.market(marketId), course, this.timeMs);
  }

  /** Collections that nobody noticed by a time: in a market that nobody holds, with samples that are spent. */
  protected skipIdle(marketId: number, course: Course, now: number): undefined {
    if (course.collectsAt > now || course.isStale || course.index === 0n) return;
    const isHeld = this.positions.some((one) => one.marketId === marketId);
    const isSampled = course.samples.some(({ minuteMs }) => minuteMs >= course.collectedAt);
    if (isHeld && isSampled)
      this.report(`The funding of market ${marketId} at ${course.collectsAt} was not collected.`);
    course.skipped = { timeMs: this.timeMs, collectsAt: course.collectsAt, collectedAt: course.collectedAt };
    // Nobody noticed when; what is told now of an earlier time came behind it.
    course.collectsAt = collectionAfter(Math.min(now, this.timeMs), course.intervalH);
    course.collectedAt = course.collectsAt - course.intervalH * HOUR_MS;
  }

  protected sample(event: Extract<RareEvent, { type: "premium_sampled" }>): undefined {
    const { marketId, minuteMs, premiumE8, markPremiumE8 } = event;
    const course = this.courses.get(marketId) as Course;
    if (course.isStale) this.report(`A premium of market ${marketId} is sampled against an old index.`);
    this.skipIdle(marketId, course, minuteMs + 59_999);
    const market = this.market(marketId);
    const name = `of market ${marketId} in minute ${minuteMs}`;
    const means = this.minutes.take(marketId);
    if (means === "none") this.report(`The minute ${name} has a sample, and nothing was sampled in it.`);
    else if (means !== "unsure") {
      this.differ(`premium ${name}`, BigInt(premiumE8), means[0]);
      this.differ(`mark premium ${name}`, BigInt(markPremiumE8), means[1]);
    }
    course.samples.push({ minuteMs, premiumE8, markPremiumE8 });
    if (course.samples.length > 480) course.samples.shift();
    const gone = Math.floor((minuteMs + 60_000 - course.collectedAt) / 60_000);
    this.differ(`latest rate ${name}`, event.latestRateE8, rateBy(market, course.samples, course.collectedAt, gone));
    const trailing = minuteMs + 60_000 - course.intervalH * HOUR_MS;
    this.differ(`next rate ${name}`, event.nextRateE8, rateBy(market, course.samples, trailing, course.intervalH * 60));
    this.mark(marketId, course);
  }
}
