/** Files that are files: to open a pipe waits for anyone who writes into it, and what a device gives has no end. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

/**
 * Returns what stands at a path in the place of a file, as a noun; undefined where a file or nothing does. Links are
 * followed.
 */
export function oddKindOf(path: string): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : kindOf(stat);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return "a link that leads to itself";
    throw error;
  }
}

/** Opens a file for reading, without waiting; gives what stands there in its place, as a noun, where it is none. */
export function openPlainFile(path: string): number | string {
  let descriptor: number;
  try {
    // Windows has neither pipes in folders nor this flag.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") return "a link that leads to itself";
    // What opening a socket comes to.
    if (code === "ENXIO") return "a socket or a device";
    throw error;
  }
  const odd = kindOf(fstatSync(descriptor));
  if (odd === undefined) return descriptor;
  closeSync(descriptor);
  return odd;
}

const MIB = 2 ** 20;

/** A file that is named by anyone who calls the program cannot be used. The message is a sentence. */
export class FileRefused extends Error {
  readonly code = "FILE_REFUSED";
}

/**
 * Reads a file that somebody names, which has at most `mibMax` MiB. Throws FileRefused where it cannot be read, or is
 * too large or no file.
 */
export function readNamedFile(path: string, mibMax: number): Buffer {
  let descriptor: number | string;
  try {
    descriptor = openPlainFile(path);
  } catch (cause) {
    throw new FileRefused(`The file ${path} cannot be read.`, { cause });
  }
  if (typeof descriptor === "string") throw new FileRefused(`${path} is ${descriptor}, and no file.`);
  try {
    const { size } = fstatSync(descriptor);
    if (size > mibMax * MIB) {
      throw new FileRefused(`The file ${path} has ${Math.ceil(size / MIB)} MiB, and may have ${mibMax}.`);
    }
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(stat: Stats): string | undefined {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return "a directory";
  if (stat.isFIFO()) return "a pipe";
  return "a socket or a device";
}
