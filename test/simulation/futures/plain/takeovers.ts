/**
 * What the venue does by itself: takeovers, netting, deleveraging, and closing a market that leaves. Source: domain
 * 4.13-4.17.
 */
import type { RareEvent } from "../../../../src/engine/event.ts";
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { LIQUIDATOR } from "./accounts.ts";
import { down, least, most, near, ratio } from "./rational.ts";
import { type PlainPosition, priceOf, sigma, traded } from "./records.ts";
import { type Part, PlainTrades } from "./trades.ts";

/** Cross positions of one account on their way to the venue. */
interface Takeover {
  readonly equity: bigint;
  readonly maintenance: bigint;
  /** Ids, the next one first. */
  readonly waiting: number[];
  /** Positions of markets in which nobody is liquidated now stay, with their share. */
  readonly areAll: boolean;
  left: bigint;
}

export class PlainTakeovers extends PlainTrades {
  /** Whether the command lets a market leave. */
  isLeaving: (marketId: number) => boolean = () => false;
  /** Whether nobody may be liquidated in a market now. */
  isWaiting: (marketId: number) => boolean = () => false;
  /** What a takeover, a deleveraging or a netting must do to positions next, whose they are first. */
  protected due: { readonly userId: number; readonly part: Part; readonly isTakeover?: boolean }[] = [];
  protected readonly takeovers = new Map<string, Takeover>();
  /** Positions that could not pay their funding in this command. */
  protected readonly capped = new Set<number>();

  /** A part of a takeover or of a deleveraging, or of a netting of the venue's own positions. */
  protected hand(event: PositionEvent): undefined {
    if (this.due.length === 0 && event.finishedType === "sys") this.closeOf(event);
    if (this.due.length === 0) this.net(event);
    const next = this.due.shift();
    if (next === undefined) return;
    this.differ(`whose position ${event.positionId} is`, event.userId, next.userId);
    const isTakeover = next.isTakeover === true;
    this.tell(event, { finishedType: this.endingOf(next.userId, event, next.part, isTakeover) });
    this.take(event, next.part);
  }

  /** Who is bankrupt is taken over as by a liquidation even where his market leaves. */
  protected endingOf(userId: number, event: PositionEvent, part: Part, isTakeover: boolean): string {
    const amount = this.held(userId, event.marketId, part.isShort)?.amount;
    if (!part.closes || amount !== part.lots) return "";
    if (event.dealId !== 0) return "adl";
    return this.isLeaving(event.marketId) && !isTakeover ? "sys" : "liq";
  }

  /** A market leaves: the whole position closes at the mark. */
  protected closeOf({ userId, marketId, isShort }: PositionEvent): undefined {
    const position = this.held(userId, marketId, isShort);
    if (position === undefined) return this.report(`Market ${marketId} leaves with a position that is not open.`);
    if (!this.isLeaving(marketId))
      this.report(`Position ${position.id} is closed and market ${marketId} does not leave.`);
    const part = { closes: true, isShort, lots: position.amount, value: this.at(position).value, fee: 0n };
    this.due.push({ userId, part });
  }

  /** The venue's long and short position close against each other at the mark, what gains first. */
  protected net({ marketId, positionId, userId }: PositionEvent): undefined {
    const both = [false, true].map((isShort) => this.held(LIQUIDATOR, marketId, isShort));
    const [long, short] = both;
    if (userId !== LIQUIDATOR || long === undefined || short === undefined) {
      return this.report(`Position ${positionId} changes without a deal.`);
    }
    const market = this.market(marketId);
    const lots = least(long.amount, short.amount);
    const value = traded(market, this.markOf(marketId), lots);
    const results = [long, short].map((one) => ({
      isShort: one.isShort,
      result: sigma(market, one.isShort) * (value - down(ratio(one.settle * lots, one.amount))),
    }));
    results.sort((left, right) => (left.result > right.result ? -1 : 1));
    const whole = results.reduce((sum, { result }) => sum + result, 0n);
    if (-whole > this.bearable(marketId))
      this.report(`Netting in market ${marketId} loses ${-whole}, which is too much.`);
    this.budget.lose(marketId, market.settles, -whole, this.timeMs);
    for (const { isShort } of results) {
      this.due.push({ userId: LIQUIDATOR, part: { closes: true, isShort, lots, value, fee: 0n } });
    }
  }

  /**
   * Closes a position at the value that leaves nothing of the equity which it carries, and opens it for the venue
   * there.
   */
  protected takeOver(event: Extract<RareEvent, { type: "liquidated" }>): undefined {
    const { userId, marketId, isShort } = event;
    const position = this.held(userId, marketId, isShort);
    if (position === undefined)
      return this.report(`The venue takes over position ${event.positionId}, which is not open.`);
    const market = this.market(marketId);
    const { value, profit, maintenance } = this.at(position);
    const sign = sigma(market, isShort);
    let equity = position.margin + profit;
    if (position.isIsolated) {
      if (equity > maintenance && !this.capped.has(position.id))
        this.report(`Position ${position.id} is taken over with ${equity} against ${maintenance}.`);
    } else if (this.capped.has(position.id)) equity = this.shareOfOne(position, market.settles, value, maintenance);
    else equity = this.shareOf(position, market.settles, value, maintenance);
    const worth = value - sign * equity;
    const name = `takeover of position ${position.id}`;
    this.differ(`${name}: id`, event.positionId, position.id);
    this.differ(`${name}: lots`, event.lots, String(position.amount));
    this.differ(`${name}: value`, event.value, String(worth));
    const price = worth > 0n ? near(priceOf(market, position.amount, ratio(worth))) : 0n;
    this.differ(`${name}: price`, event.bkrPrice, String(price));
    const part = { isShort, lots: position.amount, value: worth, fee: 0n };
    this.due.push({ userId, part: { ...part, closes: true }, isTakeover: true });
    this.due.push({ userId: LIQUIDATOR, part: { ...part, closes: false } });
  }

