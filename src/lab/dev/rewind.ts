/**
 * Going back, in the dev profile: everything becomes what it was at a mark, history, clock, keys and quotas too, as if
 * nothing had happened since. The log is cut there, so that it tells of what happened and of nothing else. The order in
 * which things are done makes a crash leave the venue as it was before or as it is after: see decision 15.
 */
import type { Logger } from "pino";
import { loadSnapshot, SNAPSHOT_FORM, takeSnapshot } from "../../engine/snapshot.ts";
import type { AdminSnapshots, SnapshotRow } from "../../gateway/admin/backend.ts";
import { type Chance, SeededChance } from "../../gateway/auth/chance.ts";
import type { HttpServer } from "../../gateway/http/server.ts";
import type { RateLimits } from "../../gateway/limits/rate-limits.ts";
import type { Node } from "../../venue/assembly/node.ts";
import { courseOf } from "../../venue/assembly/storage.ts";
import type { VenueChains } from "../../venue/chains.ts";
import type { Snapshots } from "../../venue/snapshots.ts";
import type { DevVenue } from "./dev-venue.ts";
import type { InjectedFaults } from "./injected-faults.ts";
import { MARKS_MAX, type Mark, Marks, PROGRAM, START } from "./marks.ts";

export interface RewindOptions {
  readonly node: Node;
  /** Where the marks are kept. */
  readonly folder: string;
  readonly dev: DevVenue;
  readonly gateway: Pick<HttpServer, "hold" | "openAgain">;
  readonly chains: Pick<VenueChains, "pause" | "start">;
  /** Money moves on chains outside of the venue, which cannot go back with it. */
  readonly hasOutsideChains: boolean;
  /** A backup is being made, of a log that must not change under it. */
  readonly isBackingUp: () => boolean;
  /** Ends what plays on the venue, which would go on in another one. */
  readonly beforeGoingBack: () => Promise<void> | undefined;
  readonly rateLimits: RateLimits | undefined;
  /** That go wrong on purpose. */
  readonly faults: InjectedFaults | undefined;
  /** Of the log; undefined in memory. */
  readonly snapshots: Snapshots | undefined;
  /** Where the vault's keys come from. */
  readonly chance: Chance;
  readonly log: Logger;
  /** The venue is neither here nor there: the process has to end, and its next start is after. */
  readonly onFault: (fault: Error) => void;
}

const NOTHING = new Uint8Array(0);
const ONE_WAY =
  "This venue keeps its history in PostgreSQL, where others may be reading it, and which does not go back; a " +
  "venue whose history is in its data directory does.";
const BUSY = "The venue is taking a snapshot or going back; ask again when it is done.";

export class Rewind implements AdminSnapshots {
  readonly #options: RewindOptions;
  readonly #marks: Marks;
  /**
   * Functions that set quotas and faults as they were, by the id of the mark; of marks of this process, as both are
   * nowhere but in memory.
   */
  readonly #inMemory = new Map<number, () => void>();
  #isAtWork = false;

  constructor(options: RewindOptions) {
    this.#options = options;
    this.#marks = new Marks(options.folder, options.node.engine.state.seq);
  }

  list(): readonly SnapshotRow[] {
    return this.#marks.list.map(rowOf);
  }

  /** To be called once, when the first start is over. */
  async takeStart(): Promise<void> {
    await this.#take(START, "");
  }

