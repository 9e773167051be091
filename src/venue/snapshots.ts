import type { Engine } from "../engine/engine.ts";
import { SNAPSHOT_FORM } from "../engine/snapshot.ts";
import type { History } from "../history/history.ts";
import type { DataDir } from "../log/data-dir.ts";
import { keepSnapshot, removeSnapshotsAfter } from "../log/snapshot-file.ts";
import { type SnapshotFailed, SnapshotWriter } from "../log/snapshot-writer.ts";
import type { KeptTrail } from "./audit-trail.ts";
import { copyAtOnce, copyOfState, type StateCopy } from "./state-copy.ts";

const NOTHING = new Uint8Array(0);

export interface SnapshotsOptions {
  readonly engine: Engine;
  readonly history: History;
  readonly trail: Pick<KeptTrail, "settle">;
  readonly dataDir: DataDir;
  /** Commands from one snapshot to the next. */
  readonly every: number;
  readonly onFailed: (failure: SnapshotFailed) => void;
}

/**
 * Takes a snapshot of the engine now and then, so that a start replays little. A snapshot is written only when history
 * and the audit trail have everything up to it: a start from it would not bring back what they missed.
 */
export class Snapshots {
  readonly #options: SnapshotsOptions;
  readonly #writer: SnapshotWriter;
  #lastSeq: number;
  #underWay: Promise<void> | undefined;

  constructor(options: SnapshotsOptions, lastSeq: number) {
    this.#options = options;
    this.#writer = new SnapshotWriter(options.dataDir);
    this.#lastSeq = lastSeq;
  }

  /** To be called between groups. */
  takeWhenDue(): void {
    if (this.#underWay !== undefined || this.#options.engine.state.seq - this.#lastSeq < this.#options.every) return;
    this.#underWay = this.#write(copyOfState(this.#options.engine.state)).finally(() => {
      this.#underWay = undefined;
    });
  }

  /** A snapshot of the state as it stands, between groups: seals what lies behind an epoch that has just begun. */
  async seal(): Promise<void> {
    await this.#underWay;
    await this.#write(copyAtOnce(this.#options.engine.state));
  }

  /** Settles when none is being written, and none will be until something is applied. */
  async settle(): Promise<void> {
    await this.#underWay;
  }

  /**
   * The venue has gone back to a state that `file` holds: what is kept of later ones, or was begun, must go before the
   * log does.
   */
  goBack(file: string, seq: number): void {
    const { path } = this.#options.dataDir;
    removeSnapshotsAfter(path, seq);
    keepSnapshot(path, file);
    this.#lastSeq = seq;
  }

  /** The last snapshot, of a venue that takes no more commands; then the next start replays nothing. */
  async close(): Promise<void> {
    await this.#underWay;
    if (this.#options.engine.state.seq > this.#lastSeq) await this.#write(copyOfState(this.#options.engine.state));
  }

  async #write(copy: Promise<StateCopy> | StateCopy): Promise<void> {
    const { history, trail, onFailed } = this.#options;
    const { seq, timeMs, rulesVersion, chunks } = copy instanceof Promise ? await copy : copy;
    this.#lastSeq = seq;
    try {
      trail.settle(seq);
      // The last commands may have left no event, by which alone history would know of them.
      history.append(NOTHING, seq);
      await history.flushed();
      await this.#writer.write({ seq, timeMs, form: SNAPSHOT_FORM, rulesVersion, chunks });
    } catch (failure) {
      onFailed(failure as SnapshotFailed);
    }
  }
}