  /** What a cross position carries that could not pay its funding: by maintenance, all where it is the only one. */
  private shareOfOne(position: PlainPosition, asset: number, value: bigint, maintenance: bigint): bigint {
    const sums = this.account(position.userId, asset);
    const equity = sums.cash + sums.profit;
    const others = this.positions.filter(
      (one) =>
        one.userId === position.userId &&
        one.id !== position.id &&
        !one.isIsolated &&
        this.market(one.marketId).settles === asset,
    );
    const share = others.length === 0 ? equity : down(ratio(equity * maintenance, sums.maintenance));
    return sigma(this.market(position.marketId), position.isShort) > 0n ? least(share, value) : most(share, -value);
  }

  /**
   * Of what all cross positions of an account leave, the part that one of them carries: by maintenance, the last the
   * rest.
   */
  protected shareOf(position: PlainPosition, asset: number, value: bigint, maintenance: bigint): bigint {
    const key = `${position.userId} ${asset}`;
    let takeover = this.takeovers.get(key);
    if (takeover === undefined || takeover.waiting.length === 0) {
      const sums = this.account(position.userId, asset);
      const equity = sums.cash + sums.profit;
      if (equity > sums.maintenance)
        this.report(`Account ${key} is taken over with ${equity} against ${sums.maintenance}.`);
      const cross = this.positions.filter(
        (one) => one.userId === position.userId && !one.isIsolated && this.market(one.marketId).settles === asset,
      );
      const going = cross.filter(({ marketId }) => !this.isWaiting(marketId));
      const waiting = going.map(({ id }) => id).sort((left, right) => left - right);
      const areAll = going.length === cross.length;
      takeover = { equity, maintenance: sums.maintenance, waiting, areAll, left: equity };
      this.takeovers.set(key, takeover);
    }
    this.differ(`position of account ${key} to be taken over`, position.id, takeover.waiting.shift());
    const isLast = takeover.waiting.length === 0 && takeover.areAll;
    const whole = takeover.maintenance;
    const share = isLast ? takeover.left : whole === 0n ? 0n : down(ratio(takeover.equity * maintenance, whole));
    const sign = sigma(this.market(position.marketId), position.isShort);
    // No position is taken over at less than nothing.
    const carried = sign > 0n ? least(share, value) : most(share, -value);
    takeover.left -= carried;
    return carried;
  }

  /**
   * Closes the first of the queue against what the venue holds: at the mark, or where the fund's budget for it is used
   * up.
   */
  protected deleverage(event: Extract<RareEvent, { type: "deleveraged" }>): undefined {
    const { marketId, isShort, userId } = event;
    const own = this.held(LIQUIDATOR, marketId, !isShort);
    const [first] = this.queue(marketId, isShort);
    if (own === undefined || first === undefined) return this.report(`Nothing is there to deleverage in ${marketId}.`);
    const lots = least(own.amount, first.amount);
    const market = this.market(marketId);
    const part = (whole: bigint) => down(ratio(whole * lots, own.amount));
    const sign = sigma(market, !isShort);
    const cost = part(own.settle);
    const mark = this.markOf(marketId);
    const index = this.courses.get(marketId)?.index ?? 0n;
    // The fund closes a long as high, and a short as low, as the mark and the index allow.
    const price = index === 0n ? mark : isShort ? most(mark, index) : least(mark, index);
    const loss = least(sign * (cost - traded(market, price, lots)), part(this.bearable(marketId)));
    const value = cost - sign * loss;
    if (this.courses.get(marketId)?.isStale && !this.isLeaving(marketId)) {
      this.report(`Somebody is deleveraged in market ${marketId} by an old mark.`);
    }
    this.budget.lose(marketId, market.settles, loss, this.timeMs);
    const name = `deleveraging in market ${marketId}`;
    this.differ(`${name}: position`, event.positionId, first.id);
    this.differ(`${name}: lots`, event.lots, String(lots));
    this.differ(`${name}: value`, event.value, String(value));
    const closing = { closes: true, lots, value, fee: 0n };
    this.due.push({ userId, part: { ...closing, isShort } });
    this.due.push({ userId: LIQUIDATOR, part: { ...closing, isShort: !isShort } });
  }

  /** What the venue still holds, although the mark that came now has reached the price at which it came in. */
  protected checkLadder(marketId: number): undefined {
    if (this.isWaiting(marketId) || this.isLeaving(marketId)) return;
    const market = this.market(marketId);
    for (const isShort of [false, true]) {
      const own = this.held(LIQUIDATOR, marketId, isShort);
      if (own === undefined || this.queue(marketId, !isShort).length === 0) continue;
      const result = sigma(market, isShort) * (traded(market, this.markOf(marketId), own.amount) - own.settle);
      if (result <= 0n) this.report(`The venue holds position ${own.id} on, though its mark is at ${result} units.`);
    }
  }

  /** Users' positions on one side, who gains most with the least margin first, then the older. */
  protected queue(marketId: number, isShort: boolean): PlainPosition[] {
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
}
