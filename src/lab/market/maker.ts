import type { Command, Side } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import { NONE } from "../../engine/trading/order.ts";
import { Backoff } from "./backoff.ts";
import type { LadderShape } from "./dev-markets.ts";
import { fundsFor, holdingOf } from "./funds.ts";
import { type OwnOrders, ownOrdersOf, priceAt, type Rung, rungName, rungsOf } from "./ladder.ts";
import type { Random } from "./random.ts";
import type { Venue } from "./venue.ts";

/** An order is moved when it is off its place by half of its distance from the market's worth. */
const DRIFT_PARTS = 2n;
/** Nobody quotes like a ruler: places and amounts vary by so much around the typical, in thousandths. */
const OFFSET_SPREAD_PER_MILLE = 120;
const AMOUNT_SPREAD_PER_MILLE = 300;

/**
 * Where foreign orders stand in the way: a maker sells at `lowestAsk` or above and buys at `highestBid` or below,
 * ticks.
 */
export interface Room {
  readonly lowestAsk: bigint;
  readonly highestBid: bigint;
}

/**
 * The commands that a maker wants executed, in two parts. Orders that stand too close draw back first, those of every
 * maker; then the others move up, and find nobody in their way.
 */
export interface Plan {
  readonly retreats: readonly Command[];
  readonly advances: readonly Command[];
}

const NOTHING: Plan = { retreats: [], advances: [] };

/**
 * One market maker in one market: a ladder of orders on both sides of what the market is worth, kept in place by moving
 * them. It remembers nothing about its orders: what rests in the book, by the marks it carries, is what it has, so that
 * a restart changes nothing.
 */
export class Maker {
  readonly name: string;
  readonly #venue: Venue;
  readonly #shape: LadderShape;
  readonly #random: Random;
  readonly #backoff = new Backoff();
  /** Commands whose outcome is not known yet. */
  #underWay = 0;
  /** Outcomes since the last plan. */
  #accepted = 0;
  #refused = 0;

  constructor(venue: Venue, shape: LadderShape, random: Random) {
    this.name = shape.maker;
    this.#venue = venue;
    this.#shape = shape;
    this.#random = random;
  }

