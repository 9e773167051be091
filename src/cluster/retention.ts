import { type Base, hexOf, type Tail } from "./entry.ts";
import type { NodeRecord } from "./store.ts";

/** Places between two points at which the store may be made to begin. */
const MARK_EVERY = 64;
/** Points that are remembered; then every other one is forgotten, and they lie twice as far apart. */
const MARKS_MAX = 4_096;
/** So many nodes must be able to bring up a new one without what is taken out of the store. */
export const HOLDERS = 2;

/**
 * Decides what may be taken out of the store: what lies behind a snapshot on the disks of two nodes, in whose logs it
 * is as well, or of one and in the archive.
 */
export class Retention {
  readonly #marks: Base[] = [];
  #every = MARK_EVERY;

  /** A group came into the log. */
  passed(place: number, { seq, hash, timeMs }: Tail): void {
    if (place % this.#every !== 0) return;
    this.#marks.push({ place, seq, hash: hexOf(hash), timeMs });
    if (this.#marks.length <= MARKS_MAX) return;
    this.#every *= 2;
    const kept = this.#marks.filter((mark) => mark.place % this.#every === 0);
    this.#marks.splice(0, this.#marks.length, ...kept);
  }

  /**
   * Where the store may begin; undefined: nothing is to be taken out. Of a venue of one node its own disk has to do.
   * `archivedSeq`: so far the archive goes, from the beginning of the log; an archive that takes nothing any more holds
   * nothing up.
   */
  due(nodes: readonly NodeRecord[], archivedSeq = 0): Base | undefined {
    const held = nodes.map(({ syncedSeq, snapshotSeq }) => Math.min(syncedSeq, snapshotSeq));
    const seq = Math.max(heldByEnough(held), archivedSeq > 0 ? heldByEnough([...held, archivedSeq]) : 0);
    return this.#marks.findLast((mark) => mark.seq <= seq);
  }

  /** The store begins behind `base`. */
  began({ place }: Base): void {
    while (this.#marks.length > 0 && (this.#marks[0] as Base).place <= place) this.#marks.shift();
  }
}

function heldByEnough(held: readonly number[]): number {
  const sorted = held.toSorted((one, other) => other - one);
  return sorted[Math.min(HOLDERS, sorted.length) - 1] ?? 0;
}
