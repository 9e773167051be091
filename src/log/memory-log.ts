import { type LogGroup, lastSeqOf } from "./chain.ts";
import { checkGroup, type LogHandlers, type LogWriter } from "./log-writer.ts";

/** Payload bytes that a log in memory keeps by default. At 56 bytes a record this is about a million commands. */
const BYTES_KEPT_DEFAULT = 64 * 1024 * 1024;

/**
 * The log of `--data :memory:`: same interface, same order of reports, nothing on the disk. It keeps the newest groups
 * up to a bound, for a look at them; the older ones are forgotten.
 */
export class MemoryLog implements LogWriter {
  readonly #handlers: LogHandlers;
  readonly #bytesKept: number;
  readonly #groups: LogGroup[] = [];
  #bytes = 0;
  #lastSeq = 0;
  #durableSeq = 0;
  #pendingGroups = 0;
  #closing: Promise<void> | undefined;

  constructor(handlers: LogHandlers, bytesKept: number = BYTES_KEPT_DEFAULT) {
    this.#handlers = handlers;
    this.#bytesKept = bytesKept;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get pendingGroups(): number {
    return this.#pendingGroups;
  }

  append(group: LogGroup): void {
    if (this.#closing !== undefined) throw new Error("The log writer is closed.");
    checkGroup(group, this.#lastSeq);
    const { firstSeq, count, timeMs } = group;
    this.#keep({ firstSeq, count, timeMs, payload: group.payload.slice() });
    this.#lastSeq = lastSeqOf(group);
    this.#pendingGroups++;
    const lastSeq = this.#lastSeq;
    // Reported later, as a disk would: callers must not come to rely on a report from within their own call.
    setImmediate(() => {
      this.#pendingGroups--;
      this.#durableSeq = lastSeq;
      this.#handlers.onDurable(lastSeq, 0);
    });
  }

  async close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => setImmediate(resolve));
    await this.#closing;
  }

  /** The kept groups that hold commands from `fromSeq` on, up to the last durable one. */
  *groups(fromSeq = 1): Generator<LogGroup> {
    for (const group of this.#groups.slice()) {
      const lastSeq = lastSeqOf(group);
      if (lastSeq >= fromSeq && lastSeq <= this.#durableSeq) yield group;
    }
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
