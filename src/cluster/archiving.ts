import { setImmediate as turn } from "node:timers/promises";
import { type LogGroup, lastSeqOf } from "../log/chain.ts";
import { hexOf, type Tail } from "./entry.ts";
import type { ArchivedPart, LogArchive } from "./log-archive.ts";
import { endOf } from "./missing-groups.ts";
import type { LogEnds, OwnLog } from "./own-log.ts";

/** Commands of a span: some 4 MB of orders. */
const SPAN = 65_536;
/** Bytes of commands in a file. */
const PART_BYTES = 16 * 1024 * 1024;
/** Bytes of the log that are read in one turn of the event loop. */
const TURN_BYTES = 256 * 1024;
/** Spans that are put there in one round: a node that begins to archive an old log does other things meanwhile. */
const SPANS_AT_ONCE = 16;

/** Rounds after which the folder is looked at although nothing is due: at one every three seconds, ten minutes. */
const LOOK_EVERY = 200;
/** Files that one round goes by: each is looked for in this node's log. */
const FOLLOWED_AT_ONCE = 1_000;

export interface ArchivingOptions {
  readonly own: Pick<OwnLog, "syncedSeq" | "ends" | "groups">;
  readonly archive: Pick<LogArchive, "list" | "put" | "clear" | "folder">;
  readonly onNote: (text: string) => void;
  readonly span?: number;
  readonly partBytes?: number;
}

/**
 * Puts what is on this node's disk into the archive, span by span, each when the log has gone beyond it. The leader
 * does so at once, another node when a further span has passed and nobody has: two that do so at one time write the
 * same bytes.
 */
export class Archiving {
  readonly #options: ArchivingOptions;
  readonly #span: number;
  readonly #partBytes: number;
  /** The files that hold the log from its beginning on, one behind the other: one or a few of each span. */
  readonly #whole: ArchivedPart[] = [];
  /**
   * Where the next file begins: behind what is there from the beginning on, or behind a gap that this node cannot fill.
   */
  #nextSeq = 0;
  #isRunning = false;
  #rounds = 0;
  #isCleared = false;
  #trouble: string | undefined;
  #hasToldGap = false;

  constructor(options: ArchivingOptions) {
    this.#options = options;
    this.#span = options.span ?? SPAN;
    this.#partBytes = options.partBytes ?? PART_BYTES;
  }

  /** The archive has the log up to here, from its beginning on, as far as this node knows. */
  get wholeSeq(): number {
    return this.#whole.at(-1)?.endSeq ?? 0;
  }

