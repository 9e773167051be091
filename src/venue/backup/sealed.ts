/**
 * A backup that only those can read who have its passphrase or its recipient's private key. docs/guides/backups.md,
 * "Sealed backups":
 *
 *   "BOURSEB1"  kind (1 byte)  salt or ephemeral public key (32 bytes)  chunk…
 *
 * Kind 1: scrypt (N 2^17, r 8, p 1) of the passphrase with the salt. Kind 2: X25519 of the ephemeral key with the
 * recipient's. HKDF-SHA-256 of that, with the head (and of kind 2 the recipient's public key) as salt, is the key of
 * this file alone. A chunk is 64 KiB of content, the last one less or as much, under AES-256-GCM with its tag behind
 * it. Its nonce is the number of the chunk in 11 bytes, and 1 in the last chunk, else 0: chunks that were left out,
 * exchanged, cut off or added do not open.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scryptSync,
} from "node:crypto";
import type { Source } from "./tar.ts";

const MAGIC = "BOURSEB1";
const SALT_BYTES = 32;
const HEAD_BYTES = MAGIC.length + 1 + SALT_BYTES;
const CHUNK_BYTES = 65_536;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const KIND = { passphrase: 1, recipient: 2 } as const;
/** 128 MiB and about half a second: a guess costs anyone who has the file as much. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 };
const INFO = "bourse backup 1";
/** An X25519 public key as SubjectPublicKeyInfo, before its 32 bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b656e032100", "hex");

/** The passphrase, or the recipient's public key, that a backup is sealed with. */
export type Lock = { readonly passphrase: string } | { readonly recipient: KeyObject };

/** The secrets that open a sealed backup. */
export interface Unlock {
  readonly passphrase?: string | undefined;
  /** The recipient's private key. */
  readonly identity?: KeyObject | undefined;
}

/** A fault of a sealed file; the message is a clause. */
export class SealBroken extends Error {}

/** Whether a file begins as a sealed one does. */
export function isSealed(beginning: Uint8Array): boolean {
  return Buffer.from(beginning.subarray(0, MAGIC.length)).toString("latin1") === MAGIC;
}

/** Seals what is written, chunk by chunk. */
export class Sealer {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #key: Buffer;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #filled = 0;
  #number = 0n;

  constructor(lock: Lock, write: (bytes: Uint8Array) => void) {
    this.#write = write;
    const { head, key } = begun(lock);
    this.#key = key;
    write(head);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      // The last chunk is known only at the end, so that a full one waits for what follows.
      if (this.#filled === CHUNK_BYTES) this.#flush(false);
      const taken = bytes.subarray(at, at + CHUNK_BYTES - this.#filled);
      this.#chunk.set(taken, this.#filled);
      this.#filled += taken.length;
      at += taken.length;
    }
  }

  end(): void {
    this.#flush(true);
  }

  #flush(isLast: boolean): void {
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonceOf(this.#number++, isLast));
    this.#write(
      Buffer.concat([cipher.update(this.#chunk.subarray(0, this.#filled)), cipher.final(), cipher.getAuthTag()]),
    );
    this.#filled = 0;
  }
}

/**
 * The content of a sealed source. Throws SealBroken where it cannot be opened, and at the chunk that is not what was
 * written.
 */
export function opened(sealed: Source, unlock: Unlock): Source {
  const head = Buffer.from(sealed.read(HEAD_BYTES));
  if (head.length < HEAD_BYTES) throw new SealBroken("it ends in the middle");
  const key = keyOf(head, unlock);
  let number = 0n;
  let chunk: Buffer = Buffer.alloc(0);
  let at = 0;
  // One chunk ahead, to see which is the last.
  let next = Buffer.from(sealed.read(CHUNK_BYTES + TAG_BYTES));
  let isOver = false;
  const advance = () => {
    const present = next;
    next =
      present.length < CHUNK_BYTES + TAG_BYTES ? Buffer.alloc(0) : Buffer.from(sealed.read(CHUNK_BYTES + TAG_BYTES));
    isOver = next.length === 0;
    chunk = openChunk(key, nonceOf(number, isOver), present, number === 0n);
    at = 0;
    number++;
  };
  return {
    read(bytes) {
      const pieces: Buffer[] = [];
      for (let left = bytes; left > 0; ) {
        if (at === chunk.length) {
          if (isOver) break;
          advance();
          continue;
        }
        const piece = chunk.subarray(at, at + left);
        pieces.push(piece);
        at += piece.length;
        left -= piece.length;
      }
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    },
  };
}

function openChunk(key: Buffer, nonce: Buffer, sealed: Buffer, isFirst: boolean): Buffer {
  if (sealed.length < TAG_BYTES) throw new SealBroken("it ends in the middle");
  const content = sealed.subarray(0, sealed.length - TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(content), decipher.final()]);
  } catch (cause) {
    const what = isFirst
      ? "the passphrase or the key is another one, or the file is not what was written"
      : "it was cut off, or is not what was written";
    throw new SealBroken(what, { cause });
  }
}

function begun(lock: Lock): { head: Buffer; key: Buffer } {
  if ("passphrase" in lock) {
    const head = headOf(KIND.passphrase, randomBytes(SALT_BYTES));
    return { head, key: derived(scrypted(lock.passphrase, head), head) };
  }
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const head = headOf(KIND.recipient, rawOf(publicKey));
  const shared = diffieHellman({ privateKey, publicKey: lock.recipient });
  return { head, key: derived(shared, Buffer.concat([head, rawOf(lock.recipient)])) };
}

function keyOf(head: Buffer, { passphrase, identity }: Unlock): Buffer {
  switch (head[MAGIC.length]) {
    case KIND.passphrase:
      if (passphrase === undefined) {
        throw new SealBroken("it is sealed with a passphrase; name its file with --passphrase-file");
      }
      return derived(scrypted(passphrase, head), head);
    case KIND.recipient: {
      if (identity === undefined) {
        throw new SealBroken("it is sealed for the owner of a key; name the file of the private key with --identity");
      }
      const publicKey = createPublicKey({
        key: Buffer.concat([SPKI_PREFIX, head.subarray(MAGIC.length + 1)]),
        format: "der",
        type: "spki",
      });
      return derived(sharedWith(identity, publicKey), Buffer.concat([head, rawOf(createPublicKey(identity))]));
    }
    default:
      throw new SealBroken("it is sealed in a way that this version of bourse does not know");
  }
}

/** A point of small order in the place of a key gives no secret. */
function sharedWith(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey });
  } catch (cause) {
    throw new SealBroken("its head is not what was written", { cause });
  }
}

function headOf(kind: number, salt: Buffer): Buffer {
  return Buffer.concat([Buffer.from(MAGIC, "latin1"), Buffer.from([kind]), salt]);
}

function scrypted(passphrase: string, head: Buffer): Buffer {
  return scryptSync(passphrase.normalize("NFC"), head.subarray(MAGIC.length + 1), KEY_BYTES, SCRYPT);
}

function derived(secret: Buffer, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, INFO, KEY_BYTES));
}

function rawOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: "der", type: "spki" }).subarray(SPKI_PREFIX.length);
}

function nonceOf(number: bigint, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(number, NONCE_BYTES - 9);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
