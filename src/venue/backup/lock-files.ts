/** Keys and passphrases of sealed backups, from files and the environment. */
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { openPlainFile } from "../../log/plain-file.ts";
import { BackupError } from "./manifest.ts";
import type { Lock, Unlock } from "./sealed.ts";

/** Where a passphrase may stand instead of in a file. */
export const PASSPHRASE_VARIABLE = "BOURSE_BACKUP_PASSPHRASE";

/** Shorter ones are guessed, however slow a guess is. */
const PASSPHRASE_CHARS_MIN = 12;
/** A key or a passphrase needs no more. */
const FILE_BYTES_MAX = 16_384;

export interface LockFiles {
  /** PEM of an X25519 public key. */
  readonly recipient?: string | undefined;
  readonly passphraseFile?: string | undefined;
}

/** Returns the lock that backups are sealed with; undefined where nothing was named. Throws BackupError. */
export function lockOf({ recipient, passphraseFile }: LockFiles, environment = process.env): Lock | undefined {
  if (recipient !== undefined && passphraseFile !== undefined) {
    throw new BackupError("A backup is sealed for a recipient or with a passphrase: name one of the two.");
  }
  if (recipient !== undefined) return { recipient: publicKeyIn(recipient) };
  const passphrase = passphraseOf(passphraseFile, environment);
  return passphrase === undefined ? undefined : { passphrase };
}

/** Returns the secrets that open backups. `identity`: the file of an X25519 private key, PEM. */
export function unlockOf(
  { identity, passphraseFile }: { readonly identity?: string | undefined } & Pick<LockFiles, "passphraseFile">,
  environment = process.env,
): Unlock {
  return {
    identity: identity === undefined ? undefined : privateKeyIn(identity),
    passphrase: passphraseOf(passphraseFile, environment),
  };
}

function passphraseOf(file: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const passphrase = file === undefined ? environment[PASSPHRASE_VARIABLE] : smallFile(file).replace(/\r?\n$/, "");
  if (passphrase !== undefined && passphrase.length < PASSPHRASE_CHARS_MIN) {
    throw new BackupError(
      `The passphrase in ${file ?? PASSPHRASE_VARIABLE} has fewer than ${PASSPHRASE_CHARS_MIN} characters; ` +
        "choose a longer one.",
    );
  }
  return passphrase;
}

function publicKeyIn(file: string): KeyObject {
  const text = smallFile(file);
  if (/PRIVATE KEY/.test(text)) {
    throw new BackupError(`The file ${file} holds a private key: name the public one here, and keep this elsewhere.`);
  }
  return x25519(file, () => createPublicKey(text), "public");
}

function privateKeyIn(file: string): KeyObject {
  const text = smallFile(file);
  return x25519(file, () => createPrivateKey(text), "private");
}

function x25519(file: string, read: () => KeyObject, kind: "public" | "private"): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Said below.
  }
  if (key?.asymmetricKeyType === "x25519") return key;
  throw new BackupError(
    `The file ${file} holds no X25519 ${kind} key in PEM. One is made by: openssl genpkey -algorithm X25519 ` +
      "-out backup.key, and its public half by: openssl pkey -in backup.key -pubout.",
  );
}

function smallFile(file: string): string {
  let descriptor: number | string;
  try {
    descriptor = openPlainFile(file);
  } catch (cause) {
    throw new BackupError(`The file ${file} cannot be read.`, { cause });
  }
  if (typeof descriptor === "string") throw new BackupError(`${file} is ${descriptor}, and no file.`);
  try {
    const bytes = Buffer.alloc(FILE_BYTES_MAX + 1);
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    if (read > FILE_BYTES_MAX) throw new BackupError(`The file ${file} is too large for a key or a passphrase.`);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(descriptor);
  }
}
