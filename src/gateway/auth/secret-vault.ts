/**
 * API secrets at rest: sealed with AES-256-GCM before they enter the log, with the access id as associated data, so that
 * a sealed secret is worth nothing under another key's name. The sealing key lives in a file beside the log, never in it.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FILE = "secret.key";

/** The key file or a sealed secret is not as it must be. */
export class SecretVaultError extends Error {
  readonly code = "SECRET_VAULT";
}

export class SecretVault {
  readonly #key: Buffer;

  private constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * The vault of a data folder; makes the key file (0600) when there is none and nothing was sealed yet (`isNew`). Throws
   * SecretVaultError when others could read the file, it holds no key, or it is missing beside secrets that need it: a
   * fresh one in its place would lock every client out, and seal new secrets that the true one cannot open.
   */
  static open(folder: string, isNew: boolean): SecretVault {
    const path = join(folder, KEY_FILE);
    if (!isNew && !existsSync(path)) {
      throw new SecretVaultError(
        `The key file ${path} is missing; without it no client of this venue can sign in. Put it back from its backup. ` +
          "If it is lost, write 64 new hexadecimal digits into it, private to this user, and make everybody new API keys.",
      );
    }
    return new SecretVault(createKeyFile(path) ?? readKeyFile(path));
  }

  /** A vault that is gone with the process, for a venue that keeps nothing. */
  static inMemory(): SecretVault {
    return new SecretVault(randomBytes(KEY_BYTES));
  }

  /** Nonce, ciphertext and tag in base64. */
  seal(accessId: string, secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce).setAAD(Buffer.from(accessId, "utf8"));
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

  /** The secret; throws SecretVaultError when it was sealed with another key file, for another access id, or altered. */
  unseal(accessId: string, sealed: string): string {
    const bytes = Buffer.from(sealed, "base64");
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(accessId, "utf8")).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString("utf8");
    } catch (cause) {
      const message = `The secret of the API key ${accessId} cannot be read with the key file of this data folder.`;
      throw new SecretVaultError(message, { cause });
    }
  }
}

/** A new access id: 32 hexadecimal digits. */
export function newAccessId(): string {
  return randomBytes(16).toString("hex").toUpperCase();
}

/** A new secret: 48 hexadecimal digits, 192 random bits. */
export function newSecretKey(): string {
  return randomBytes(24).toString("hex").toUpperCase();
}

/** Writes a fresh key; undefined when the file is there already. Synced, because a lost key loses every secret. */
function createKeyFile(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw new SecretVaultError(`The key file ${path} cannot be made.`, { cause: error });
  }
  const key = randomBytes(KEY_BYTES);
  writeSync(file, `${key.toString("hex")}\n`);
  fsyncSync(file);
  closeSync(file);
  return key;
}

function readKeyFile(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw new SecretVaultError(`The key file ${path} cannot be read.`, { cause });
  }
  try {
    // Windows has no such bits; there the folder's own rights count.
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0) {
      throw new SecretVaultError(`The key file ${path} can be read by others; make it private with chmod 600.`);
    }
    const text = readFileSync(file, "utf8").trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new SecretVaultError(`The key file ${path} does not hold a key.`);
    return Buffer.from(text, "hex");
  } finally {
    closeSync(file);
  }
}
