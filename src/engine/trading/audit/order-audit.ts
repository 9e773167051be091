import { VENUE_USER } from "../../accounts/user.ts";
import { add, cellName, type Report, spotCellName } from "../../audit/ledger-audit.ts";
import {
  type DealEvent,
  type DealParty,
  isMadeByPool,
  type OrderEvent,
  type OrderRecord,
  type RareEvents,
} from "../../event.ts";
import { CELL, VENUE } from "../../ledger/cell.ts";
import type { IndexAudit } from "../../listing/index-audit.ts";
import type { Market } from "../../listing/market.ts";
import { INT64_MAX } from "../../money/int64.ts";
import { holds } from "../../rules-version.ts";
import type { State } from "../../state.ts";
import { readOrder } from "../emit.ts";
import { NONE } from "../order.ts";
import { type Coin, coinIn, deductedFee } from "./deduction-audit.ts";

/** A resting order as the events told it, with its time priority counted anew. */
interface Followed {
  readonly order: OrderRecord;
  readonly prio: number;
  /** Lots that its level displays of it. */
  readonly shown: bigint;
}

interface Totals {
  readonly lots: bigint;
  readonly value: bigint;
  readonly baseFee: bigint;
  readonly quoteFee: bigint;
  readonly discountFee: bigint;
  readonly realizedPnl: bigint;
  readonly lastLots: bigint;
  readonly lastPrice: bigint;
}

const NO_DEALS: Totals = {
  lots: 0n,
  value: 0n,
  baseFee: 0n,
  quoteFee: 0n,
  discountFee: 0n,
  realizedPnl: 0n,
  lastLots: 0n,
  lastPrice: 0n,
};

/**
 * A deal with what its fees depend on as it happens: the coin's price before it, and what the two had of it after it.
 */
interface Taken {
  readonly deal: DealEvent;
  readonly coin: Coin | undefined;
  readonly takerHas: bigint;
  readonly makerHas: bigint;
  /** Prices of those of the two that rested: the command may change an order after what was due has traded it. */
  readonly takerPrice: bigint | undefined;
  readonly makerPrice: bigint | undefined;
}

const STATUSES_OF: Record<OrderEvent["event"], readonly OrderRecord["status"][]> = {
  put: ["open", "part_filled"],
  update: ["part_filled"],
  modify: ["open", "part_filled"],
  finish: ["filled", "part_canceled", "canceled"],
};

/** Fields that no event may change in the life of an order. */
const FOR_LIFE = [
  ...["userId", "marketId", "account", "side", "type", "amountIn", "hidden", "stpMode", "clientId"],
  ...["positionSide", "aim"],
  ...["makerFeeRateE8", "takerFeeRateE8", "createdAt"],
] as const;

/** An uncrossing as its deals come in. */
interface Uncrossing {
  readonly marketId: number;
  readonly price: bigint;
  /** Lots of it that can still trade. */
  lots: bigint;
}

/** Follows every order by its events alone, and checks each deal against the two orders it is between. */
export class OrderAudit {
  /** Units that resting orders freeze, by cell. `displayed` has the lots that they display, by level. */
  readonly frozen = new Map<string, bigint>();
  /** Cells of orders that the present command told of. */
  readonly touched = new Set<string>();
  readonly displayed = new Map<string, bigint>();
  private readonly state: State;
  private readonly indexes: IndexAudit;
  private readonly live = new Map<number, Followed>();
  /** Deals of each live order; of the present command's orders also after they ended. */
  private readonly totals = new Map<number, Totals>();
  private readonly told = new Map<number, OrderRecord>();
  /** The most that icebergs show, by order id. */
  private readonly peaks = new Map<number, bigint>();
  private readonly deals: Taken[] = [];
  /** Auctions of the present command, and those of its deals that are theirs. */
  private readonly uncrossings: Uncrossing[] = [];
  private readonly auctioned = new Set<number>();
  /** Levels as they were displayed before the present command changed them. */
  private readonly levelsBefore = new Map<string, bigint>();
  /** Ticks of the last deal per market. */
  private readonly lastPrices = new Map<number, bigint>();
  /** Markets that events told were delisted. */
  private readonly left = new Set<number>();
  /** Markets of which events told that they have a pool. */
  private readonly pooled = new Set<number>();
  private lastOrderId: number;
  private lastDealId: number;
  private prio = 0;

