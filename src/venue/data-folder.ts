/**
 * Checks a data directory before a venue starts on it: it must be absent, empty, or a venue's own, private to the user
 * who runs it. A start that fails takes back what it made: a directory that nobody ever used is not left behind.
 */

import { chmodSync, existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DataDir, logPaths, openDataDir } from "../log/data-dir.ts";
import { oddKindOf } from "../log/plain-file.ts";
import type { Profile } from "./settings.ts";

/** The directory cannot be used. The message is a sentence for the operator that says what to do. */
export class DataFolderError extends Error {
  readonly code = "DATA_FOLDER";
}

export interface FolderClaim {
  /** Sentences for the log about what was mended. */
  readonly notes: readonly string[];
  /** Takes back what this start made, unless another process works there by now. */
  undo(): void;
}

/** Everything a venue keeps, by the beginnings of the names; `lost+found` is what a disk of its own begins with. */
const OURS =
  /^(?:log\.sqlite|history\.sqlite|lock\.sqlite|acknowledged|snapshot-|archive|audit-trail\.sqlite|monitor\.json|backups$|marks$|reserve$|secret\.key|admin-|dev-accounts\.json|lost\+found$)/;
/**
 * Names of files that are there only when a log was there before. A token may be put there by hand, and a lock says
 * nothing.
 */
const TRACES = /^(?:log\.sqlite-|history\.sqlite$|acknowledged$|snapshot-|secret\.key$|dev-accounts\.json$)/;
/** Files that hold what belongs to nobody else. The token and the key are looked at by those who read them. */
const PRIVATE =
  /^(?:log\.sqlite|history\.sqlite|audit-trail\.sqlite|monitor\.json|snapshot-|acknowledged$|dev-accounts\.json$)/;
/** Names that belong to files, and neither to a folder nor to the socket of the admin interface. */
const FILES =
  /^(?:(?:log|history|lock|audit-trail)\.sqlite(?:-wal|-shm)?|monitor\.json|acknowledged|snapshot-.*\.bourse|reserve|secret\.key|admin-(?:token|url)|dev-accounts\.json)$/;
const NAMES_SHOWN = 3;

/**
 * Looks at the directory of a start, mends its rights and says how to take the start back. `config` is the start's
 * configuration file, which may lie there. Throws DataFolderError.
 */
export function claimFolder(dir: string, profile: Profile, config: string | undefined): FolderClaim {
  const before = existsSync(dir) && statSync(dir).isDirectory() ? readdirSync(dir) : [];
  refuseOdd(dir, before);
  if (before.includes(basename(logPaths(dir).log))) return { notes: mendModes(dir, before), undo: () => {} };
  refuseForeign(dir, before, config);
  if (profile === "production") refuseVanished(dir, before);
  const absent = absentFolders(dir);
  return { notes: absent.length > 0 ? [] : mendModes(dir, before), undo: () => takeBack(dir, new Set(before), absent) };
}

/** To open a pipe in the place of a file would wait for ever. */
function refuseOdd(dir: string, names: readonly string[]): void {
  for (const name of names.filter((each) => FILES.test(each))) {
    const path = join(dir, name);
    const odd = oddKindOf(path);
    if (odd === undefined) continue;
    throw new DataFolderError(
      `${path} is ${odd}, where the venue keeps a file. Put the file back, or remove what is there.`,
    );
  }
}

function refuseForeign(dir: string, names: readonly string[], config: string | undefined): void {
  const foreign = names.filter((name) => !OURS.test(name) && join(dir, name) !== config);
  if (foreign.length === 0) return;
  const more = foreign.length > NAMES_SHOWN ? ` and ${foreign.length - NAMES_SHOWN} more` : "";
  throw new DataFolderError(
    `The directory ${dir} holds no venue, but other things: ${foreign.slice(0, NAMES_SHOWN).join(", ")}${more}. ` +
      "Name an empty one, or one that does not exist yet, with --data.",
  );
}

/** A new log in the place of one that is gone would be an empty venue under an old name. */
function refuseVanished(dir: string, names: readonly string[]): void {
  const trace = names.find((name) => TRACES.test(name));
  if (trace === undefined) return;
  throw new DataFolderError(
    `The log of the venue in ${dir} is gone: ${trace} is there, log.sqlite is not. Put the log back, or restore ` +
      "a backup " +
      "into another directory with bourse restore; to begin an empty venue, name another directory with --data.",
  );
}

/** Takes from others what they may read. Windows has no such bits; there the folder's own rights count. */
function mendModes(dir: string, names: readonly string[]): string[] {
  if (process.platform === "win32" || !existsSync(dir)) return [];
  const open = [dir, ...names.filter((name) => PRIVATE.test(name)).map((name) => join(dir, name))];
  return open.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || (stat.mode & 0o077) === 0) return [];
    const mode = stat.isDirectory() ? 0o700 : 0o600;
    const was = (stat.mode & 0o777).toString(8);
    try {
      chmodSync(path, mode);
    } catch (cause) {
      throw new DataFolderError(
        `${path} can be used by others (mode ${was}), and this user may not change that. ` +
          `Give it to the user who runs the venue, with mode ${mode.toString(8)}.`,
        { cause },
      );
    }
    return [`${path} could be used by others (mode ${was}); it is private now (${mode.toString(8)}).`];
  });
}

/** The directory and those above it that are not there yet, from the inside out. */
function absentFolders(dir: string): string[] {
  if (existsSync(dir) || dirname(dir) === dir) return [];
  return [dir, ...absentFolders(dirname(dir))];
}

function takeBack(dir: string, before: ReadonlySet<string>, absent: readonly string[]): void {
  if (!existsSync(dir)) return;
  let held: DataDir;
  try {
    held = openDataDir(dir);
  } catch {
    // Somebody else has started there meanwhile: it is theirs.
    return;
  }
  for (const name of readdirSync(dir)) if (!before.has(name)) rmSync(join(dir, name), { recursive: true, force: true });
  held.release();
  for (const folder of absent) {
    try {
      rmdirSync(folder);
    } catch {
      // Not empty: somebody has put something there.
      return;
    }
  }
}
