/**
 * The pushes to a connection over channels, numbered without a gap and kept for a while. When the connection ends, its
 * subscriptions go on without it; the next connection of the same client takes them over and is sent the missing
 * pushes. Source: domain 8.2 and decision 31.
 */
import { randomBytes } from "node:crypto";
import type { Client, Waiting } from "./client.ts";
import type { Push } from "./push.ts";

/** How long pushes are kept, and how long a client may be away. */
export const RESUME_MS = 60_000;
/** Text of pushes kept for one connection: a minute of what a busy account is sent. */
export const KEPT_BYTES_MAX = 1_048_576;
/**
 * The same of all connections; beyond it none keeps more than half of an even share. Pushes that many are sent count
 * for each.
 */
export const ALL_KEPT_BYTES_MAX = 67_108_864;
/** Clients that are away, of all addresses and of one: each costs what one that is there costs. */
export const AWAY_MAX = 10_000;
export const AWAY_PER_ADDRESS_MAX = 100;

/** The first of so many dropped pushes are taken out of the list at once. */
const DROPPED_AT_ONCE = 1_024;
/** How often what is too old is looked for where nothing new comes. */
const DROP_MS = 1_000;
const TOKEN_BYTES = 16;

interface Kept {
  readonly push: Push;
  readonly atMs: number;
}

/** The numbered pushes of one client. Its connection may change. */
export class Resumable implements Waiting {
  /** Who knows it may take the pushes over, logged in to the same account. */
  readonly token = randomBytes(TOKEN_BYTES).toString("hex");
  readonly client: Client;
  /** Where it follows something, */
  readonly hub: object;
  /** and what ends that. */
  readonly end: () => void;
  /** Since when it is away; undefined while it has a connection. */
  awaySinceMs: number | undefined;
  /** Oldest first, behind those of its front that were dropped. */
  #kept: (Kept | undefined)[] = [];
  #dropped = 0;
  /** Number of the first in the list. */
  #firstSeq = 1;
  /** Number of the next that its connection is to be sent. */
  #nextSeq = 1;
  #bytes = 0;

