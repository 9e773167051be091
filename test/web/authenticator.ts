/**
 * A device that makes passkeys, written from WebAuthn (level 2, 6.5 and 7) and RFC 8949: what a browser and its
 * authenticator would answer.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export class Authenticator {
  readonly id = randomBytes(16);
  counter: number;
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  /** One whose counter starts at 0 and is `counts: false` never counts, as passkeys that live on several devices do. */
  constructor(origin: string, counter = 1) {
    this.#origin = origin;
    this.counter = counter;
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** What `navigator.credentials.create` gives, as `toJSON` writes it. */
  create({ challenge, rp }: CreationOptions, attStmt: Cbor = new Map(), fmt = "none"): object {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    const key = cbor(
      new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const head = authenticatorData(rp.id ?? "", USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, this.counter);
    const authData = Buffer.concat([head, Buffer.alloc(16), length, this.id, key]);
    const attestation = cbor(
      new Map<Cbor, Cbor>([
        ["fmt", fmt],
        ["attStmt", attStmt],
        ["authData", authData],
      ]),
    );
    return this.#credential({
      clientDataJSON: this.#clientData("webauthn.create", challenge).toString("base64url"),
      attestationObject: attestation.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** What `navigator.credentials.get` gives. */
  get({ challenge, rpId = "" }: RequestOptions, more: { origin?: string; verified?: boolean } = {}): object {
    const flags = USER_PRESENT | (more.verified === false ? 0 : USER_VERIFIED);
    if (this.counter > 0) this.counter++;
    const authData = authenticatorData(rpId, flags, this.counter);
    const clientData = this.#clientData("webauthn.get", challenge, more.origin);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    return this.#credential({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", signed, this.#privateKey).toString("base64url"),
    });
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #credential(response: object): object {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash("sha256").update(rpId).digest(), tail]);
}

type Cbor = number | string | Buffer | Cbor[] | Map<Cbor, Cbor>;

/** As much of CBOR as is needed. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 255]);
}
