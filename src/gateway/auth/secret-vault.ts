/**
 * API secrets at rest: sealed with AES-256-GCM before they enter the log, with the access id as associated data, so
 * that a sealed secret is worth nothing under another key's name. The sealing key lives in a file beside the log, never
 * in it.
 */

import { createCipheriv, createDecipheriv } from "node:crypto";
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { replacePrivateFile } from "../../log/data-dir.ts";
import { openPlainFile } from "../../log/plain-file.ts";
import { type Chance, REAL_CHANCE } from "./chance.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ACCESS_ID_BYTES = 16;
const SECRET_BYTES = 24;
const TOKEN_BYTES = 32;
const KEY_FILE = "secret.key";

/** An API key as it is made: what its owner is told once, and the secret as the venue keeps it. */
export interface NewKey {
  /** 32 hexadecimal digits. */
  readonly accessId: string;
  /** 48 hexadecimal digits, 192 bits. */
  readonly secret: string;
  readonly secretCipher: string;
}

/** The key file or a sealed secret is not as it must be. */
export class SecretVaultError extends Error {
  readonly code = "SECRET_VAULT";
}

export class SecretVault {
  /** The newest first: it seals, and all of them open. More than one only while secrets are being sealed anew. */
  #keys: readonly Buffer[];
  /** Undefined in memory. */
  readonly #path: string | undefined;
  readonly #chance: Chance;

  /** Whether other nodes open with the same file, which none of them may replace. */
  readonly isShared: boolean;

  private constructor(keys: readonly Buffer[], path: string | undefined, chance: Chance, isShared = false) {
    this.isShared = isShared;
    this.#keys = keys;
    this.#path = path;
    this.#chance = chance;
  }

  /** The vault of a venue whose nodes were all given the same key file. Throws SecretVaultError. */
  static shared(path: string): SecretVault {
    return new SecretVault(readKeyFile(path), path, REAL_CHANCE, true);
  }

  /**
   * The vault of a key that the program was given in its environment, and which nothing can replace there. Throws
   * SecretVaultError.
   */
  static given(key: string, variable: string): SecretVault {
    return new SecretVault(keysIn(key, `The variable ${variable}`), undefined, REAL_CHANCE, true);
  }

  /**
   * The vault of a data folder; makes the key file (0600) when there is none and nothing was sealed yet (`isNew`).
   * Throws SecretVaultError when others could read the file, it holds no key, or it is missing beside secrets that need
   * it: a fresh one in its place would lock every client out, and seal new secrets that the true one cannot open.
   */
  static open(folder: string, isNew: boolean, chance: Chance = REAL_CHANCE): SecretVault {
    const path = join(folder, KEY_FILE);
    if (!isNew && !existsSync(path)) {
      throw new SecretVaultError(
        `The key file ${path} is missing; without it no client of this venue can sign in. Put it back from its ` +
          "backup. If it is lost, write 64 new hexadecimal digits into it, private to this user, and make everybody " +
          "new API keys.",
      );
    }
    const made = createKeyFile(path, chance);
    return new SecretVault(made === undefined ? readKeyFile(path) : [made], path, chance);
  }

  /** A vault that is gone with the process, for a venue that keeps nothing. */
  static inMemory(chance: Chance = REAL_CHANCE): SecretVault {
    return new SecretVault([chance.bytes(KEY_BYTES)], undefined, chance);
  }

  /** The public and the secret half of a new API key. */
  static keyPair(chance: Chance): Pick<NewKey, "accessId" | "secret"> {
    const accessId = hexOf(chance, ACCESS_ID_BYTES).toUpperCase();
    return { accessId, secret: hexOf(chance, SECRET_BYTES).toUpperCase() };
  }

  /**
   * The venue's secret, from which keys for other purposes are derived: the same at all nodes that were given the same
   * file.
   */
  get secret(): Uint8Array {
    return this.#keys[0] as Buffer;
  }