  constructor(state: State, indexes: IndexAudit) {
    this.state = state;
    this.indexes = indexes;
    this.lastOrderId = state.nextOrderId - 1;
    this.lastDealId = state.nextDealId - 1;
    for (const { id, delisted, pool } of state.markets) {
      if (pool !== undefined) this.pooled.add(id);
      this.lastPrices.set(id, state.lastPrice[id] as bigint);
      if (delisted) this.left.add(id);
    }
    for (const slot of slotsByPrio(state)) {
      const order = readOrder(state, slot);
      const { filledLots: lots, filledValue: value, baseFee, quoteFee, discountFee, realizedPnl } = order;
      const { lastFilledLots: lastLots, lastFilledPrice: lastPrice } = order;
      this.totals.set(order.orderId, { lots, value, baseFee, quoteFee, discountFee, realizedPnl, lastLots, lastPrice });
      const iceberg = state.orders.icebergs.get(order.orderId);
      if (iceberg !== undefined) this.peaks.set(order.orderId, iceberg.peak);
      const shown = iceberg?.shown ?? (order.hidden ? 0n : order.left);
      const followed = { order, prio: ++this.prio, shown };
      this.live.set(order.orderId, followed);
      this.weigh(followed, 1n);
    }
    this.levelsBefore.clear();
    this.touched.clear();
  }

  /** Markets that are delisted by the state, of which no event has told yet. */
  leftUntold(): Market[] {
    return this.state.markets.filter(({ id, delisted }) => delisted && !this.left.has(id));
  }

  /** Returns the prices that value the deduction currency: fresh indexes, in rules version 1 the latest deals. */
  private pricesOfCoin(): ReadonlyMap<number, bigint> {
    return holds(this.state, "deductionByIndex") ? this.indexes.indexes : this.lastPrices;
  }

  /** A market has a pool from now on: no fee is deducted there. */
  givePool(marketId: number): void {
    this.pooled.add(marketId);
  }

  leave(marketId: number): void {
    this.left.add(marketId);
  }

  /**
   * 34: begins an uncrossing, which trades as much as any one price allows: all that buys and sells in priority can.
   */
  uncross({ marketId, price, low, high }: RareEvents["auction_uncrossed"], report: Report): void {
    const at = BigInt(price);
    const bounds = { low: BigInt(low ?? 0), high: BigInt(high ?? INT64_MAX) };
    if (at !== 0n && (at < bounds.low || at > bounds.high))
      report(`Market ${marketId} opens at ${at}, where it may not.`);
    this.uncrossings.push({ marketId, price: at, lots: this.mostAtOnePrice(marketId, bounds) });
  }

  /** An order that has just been told of displays at most so many lots at a time, if it rests. */
  iceberg({ orderId, displayLots }: RareEvents["iceberg_placed"], report: Report): void {
    const peak = BigInt(displayLots);
    if (peak <= 0n || orderId !== this.lastOrderId) report(`Order ${orderId} is to display ${peak} lots.`);
    const before = this.live.get(orderId);
    if (before === undefined) return;
    this.peaks.set(orderId, peak);
    const { left } = before.order;
    const followed = { ...before, shown: peak < left ? peak : left };
    this.weigh(before, -1n);
    this.live.set(orderId, followed);
    this.weigh(followed, 1n);
  }

