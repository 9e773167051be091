import type { LogEnd } from "./chain.ts";
import { BatchReader, groupsOf, type StoredGroup } from "./group-batch.ts";
import { firstSeqOfGroupHolding, groupEndBefore, type LogFile, openLogFile, readLogEnd } from "./log-file.ts";

/**
 * Reads a log without changing it, also while a venue writes it. What it yields is verified. No transaction stays open
 * between two batches, so a slow reader does not keep the writer from checkpointing.
 */
export class LogReader {
  readonly #log: LogFile;

  /** Throws LogDamaged when `dir` holds no log. */
  constructor(dir: string) {
    this.#log = openLogFile(dir, "read");
  }

  /** Random id of the venue whose log this is. */
  get venueId(): string {
    return this.#log.venueId;
  }

  /** How often the log was cut back, see LogFile. */
  get cuts(): number {
    return this.#log.cuts;
  }

  /** The end that the first group follows: seq 0, or the last command that was moved to an archive. */
  get start(): LogEnd {
    return this.#log.start;
  }

  /** The end of what is committed by now. */
  end(): LogEnd {
    return readLogEnd(this.#log);
  }

  /**
   * The groups that hold commands from `fromSeq` to `toSeq`, both included, in order; the first may begin before
   * `fromSeq`. Ends with what is committed when the end is reached. Throws LogDamaged at the first unsound group.
   */
  *groups(fromSeq = 1, toSeq: number = Number.MAX_SAFE_INTEGER): Generator<StoredGroup> {
    const batches = new BatchReader(this.#log, this.#endBefore(fromSeq));
    for (let batch = batches.next(); batch !== undefined; batch = batches.next()) {
      for (const group of groupsOf(batch)) {
        if (group.firstSeq > toSeq) return;
        yield group;
      }
    }
  }

  close(): void {
    this.#log.database.close();
  }

  /**
   * The chain's link before the group that holds `seq`. A reader from the middle takes the stored hash there as given.
   */
  #endBefore(seq: number): LogEnd {
    const { start } = this.#log;
    if (seq <= start.lastSeq + 1) return start;
    const firstSeq = firstSeqOfGroupHolding(this.#log, seq);
    if (firstSeq === undefined) return readLogEnd(this.#log);
    return groupEndBefore(this.#log, firstSeq) ?? start;
  }
}