  newKey(): NewKey {
    const pair = SecretVault.keyPair(this.#chance);
    return { ...pair, secretCipher: this.seal(pair.accessId, pair.secret) };
  }

  /** A token of 256 bits in hexadecimal. */
  newToken(): string {
    return hexOf(this.#chance, TOKEN_BYTES);
  }

  /** Nonce, ciphertext and tag in base64. */
  seal(accessId: string, secret: string): string {
    const nonce = this.#chance.bytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keys[0] as Buffer, nonce).setAAD(Buffer.from(accessId, "utf8"));
    const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return sealed.toString("base64");
  }

  /** Whether a secret was sealed here, for that access id. */
  opens({ accessId, secretCipher }: { readonly accessId: string; readonly secretCipher: string }): boolean {
    try {
      this.unseal(accessId, secretCipher);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The secret; throws SecretVaultError when it was sealed with another key file, for another access id, or altered.
   */
  unseal(accessId: string, sealed: string): string {
    let failure: unknown;
    for (const key of this.#keys) {
      try {
        return unsealWith(key, accessId, sealed);
      } catch (cause) {
        failure = cause;
      }
    }
    const message = `The secret of the API key ${accessId} cannot be read with the key file of this data folder.`;
    throw new SecretVaultError(message, { cause: failure });
  }

  /** Seals with a new key from now on; those before it go on opening until `retire`. */
  rotate(): void {
    this.#keep([this.#chance.bytes(KEY_BYTES), ...this.#keys]);
  }

  /** Whether there is a key that only opens. */
  get isRotating(): boolean {
    return this.#keys.length > 1;
  }

  /** Whether a secret needs no other key than the newest. */
  opensWithNewest({ accessId, secretCipher }: { readonly accessId: string; readonly secretCipher: string }): boolean {
    try {
      unsealWith(this.#keys[0] as Buffer, accessId, secretCipher);
      return true;
    } catch {
      return false;
    }
  }

  /** Forgets every key but the newest: to be called when every secret was sealed with it. */
  retire(): void {
    this.#keep(this.#keys.slice(0, 1));
  }

  /** On the disk before it is used: a secret must never be sealed with a key that a crash could lose. */
  #keep(keys: readonly Buffer[]): void {
    if (this.#path !== undefined) replaceKeyFile(this.#path, keys);
    this.#keys = keys;
  }
}

function unsealWith(key: Buffer, accessId: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(accessId, "utf8")).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const secret = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
  return Buffer.concat([secret, decipher.final()]).toString("utf8");
}

function hexOf(chance: Chance, bytes: number): string {
  return chance.bytes(bytes).toString("hex");
}

/** Writes a fresh key; undefined when the file is there already. Synced, because a lost key loses every secret. */
function createKeyFile(path: string, chance: Chance): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw new SecretVaultError(`The key file ${path} cannot be made.`, { cause: error });
  }
  const key = chance.bytes(KEY_BYTES);
  writeSync(file, `${key.toString("hex")}\n`);
  fsyncSync(file);
  closeSync(file);
  return key;
}

function replaceKeyFile(path: string, keys: readonly Buffer[]): void {
  try {
    replacePrivateFile(path, keys.map((key) => `${key.toString("hex")}\n`).join(""));
  } catch (cause) {
    throw new SecretVaultError(`The key file ${path} cannot be replaced.`, { cause });
  }
}

/** The newest key first; older ones while their secrets are sealed anew. */
function readKeyFile(path: string): Buffer[] {
  let file: number | string;
  try {
    file = openPlainFile(path);
  } catch (cause) {
    throw new SecretVaultError(`The key file ${path} cannot be read.`, { cause });
  }
  if (typeof file === "string") throw new SecretVaultError(`The key file ${path} is ${file}, and no file.`);
  try {
    // Windows has no such bits; there the folder's own rights count.
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0) {
      throw new SecretVaultError(`The key file ${path} can be read by others; make it private with chmod 600.`);
    }
    return keysIn(readFileSync(file, "utf8"), `The key file ${path}`);
  } finally {
    closeSync(file);
  }
}

function keysIn(text: string, where: string): Buffer[] {
  const lines = text.trim().split("\n");
  if (!lines.every((line) => /^[0-9a-f]{64}$/.test(line))) throw new SecretVaultError(`${where} does not hold a key.`);
  return lines.map((line) => Buffer.from(line, "hex"));
}
