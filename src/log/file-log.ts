import { type LogEnd, type LogGroup, lastSeqOf } from "./chain.ts";
import type { DataDir } from "./data-dir.ts";
import type { LogFault } from "./errors.ts";
import type { CommittedGroup, Log, LogClock, LogFollower } from "./log.ts";
import { type FileLogWriter, type InjectedFault, type LogWriterOptions, openLogWriter } from "./log-writer.ts";
import { LogReader } from "./reader.ts";

export interface FileLogOptions extends LogWriterOptions {
  /** Where the log ends, as recovery verified it, and the time of its last command. */
  readonly end: LogEnd;
  readonly endTimeMs: number;
  readonly clock: LogClock;
}

/** Opens the log of a data directory whose lock the caller holds. Rejects with the LogFault that kept it from that. */
export async function openFileLog(dataDir: DataDir, options: FileLogOptions): Promise<FileLog> {
  // Nothing is reported before something is proposed, and nobody can propose before the log is there.
  let log: FileLog | undefined;
  const handlers = {
    onDurable: (_lastSeq: number, commitMs: number) => log?.durable(commitMs),
    onFault: (fault: LogFault) => log?.failed(fault),
  };
  const writer = await openLogWriter(dataDir, options.end, handlers, options);
  log = new FileLog(dataDir.path, writer, options);
  return log;
}

/**
 * The log of a data directory. The one process that holds its lock proposes, so a group has its place when it is handed
 * over.
 */
export class FileLog implements Log {
  readonly #dir: string;
  readonly #writer: FileLogWriter;
  readonly #clock: LogClock;
  /** Handed over and not yet durable, oldest first; their payloads are lent. */
  readonly #proposed: CommittedGroup[] = [];
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

  /** The writer's report on the oldest group that is under way. */
  durable(commitMs: number): void {
    const group = this.#proposed.shift() as CommittedGroup;
    this.#committedSeq = lastSeqOf(group);
    this.#follower?.onCommitted(group, commitMs);
  }

  failed(fault: LogFault): void {
    this.#follower?.onFault(fault);
  }
}
