import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createPrivateFile } from "../../log/data-dir.ts";
import { makeDirectory, syncDirectory } from "../../log/directory.ts";
import { BackupError, type Manifest } from "./manifest.ts";
import type { Unlock } from "./sealed.ts";
import { writeAll } from "./tar.ts";
import { verifyBackup } from "./verify.ts";

/**
 * Names of files that a backup may bring along; anything else in it is not ours, and must not get out of the directory.
 */
const EXPECTED =
  /^(?:log\.sqlite|history\.sqlite|audit-trail\.sqlite|snapshot-(?:base-)?\d{16}\.bourse|secret\.key|dev-accounts\.json)$/;

/**
 * Makes a data directory of a backup: beside its place first, verified while it is unpacked, and only then in its
 * place. Throws BackupError, and leaves nothing behind, when the backup is not sound or `data` holds anything already.
 */
export function restoreBackup(file: string, data: string, unlock: Unlock = {}): Manifest {
  const target = resolve(data);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new BackupError(
      `The directory ${target} is not empty, and a backup is restored into an empty one only. Name another with ` +
        "--data.",
    );
  }
  const unfinished = `${target}.restoring`;
  makeDirectory(dirname(target), "--data");
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  try {
    const takerOf = (name: string) => {
      if (!EXPECTED.test(name))
        throw new BackupError(`The backup ${file} holds ${name}, which no backup of bourse does.`);
      return writerOf(join(unfinished, name));
    };
    const manifest = verifyBackup(file, { unlock, takerOf });
    syncDirectory(unfinished);
    if (existsSync(target)) rmdirSync(target);
    renameSync(unfinished, target);
    syncDirectory(dirname(target));
    return manifest;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function writerOf(path: string) {
  createPrivateFile(path);
  const descriptor = openSync(path, "r+");
  return {
    take: (piece: Uint8Array) => writeAll(descriptor, piece),
    end: () => {
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
  };
}