  /** 10: takes a deal; it is judged at the end of the command, when both orders have been told. */
  deal(deal: DealEvent, availableIn: (cell: string) => bigint, report: Report): void {
    const { dealId } = deal;
    const coin = coinIn(this.state, this.pricesOfCoin(), this.left, deal.marketId);
    const has = (userId: number) => (coin === undefined ? 0n : availableIn(spotCellName(userId, coin.assetId)));
    if (dealId !== this.lastDealId + 1) report(`Deal ${dealId} follows deal ${this.lastDealId}.`);
    this.lastDealId = dealId;
    this.lastPrices.set(deal.marketId, deal.price);
    const uncrossing = this.uncrossings.find(({ marketId, lots }) => marketId === deal.marketId && lots > 0n);
    const maker = this.live.get(deal.maker.orderId);
    const taker = this.live.get(deal.taker.orderId);
    this.deals.push({
      deal,
      coin,
      takerHas: has(deal.taker.userId),
      makerHas: has(deal.maker.userId),
      // One that trades by being changed has its new price.
      takerPrice: uncrossing === undefined ? undefined : taker?.order.price,
      makerPrice: maker?.order.price,
    });
    const price = uncrossing?.price ?? maker?.order.price;
    // What a pool may deal, its own audit knows.
    if (isMadeByPool(deal)) {
      this.count(deal, deal.taker);
      return;
    }
    if (maker === undefined) report(`The maker of deal ${dealId} did not rest.`);
    else if (this.peaks.has(maker.order.orderId) && deal.lots > maker.shown) {
      report(`Deal ${dealId} is larger than what its maker displayed.`);
    } else if (deal.lots > maker.order.left) report(`Deal ${dealId} is larger than what its maker had left.`);
    if (price !== deal.price) {
      report(`Deal ${dealId} is not at the price of its ${uncrossing === undefined ? "maker" : "auction"}.`);
    }
    if (taker === undefined && deal.taker.orderId <= deal.maker.orderId)
      report(`The taker of deal ${dealId} is older than its maker.`);
    if (uncrossing !== undefined) {
      uncrossing.lots -= deal.lots;
      this.auctioned.add(dealId);
      if (taker === undefined) report(`The taker of deal ${dealId}, which is of an auction, did not rest.`);
      else if (maker !== undefined && taker.prio < maker.prio)
        report(`The taker of deal ${dealId} came before its maker.`);
    }
    for (const party of [deal.taker, deal.maker]) this.count(deal, party);
  }

  /** Adds a deal to those of the order of one of its parties. */
  private count(deal: DealEvent, party: DealParty): void {
    const buys = (party === deal.taker) === (deal.side === "buy");
    // Where there are positions an order has one fee, whichever side it is on.
    const { keepsPositions } = (this.state.markets[deal.marketId] as Market).settlement;
    const paysInBase = buys && !keepsPositions;
    const before = this.totals.get(party.orderId) ?? NO_DEALS;
    this.totals.set(party.orderId, {
      lots: before.lots + deal.lots,
      value: before.value + deal.value,
      baseFee: before.baseFee + (paysInBase && !party.deducted ? party.fee : 0n),
      quoteFee: before.quoteFee + (paysInBase || party.deducted ? 0n : party.fee),
      discountFee: before.discountFee + (party.deducted ? party.fee : 0n),
      realizedPnl: before.realizedPnl,
      lastLots: deal.lots,
      lastPrice: deal.price,
    });
  }

  /** A deal without orders, which has an id of the same row. */
  passDeal(dealId: number, report: Report): void {
    if (dealId !== this.lastDealId + 1) report(`Deal ${dealId} follows deal ${this.lastDealId}.`);
    this.lastDealId = dealId;
  }

  /** The execution of an order has closed a position, or part of one. */
  realize(orderId: number, pnl: bigint): void {
    const before = this.totals.get(orderId) ?? NO_DEALS;
    if (pnl !== 0n) this.totals.set(orderId, { ...before, realizedPnl: before.realizedPnl + pnl });
  }

