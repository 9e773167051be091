/**
 * States that a venue of the dev profile can go back to, in the folder `marks` beside its log: of each the engine's
 * state, a copy of its history, and what else there is to set as it was. They lie on one course of events: anyone who
 * goes back to one loses the later ones.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SNAPSHOT_FORM } from "../../engine/snapshot.ts";
import type { ChancePlace } from "../../gateway/auth/chance.ts";
import { makeDirectory, syncDirectory } from "../../log/directory.ts";
import { readSnapshot, type Snapshot, type SnapshotContent, writeSnapshot } from "../../log/snapshot-file.ts";
import type { ClockState } from "../../venue/clock.ts";
import { versionOf } from "../../venue/version.ts";

/** The note beside a state. */
export interface Mark {
  /** START is that of the first start. */
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  readonly timeMs: number;
  readonly stateHash: string;
  /** Of a virtual clock. */
  readonly clock?: ClockState | undefined;
  /** Where seeded keys and tokens come from. */
  readonly chance?: ChancePlace | undefined;
  /** The program that made it. */
  readonly program: string;
}

/** The id of the state that the first start left. */
export const START = 0;
/** Each holds a copy of the whole history. */
export const MARKS_MAX = 32;

const NOTE_FILE = "mark.json";
const HISTORY_FILE = "history.sqlite";
const UNFINISHED = ".unfinished";

/** States of another program may mean something else. */
export const PROGRAM = `${versionOf()} ${SNAPSHOT_FORM}`;

/** The disk, or history, did not let a mark be kept. The message is a sentence for the operator. */
export class MarkNotKept extends Error {
  readonly code = "MARK_NOT_KEPT";
}

export class Marks {
  readonly #folder: string;
  #marks: Mark[];

  /** `dir` is the data directory, or the folder of a venue that keeps nothing; the log ends at `endSeq`. */
  constructor(dir: string, endSeq: number) {
    this.#folder = join(dir, "marks");
    makeDirectory(this.#folder, "--data");
    const marks = readdirSync(this.#folder).flatMap((name) => readMark(join(this.#folder, name)) ?? []);
    this.#marks = marks.sort((one, other) => one.id - other.id);
    this.dropAfter(endSeq);
  }

  /** In the order in which they were made, without that of the first start. */
  get list(): readonly Mark[] {
    return this.#marks.filter(({ id }) => id !== START);
  }

  find(id: number): Mark | undefined {
    return this.#marks.find((mark) => mark.id === id);
  }

  get nextId(): number {
    return (this.#marks.at(-1)?.id ?? START) + 1;
  }

  /**
   * `keepHistory` writes a copy of the history into the file that it is given. What stops it midway leaves nothing;
   * throws MarkNotKept.
   */
  async add(
    note: Omit<Mark, "stateHash" | "program">,
    content: SnapshotContent,
    keepHistory: (image: string) => Promise<void>,
  ): Promise<Mark> {
    const folder = this.#folderOf(note.id);
    const unfinished = folder + UNFINISHED;
    try {
      rmSync(unfinished, { recursive: true, force: true });
      mkdirSync(unfinished, { mode: 0o700 });
      await keepHistory(join(unfinished, HISTORY_FILE));
      const { stateHash } = writeSnapshot(unfinished, content);
      const mark: Mark = { ...note, stateHash, program: PROGRAM };
      writeFileSync(join(unfinished, NOTE_FILE), `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
      rmSync(folder, { recursive: true, force: true });
      renameSync(unfinished, folder);
      syncDirectory(this.#folder);
      this.#marks = [...this.#marks.filter(({ id }) => id !== mark.id), mark].sort((one, other) => one.id - other.id);
      return mark;
    } catch (cause) {
      const reason = (cause as Error).message.replace(/\.$/, "");
      const sentence =
        `The state was not kept (${reason}). Look at the disk of ${this.#folder}, and keep it again; what was ` +
        "kept before is as it was.";
      throw new MarkNotKept(sentence, { cause });
    } finally {
      // A disk that takes nothing lets nothing be removed either; keeping the next one removes it.
      tryTo(() => rmSync(unfinished, { recursive: true, force: true }));
    }
  }

  /** The state of a mark, read and held against its hash; a sentence when it is not sound. */
  read({ id, seq }: Mark): { readonly state: Snapshot; readonly history: string } | string {
    const folder = this.#folderOf(id);
    const history = join(folder, HISTORY_FILE);
    const file = join(folder, `snapshot-${String(seq).padStart(16, "0")}.bourse`);
    if (!existsSync(history) || !existsSync(file)) return `a file is missing in ${folder}.`;
    const state = readSnapshot(file);
    return typeof state === "string" ? `${file} cannot be used, because ${state}.` : { state, history };
  }

  /** Forgets those of states behind `seq`: a log that is cut back there will never come to them. */
  dropAfter(seq: number): void {
    for (const mark of this.#marks.filter((each) => each.seq > seq)) this.remove(mark.id);
  }

  /** Forgets those that were made after another one. */
  dropLater(id: number): void {
    for (const mark of this.#marks.filter((each) => each.id > id)) this.remove(mark.id);
  }

  remove(id: number): void {
    rmSync(this.#folderOf(id), { recursive: true, force: true });
    this.#marks = this.#marks.filter((mark) => mark.id !== id);
  }

  #folderOf(id: number): string {
    return join(this.#folder, id === START ? "start" : String(id));
  }
}

function tryTo(action: () => void): void {
  try {
    action();
  } catch {}
}

/**
 * Returns the mark of a folder. Returns undefined, and removes the folder, when it was not finished or cannot be read.
 */
function readMark(folder: string): Mark | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, NOTE_FILE), "utf8")) as Mark;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
