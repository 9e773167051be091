/**
 * HMAC-SHA256 (RFC 2104) over a request as it was received, in two one-shot hashes over prepared key blocks: less than
 * half the time of `createHmac` for texts of an order's length (0.9 against 2.4 µs when it was chosen).
 */
import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** A secret made ready for signing. */
export interface SigningKey {
  /** The secret's block mixed with the inner and the outer pad of the HMAC. */
  readonly innerPad: Uint8Array;
  readonly outerPad: Uint8Array;
  readonly secret: Uint8Array;
}

/** The parts of a request that are signed, in this order. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query as received. Each character stands for one byte (Node gives the request target as Latin-1). */
  readonly target: string;
  readonly body: Buffer;
  readonly timestamp: string;
}

/** Prepares a secret. The pads are as sensitive as the secret itself. */
export function signingKeyOf(secretText: string): SigningKey {
  const secret = Buffer.from(secretText, "utf8");
  const block = Buffer.alloc(BLOCK_BYTES);
  if (secret.length > BLOCK_BYTES) block.write(hash("sha256", secret, "latin1"), "latin1");
  else secret.copy(block);
  return { innerPad: block.map((byte) => byte ^ 0x36), outerPad: block.map((byte) => byte ^ 0x5c), secret };
}

/** The signature as lower-case hexadecimal. */
export function hmacHex(key: SigningKey, request: SignedRequest): string {
  const length = writeText(request);
  scratch.set(key.innerPad);
  outer.set(key.outerPad);
  outer.write(hash("sha256", scratch.subarray(0, length), "latin1"), BLOCK_BYTES, "latin1");
  return hash("sha256", outer, "hex");
}

/** The older form that some clients use: one SHA-256 over the text followed by the secret. */
export function plainHashHex(key: SigningKey, request: SignedRequest): string {
  const length = writeText(request, key.secret.length);
  scratch.set(key.secret, length);
  return hash("sha256", scratch.subarray(BLOCK_BYTES, length + key.secret.length), "hex");
}

/** The text that is signed, for people. */
export function signedTextOf(request: SignedRequest): string {
  const target = Buffer.from(request.target, "latin1").toString("utf8");
  return request.method + target + request.body.toString("utf8") + request.timestamp;
}

/** Characters that have a meaning of their own in a query: `&`, `=`, `+` and `%`, encoded. */
const ENCODED_MARK = /%(?:26|3D|2B|25)/i;

/**
 * The target with its query percent-decoded once; undefined when that changes nothing, cannot be done, or would turn
 * part of a name or value into a mark of the query: the signature of one query must not hold for another that asks
 * something else.
 */
export function decodedTarget(target: string): string | undefined {
  const mark = target.indexOf("?");
  if (mark < 0 || target.indexOf("%", mark) < 0 || ENCODED_MARK.test(target)) return undefined;
  try {
    const query = decodeURIComponent(target.slice(mark));
    return target.slice(0, mark) + Buffer.from(query, "utf8").toString("latin1");
  } catch {
    return undefined;
  }
}

/** Enough for nearly every request; larger ones grow it up to what the body limit allows. */
let scratch = Buffer.alloc(8_192);
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);

/** Writes the signed text behind room for one block, with `spareBytes` of room after it; returns where it ends. */
function writeText(request: SignedRequest, spareBytes = 0): number {
  const { method, target, body, timestamp } = request;
  const bodyAt = BLOCK_BYTES + method.length + target.length;
  const timestampAt = bodyAt + body.length;
  const end = timestampAt + timestamp.length;
  if (end + spareBytes > scratch.length) scratch = Buffer.alloc(end + spareBytes);
  scratch.write(method, BLOCK_BYTES, "latin1");
  scratch.write(target, BLOCK_BYTES + method.length, "latin1");
  scratch.set(body, bodyAt);
  scratch.write(timestamp, timestampAt, "latin1");
  return end;
}