  /** 4, 5, 9, 31: takes an order's event, which must follow from what was told of it before. */
  order({ event, order }: OrderEvent, timeMs: number, report: Report): void {
    const { orderId } = order;
    const before = this.live.get(orderId);
    const wrong = (what: string) => report(`Order ${orderId}, told by ${event}, ${what}.`);
    if (before === undefined) {
      if (event === "update" || event === "modify") wrong("was not resting");
      if (orderId <= this.lastOrderId) wrong("is not new and did not rest");
      if (order.createdAt !== timeMs) wrong("was not created now");
      this.lastOrderId = orderId;
    } else {
      if (event === "put") wrong("was resting already");
      for (const field of FOR_LIFE) if (before.order[field] !== order[field]) wrong(`has changed its ${field}`);
      if (event !== "modify" && before.order.price !== order.price && event !== "finish")
        wrong("has changed its price");
    }
    if (!STATUSES_OF[event].includes(order.status)) wrong(`is ${order.status}`);
    if (!isStatusOf(order, this.state))
      wrong(`is ${order.status} with ${order.filledLots} lots filled and ${order.left} left`);
    const filled = order.amountIn === "quote" ? order.filledValue : order.filledLots;
    if (order.amount !== order.left + filled || order.left < 0n) wrong("has an amount that is not filled plus left");
    if (order.updatedAt > timeMs || (order.updatedAt !== timeMs && event !== "modify")) wrong("was not updated now");
    const canRest = order.type === "limit" || order.type === "maker_only";
    if (event !== "finish" && !canRest) wrong(`rests, being ${order.type}`);
    if (!isSum(order, this.totals.get(orderId) ?? NO_DEALS)) wrong("does not show the sum of its deals");

    if (before !== undefined) this.weigh(before, -1n);
    this.told.set(orderId, order);
    if (event === "finish") {
      this.live.delete(orderId);
      return;
    }
    const renewed = before === undefined || before.order.price !== order.price || before.order.amount < order.amount;
    const slice = this.sliceOf(order, renewed ? undefined : before);
    const followed = { order, prio: renewed || slice.isNew ? ++this.prio : before.prio, shown: slice.shown };
    this.live.set(orderId, followed);
    this.weigh(followed, 1n);
  }

  /**
   * 8: the lots that an order displays after an event, `before` where it has kept its place: an iceberg less by what
   * was filled, and the next slice once that is all.
   */
  private sliceOf(
    order: OrderRecord,
    before: Followed | undefined,
  ): { readonly shown: bigint; readonly isNew: boolean } {
    const { hidden, left } = order;
    const peak = this.peaks.get(order.orderId);
    // Until it is told that an order is an iceberg it displays all; nothing trades in between.
    if (peak === undefined) return { shown: hidden ? 0n : left, isNew: false };
    const next = peak < left ? peak : left;
    if (before === undefined) return { shown: next, isNew: true };
    const shown = before.shown - (order.filledLots - before.order.filledLots);
    if (shown <= 0n) return { shown: next, isNew: true };
    return { shown: shown < left ? shown : left, isNew: false };
  }

  /** 7: that nobody had priority over who traded from the book. Costs time linear in all resting orders. */
  checkPriority(deal: DealEvent, report: Report): void {
    if (isMadeByPool(deal)) {
      this.checkBeforePool(deal, report);
      return;
    }
    this.checkFirst(deal, deal.maker.orderId, report);
    // A modified order that takes is still followed, and competes with nobody.
    if (this.auctioned.has(deal.dealId)) this.checkFirst(deal, deal.taker.orderId, report);
  }

  /** At the price of a pool, or a better one, orders come first. */
  private checkBeforePool({ dealId, marketId, side, price }: DealEvent, report: Report): void {
    for (const { order } of this.live.values()) {
      if (order.marketId !== marketId || order.side === side) continue;
      if (side === "buy" ? order.price > price : order.price < price) continue;
      report(`Deal ${dealId} with a pool passes over order ${order.orderId}.`);
    }
  }