  /** Commands that belong into the archive by now, and of which this node does not know that they are there. */
  get missing(): number {
    return Math.max(0, Math.floor(this.#options.own.syncedSeq / this.#span) * this.#span - this.#nextSeq);
  }

  /** Whether the last round could do what it had to. */
  get isUp(): boolean {
    return this.#trouble === undefined;
  }

  /** One at a time. What goes wrong is told once, and tried again with the next round. */
  async round(isLeading: boolean): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { archive, onNote } = this.#options;
    try {
      await this.#round(isLeading);
      if (this.#trouble !== undefined) onNote(`The archive of the log in ${archive.folder} takes files again.`);
      this.#trouble = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#trouble)
        onNote(
          `The archive of the log in ${archive.folder} takes nothing (${message}). Make or mount the folder ` +
            "that log-archive names, with room, and let this node write there.",
        );
      this.#trouble = message;
    } finally {
      this.#isRunning = false;
    }
  }

  async #round(isLeading: boolean): Promise<void> {
    const { archive, own } = this.#options;
    if (!this.#isCleared) await archive.clear();
    this.#isCleared = true;
    if (this.#rounds++ % LOOK_EVERY !== 0 && !this.#isDue(isLeading)) return;
    const parts = Map.groupBy(await archive.list(), ({ afterSeq }) => afterSeq);
    if (!own.ends((ends) => this.#goBy(parts, ends))) return;
    for (let spans = 0; spans < SPANS_AT_ONCE && this.#isDue(isLeading); spans++) await this.#putSpan();
  }

  /** The last seq in which a group of the next span may begin. */
  get #spanEnd(): number {
    return (Math.floor(this.#nextSeq / this.#span) + 1) * this.#span;
  }

  #isDue(isLeading: boolean): boolean {
    return this.#options.own.syncedSeq >= this.#spanEnd + (isLeading ? 0 : this.#span);
  }

  /**
   * Goes by what is there already. Whether there is nothing more of that, and the log of this node has what comes next.
   */
  #goBy(parts: ReadonlyMap<number, readonly ArchivedPart[]>, ends: LogEnds): boolean {
    this.#missWhatIsGone(parts);
    let left = FOLLOWED_AT_ONCE;
    const follow = (seq: number, found: (part: ArchivedPart) => void): number => {
      for (let end = seq; ; left--) {
        const part = left === 0 ? undefined : parts.get(end)?.find((one) => this.#isOwn(one, ends));
        if (part === undefined) return end;
        found(part);
        end = part.endSeq;
      }
    };
    follow(this.wholeSeq, (part) => this.#whole.push(part));
    this.#nextSeq = Math.max(this.#nextSeq, this.wholeSeq);
    if (this.#nextSeq < ends.startSeq && left > 0 && !this.#skipTo(ends)) return false;
    this.#nextSeq = follow(this.#nextSeq, () => {});
    return left > 0;
  }

  /** Stops relying on files that somebody has removed; a node that has their groups puts them there again. */
  #missWhatIsGone(parts: ReadonlyMap<number, readonly ArchivedPart[]>): void {
    const at = this.#whole.findIndex(
      ({ afterSeq, name }) => parts.get(afterSeq)?.some((part) => part.name === name) !== true,
    );
    if (at < 0) return;
    const { archive, onNote } = this.#options;
    onNote(`The archive in ${archive.folder} no longer has the file ${(this.#whole[at] as ArchivedPart).name}.`);
    this.#whole.length = at;
    this.#nextSeq = this.wholeSeq;
    this.#hasToldGap = false;
  }

  /** Whether the log went through the end of a file. Of what this node no longer has it cannot tell. */
  #isOwn({ endSeq, hash }: ArchivedPart, ends: LogEnds): boolean {
    if (endSeq > this.#options.own.syncedSeq) return false;
    if (endSeq < ends.startSeq) return true;
    const end = ends.before(endSeq + 1);
    return end.lastSeq === endSeq && hexOf(end.lastHash) === hash;
  }

  /**
   * A log that begins behind the end of the archive goes on there with its first whole span. Whether it has come to
   * one.
   */
  #skipTo(ends: LogEnds): boolean {
    const { onNote, archive, own } = this.#options;
    if (!this.#hasToldGap)
      onNote(
        `The archive in ${archive.folder} has the log up to seq ${this.#nextSeq}, and the log of this node ` +
          `begins behind seq ${ends.startSeq}: what lies between must come from a node that has it.`,
      );
    this.#hasToldGap = true;
    const from = Math.ceil(ends.startSeq / this.#span) * this.#span;
    if (own.syncedSeq <= from) return false;
    this.#nextSeq = ends.before(from + 1).lastSeq;
    return true;
  }

  async #putSpan(): Promise<void> {
    const { own, archive } = this.#options;
    const spanEnd = this.#spanEnd;
    const isWhole = this.#nextSeq === this.wholeSeq;
    const { lastSeq: seq, lastHash: hash } = own.ends((ends) => ends.before(this.#nextSeq + 1));
    let before: Tail = { seq, hash, timeMs: 0 };
    let groups: LogGroup[] = [];
    let [bytes, read] = [0, 0];
    const put = async (): Promise<void> => {
      const part = await archive.put(before, groups);
      before = groups.reduce(endOf, before);
      [groups, bytes] = [[], 0];
      this.#nextSeq = part.endSeq;
      if (isWhole) this.#whole.push(part);
    };
    let expected = seq + 1;
    for (const { firstSeq, count, timeMs, payload } of own.groups(seq + 1, spanEnd)) {
      // An operator may be moving the beginning of this log away.
      if (firstSeq !== expected) throw new Error(`the log of this node no longer has seq ${expected}`);
      expected = firstSeq + count;
      groups.push({ firstSeq, count, timeMs, payload: payload.slice() });
      bytes += payload.length;
      read += payload.length;
      if (bytes >= this.#partBytes && lastSeqOf({ firstSeq, count }) < spanEnd) await put();
      if (read < TURN_BYTES) continue;
      read = 0;
      await turn();
    }
    if (groups.length > 0) await put();
  }
}
