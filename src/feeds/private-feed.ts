import { clientIdAt } from "../engine/command.ts";
import {
  type DealEvent,
  type DealParty,
  decodeDeal,
  decodeOrder,
  decodePosting,
  EVENT,
  FILL_FIGURES,
  ORDER_WORDS,
  type OrderEventName,
  type OrderRecord,
  orderEventName,
} from "../engine/event.ts";
import { decodePosition, type PositionEvent } from "../engine/futures/positions/position-event.ts";
import { CELL } from "../engine/ledger/cell.ts";
import type { State } from "../engine/state.ts";
import { decodeStop, type StopEvent } from "../engine/stops/stop-event.ts";
import type { WordBuffer } from "../engine/words.ts";
import { OwnHiddenOrders } from "./own-hidden.ts";

/** One side of an execution, as its owner is told of it. */
export interface OwnDeal {
  readonly deal: DealEvent;
  readonly own: DealParty;
  readonly role: "taker" | "maker";
  /** The position that it changed, the one that it opened if it closed one besides; 0 of a spot deal. */
  readonly positionId: number;
  readonly clientId: string;
  readonly timeMs: number;
}

/** A currency of a spot or a margin account as it stands after a group of commands, in units of the asset. */
export interface OwnBalance {
  /** The market of a margin account; -1 of the spot account. */
  readonly marketId: number;
  readonly assetId: number;
  readonly available: bigint;
  readonly frozen: bigint;
  /** ms of the change. */
  readonly updatedAt: number;
}

/** Who hears what happens to the accounts that are watched, by whomever. */
export interface PrivateListener {
  // In the order in which things happened, but that a stop order fires before anything becomes of the order that it
  // places.
  /** `stopId` is the stop order that an order came from; 0 when it is none or older than the watch. */
  order(event: OrderEventName, order: OrderRecord, stopId: number): void;
  deal(userId: number, deal: OwnDeal): void;
  stop(event: StopEvent): void;
  position(event: PositionEvent): void;
  /** After the rest: what the currencies that changed came to. */
  balances(userId: number, balances: readonly OwnBalance[]): void;
}

/** The account of balances that are in no margin market. */
export const SPOT_ACCOUNT = -1;
/** Asset ids stay below. */
const ASSETS_MAX = 131_072;

/** Bits of the set of watched users; it grows with the highest of their ids. */
const USERS_PER_BYTE = 8;

/**
 * Follows the accounts of users who are watched, from events alone: read once, for all who listen. While nobody is
 * watched, a group costs one look; else each record costs one look at a bit.
 */
export class PrivateFeed {
  readonly hidden = new OwnHiddenOrders();
  readonly #state: State;
  readonly #listeners: PrivateListener[] = [];
  /** A bit for each watched user, and how often each is. */
  #watched = new Uint8Array(64);
  readonly #watches = new Map<number, number>();
  /** Orders from this id on have not been told of. */
  #nextOrderId = 0;
  /** By user, then by account and asset: what a group has changed so far. */
  readonly #balances = new Map<number, Map<number, OwnBalance>>();
  /** By watched user: stop orders by the orders that they became and that have not ended. */
  readonly #stopIds = new Map<number, Map<number, number>>();
  /** Positions by the order whose execution changed them last, in a group. */
  readonly #positions = new Map<number, number>();
  /** Where the event of a stop order stands that has been told of ahead of its turn. */
  #firedAt = -1;
  /** The taker of the last deal: its deals stand together, and its event comes after all of them. */
  #taker: { readonly orderId: number; readonly clientId: string } | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** Tells `listener` of all watched accounts from now on. */
  listen(listener: PrivateListener): void {
    this.#listeners.push(listener);
  }

