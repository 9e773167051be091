/**
 * Market-maker protection: how much may be filled of the quotes of one user in one market within a window of time. The
 * fill that reaches a limit is whole; in the same command, before anything else is matched, all his quotes of that
 * market are cancelled, and new ones are refused until he resets the protection. Source: domain 2.18.
 *
 * A quote is an order that rests, or would, and may open something: limit and maker_only orders, of futures those that
 * do not only reduce. Who takes, closes or has a stop order waiting needs no protection from his own fills.
 */
import { USER_FLAG } from "../accounts/user.ts";
import { FLAG, TYPE } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { Slot } from "../slot.ts";
import type { State } from "../state.ts";
import { NONE } from "./order.ts";

/** The limits of a protection, in the order in which a fill is held to them. */
export const LIMITS = ["fills", "amount", "delta"] as const;
export type Limit = (typeof LIMITS)[number];

/** Lots that were filled at a time, with their sign: bought above 0, sold below. */
export interface QuoteFill {
  readonly atMs: number;
  readonly lots: bigint;
}

/** Most that may be filled within a window. Lots; undefined: no limit. */
export interface ProtectionSpec {
  readonly windowMs: number;
  readonly fills: number;
  readonly amount: bigint | undefined;
  /** Of futures: what was bought less what was sold, whichever is more. */
  readonly delta: bigint | undefined;
}

/** The fills of a window as limits see them. */
export interface Filled {
  readonly fills: number;
  readonly lots: bigint;
  readonly delta: bigint;
}

/** The protection of a user in a market. */
export class Protection {
  readonly userId: number;
  readonly marketId: number;
  readonly terms: ProtectionSpec;
  /** The limit that was reached, and when; undefined while quotes may rest. */
  reached: { readonly limit: Limit; readonly atMs: number } | undefined;
  /** Fills of the window, oldest first, and perhaps some that it has passed: as many as the limit of fills at most. */
  private readonly fills: QuoteFill[] = [];
  /** Sums of these. */
  private lots = 0n;
  private delta = 0n;

  constructor(userId: number, marketId: number, terms: ProtectionSpec) {
    this.userId = userId;
    this.marketId = marketId;
    this.terms = terms;
  }

  /** The fills that count at a time: each for as long as the window is, the millisecond at its end not counted. */
  filledAt(timeMs: number): Filled {
    const passed = this.passedAt(timeMs);
    return passed.reduce(
      ({ fills, lots, delta }, fill) => ({ fills: fills - 1, lots: lots - sizeOf(fill), delta: delta - fill.lots }),
      { fills: this.fills.length, lots: this.lots, delta: this.delta },
    );
  }

  /** Adds a fill. Returns all that count now. */
  add(fill: QuoteFill): Filled {
    const { fills, lots, delta } = this.filledAt(fill.atMs);
    this.fills.splice(0, this.fills.length - fills);
    this.fills.push(fill);
    this.lots = lots + sizeOf(fill);
    this.delta = delta + fill.lots;
    return { fills: fills + 1, lots: this.lots, delta: this.delta };
  }

  /** Forgets all fills, and that a limit was reached. */
  reset(): void {
    this.fills.length = 0;
    this.lots = 0n;
    this.delta = 0n;
    this.reached = undefined;
  }

  /** The fills that it remembers, for a snapshot. */
  get rows(): readonly QuoteFill[] {
    return this.fills;
  }

  private passedAt(timeMs: number): QuoteFill[] {
    const sinceMs = timeMs - this.terms.windowMs;
    const passed = this.fills.findIndex(({ atMs }) => atMs > sinceMs);
    return passed === -1 ? this.fills : this.fills.slice(0, passed);
  }
}

function sizeOf({ lots }: QuoteFill): bigint {
  return lots < 0n ? -lots : lots;
}

/** The limit that so much reaches; undefined when it reaches none. */
export function limitReached({ fills, amount, delta }: ProtectionSpec, filled: Filled): Limit | undefined {
  if (filled.fills >= fills) return "fills";
  if (amount !== undefined && filled.lots >= amount) return "amount";
  if (delta !== undefined && (filled.delta >= delta || -filled.delta >= delta)) return "delta";
  return undefined;
}

export class Protections {
  /** By market id, then by user id. */
  private readonly byMarket = new Map<number, Map<number, Protection>>();
  /** The same by user id, then by market id. */
  private readonly byUser = new Map<number, Map<number, Protection>>();
  /** Those that the step under way has reached a limit of; none between commands. */
  readonly tripped: Protection[] = [];
  /** Another number after each change of who is protected, and how: for who keeps what follows from it. */
  changes = 0;

  of(userId: number, marketId: number): Protection | undefined {
    return this.byMarket.get(marketId)?.get(userId);
  }

  /** Those of a market, in the order in which they were set. */
  in(marketId: number): ReadonlyMap<number, Protection> | undefined {
    return this.byMarket.get(marketId);
  }

  /** Those of a user, by ascending market id. */
  ofUser(userId: number): Protection[] {
    return [...(this.byUser.get(userId)?.values() ?? [])].sort((one, other) => one.marketId - other.marketId);
  }

  /** All, by ascending market id and user id. */
  all(): Protection[] {
    return [...this.byMarket.values()]
      .flatMap((ofMarket) => [...ofMarket.values()])
      .sort((one, other) => one.marketId - other.marketId || one.userId - other.userId);
  }

  set(protection: Protection): void {
    const { userId, marketId } = protection;
    enter(this.byMarket, marketId, userId, protection);
    enter(this.byUser, userId, marketId, protection);
  }

