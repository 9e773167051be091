import { type LogGroup, lastSeqOf } from "./chain.ts";
import type { CommittedGroup, Log, LogClock, LogFollower } from "./log.ts";
import { checkProposal } from "./log-writer.ts";

/** Payload bytes that a log in memory keeps by default. At 56 bytes a record this is about a million commands. */
const BYTES_KEPT_DEFAULT = 64 * 1024 * 1024;

/**
 * The log of `--data :memory:`: nothing on the disk. Any number of engines can share one, each through a `Log` of its
 * own. It keeps the newest groups up to a bound, for a look at them and for who joins late; the older ones are
 * forgotten.
 */
export class MemoryLog {
  readonly #clock: LogClock;
  readonly #bytesKept: number;
  readonly #groups: LogGroup[] = [];
  readonly #handles = new Set<Handle>();
  #bytes = 0;
  #lastSeq = 0;
  #lastTimeMs = 0;
  #cuts = 0;

  constructor(clock: LogClock, bytesKept: number = BYTES_KEPT_DEFAULT) {
    this.#clock = clock;
    this.#bytesKept = bytesKept;
  }

  open(): Log {
    const handle = new Handle(this);
    this.#handles.add(handle);
    return handle;
  }

  forget(handle: Handle): void {
    this.#handles.delete(handle);
  }

  now(): number {
    return Math.max(this.#clock.now(), this.#lastTimeMs);
  }

  /** `timeMs` is when it was proposed. */
  commit(payload: Uint8Array, count: number, timeMs: number, proposer: Handle, token: number): void {
    const group = { firstSeq: this.#lastSeq + 1, count, timeMs: Math.max(timeMs, this.#lastTimeMs), payload };
    this.#lastSeq = lastSeqOf(group);
    this.#lastTimeMs = group.timeMs;
    this.#keep(group);
    for (const handle of this.#handles) handle.hear({ ...group, token: handle === proposer ? token : undefined });
  }

  /** As Log.cut says. Only one engine may follow: the others would have applied what is forgotten. */
  cut(seq: number, timeMs: number): number {
    const kept = this.#groups.findIndex((group) => group.firstSeq > seq);
    const forgotten = kept < 0 ? [] : this.#groups.splice(kept);
    this.#bytes -= forgotten.reduce((sum, { payload }) => sum + payload.length, 0);
    this.#lastSeq = seq;
    this.#lastTimeMs = timeMs;
    return ++this.#cuts;
  }

  /** The kept groups that hold commands from `fromSeq` on. */
  *groups(fromSeq = 1): Generator<LogGroup> {
    for (const group of this.#groups.slice()) if (lastSeqOf(group) >= fromSeq) yield group;
  }

  #keep(group: LogGroup): void {
    this.#groups.push(group);
    this.#bytes += group.payload.length;
    if (this.#bytes > this.#bytesKept) this.#forgetOldest();
  }

  /** Forgets down to half the bound, so that the cost of moving the rest is paid seldom. The newest group stays. */
  #forgetOldest(): void {
    let forgotten = 0;
    while (this.#bytes > this.#bytesKept / 2 && forgotten < this.#groups.length - 1) {
      this.#bytes -= (this.#groups[forgotten] as LogGroup).payload.length;
      forgotten++;
    }
    this.#groups.splice(0, forgotten);
  }
}

/** One engine's way into a log in memory. */
class Handle implements Log {
  readonly #log: MemoryLog;
  #follower: LogFollower | undefined;
  #closing: Promise<void> | undefined;

  constructor(log: MemoryLog) {
    this.#log = log;
  }

  propose(payload: Uint8Array, count: number, token: number): void {
    if (this.#closing !== undefined) throw new Error("The log is closed.");
    checkProposal(payload, count);
    const copy = payload.slice();
    const timeMs = this.#log.now();
    // Committed later, as by a disk: callers must not come to rely on a commit within their own call.
    setImmediate(() => this.#log.commit(copy, count, timeMs, this, token));
  }

  hear(group: CommittedGroup): void {
    this.#follower?.onCommitted(group, 0);
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  read(fromSeq: number): Iterable<LogGroup> {
    return this.#log.groups(fromSeq);
  }

  now(): number {
    return this.#log.now();
  }

  cut(seq: number, timeMs: number): Promise<number> {
    return Promise.resolve(this.#log.cut(seq, timeMs));
  }

  /** Closes the log after everything that was proposed before, which comes first in the queue. */
  async close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => setImmediate(resolve));
    await this.#closing;
    this.#log.forget(this);
  }
}
