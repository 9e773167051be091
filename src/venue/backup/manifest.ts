/** The manifest: a backup's description of itself, in its last file but one; the last is the hash of this one. */
import type { TarEntry } from "./tar.ts";

export const MANIFEST_FILE = "manifest.json";
export const MANIFEST_HASH_FILE = "manifest.sha256";
export const BACKUP_FORMAT = 1;

export interface Manifest {
  readonly format: number;
  /** Version of the program that made it. */
  readonly version: string;
  readonly venue_id: string;
  /** The last command in it, its time, and the hash of the log's chain behind it. */
  readonly seq: number;
  readonly time: string;
  readonly log_hash: string;
  readonly made_at: string;
  readonly files: readonly TarEntry[];
}

/** A backup cannot be made, or not be put where it is wanted. The message is a sentence for the operator. */
export class BackupError extends Error {
  readonly code: string = "BACKUP";
}

/** A file is no backup, not whole, or not what was written. */
export class BackupUnsound extends BackupError {
  override readonly code = "BACKUP_UNSOUND";

  /** `what` is wrong with it, as a clause. */
  constructor(what: string, { file, ...options }: { readonly file: string } & ErrorOptions) {
    super(`The backup ${file} cannot be used: ${what}.`, options);
  }
}