  constructor(client: Client, hub: object, end: () => void) {
    this.client = client;
    this.hub = hub;
    this.end = end;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of the last push. */
  get lastSeq(): number {
    return this.#firstSeq + this.#kept.length - 1;
  }

  /** Keeps a push as the next one. */
  add(push: Push, atMs: number): void {
    this.#kept.push({ push, atMs });
    this.#bytes += push.json.length;
  }

  /**
   * Drops pushes that are older than `sinceMs`, and the oldest for as long as they come to more than so many bytes;
   * gives the bytes.
   */
  drop(sinceMs: number, bytesMax: number): number {
    const before = this.#bytes;
    for (let oldest = this.#kept[this.#dropped]; oldest !== undefined; oldest = this.#kept[this.#dropped]) {
      if (oldest.atMs >= sinceMs && this.#bytes <= bytesMax) break;
      this.#bytes -= oldest.push.json.length;
      this.#kept[this.#dropped++] = undefined;
    }
    if (this.#dropped >= DROPPED_AT_ONCE) {
      this.#kept.splice(0, this.#dropped);
      this.#firstSeq += this.#dropped;
      this.#dropped = 0;
    }
    return before - this.#bytes;
  }

  /** Nothing that was sent so far can be sent again. */
  forget(): void {
    this.#firstSeq = this.lastSeq + 1;
    this.#kept = [];
    this.#dropped = 0;
    this.#bytes = 0;
  }

  /** Whether all that came behind `lastSeq` is kept. */
  reaches(lastSeq: number): boolean {
    return lastSeq <= this.lastSeq && lastSeq >= this.#firstSeq + this.#dropped - 1;
  }

  /** Goes on behind `lastSeq`. */
  goTo(lastSeq: number): void {
    this.#nextSeq = lastSeq + 1;
  }

  /** Whether its connection has been sent everything. */
  get isUpToDate(): boolean {
    return this.#nextSeq > this.lastSeq;
  }

  /** The next that its connection is to be sent; undefined where that is not kept any more. */
  next(): Push | undefined {
    const seq = this.#nextSeq;
    const kept = this.#kept[seq - this.#firstSeq];
    if (kept === undefined) return undefined;
    this.#nextSeq++;
    return kept.push.numbered(seq);
  }

  sendNext(client: Client): boolean {
    if (client !== this.client || this.isUpToDate) return false;
    const push = this.next();
    // A reader that is slower than what is kept has lost something, and begins anew.
    if (push === undefined) client.cut();
    else client.sendNumbered(push);
    return push !== undefined && !this.isUpToDate;
  }
}

/** Those of all sockets, by token. */
export class Resumables {
  readonly #byToken = new Map<string, Resumable>();
  /** Those whose clients are away, in the order in which they went, by address as well. */
  readonly #away = new Set<Resumable>();
  readonly #awayOf = new Map<string, Set<Resumable>>();
  #bytes = 0;
  #nowMs = 0;
  #droppedMs = 0;

  /** Numbers what a client is sent from now on. */
  open(client: Client, hub: object, end: () => void): Resumable {
    const known = client.resumable;
    if (known !== undefined) return known;
    const made = new Resumable(client, hub, end);
    this.#byToken.set(made.token, made);
    client.number(made, (push) => this.#take(made, push));
    return made;
  }

  find(token: string): Resumable | undefined {
    return this.#byToken.get(token);
  }

  get count(): number {
    return this.#byToken.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A connection has ended. Whether what its client follows goes on without it. */
  leave(client: Client): boolean {
    const { resumable, remoteAddress } = client;
    if (resumable === undefined) return false;
    client.goAway();
    resumable.awaySinceMs = this.#nowMs;
    this.#away.add(resumable);
    let others = this.#awayOf.get(remoteAddress);
    if (others === undefined) {
      others = new Set();
      this.#awayOf.set(remoteAddress, others);
    }
    others.add(resumable);
    if (others.size > AWAY_PER_ADDRESS_MAX) this.#endLongest(others);
    else if (this.#away.size > AWAY_MAX) this.#endLongest(this.#away);
    return true;
  }

  #endLongest(away: ReadonlySet<Resumable>): void {
    const [longest] = away;
    if (longest !== undefined) this.end(longest);
  }

  /**
   * A client that was away is there again, or its connection has ended unheard: `from` has the connection that it goes
   * on with.
   */
  takeOver({ client }: Resumable, from: Client): void {
    // A line that broke may not have been noticed.
    if (!client.hasLeft) client.cut();
    if (client.resumable !== undefined) this.#noMoreAway(client.resumable);
    from.handTo(client);
  }

  /** Subscriptions of a client end with it. */
  end(resumable: Resumable): void {
    if (!this.#byToken.delete(resumable.token)) return;
    this.#bytes -= resumable.bytes;
    this.#noMoreAway(resumable);
    resumable.client.number(undefined);
    if (resumable.client.hasLeft) resumable.end();
  }

  /** Another account may be told of on the same connection: nothing of the one before is sent again. */
  forget({ resumable }: Client): void {
    if (resumable === undefined) return;
    this.#bytes -= resumable.bytes;
    resumable.forget();
    resumable.goTo(resumable.lastSeq);
  }

  /** `nowMs` is a time that runs evenly. */
  beat(nowMs: number): void {
    this.#nowMs = nowMs;
    for (const resumable of this.#away) {
      if (nowMs - (resumable.awaySinceMs as number) < RESUME_MS) break;
      this.end(resumable);
    }
    if (nowMs - this.#droppedMs < DROP_MS) return;
    this.#droppedMs = nowMs;
    this.#dropOfAll(KEPT_BYTES_MAX);
  }

  /** Gives what the connection is to be sent now. */
  #take(resumable: Resumable, push: Push): Push | undefined {
    const isUpToDate = resumable.isUpToDate;
    resumable.add(push, this.#nowMs);
    this.#bytes += push.json.length;
    this.#bytes -= resumable.drop(this.#nowMs - RESUME_MS, KEPT_BYTES_MAX);
    if (this.#bytes > ALL_KEPT_BYTES_MAX) this.#dropOfAll(ALL_KEPT_BYTES_MAX / 2 / this.#byToken.size);
    if (!isUpToDate || resumable.client.hasLeft) return undefined;
    const next = resumable.next();
    if (next === undefined) resumable.client.cut();
    return next;
  }

  /** Drops what is too old, and of each what comes to more than so many bytes. */
  #dropOfAll(bytesMax: number): void {
    const sinceMs = this.#nowMs - RESUME_MS;
    for (const resumable of this.#byToken.values()) this.#bytes -= resumable.drop(sinceMs, bytesMax);
  }

  #noMoreAway(resumable: Resumable): void {
    resumable.awaySinceMs = undefined;
    if (!this.#away.delete(resumable)) return;
    const { remoteAddress } = resumable.client;
    const others = this.#awayOf.get(remoteAddress);
    others?.delete(resumable);
    if (others?.size === 0) this.#awayOf.delete(remoteAddress);
  }
}