  /** From the next group on the user's account is told of, until it has been unwatched as often as watched. */
  watch(userId: number): void {
    const watches = this.#watches.get(userId) ?? 0;
    if (this.#watches.size === 0) this.#nextOrderId = this.#state.nextOrderId;
    this.#watches.set(userId, watches + 1);
    if (watches > 0) return;
    if (userId >= this.#watched.length * USERS_PER_BYTE) {
      const grown = new Uint8Array(Math.max(this.#watched.length * 2, (userId >> 3) + 1));
      grown.set(this.#watched);
      this.#watched = grown;
    }
    this.#watched[userId >> 3] = (this.#watched[userId >> 3] as number) | (1 << (userId & 7));
    this.hidden.begin(this.#state, userId);
  }

  unwatch(userId: number): void {
    const watches = this.#watches.get(userId);
    if (watches === undefined) return;
    if (watches > 1) {
      this.#watches.set(userId, watches - 1);
      return;
    }
    this.#watches.delete(userId);
    this.#watched[userId >> 3] = (this.#watched[userId >> 3] as number) & ~(1 << (userId & 7));
    this.hidden.end(userId);
    this.#stopIds.delete(userId);
  }

  /** Takes in the events from word `from` to `to`, which are whole commands. */
  apply(events: WordBuffer, from: number, to: number): void {
    if (this.#watches.size === 0) return;
    const { i32, f64 } = events;
    let timeMs = 0;
    for (let at = from; at < to; at += (i32[at * 2] as number) >>> 8) {
      const kind = (i32[at * 2] as number) & 255;
      if (kind === EVENT.command) {
        timeMs = f64[at + 2] as number;
      } else if (kind === EVENT.order) {
        if (this.#isWatched(i32[at * 2 + 2] as number)) this.#takeOrder(events, at, to);
      } else if (kind === EVENT.posting) {
        if (this.#isWatched(i32[at * 2 + 2] as number)) this.#takePosting(events, at, timeMs);
      } else if (kind === EVENT.deal) {
        const takes = this.#isWatched(i32[at * 2 + 12] as number);
        const makes = this.#isWatched(i32[at * 2 + 13] as number);
        if (takes || makes) this.#takeDeal(events, at, to, timeMs, takes, makes);
      } else if (kind === EVENT.stop) {
        if (this.#isWatched(i32[at * 2 + 2] as number) && at !== this.#firedAt) {
          this.#tellStop(decodeStop(events, at));
        }
      } else if (kind === EVENT.position) {
        if (this.#isWatched(i32[at * 2 + 2] as number)) this.#takePosition(decodePosition(events, at));
      }
    }
    this.#nextOrderId = this.#state.nextOrderId;
    this.#taker = undefined;
    this.#firedAt = -1;
    this.#positions.clear();
    for (const [userId, balances] of this.#balances) {
      const changed = [...balances.values()];
      for (const listener of this.#listeners) listener.balances(userId, changed);
    }
    this.#balances.clear();
  }

  /** The venue's own cells have the user -1, which is in no set: its byte is beyond every end. */
  #isWatched(userId: number): boolean {
    return ((this.#watched[userId >> 3] as number) & (1 << (userId & 7))) !== 0;
  }

  /** An order that ended in the command that placed it has one event, its end; its owner is told of both. */
  #takeOrder(events: WordBuffer, at: number, to: number): void {
    const event = orderEventName(events, at);
    const order = decodeOrder(events, at);
    const isNew = order.orderId >= this.#nextOrderId;
    if (isNew) {
      this.#nextOrderId = order.orderId + 1;
      this.#fire(events, at, to, order.orderId);
    }
    const stopIds = this.#stopIds.get(order.userId);
    const stopId = stopIds?.get(order.orderId) ?? 0;
    if (event === "finish" && isNew) this.#tellOrder("put", asPlaced(order), stopId);
    if (order.hidden) this.hidden.note(event, order);
    this.#tellOrder(event, order, stopId);
    if (event === "finish") stopIds?.delete(order.orderId);
  }

  /**
   * Tells of the stop order that a new order comes from; its own event stands behind all that became of the order at
   * once.
   */
  #fire(events: WordBuffer, from: number, to: number, orderId: number): void {
    const at = stopAfter(events, from, to, orderId);
    if (at < 0 || at === this.#firedAt) return;
    this.#firedAt = at;
    const event = decodeStop(events, at);
    this.#noteStop(event.stop, orderId);
    this.#tellStop(event);
  }

  #noteStop({ userId, stopId }: StopEvent["stop"], orderId: number): void {
    const stopIds = this.#stopIds.get(userId);
    if (stopIds === undefined) this.#stopIds.set(userId, new Map([[orderId, stopId]]));
    else stopIds.set(orderId, stopId);
  }

  #takePosition(event: PositionEvent): void {
    // A deal follows what it did to positions.
    if (event.dealId !== 0) this.#positions.set(event.orderId, event.positionId);
    for (const listener of this.#listeners) listener.position(event);
  }

  #tellOrder(event: OrderEventName, order: OrderRecord, stopId: number): void {
    for (const listener of this.#listeners) listener.order(event, order, stopId);
  }

  #tellStop(event: StopEvent): void {
    for (const listener of this.#listeners) listener.stop(event);
  }

  #takePosting(events: WordBuffer, at: number, timeMs: number): void {
    const posting = decodePosting(events, at);
    const { cellKind, userId, assetId, availableAfter, frozenAfter } = posting;
    if (cellKind !== CELL.spot && cellKind !== CELL.margin) return;
    const marketId = cellKind === CELL.margin ? posting.marketId : SPOT_ACCOUNT;
    let balances = this.#balances.get(userId);
    if (balances === undefined) {
      balances = new Map();
      this.#balances.set(userId, balances);
    }
    const key = (marketId + 1) * ASSETS_MAX + assetId;
    balances.set(key, { marketId, assetId, available: availableAfter, frozen: frozenAfter, updatedAt: timeMs });
  }

  #takeDeal(events: WordBuffer, at: number, to: number, timeMs: number, takes: boolean, makes: boolean): void {
    const deal = decodeDeal(events, at);
    const tell = (own: DealParty, role: OwnDeal["role"], clientId: string) => {
      const positionId = this.#positions.get(own.orderId) ?? 0;
      const ownDeal: OwnDeal = { deal, own, role, positionId, clientId, timeMs };
      for (const listener of this.#listeners) listener.deal(own.userId, ownDeal);
    };
    if (takes) {
      const { orderId } = deal.taker;
      if (this.#taker?.orderId !== orderId) {
        this.#taker = { orderId, clientId: clientIdAfter(events, at, to, orderId) };
        if (orderId >= this.#nextOrderId) this.#fire(events, at, to, orderId);
      }
      tell(deal.taker, "taker", this.#taker.clientId);
    }
    if (makes) tell(deal.maker, "maker", clientIdAfter(events, at, to, deal.maker.orderId));
  }
}

/** A deal is followed, within its command, by an event of each of its orders. */
function clientIdAfter(events: WordBuffer, from: number, to: number, orderId: number): string {
  const { i32, f64 } = events;
  for (let at = from; at < to; at += (i32[at * 2] as number) >>> 8) {
    const isOrder = ((i32[at * 2] as number) & 255) === EVENT.order;
    if (isOrder && f64[at + 2] === orderId) return clientIdAt(events, at + ORDER_WORDS, i32[at * 2 + 3] as number);
  }
  return "";
}

/** Where, within its command, the stop order that became an order tells of it; -1 when none did. */
function stopAfter(events: WordBuffer, from: number, to: number, orderId: number): number {
  const { i32, f64 } = events;
  for (let at = from; at < to; at += (i32[at * 2] as number) >>> 8) {
    const kind = (i32[at * 2] as number) & 255;
    if (kind === EVENT.command) return -1;
    if (kind === EVENT.stop && f64[at + 8] === orderId) return at;
  }
  return -1;
}

const UNFILLED = Object.fromEntries(FILL_FIGURES.map((name) => [name, 0n])) as Pick<
  OrderRecord,
  (typeof FILL_FIGURES)[number]
>;

/** The order as it was before anything of it was filled. */
function asPlaced(order: OrderRecord): OrderRecord {
  return { ...order, ...UNFILLED, status: "open", left: order.amount, updatedAt: order.createdAt };
}