  /**
   * Returns the changes that a maker wants now that the market is worth `worth` millionths of a tick. At most one
   * command per order.
   */
  plan(market: Market, worth: bigint, room: Room, nowMs: number): Plan {
    // Before all outcomes are known, the state does not show what the maker has.
    if (this.#underWay > 0) return NOTHING;
    this.#learn(nowMs);
    const { state } = this.#venue;
    const userId = state.users.byName.get(this.name);
    const rungs = rungsOf(this.#shape, market);
    if (userId === undefined || rungs === undefined || !this.#backoff.isOver(nowMs)) return NOTHING;
    const own = ownOrdersOf(state, userId, market.id, rungs.length);
    const retreats: Command[] = own.strays.map((orderId) => ({
      kind: "cancel_order",
      userId,
      marketId: market.id,
      orderId,
    }));
    const advances: Command[] = [];
    this.#planSide("buy", { market, worth, room, userId, rungs, own, retreats, advances });
    this.#planSide("sell", { market, worth, room, userId, rungs, own, retreats, advances });
    return { retreats, advances };
  }

  /** Takes back what it has in the book. */
  withdraw(market: Market): void {
    if (this.#underWay > 0) return;
    const { state } = this.#venue;
    const userId = state.users.byName.get(this.name);
    const rungs = rungsOf(this.#shape, market);
    if (userId === undefined || rungs === undefined) return;
    const own = ownOrdersOf(state, userId, market.id, rungs.length);
    const placed = [...own.buy, ...own.sell].filter((slot) => slot !== NONE).map((slot) => state.orders.orderId(slot));
    const cancelled = [...own.strays, ...placed];
    this.send(cancelled.map((orderId) => ({ kind: "cancel_order", userId, marketId: market.id, orderId })));
  }

  /** Submits a part of a plan. */
  send(commands: readonly Command[]): void {
    for (const command of commands) {
      this.#underWay++;
      const taken = this.#venue.submit(command, (outcome) => {
        this.#underWay--;
        if (outcome.refusal === 0) this.#accepted++;
        else this.#refused++;
      });
      if (!taken) this.#underWay--;
    }
  }

  /** When everything was refused, something is wrong that will not be over in a second. */
  #learn(nowMs: number): void {
    if (this.#accepted > 0) this.#backoff.accepted();
    else if (this.#refused > 0) this.#backoff.refused(nowMs);
    this.#accepted = 0;
    this.#refused = 0;
  }

  #planSide(side: Side, task: Task): void {
    const { market, userId, rungs, own } = task;
    const { orders } = this.#venue.state;
    if (this.#holdsEnough(side, market, userId)) {
      for (const slot of own[side]) {
        if (slot === NONE) continue;
        task.retreats.push({ kind: "cancel_order", userId, marketId: market.id, orderId: orders.orderId(slot) });
      }
      return;
    }
    const funds = fundsFor(this.#venue.state, userId, market, side);
    let spendable = funds.available;
    rungs.forEach((rung, index) => {
      const slot = own[side][index] as number;
      if (slot === NONE) {
        const order = this.#newOrder(side, index, rung, task);
        spendable -= funds.costOf(order.price, order.amount);
        if (spendable >= 0n) task.advances.push(order);
        return;
      }
      const price = orders.price(slot);
      const place = this.#placeOf(side, rung.offsetE8, task);
      const drift = price > place ? price - place : place - price;
      if (drift * DRIFT_PARTS * 100_000_000n <= place * rung.offsetE8) return;
      const next = this.#placeOf(side, this.#varied(rung.offsetE8, OFFSET_SPREAD_PER_MILLE), task);
      if (next === price) return;
      const isRetreat = side === "buy" ? next < price : next > price;
      (isRetreat ? task.retreats : task.advances).push({
        kind: "modify_order",
        userId,
        marketId: market.id,
        orderId: orders.orderId(slot),
        price: next,
      });
    });
  }

  /** Whether another order of this side could carry the position beyond its bound. */
  #holdsEnough(side: Side, market: Market, userId: number): boolean {
    if (this.#shape.positionMax === undefined) return false;
    const bound = parseDecimal(this.#shape.positionMax, market.amountPrecision) ?? 0n;
    const held = holdingOf(this.#venue.state, userId, market);
    return (side === "buy" ? held : -held) >= bound;
  }

  #newOrder(side: Side, index: number, rung: Rung, task: Task) {
    const { market, userId } = task;
    const lots = this.#varied(rung.lots, AMOUNT_SPREAD_PER_MILLE);
    return {
      kind: "place_order",
      userId,
      marketId: market.id,
      account: market.futures === undefined ? "spot" : "futures",
      side,
      type: "maker_only",
      amountIn: "base",
      amount: lots < market.minAmount ? market.minAmount : lots > market.maxAmount ? market.maxAmount : lots,
      price: this.#placeOf(side, this.#varied(rung.offsetE8, OFFSET_SPREAD_PER_MILLE), task),
      hidden: false,
      stpMode: "none",
      clientId: rungName(side, index),
    } as const;
  }

  /** Ticks, with room left for foreign orders that would be met. */
  #placeOf(side: Side, offsetE8: bigint, { market, worth, room }: Task): bigint {
    const price = priceAt(market, worth, side, offsetE8);
    if (side === "sell") return price < room.lowestAsk ? room.lowestAsk : price;
    return price > room.highestBid ? room.highestBid : price;
  }

  #varied(typical: bigint, spreadPerMille: number): bigint {
    return (typical * BigInt(this.#random.between(1_000 - spreadPerMille, 1_000 + spreadPerMille))) / 1_000n;
  }
}

interface Task {
  readonly market: Market;
  readonly worth: bigint;
  readonly room: Room;
  readonly userId: number;
  readonly rungs: readonly Rung[];
  readonly own: OwnOrders;
  readonly retreats: Command[];
  readonly advances: Command[];
}
