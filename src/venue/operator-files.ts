/**
 * Files that a venue leaves in its data directory for the person who runs it: where the admin interface listens, the
 * token that opens it, and in the dev profile the keys of the two sample accounts. A venue that keeps nothing uses a
 * private folder among the temporary files, gone when it stops.
 */
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Chance, REAL_CHANCE } from "../gateway/auth/chance.ts";
import { replacePrivateFile } from "../log/data-dir.ts";
import { makeTemporaryDirectory } from "../log/directory.ts";
import { IN_MEMORY, type Profile } from "./settings.ts";

const TOKEN_FILE = "admin-token";
const URL_FILE = "admin-url";
export const ACCOUNTS_FILE = "dev-accounts.json";

const TOKEN_BYTES = 32;
/** A token that an operator puts there himself must be as hard to guess as 128 random bits written in hexadecimal. */
const TOKEN_CHARS_MIN = 32;
const TOKEN_CHARS_MAX = 256;

/** A sample account of the dev profile, in the words of the API. */
export interface DevAccount {
  readonly name: string;
  readonly user_id: number;
  readonly access_id: string;
  readonly secret_key: string;
}

/** One of the files cannot be used, or must not lie there. The message is a sentence for the operator. */
export class OperatorFilesError extends Error {
  readonly code = "OPERATOR_FILES";
}

export class OperatorFiles {
  /** The folder that holds them. */
  readonly folder: string;
  readonly #temporary: boolean;

  /** `data` is a data directory that exists, or `:memory:`. */
  constructor(data: string) {
    this.#temporary = data === IN_MEMORY;
    this.folder = this.#temporary ? makeTemporaryDirectory("bourse-") : data;
    // However the process ends, a folder with a token in it is not left among the temporary files.
    if (this.#temporary) removeAtExit(this.folder);
  }

  /** The token of the admin interface: the one that is there, else a new one. */
  adminToken(chance: Chance = REAL_CHANCE): string {
    const path = join(this.folder, TOKEN_FILE);
    const there = readIfThere(path);
    if (there === undefined) {
      const token = newAdminToken(chance);
      writePrivate(path, `${token}\n`);
      return token;
    }
    refuseReadableByOthers(path);
    const token = there.trim();
    const isSound = /^[\x21-\x7e]+$/.test(token) && token.length <= TOKEN_CHARS_MAX;
    if (!isSound || token.length < TOKEN_CHARS_MIN || new Set(token).size < 8) {
      throw new OperatorFilesError(
        `The token in ${path} can be guessed; remove the file and the venue makes a new one at its next start.`,
      );
    }
    return token;
  }

  /** Puts another token in the place of the one that was there, and gives it. */
  rotateAdminToken(): string {
    const token = newAdminToken(REAL_CHANCE);
    writePrivate(join(this.folder, TOKEN_FILE), `${token}\n`);
    return token;
  }

  /** Tells the command line where the admin interface of a running venue is. */
  writeAdminUrl(url: string): void {
    writePrivate(join(this.folder, URL_FILE), `${url}\n`);
  }

  /** The sample accounts that an earlier start has made. */
  devAccounts(): readonly DevAccount[] {
    const path = join(this.folder, ACCOUNTS_FILE);
    const text = readIfThere(path);
    try {
      return text === undefined ? [] : (JSON.parse(text) as DevAccount[]);
    } catch (cause) {
      const message = `The file ${path} no longer holds the sample accounts; remove it to start without showing them.`;
      throw new OperatorFilesError(message, { cause });
    }
  }

  writeDevAccounts(accounts: readonly DevAccount[]): void {
    writePrivate(join(this.folder, ACCOUNTS_FILE), `${JSON.stringify(accounts, null, 2)}\n`);
  }

  /** A venue that others use must not have accounts whose secrets were printed and lie about in the clear. */
  refuseSampleSecrets(profile: Profile): void {
    const path = join(this.folder, ACCOUNTS_FILE);
    if (profile !== "production" || readIfThere(path) === undefined) return;
    throw new OperatorFilesError(
      `The production profile does not start on a venue of the dev profile: ${path} holds the secrets of its ` +
        "sample accounts.",
    );
  }

  /** The venue has stopped: its address is no longer true, and a folder made for it is removed. */
  close(): void {
    if (!this.#temporary) {
      rmSync(join(this.folder, URL_FILE), { force: true });
      return;
    }
    temporary.delete(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Folders of the venues in memory that this process runs. */
const temporary = new Set<string>();

/** One listener for all of them: a program may run many. */
function removeAtExit(folder: string): void {
  if (temporary.size === 0) {
    process.off("exit", removeTemporary);
    process.on("exit", removeTemporary);
  }
  temporary.add(folder);
}

function removeTemporary(): void {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
}

export function newAdminToken(chance: Chance): string {
  return chance.bytes(TOKEN_BYTES).toString("hex");
}

/** Where a running venue's admin interface is, as its files say; undefined when none has started there. */
export function readAdminAccess(folder: string): { readonly url: string; readonly token: string } | undefined {
  const url = readIfThere(join(folder, URL_FILE))?.trim();
  const token = readIfThere(join(folder, TOKEN_FILE))?.trim();
  return url === undefined || token === undefined ? undefined : { url, token };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new OperatorFilesError(`The file ${path} cannot be read.`, { cause });
  }
}

function writePrivate(path: string, text: string): void {
  try {
    replacePrivateFile(path, text);
  } catch (cause) {
    throw new OperatorFilesError(`The file ${path} cannot be written.`, { cause });
  }
}

/** Windows has no such bits; there the folder's own rights count. */
function refuseReadableByOthers(path: string): void {
  if (process.platform === "win32" || (statSync(path).mode & 0o077) === 0) return;
  throw new OperatorFilesError(`The file ${path} can be read by others; make it private with chmod 600.`);
}