  private checkFirst(deal: DealEvent, orderId: number, report: Report): void {
    const first = this.live.get(orderId);
    if (first === undefined) return;
    for (const other of this.live.values()) {
      const isRival = other.order.marketId === deal.marketId && other.order.side === first.order.side;
      if (!isRival || !precedes(other, first)) continue;
      report(`Deal ${deal.dealId} passes over order ${other.order.orderId}, which has priority.`);
    }
  }

  /** 10, 11: judges the command's deals; `explain` hears what each moves. */
  end(explain: (cell: string, units: bigint) => void, report: Report): void {
    for (const taken of this.deals) this.judge(taken, explain, report);
    for (const { marketId, lots } of this.uncrossings) {
      if (lots !== 0n) report(`The auction of market ${marketId} leaves ${lots} lots that could have traded.`);
    }
    this.uncrossings.length = 0;
    this.auctioned.clear();
    for (const { taker, maker } of this.deals.map(({ deal }) => deal)) {
      for (const { orderId } of maker.userId === VENUE ? [taker] : [taker, maker]) {
        if (!this.told.has(orderId)) report(`Order ${orderId} traded and no event told of it.`);
      }
    }
    for (const orderId of this.told.keys()) {
      if (this.live.has(orderId)) continue;
      this.totals.delete(orderId);
      this.peaks.delete(orderId);
    }
    this.told.clear();
    this.touched.clear();
    this.deals.length = 0;
  }

  private judge(taken: Taken, explain: (cell: string, units: bigint) => void, report: Report): void {
    const { deal } = taken;
    const market = this.state.markets[deal.marketId] as Market;
    const wrong = (what: string) => report(`Deal ${deal.dealId} ${what}.`);
    const base = deal.lots * market.unitsPerLot;
    if (deal.lots <= 0n) wrong("is of nothing");
    const { settlement } = market;
    if (deal.value !== settlement.valueOf(market, deal.price, deal.lots))
      wrong("has a value that is not price times amount");
    for (const party of isMadeByPool(deal) ? [deal.taker] : [deal.taker, deal.maker]) {
      const buys = (party === deal.taker) === (deal.side === "buy");
      const order = this.told.get(party.orderId) ?? this.live.get(party.orderId)?.order;
      const received = buys && !settlement.keepsPositions ? base : deal.value;
      // What moves with positions, these give the reason for.
      if (!settlement.keepsPositions) {
        const cell = (assetId: number) => cellOf(order, party.userId, deal.marketId, assetId);
        explain(cell(market.baseAssetId), buys ? base : -base);
        explain(cell(market.quoteAssetId), buys ? -deal.value : deal.value);
        explain(party.deducted ? spotCellName(party.userId, party.feeAssetId) : cell(party.feeAssetId), -party.fee);
        explain(cellName(CELL.fee, -1, 0, party.feeAssetId), party.fee);
      }
      if (party.fee < 0n) wrong(`takes a fee of ${party.fee}`);
      const ordinary = settlement.feeAssetId(market, buys);
      const assetId = party.deducted ? taken.coin?.assetId : ordinary;
      if (party.feeAssetId !== assetId) wrong("takes a fee in the wrong asset");
      if (!party.deducted && party.fee > received) wrong(`takes a fee of ${party.fee} from ${received}`);
      if (order === undefined) continue;
      const rate = BigInt(party === deal.taker ? order.takerFeeRateE8 : order.makerFeeRateE8);
      if (!party.deducted && party.fee !== (received * rate + 99_999_999n) / 100_000_000n)
        wrong("takes a fee at another rate than its order has");
      if (!settlement.keepsPositions) this.judgeDeduction(taken, party, rate, wrong);
      if (order.userId !== party.userId || order.account !== party.account) wrong("names the wrong user");
      if (order.marketId !== deal.marketId || (order.side === "buy") !== buys)
        wrong("is between orders that do not match");
      const limit = (party === deal.taker ? taken.takerPrice : taken.makerPrice) ?? order.price;
      if (limit !== 0n && (buys ? deal.price > limit : deal.price < limit))
        wrong(`is worse than its ${party === deal.taker ? "taker" : "maker"}'s limit`);
    }
    const taker = this.told.get(deal.taker.orderId);
    const isProtected = taker !== undefined && taker.stpMode !== "none" && taker.type !== "fok";
    if (isProtected && !this.auctioned.has(deal.dealId) && deal.taker.userId === deal.maker.userId)
      wrong("is a self-trade that was to be prevented");
  }

