/** The addresses that connections of a listener come from, and what each may still cost the venue. */
import { groupOf } from "../limits/address.ts";
import type { Connection } from "./connection.ts";
import { ReadingTurns, Share } from "./reading-turns.ts";

/**
 * Refusals that cost an address nothing but themselves in a window. A client that has lost count finds out by one or a
 * few; one that is refused so often goes on whatever it is told, and from then on each refusal costs it its connection,
 * with all that stands behind in it.
 */
export const REFUSALS_FREE = 50;
export const REFUSALS_WINDOW_MS = 10_000;
/**
 * Health checks of an address in the same window that cost nothing: a hundred a second, where supervisors and balancers
 * ask once. No quota bounds them, so each further one counts as a refusal.
 */
export const CHECKS_FREE = 1_000;
/**
 * New connections that such an address may open in a second; more are closed before anything is read. Not none: behind
 * a translating router there may be others who have done nothing.
 */
export const CONNECTS_PER_SECOND = 10;
const SECOND_MS = 1_000;
/** Addresses without a connection whose refusals are remembered; beyond it those of further ones begin anew. */
const REMEMBERED_MAX = 10_000;

/** One address, or one connection of a proxy: that speaks for everybody, and to close it would hurt others. */
export class Sender {
  readonly share: Share;
  readonly #isProxy: boolean;
  /** Connections that are open, oldest first. */
  readonly connections = new Set<Connection>();
  #refusals = 0;
  #refusalsSinceMs = Number.NEGATIVE_INFINITY;
  #checks = 0;
  #checksSinceMs = Number.NEGATIVE_INFINITY;
  #connects = 0;
  #connectsSinceMs = Number.NEGATIVE_INFINITY;

  constructor(turns: ReadingTurns, isProxy: boolean) {
    this.share = new Share(turns);
    this.#isProxy = isProxy;
  }

  get open(): number {
    return this.connections.size;
  }

  /** A request was refused that no other quota bounds; true when it costs the connection. */
  refuse(nowMs: number): boolean {
    if (this.#isProxy) return false;
    if (nowMs - this.#refusalsSinceMs >= REFUSALS_WINDOW_MS) {
      this.#refusalsSinceMs = nowMs;
      this.#refusals = 0;
    }
    this.#refusals++;
    return this.#refusals > REFUSALS_FREE;
  }

  /** It asks whether the venue lives or serves; true when that costs the connection. */
  check(nowMs: number): boolean {
    if (nowMs - this.#checksSinceMs >= REFUSALS_WINDOW_MS) {
      this.#checksSinceMs = nowMs;
      this.#checks = 0;
    }
    this.#checks++;
    return this.#checks > CHECKS_FREE && this.refuse(nowMs);
  }

  /** Whether it may have one more connection, which is counted. */
  mayConnect(nowMs: number): boolean {
    if (!this.#isOver(nowMs)) return true;
    if (nowMs - this.#connectsSinceMs >= SECOND_MS) {
      this.#connectsSinceMs = nowMs;
      this.#connects = 0;
    }
    this.#connects++;
    return this.#connects <= CONNECTS_PER_SECOND;
  }

  /** Whether nothing needs to be remembered of it. */
  isForgotten(nowMs: number): boolean {
    return this.open === 0 && nowMs - this.#refusalsSinceMs >= REFUSALS_WINDOW_MS;
  }

  #isOver(nowMs: number): boolean {
    return this.#refusals > REFUSALS_FREE && nowMs - this.#refusalsSinceMs < REFUSALS_WINDOW_MS;
  }
}

export class Senders {
  readonly #turns = new ReadingTurns();
  readonly #known = new Map<string, Sender>();

  /** The sender at an address; `isProxy`: one of a connection alone. */
  at(address: string, isProxy: boolean): Sender {
    if (isProxy) return new Sender(this.#turns, true);
    const group = groupOf(address);
    const known = this.#known.get(group) ?? new Sender(this.#turns, false);
    this.#known.set(group, known);
    return known;
  }

  /** A connection of an address is closed. */
  left(address: string, sender: Sender, nowMs: number): void {
    const isKept = this.#known.size <= REMEMBERED_MAX && !sender.isForgotten(nowMs);
    if (sender.open === 0 && !isKept) this.#forget(groupOf(address), sender);
  }

  /** The address with the most connections; of proxies none. */
  get greediest(): Sender | undefined {
    let most: Sender | undefined;
    for (const sender of this.#known.values()) if (most === undefined || sender.open > most.open) most = sender;
    return most;
  }

  /** Forgets those of which nothing needs to be remembered. To be called now and then. */
  sweep(nowMs: number): void {
    for (const [group, sender] of this.#known) if (sender.isForgotten(nowMs)) this.#forget(group, sender);
  }

  get size(): number {
    return this.#known.size;
  }

  #forget(group: string, sender: Sender): void {
    if (this.#known.get(group) === sender) this.#known.delete(group);
  }
}
