import { createHash } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { isObject } from "../../engine/field.ts";
import { openPlainFile } from "../../log/plain-file.ts";
import {
  BACKUP_FORMAT,
  BackupError,
  BackupUnsound,
  MANIFEST_FILE,
  MANIFEST_HASH_FILE,
  type Manifest,
} from "./manifest.ts";
import { isSealed, opened, SealBroken, type Unlock } from "./sealed.ts";
import { readTar, type Source, sourceOf, TarBroken, type TarEntry } from "./tar.ts";

/** A manifest is some hundred bytes a file. */
const TEXT_BYTES_MAX = 65_536;
/** A file that takes less of the disk than this part of its size is made of holes: reading it would take for ever. */
const HOLES_RATIO = 64;
const HOLES_FROM_BYTES = 2 ** 30;

/** Takes the content of a file of the backup, piece by piece. */
export type Taker = (name: string) => { take(piece: Uint8Array): void; end(): void } | undefined;

/**
 * Reads a backup to its end and holds every byte against the hashes in it; `takerOf` may take what is read along the
 * way. Throws BackupError when it is not whole, or not what was written.
 */
export function verifyBackup(
  file: string,
  { unlock = {}, takerOf = () => undefined }: { readonly unlock?: Unlock; readonly takerOf?: Taker } = {},
): Manifest {
  const descriptor = openBackup(file);
  const found: TarEntry[] = [];
  const texts = new Map<string, string>();
  try {
    for (const { name, bytes, pieces } of readTar(contentOf(descriptor, unlock))) {
      const isOwn = name === MANIFEST_FILE || name === MANIFEST_HASH_FILE;
      if (isOwn && bytes > TEXT_BYTES_MAX) throw new TarBroken(`${name} in it is too large`);
      const taker = isOwn ? undefined : takerOf(name);
      const hash = createHash("sha256");
      const kept: Uint8Array[] = [];
      for (const piece of pieces) {
        hash.update(piece);
        taker?.take(piece);
        if (isOwn) kept.push(piece.slice());
      }
      taker?.end();
      const sha256 = hash.digest("hex");
      found.push({ name, bytes, sha256 });
      if (isOwn) texts.set(name, Buffer.concat(kept).toString("utf8"));
    }
  } catch (cause) {
    if (!(cause instanceof TarBroken || cause instanceof SealBroken)) throw cause;
    throw new BackupUnsound(cause.message, { file, cause });
  } finally {
    closeSync(descriptor);
  }
  return agreed(file, found, texts);
}

function openBackup(file: string): number {
  let descriptor: number | string;
  try {
    descriptor = openPlainFile(file);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    throw new BackupError(isMissing ? `There is no file ${file}.` : `The file ${file} cannot be read.`, { cause });
  }
  if (typeof descriptor === "string") throw new BackupUnsound(`it is ${descriptor}, and no file`, { file });
  const stat = fstatSync(descriptor);
  const isMadeOfHoles = stat.size > HOLES_FROM_BYTES && stat.blocks * 512 < stat.size / HOLES_RATIO;
  if (!isMadeOfHoles) return descriptor;
  closeSync(descriptor);
  throw new BackupUnsound("it is a file made of holes", { file });
}

/** Of a sealed backup what was sealed. */
function contentOf(descriptor: number, unlock: Unlock): Source {
  return isSealed(sourceOf(descriptor).read(16)) ? opened(sourceOf(descriptor), unlock) : sourceOf(descriptor);
}

/** The manifest, when everything that was found is what it says. */
function agreed(file: string, found: readonly TarEntry[], texts: ReadonlyMap<string, string>): Manifest {
  const text = texts.get(MANIFEST_FILE);
  const stated = texts.get(MANIFEST_HASH_FILE)?.trim();
  if (text === undefined || stated === undefined) {
    throw new BackupUnsound("it is not whole, or no backup of bourse", { file });
  }
  if (found.find(({ name }) => name === MANIFEST_FILE)?.sha256 !== stated) throw altered(file, MANIFEST_FILE);
  const manifest = manifestIn(text);
  if (manifest === undefined) throw new BackupUnsound("its manifest is none of bourse", { file });
  if (manifest.format > BACKUP_FORMAT) {
    throw new BackupError(
      `The backup ${file} was made by a newer version of bourse (${manifest.version}), in form ${manifest.format}; ` +
        `this one reads up to form ${BACKUP_FORMAT}. Use that version, or a later one.`,
    );
  }
  const content = found.filter(({ name }) => name !== MANIFEST_FILE && name !== MANIFEST_HASH_FILE);
  for (const { name, bytes, sha256 } of manifest.files) {
    const there = content.find((entry) => entry.name === name);
    if (there?.sha256 !== sha256 || there.bytes !== bytes) throw altered(file, name);
  }
  const added = content.find(({ name }) => !manifest.files.some((entry) => entry.name === name));
  if (added !== undefined) throw altered(file, added.name);
  return manifest;
}

/** Anyone who made the file wrote its hash, too: the manifest itself may be anything. */
function manifestIn(text: string): Manifest | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(read) || typeof read["format"] !== "number" || !Array.isArray(read["files"])) return undefined;
  const texts = ["version", "venue_id", "time", "log_hash", "made_at"].every((name) => typeof read[name] === "string");
  return texts && Number.isSafeInteger(read["seq"]) && read["files"].every(isEntry)
    ? (read as unknown as Manifest)
    : undefined;
}

function isEntry(one: unknown): boolean {
  return isObject(one) && typeof one["name"] === "string" && typeof one["sha256"] === "string";
}

function altered(file: string, name: string): BackupError {
  return new BackupUnsound(`${name} in it is not what was written`, { file });
}