  /**
   * Lots that can trade at one price of a range: as many as find a partner when the best buys are paired with the best
   * sells.
   */
  private mostAtOnePrice(marketId: number, { low, high }: { readonly low: bigint; readonly high: bigint }): bigint {
    const ranked = [...this.live.values()].filter(({ order }) => order.marketId === marketId).sort(byPrice);
    const asks = ranked
      .filter(({ order: { side, price } }) => side === "sell" && price <= high)
      .map(({ order }) => order);
    const bids = ranked
      .filter(({ order: { side, price } }) => side === "buy" && price >= low)
      .map(({ order }) => order);
    bids.reverse();
    let most = 0n;
    for (let [bid, ask] = [bids.shift(), asks.shift()]; bid && ask && bid.price >= ask.price; ) {
      const lots = bid.left < ask.left ? bid.left : ask.left;
      most += lots;
      bid = bid.left === lots ? bids.shift() : { ...bid, left: bid.left - lots };
      ask = ask.left === lots ? asks.shift() : { ...ask, left: ask.left - lots };
    }
    return most;
  }

  /** 11: that a fee is deducted, and rightly, where and only where that is wished and possible. */
  private judgeDeduction(taken: Taken, party: DealParty, rate: bigint, wrong: (what: string) => void): void {
    const { deal, coin } = taken;
    const isPossible = rate > 0n && coin !== undefined && !this.pooled.has(deal.marketId);
    const wishes = isPossible && this.state.users.get(party.userId)?.feeDeduction === true;
    if (!wishes) {
      if (party.deducted) wrong("deducts a fee that was to be taken as ever");
      return;
    }
    const fee = deductedFee(this.state, coin, deal, rate);
    if (party.deducted) {
      if (party.fee !== fee) wrong(`deducts a fee of ${party.fee} where ${fee} is due`);
      return;
    }
    const market = this.state.markets[deal.marketId] as Market;
    const takerGives = deal.side === "buy" ? market.quoteAssetId : market.baseAssetId;
    // What the taker's rest still gives is spoken for; how much that was at the time is not told.
    if (takerGives === coin.assetId && party.userId === deal.taker.userId) return;
    // What an order of a margin account was paid in the coin does not lie in spot.
    const isInSpot = party.feeAssetId === coin.assetId && party.account === "spot";
    const had = (party === deal.taker ? taken.takerHas : taken.makerHas) + (isInSpot ? party.fee : 0n);
    if (had >= fee) wrong("does not deduct a fee, which it could have");
  }

  /** 8: levels whose displayed amount the present command changed, with what they display now. */
  takeChangedLevels(): Map<string, bigint> {
    const changed = new Map<string, bigint>();
    for (const [level, before] of this.levelsBefore) {
      const now = this.displayed.get(level) ?? 0n;
      if (now !== before) changed.set(level, now);
      if (now === 0n) this.displayed.delete(level);
    }
    this.levelsBefore.clear();
    return changed;
  }

  /** Whether the events told everything: the orders followed are those that rest. */
  compare(state: State, report: Report): void {
    for (const [marketId, price] of this.lastPrices) {
      if (state.lastPrice[marketId] !== price)
        report(`The latest price of market ${marketId} is not that of its last deal.`);
    }
    if (this.live.size !== state.orders.live)
      report(`Events tell of ${this.live.size} resting orders of ${state.orders.live}.`);
    for (const { order } of this.live.values()) {
      const slot = state.orders.find(order.orderId);
      if (slot === NONE) report(`Order ${order.orderId} rests by its events and is not in the state.`);
      else if (!isSame(readOrder(state, slot), order)) report(`Events do not tell how order ${order.orderId} stands.`);
    }
  }

