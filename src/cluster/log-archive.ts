/**
 * The log in a folder that all nodes share, in files that are never changed. A file holds the groups whose first
 * command lies in one span of the log, so that all nodes cut it at the same places and come to the same bytes and the
 * same names; a span of many bytes takes several files. A file is written beside, synced and renamed: what bears its
 * name is whole. It is sealed under the venue's key for its name.
 */
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { LogGroup } from "../log/chain.ts";
import { hexOf, type Tail } from "./entry.ts";
import { BadFrame, type Sealer } from "./frame.ts";
import { endOf } from "./missing-groups.ts";
import { groupsIn, groupsSaid } from "./questions.ts";

/** No file that a node writes is larger: some 16 MB of commands, a last group and the figures of each group. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** Logs that went different ways may have left files at one place; the newest ones are looked into. */
const CANDIDATES_MAX = 4;
/** Who goes through the whole log does not list the folder for each file, and yet hears of what others put there. */
const LISTED_MS = 10_000;
const DIGITS = 16;
const NAME = /^log-(\d{16})-(\d{16})-([0-9a-f]{64})\.bourse$/;
const UNFINISHED = ".unfinished";

/** A file of the archive: the groups behind `afterSeq` up to `endSeq`, where the log's hash is `hash`. */
export interface ArchivedPart {
  readonly name: string;
  readonly afterSeq: number;
  readonly endSeq: number;
  readonly hash: string;
}

export interface LogArchiveOptions {
  readonly folder: string;
  /** Name of this node: what it has not finished bears it. */
  readonly node: string;
  readonly sealer: Sealer;
  readonly onNote: (text: string) => void;
}

export class LogArchive {
  readonly #options: LogArchiveOptions;
  /** Files of which was told that they are of no use. */
  readonly #refused = new Set<string>();
  #parts: readonly ArchivedPart[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LogArchiveOptions) {
    this.#options = options;
  }

  get folder(): string {
    return this.#options.folder;
  }

  /** Removes what this node had not finished when its process ended. */
  async clear(): Promise<void> {
    const { folder, node } = this.#options;
    for (const name of await readdir(folder))
      if (name.endsWith(`.${node}${UNFINISHED}`)) await rm(join(folder, name), { force: true });
  }

  /** The files that are there, in the order of the log. */
  async list(): Promise<readonly ArchivedPart[]> {
    const parts = (await readdir(this.#options.folder)).flatMap((name): ArchivedPart[] => {
      const [, after, end, hash] = NAME.exec(name) ?? [];
      return hash === undefined ? [] : [{ name, afterSeq: Number(after), endSeq: Number(end), hash }];
    });
    this.#listedAt = performance.now();
    this.#parts = parts.sort((one, other) => one.afterSeq - other.afterSeq || (one.name < other.name ? -1 : 1));
    return this.#parts;
  }

  /**
   * Puts the groups behind `before` there, in one file. A file of this name that is there already has the same bytes.
   */
  async put(before: Tail, groups: readonly LogGroup[]): Promise<ArchivedPart> {
    const { folder, node, sealer } = this.#options;
    const end = groups.reduce(endOf, before);
    const [afterSeq, endSeq, hash] = [before.seq, end.seq, hexOf(end.hash)];
    const name = `log-${digits(afterSeq)}-${digits(endSeq)}-${hash}.bourse`;
    const { head, body } = groupsSaid(groups);
    const bytes = sealer.seal(placeOf(name), { ...head, kind: "archive", before: hexOf(before.hash) }, body);
    const unfinished = join(folder, `.${name}.${node}${UNFINISHED}`);
    try {
      await writeSynced(unfinished, bytes);
      await rename(unfinished, join(folder, name));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(folder);
    this.#listedAt = Number.NEGATIVE_INFINITY;
    return { name, afterSeq, endSeq, hash };
  }

  /**
   * The groups behind `tail` up to `toSeq`, or as many of them as one file holds; undefined: there are none. Of a file
   * that is not what a node wrote there a sentence is told, and it is passed over.
   */
  async groupsBehind(tail: Tail, toSeq: number): Promise<readonly LogGroup[] | undefined> {
    const at = ({ afterSeq, endSeq }: ArchivedPart) => afterSeq <= tail.seq && tail.seq < endSeq;
    try {
      if (performance.now() - this.#listedAt > LISTED_MS || !this.#parts.some(at)) await this.list();
      for (const part of await this.#newest(this.#parts.filter(at))) {
        const groups = await this.#read(part);
        if (groups === undefined) continue;
        const from = groups.findIndex(({ before }) => before.seq === tail.seq);
        // The log once went another way here, which was given up.
        if (from < 0 || hexOf((groups[from] as Chained).before.hash) !== hexOf(tail.hash)) continue;
        return groups.slice(from).flatMap(({ group, end }) => (end.seq <= toSeq ? [group] : []));
      }
    } catch (error) {
      this.#options.onNote(`The archive in ${this.folder} cannot be read: ${(error as Error).message}.`);
    }
    return undefined;
  }

  /** Where the log went two ways within a file, the way that was not given up was written later. */
  async #newest(parts: readonly ArchivedPart[]): Promise<readonly ArchivedPart[]> {
    if (parts.length < 2) return parts;
    const dated = parts.map(async (part) => {
      const { mtimeMs = 0 } = (await stat(join(this.#options.folder, part.name)).catch(() => undefined)) ?? {};
      return { part, mtimeMs };
    });
    const sorted = (await Promise.all(dated)).sort((one, other) => other.mtimeMs - one.mtimeMs);
    return sorted.slice(0, CANDIDATES_MAX).map(({ part }) => part);
  }

  async #read(part: ArchivedPart): Promise<readonly Chained[] | undefined> {
    const { name } = part;
    const path = join(this.#options.folder, name);
    try {
      const { size } = await stat(path);
      if (size > FILE_BYTES_MAX) throw new BadFrame(`it has ${size} bytes`);
      const frame = this.#options.sealer.open(placeOf(name), await readFile(path));
      const { before } = frame.head as { before: string };
      const groups = groupsIn(frame);
      if (groups === "strayed") throw new BadFrame("it holds no groups");
      let end: Tail = { seq: part.afterSeq, hash: Uint8Array.from(Buffer.from(before, "hex")), timeMs: 0 };
      const chained = groups.map((group): Chained => {
        const earlier = end;
        end = endOf(end, group);
        return { before: earlier, group, end };
      });
      if (end.seq !== part.endSeq || hexOf(end.hash) !== part.hash)
        throw new BadFrame("it holds other groups than it says");
      return chained;
    } catch (error) {
      // Somebody has removed it since it was listed.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      if (!(error instanceof BadFrame)) throw error;
      if (!this.#refused.has(name)) this.#options.onNote(unsound(path, error));
      this.#refused.add(name);
      return undefined;
    }
  }
}

/** A group with where the log ends before it and behind it. */
interface Chained {
  readonly before: Tail;
  readonly group: LogGroup;
  readonly end: Tail;
}

function unsound(path: string, { message }: BadFrame): string {
  return (
    `The file ${path} of the archive is passed over. ${message} Remove it: a node whose log has what belongs ` +
    "there writes it anew."
  );
}

function placeOf(name: string): string {
  return `archive/${name}`;
}

function digits(seq: number): string {
  return String(seq).padStart(DIGITS, "0");
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
