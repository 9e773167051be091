import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  BACKUP_FORMAT,
  BackupError,
  BackupUnsound,
  MANIFEST_FILE,
  MANIFEST_HASH_FILE,
  type Manifest,
} from "./manifest.ts";
import { readTar, TarBroken, type TarEntry } from "./tar.ts";

/** Takes the content of a file of the backup, piece by piece. */
export type Taker = (name: string) => { take(piece: Uint8Array): void; end(): void } | undefined;

/**
 * Reads a backup to its end and holds every byte against the hashes in it; `takerOf` may take what is read along the way.
 * Throws BackupError when it is not whole, or not what was written.
 */
export function verifyBackup(file: string, takerOf: Taker = () => undefined): Manifest {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  const found: TarEntry[] = [];
  const texts = new Map<string, string>();
  try {
    for (const { name, bytes, pieces } of readTar(file)) {
      const isOwn = name === MANIFEST_FILE || name === MANIFEST_HASH_FILE;
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
    if (!(cause instanceof TarBroken)) throw cause;
    throw new BackupUnsound(cause.message, { file, cause });
  }
  return agreed(file, found, texts);
}

/** The manifest, when everything that was found is what it says. */
function agreed(file: string, found: readonly TarEntry[], texts: ReadonlyMap<string, string>): Manifest {
  const text = texts.get(MANIFEST_FILE);
  const stated = texts.get(MANIFEST_HASH_FILE)?.trim();
  if (text === undefined || stated === undefined) {
    throw new BackupUnsound("it is not whole, or no backup of bourse", { file });
  }
  if (found.find(({ name }) => name === MANIFEST_FILE)?.sha256 !== stated) throw altered(file, MANIFEST_FILE);
  const manifest = JSON.parse(text) as Manifest;
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

function altered(file: string, name: string): BackupError {
  return new BackupUnsound(`${name} in it is not what was written`, { file });
}
