/**
 * Frames that nodes say to each other and put into the store: a head of JSON, and bytes behind it, sealed under the
 * venue's key.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** Of what is written; a node reads no other one. */
export const PROTOCOL_VERSION = 1;

const MAC_BYTES = 32;
const KEY_BYTES = 32;
/** The version, and the MAC over all that follows and over where it stands. */
const SEAL_BYTES = 1 + MAC_BYTES;
/** The length of the head, little-endian. */
const LENGTH_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING = new Uint8Array(0);

/** A frame is not what a node of this venue writes. */
export class BadFrame extends Error {
  readonly code = "BAD_FRAME";

  constructor(reason: string, options?: ErrorOptions) {
    super(`What stands there cannot be read: ${reason}.`, options);
    this.name = "BadFrame";
  }
}

export interface Frame {
  readonly head: unknown;
  /** A copy, which begins its own buffer. */
  readonly body: Uint8Array;
}

/** Seals frames for one place each, which is part of what is sealed: nothing can be taken from one place to another. */
export class Sealer {
  readonly #key: Buffer;

  /** `secret` is the venue's; all nodes have the same. */
  constructor(secret: Uint8Array) {
    this.#key = Buffer.from(hkdfSync("sha256", secret, "", "bourse frames of several nodes", KEY_BYTES));
  }

  seal(place: string, head: object, body: Uint8Array = NOTHING): Uint8Array {
    const text = encoder.encode(JSON.stringify(head));
    const bytes = new Uint8Array(SEAL_BYTES + LENGTH_BYTES + text.length + body.length);
    bytes[0] = PROTOCOL_VERSION;
    new DataView(bytes.buffer).setUint32(SEAL_BYTES, text.length, true);
    bytes.set(text, SEAL_BYTES + LENGTH_BYTES);
    bytes.set(body, SEAL_BYTES + LENGTH_BYTES + text.length);
    bytes.set(this.#macOf(place, bytes.subarray(SEAL_BYTES)), 1);
    return bytes;
  }

  /** Throws BadFrame. */
  open(place: string, bytes: Uint8Array): Frame {
    if (bytes.length < SEAL_BYTES + LENGTH_BYTES) throw new BadFrame(`it has ${bytes.length} bytes`);
    if (bytes[0] !== PROTOCOL_VERSION) {
      const words =
        `it is of version ${bytes[0]} of the nodes' protocol, ` + `and this program knows version ${PROTOCOL_VERSION}`;
      throw new BadFrame(words);
    }
    const sealed = bytes.subarray(SEAL_BYTES);
    if (!timingSafeEqual(this.#macOf(place, sealed), bytes.subarray(1, SEAL_BYTES))) {
      throw new BadFrame("it was not sealed there under this venue's key (setting secret-key)");
    }
    const length = new DataView(sealed.buffer, sealed.byteOffset, LENGTH_BYTES).getUint32(0, true);
    const bodyAt = LENGTH_BYTES + length;
    if (bodyAt > sealed.length) throw new BadFrame("it ends within its head");
    try {
      const head: unknown = JSON.parse(decoder.decode(sealed.subarray(LENGTH_BYTES, bodyAt)));
      // Not by slice: of a Buffer, which is what a socket gives, that is no copy.
      return { head, body: new Uint8Array(sealed.subarray(bodyAt)) };
    } catch (cause) {
      throw new BadFrame((cause as Error).message, { cause });
    }
  }

  #macOf(place: string, sealed: Uint8Array): Buffer {
    return createHmac("sha256", this.#key).update(`${PROTOCOL_VERSION} ${place}\n`).update(sealed).digest();
  }
}