  end(userId: number, marketId: number): void {
    drop(this.byMarket, marketId, userId);
    drop(this.byUser, userId, marketId);
  }
}

type ByTwo = Map<number, Map<number, Protection>>;

function enter(index: ByTwo, first: number, second: number, protection: Protection): void {
  const ofFirst = index.get(first) ?? new Map<number, Protection>();
  index.set(first, ofFirst.set(second, protection));
}

function drop(index: ByTwo, first: number, second: number): void {
  const ofFirst = index.get(first);
  ofFirst?.delete(second);
  if (ofFirst?.size === 0) index.delete(first);
}

export const protections = new Slot(() => new Protections());

/** Brings the flags of a user up to whether he has a protection, and one that holds his quotes back. */
export function flagProtected({ users }: State, own: Protections, userId: number): void {
  const all = own.ofUser(userId);
  const isHeld = all.some(({ reached }) => reached !== undefined);
  const others = users.flags(userId) & ~(USER_FLAG.quotesProtected | USER_FLAG.quotesHeld);
  users.setFlags(
    userId,
    others | (all.length > 0 ? USER_FLAG.quotesProtected : 0) | (isHeld ? USER_FLAG.quotesHeld : 0),
  );
  own.changes++;
}

/** Whether an order of these flags is a quote. */
export function isQuote(flags: number): boolean {
  const type = (flags >> FLAG.typeShift) & FLAG.typeMask;
  return (type === TYPE.limit || type === TYPE.maker_only) && ((flags >> FLAG.aimShift) & FLAG.aimMask) === 0;
}

/** Slots of the quotes that a user has in a market: spot before margin, oldest first. */
export function quotesOf({ orders, seats }: State, userId: number, marketId: number): number[] {
  const slots: number[] = [];
  for (const place of [0, 1]) {
    const seat = seats.find(userId, marketId, place);
    for (let slot = seat === NONE ? NONE : seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
      if (isQuote(orders.flags(slot))) slots.push(slot);
    }
  }
  return slots;
}

/** Whether quotes of a user in a market are refused until he resets his protection. */
export function areQuotesHeld(state: State, userId: number, marketId: number): boolean {
  if ((state.users.flags(userId) & USER_FLAG.quotesHeld) === 0) return false;
  return protections.of(state).of(userId, marketId)?.reached !== undefined;
}

/** Counts a fill of a resting order of a user who has a protection somewhere. */
export function countQuoteFill(state: State, userId: number, marketId: number, flags: number, lots: bigint): void {
  const own = protections.of(state);
  const protection = own.of(userId, marketId);
  if (protection === undefined || protection.reached !== undefined || !isQuote(flags)) return;
  const { timeMs } = state;
  const filled = protection.add({ atMs: timeMs, lots: (flags & FLAG.sell) === 0 ? lots : -lots });
  const limit = limitReached(protection.terms, filled);
  if (limit === undefined) return;
  protection.reached = { limit, atMs: timeMs };
  own.tripped.push(protection);
  state.hasTripped = true;
}

/**
 * Foresees, in a dry run of an order, whose quotes will be pulled before it reaches them. Undefined where nobody in the
 * market is protected.
 */
export function foreseePulls(state: State, { id }: Market): ForeseenPulls | undefined {
  const inMarket = protections.of(state).in(id);
  return inMarket === undefined ? undefined : new ForeseenPulls(state, inMarket);
}

export class ForeseenPulls {
  private readonly state: State;
  private readonly inMarket: ReadonlyMap<number, Protection>;
  /** By user: what was filled by now, that his quotes are gone, or that nobody knows whether they are. */
  private readonly filled = new Map<number, Filled | "gone" | "unsure">();

  constructor(state: State, inMarket: ReadonlyMap<number, Protection>) {
    this.state = state;
    this.inMarket = inMarket;
  }

  /** Whether the order in `slot` is a quote that has been pulled by now. */
  isGone(slot: number): boolean {
    return this.filled.get(this.userOf(slot)) === "gone" && isQuote(this.state.orders.flags(slot));
  }

  /** Whether it may have been pulled by now, because nobody knows whether an order before it was met. */
  isUnsure(slot: number): boolean {
    return this.filled.get(this.userOf(slot)) === "unsure" && isQuote(this.state.orders.flags(slot));
  }

  /** Nobody knows whether the order in `slot` is met. */
  noteUnsure(slot: number): void {
    const userId = this.userOf(slot);
    if (this.inMarket.has(userId) && isQuote(this.state.orders.flags(slot))) this.filled.set(userId, "unsure");
  }

  /** So many lots of the order in `slot` are filled. */
  fill(slot: number, lots: bigint): void {
    const { orders, timeMs } = this.state;
    const flags = orders.flags(slot);
    const userId = this.userOf(slot);
    const protection = this.inMarket.get(userId);
    if (protection === undefined || protection.reached !== undefined || !isQuote(flags)) return;
    const before = this.filled.get(userId) ?? protection.filledAt(timeMs);
    if (before === "gone" || before === "unsure") return;
    const signed = (flags & FLAG.sell) === 0 ? lots : -lots;
    const filled = { fills: before.fills + 1, lots: before.lots + lots, delta: before.delta + signed };
    this.filled.set(userId, limitReached(protection.terms, filled) === undefined ? filled : "gone");
  }

  private userOf(slot: number): number {
    return this.state.seats.userId(this.state.orders.seat(slot));
  }
}
