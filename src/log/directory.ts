/**
 * Directories that the program makes and writes to. A refusal of the system becomes a sentence that names the setting
 * which moves the directory.
 */
import { accessSync, closeSync, constants, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The system does not let a directory be made or written to. The message is a sentence for the operator. */
export class DirectoryRefused extends Error {
  readonly code = "DIRECTORY_REFUSED";
}

/** Why the system refuses, and what helps besides another directory; both speak of the directory `at`. */
const REASONS: Readonly<Record<string, (at: string) => readonly [reason: string, remedy: string | undefined]>> = {
  EACCES: (at) => [`this user may not write to ${at}`, `Give ${at} to the user who runs bourse`],
  EPERM: (at) => [`this user may not write to ${at}`, `Give ${at} to the user who runs bourse`],
  EROFS: (at) => [`the disk of ${at} is read-only`, "Let it be written to"],
  ENOSPC: (at) => [`the disk of ${at} is full`, "Make room there"],
  EDQUOT: (at) => [`this user's share of the disk of ${at} is used up`, "Make room there"],
  ENOTDIR: (at) => [`${at} is no directory`, "Move it away"],
  EEXIST: (at) => [`${at} is no directory`, "Move it away"],
  ENOENT: (at) => [`the system makes no directory in ${at}`, undefined],
};

/**
 * Makes the directory with all its parents, for this user alone, and checks that it can be written to. `movedBy` names
 * the option or the setting by which the operator names another one. Throws DirectoryRefused.
 */
export function makeDirectory(path: string, movedBy: string): void {
  const whole = resolve(path);
  if (existsSync(whole)) checkDirectory(whole, movedBy);
  else inWords(`The directory ${whole} cannot be made`, whole, movedBy, () => makeWithParents(whole));
}

/** Checks that a directory that is there can be written to. Throws DirectoryRefused. */
export function checkDirectory(path: string, movedBy: string): void {
  inWords(`The directory ${path} cannot be used`, path, movedBy, () => {
    // Makes nothing, and fails when the name is that of a file.
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK | constants.X_OK);
  });
}

/** Makes a directory of its own among the temporary files of the system. Throws DirectoryRefused. */
export function makeTemporaryDirectory(prefix: string): string {
  const parent = tmpdir();
  const what = `No directory for temporary files can be made in ${parent}`;
  return inWords(what, parent, "the environment variable TMPDIR", () => mkdtempSync(join(parent, prefix)));
}

function inWords<T>(what: string, path: string, movedBy: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // A mistake of the program is no refusal of the system.
    if (code === undefined) throw error;
    const [reason, remedy] = REASONS[code]?.(nearestThere(path)) ?? [message, undefined];
    const advice = `${remedy === undefined ? "Name" : `${remedy}, or name`} another directory with ${movedBy}.`;
    throw new DirectoryRefused(`${what}: ${reason} (${code}). ${advice}`, { cause: error });
  }
}

function nearestThere(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));
}

/**
 * One by one, since Node's own way of making several never ends where the system says of a new name that it is not
 * there, as it does in /proc.
 */
function makeWithParents(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && dirname(parent) !== parent) makeWithParents(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Two venues that start at once may both have found nothing here.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  syncDirectory(parent);
}

/** Makes names created, renamed or removed in `path` durable. Windows has no such call and needs none. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
