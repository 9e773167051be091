import type { LogEnd, LogGroup } from "./chain.ts";
import type { DataDir } from "./data-dir.ts";
import type { LogFault } from "./errors.ts";
import type { CommittedGroup, Log, LogClock, LogFollower } from "./log.ts";
import {
  type FileLogWriter,
  type InjectedFault,
  type LogWriterOptions,
  openLogWriter,
  PENDING_GROUPS_MAX,
} from "./log-writer.ts";
import { LogReader } from "./reader.ts";

export interface FileLogOptions extends LogWriterOptions {
  /** Where the log ends, as recovery verified it, and the time of its last command. */
  readonly end: LogEnd;
  readonly endTimeMs: number;
  readonly clock: LogClock;
}

/** Half of what the writer takes: as many may be proposed besides. */
const AHEAD_GROUPS_MAX = PENDING_GROUPS_MAX / 2;

/** Opens the log of a data directory whose lock the caller holds. Rejects with the LogFault that kept it from that. */
export async function openFileLog(dataDir: DataDir, options: FileLogOptions): Promise<FileLog> {
  // Nothing is reported before something is proposed, and nobody can propose before the log is there.
  let log: FileLog | undefined;
  const handlers = {
    onDurable: (lastSeq: number, commitMs: number) => log?.stored(lastSeq, commitMs),
    onFault: (fault: LogFault) => log?.failed(fault),
  };
  const writer = await openLogWriter(dataDir, options.end, handlers, options);
  log = new FileLog(dataDir.path, writer, options);
  return log;
}

/** The log of a data directory. The one process that holds its lock proposes, so a group has its place when it is handed over. */
export class FileLog implements Log {
  readonly #dir: string;
  readonly #writer: FileLogWriter;
  readonly #clock: LogClock;
  /** Handed over and not yet reported, oldest first; their payloads are lent. */
  readonly #proposed: CommittedGroup[] = [];
  /** Groups that were handed over and are not durable. */
  #unsynced = 0;
  /** Groups that may be reported before they are durable. */
  #aheadMax = 0;
  #isReportDue = false;
  #durable: PromiseWithResolvers<void> | undefined;
  #follower: LogFollower | undefined;
  #committedSeq: number;
  #lastTimeMs: number;

  constructor(dir: string, writer: FileLogWriter, { end, endTimeMs, clock }: FileLogOptions) {
    this.#dir = dir;
    this.#writer = writer;
    this.#clock = clock;
    this.#committedSeq = end.lastSeq;
    this.#lastTimeMs = endTimeMs;
  }

  propose(payload: Uint8Array, count: number, token: number): void {
    const group = { firstSeq: this.#writer.lastSeq + 1, count, timeMs: this.now(), payload, token };
    this.#writer.append(group);
    this.#lastTimeMs = group.timeMs;
    this.#proposed.push(group);
    this.#unsynced++;
    if (this.#aheadMax > 0) this.#reportSoon();
  }

  /**
   * Runs `work`, of which nobody hears before it has ended: meanwhile groups count as committed before the disk has them. Settles when
   * the disk has them all. A process that dies meanwhile leaves a log that ends somewhere within `work`, as it would without.
   */
  async writeBehind(work: () => Promise<void>): Promise<void> {
    this.#aheadMax = AHEAD_GROUPS_MAX;
    try {
      await work();
    } finally {
      this.#aheadMax = 0;
      await this.durable();
    }
  }

  /** Settles when the disk has every group that was reported: at once, unless groups are written behind. Rejects when the log fails. */
  async durable(): Promise<void> {
    if (!this.#isAhead) return;
    this.#durable ??= Promise.withResolvers();
    await this.#durable.promise;
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  *read(fromSeq: number): Generator<LogGroup> {
    if (fromSeq > this.#committedSeq) return;
    const reader = new LogReader(this.#dir);
    try {
      // What is durable and not yet reported is for `onCommitted`.
      yield* reader.groups(fromSeq, this.#committedSeq);
    } finally {
      reader.close();
    }
  }

  now(): number {
    return Math.max(this.#clock.now(), this.#lastTimeMs);
  }

  async cut(seq: number, timeMs: number): Promise<number | undefined> {
    const cuts = await this.#writer.cut(seq);
    if (cuts === undefined) return undefined;
    this.#committedSeq = seq;
    this.#lastTimeMs = timeMs;
    return cuts;
  }

  async close(): Promise<void> {
    await this.#writer.close();
  }

  /** Makes the next proposed group fail. */
  injectFault(fault: InjectedFault): void {
    this.#writer.injectFault(fault);
  }

  /** The writer's report on the oldest group that is not durable, which ends at `lastSeq`. */
  stored(lastSeq: number, commitMs: number): void {
    this.#unsynced--;
    this.#committedSeq = lastSeq;
    this.#report(commitMs);
    if (this.#isAhead) return;
    this.#durable?.resolve();
    this.#durable = undefined;
  }

  failed(fault: LogFault): void {
    this.#durable?.reject(fault);
    this.#follower?.onFault(fault);
  }

  get #isAhead(): boolean {
    return this.#unsynced > this.#proposed.length;
  }

  #report(commitMs: number): void {
    while (this.#proposed.length > 0 && this.#unsynced - this.#proposed.length < this.#aheadMax) {
      this.#follower?.onCommitted(this.#proposed.shift() as CommittedGroup, commitMs);
    }
  }

  #reportSoon(): void {
    if (this.#isReportDue) return;
    this.#isReportDue = true;
    setImmediate(() => {
      this.#isReportDue = false;
      this.#report(0);
    });
  }
}