  take(name: string): Promise<SnapshotRow | string> {
    if (!this.#options.node.history.goesBack) return Promise.resolve(ONE_WAY);
    if (this.#marks.list.length >= MARKS_MAX) {
      const message =
        `There are ${MARKS_MAX} snapshots already; delete one, or go back to an earlier one, which forgets the ` +
        "later ones.";
      return Promise.resolve(message);
    }
    return this.#alone(() => this.#take(this.#marks.nextId, name));
  }

  revert(snapshotId: number): Promise<SnapshotRow | string> {
    if (!this.#options.node.history.goesBack) return Promise.resolve(ONE_WAY);
    const mark = snapshotId === START ? undefined : this.#marks.find(snapshotId);
    if (mark === undefined) return Promise.resolve(`There is no snapshot ${snapshotId}.`);
    return this.#alone(() => this.#goBack(mark, `The venue went back to its snapshot ${snapshotId}.`));
  }

  reset(): Promise<SnapshotRow | string> {
    if (!this.#options.node.history.goesBack) return Promise.resolve(ONE_WAY);
    const mark = this.#marks.find(START);
    if (mark === undefined) {
      const why = "it began under an older program, or is a copy; take a snapshot to go back to, or begin a new venue.";
      return Promise.resolve(`This venue has kept nothing of its first start: ${why}`);
    }
    return this.#alone(() => this.#goBack(mark, "The venue went back to its first start."));
  }

  remove(snapshotId: number): boolean {
    if (this.#isAtWork || snapshotId === START || this.#marks.find(snapshotId) === undefined) return false;
    this.#marks.remove(snapshotId);
    this.#inMemory.delete(snapshotId);
    return true;
  }

  async #alone(work: () => Promise<SnapshotRow | string>): Promise<SnapshotRow | string> {
    if (this.#isAtWork) return BUSY;
    this.#isAtWork = true;
    try {
      return await work();
    } finally {
      this.#isAtWork = false;
    }
  }

  /** All that belongs to one instant is read, or asked for, in one turn of the event loop. */
  async #take(id: number, name: string): Promise<SnapshotRow> {
    const { node, rateLimits, faults, chance, dev } = this.#options;
    const { engine, history, virtualClock } = node;
    const { seq, timeMs, rulesVersion } = engine.state;
    const chunks = takeSnapshot(engine.state);
    const note = {
      ...{ id, name, seq, timeMs, clock: virtualClock?.state },
      chance: chance instanceof SeededChance ? chance.place : undefined,
    };
    const restores = [rateLimits?.save(), faults?.save()];
    // From here on the markets go the same way as they will after the venue has come back here.
    dev.renew();
    const content = { seq, timeMs, form: SNAPSHOT_FORM, rulesVersion, chunks };
    const mark = await this.#marks.add(note, content, (image) => {
      // The last commands may have left no event, by which alone history would know of them.
      history.append(NOTHING, seq);
      return history.keep(image);
    });
    this.#inMemory.set(id, () => {
      for (const restore of restores) restore?.();
    });
    return rowOf(mark);
  }

  async #goBack(mark: Mark, reason: string): Promise<SnapshotRow | string> {
    const { node, gateway, chains, dev, snapshots, log, onFault } = this.#options;
    const kept = this.#keptOf(mark);
    if (typeof kept === "string") return kept;
    await this.#options.beforeGoingBack();
    const { sequencer, history } = node;
    const from = node.engine.state.seq;
    const startMs = performance.now();
    gateway.hold(reason);
    dev.stop();
    await chains.pause();
    await sequencer.hold();
    // Whatever was asked before is answered of what was.
    await history.flushed();
    await snapshots?.settle();
    this.#marks.dropLater(mark.id);
    snapshots?.goBack(kept.state.file, mark.seq);
    const cuts = await node.log.cut(mark.seq, mark.timeMs);
    if (cuts !== undefined) {
      try {
        await this.#restore(mark, kept, cuts);
      } catch (error) {
        onFault(error as Error);
        throw error;
      }
    }
    sequencer.resume();
    await chains.start();
    dev.renew();
    gateway.openAgain();
    if (cuts === undefined)
      return `The log up to the snapshot at seq ${mark.seq} was archived, and cannot be cut there.`;
    const ms = Math.round(performance.now() - startMs);
    log.info({ fromSeq: from, toSeq: mark.seq, snapshotId: mark.id, ms }, "the venue went back");
    return rowOf(mark);
  }

  /** Returns what the mark holds, or a sentence that says why the venue cannot go back to it. */
  #keptOf(mark: Mark) {
    if (mark.program !== PROGRAM) {
      return (
        "The snapshot was made by another version of this program, whose state may mean something else; take a " +
        "new one."
      );
    }
    if (this.#options.isBackingUp()) return "A backup is being made; ask again when it is there.";
    if (this.#options.hasOutsideChains) {
      return "A venue that pays on chains outside of it cannot go back: what was paid there stays paid.";
    }
    const kept = this.#marks.read(mark);
    return typeof kept === "string" ? `The snapshot cannot be used: ${kept}` : kept;
  }

  /** Everything but the log, which has been cut. */
  async #restore(mark: Mark, kept: Exclude<ReturnType<Marks["read"]>, string>, cuts: number): Promise<void> {
    const { node, chance } = this.#options;
    const { engine, history, trail, feeds, virtualClock, clock } = node;
    const course = courseOf(node.venueId, cuts);
    // Its thread works while this one does; what feeds ask it next comes after.
    const historyIsBack = history.goBack(kept.history, course);
    engine.state.clear();
    loadSnapshot(engine.state, kept.state.chunks, mark.seq, mark.timeMs);
    if (mark.clock !== undefined) virtualClock?.restore(mark.clock);
    if (mark.chance !== undefined && chance instanceof SeededChance) chance.goTo(mark.chance);
    trail.cutBack(course, mark.seq);
    await Promise.all([historyIsBack, feeds.restart(history, Math.max(clock.now(), mark.timeMs))]);
    // A mark of an earlier process: as after its start, nothing goes wrong on purpose.
    this.#options.faults?.end();
    this.#inMemory.get(mark.id)?.();
    for (const id of this.#inMemory.keys()) if (id > mark.id) this.#inMemory.delete(id);
  }
}

function rowOf({ id, name, seq, timeMs, stateHash }: Mark): SnapshotRow {
  return { snapshotId: id, name, seq, timeMs, stateHash };
}