  /** Adds an order to what its cell has frozen and its level displays, or takes it away. */
  private weigh({ order, shown }: Followed, sign: bigint): void {
    const market = this.state.markets[order.marketId] as Market;
    const buys = order.side === "buy";
    if (!market.settlement.keepsPositions) {
      const units = buys ? order.price * order.left * market.unitsPerLotTick : order.left * market.unitsPerLot;
      const cell = cellOf(order, order.userId, order.marketId, buys ? market.quoteAssetId : market.baseAssetId);
      add(this.frozen, cell, sign * units);
      this.touched.add(cell);
    }
    if (order.hidden) return;
    const level = levelName(order.marketId, order.side, order.price);
    if (!this.levelsBefore.has(level)) this.levelsBefore.set(level, this.displayed.get(level) ?? 0n);
    add(this.displayed, level, sign * shown);
  }
}

export function levelName(marketId: number, side: string, price: bigint): string {
  return `${side} level ${price} of market ${marketId}`;
}

function cellOf(order: OrderRecord | undefined, userId: number, marketId: number, assetId: number): string {
  // The margin insurance fund sells what it took over.
  if (userId === VENUE_USER) return cellName(CELL.insurance_margin, VENUE, 0, assetId);
  return order?.account === "margin" ? cellName(CELL.margin, userId, marketId, assetId) : spotCellName(userId, assetId);
}

function byPrice({ order: first }: Followed, { order: second }: Followed): number {
  return first.price < second.price ? -1 : first.price > second.price ? 1 : 0;
}

function precedes(first: Followed, second: Followed): boolean {
  const [price, other] = [first.order.price, second.order.price];
  if (price !== other) return first.order.side === "buy" ? price > other : price < other;
  if (first.order.hidden !== second.order.hidden) return second.order.hidden;
  return first.prio < second.prio;
}

/**
 * Whether the status is the one that these amounts give. Source: domain 2.14, and 2.3 for the dust of a quote budget.
 */
function isStatusOf(order: OrderRecord, state: State): boolean {
  const traded = order.filledLots > 0n;
  switch (order.status) {
    case "open":
      return !traded && order.left > 0n;
    case "part_filled":
      return traded && order.left > 0n;
    case "filled": {
      const { unitsPerLotTick } = state.markets[order.marketId] as Market;
      const dust = order.amountIn === "quote" && order.left < order.lastFilledPrice * unitsPerLotTick;
      return traded && (order.left === 0n || dust);
    }
    case "part_canceled":
      return traded && order.left > 0n && order.type !== "fok";
    case "canceled":
      return !traded && order.left > 0n && order.type !== "fok";
  }
}

function isSum(order: OrderRecord, totals: Totals): boolean {
  return (
    order.filledLots === totals.lots &&
    order.filledValue === totals.value &&
    order.baseFee === totals.baseFee &&
    order.quoteFee === totals.quoteFee &&
    order.discountFee === totals.discountFee &&
    order.realizedPnl === totals.realizedPnl &&
    order.lastFilledLots === totals.lastLots &&
    order.lastFilledPrice === totals.lastPrice
  );
}

function isSame(left: OrderRecord, right: OrderRecord): boolean {
  return (Object.keys(left) as (keyof OrderRecord)[]).every((field) => left[field] === right[field]);
}

function slotsByPrio(state: State): number[] {
  const slots: number[] = [];
  for (const book of state.books) {
    for (const side of [0, 1]) {
      for (let slot = book.first(side); slot !== NONE; slot = book.next(slot)) slots.push(slot);
    }
  }
  return slots.sort((left, right) => state.orders.prio(left) - state.orders.prio(right));
}
