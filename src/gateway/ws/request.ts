/**
 * Reads the messages that come in over a socket: `{"id":1,"method":"state.subscribe","params":{…}}`, as text or in a
 * binary frame.
 */
import { gunzipSync } from "node:zlib";
import { Refused } from "../refused.ts";
import { LongNumber, parseJsonBody } from "../request/json-body.ts";
import type { Params } from "../request/validate.ts";

export interface SocketRequest {
  /** As it is repeated in the answer: JSON. */
  readonly id: string;
  readonly method: string;
  readonly params: GivenParams;
}

/** Parameters as they came: the current generation has them by name, the legacy one as a list. */
export type GivenParams = Params | readonly unknown[];

/** Stands for the id of what has none that can be read. */
export const NO_ID = "null";

/** The readable part of a message: a whole request, or only its id, or neither (the id is then NO_ID). */
export type ReadRequest = SocketRequest | { readonly id: string; readonly method?: undefined };

/** Reads a message; a binary one may be compressed, to at most `bytesMax` when it is whole. */
export function readRequest(message: Buffer, isBinary: boolean, bytesMax: number): ReadRequest {
  const { id, method, given } = readHead(message, isBinary, bytesMax);
  if (method === undefined) return { id };
  const params = isNothing(given) ? {} : given;
  if (typeof params !== "object" || Array.isArray(params) || params instanceof LongNumber) return { id };
  return { id, method, params: params as Params };
}

/** The same where parameters are a list; none may be left out. */
export function readListRequest(message: Buffer, isBinary: boolean, bytesMax: number): ReadRequest {
  const { id, method, given = [] } = readHead(message, isBinary, bytesMax);
  return method !== undefined && Array.isArray(given) ? { id, method, params: given } : { id };
}

interface Head {
  readonly id: string;
  readonly method?: string;
  /** The value of `params`; undefined when there is none or it is null. */
  readonly given?: unknown;
}

function readHead(message: Buffer, isBinary: boolean, bytesMax: number): Head {
  const text = isBinary ? plainBytes(message, bytesMax) : message;
  const values = text === undefined ? undefined : parseJsonBody(text);
  if (values === undefined || values instanceof Refused) return { id: NO_ID };
  const id = idText(values.id);
  if (id === undefined || typeof values.method !== "string") return { id: NO_ID };
  return { id, method: values.method, given: values.params ?? undefined };
}

/** No parameters: some clients write them as an empty list. */
function isNothing(params: unknown): params is undefined | [] {
  return params === undefined || (Array.isArray(params) && params.length === 0);
}

/** A whole number, however long. */
function idText(id: unknown): string | undefined {
  if (typeof id === "number") return Number.isSafeInteger(id) ? String(id) : undefined;
  return id instanceof LongNumber && /^-?[0-9]{1,20}$/.test(id.text) ? id.text : undefined;
}

/**
 * Returns the size in bytes of a whole message. The end of a compressed message states its unpacked size, and unpacking
 * is limited to that. Never less than the size as received.
 */
export function wholeBytes(message: Buffer, isBinary: boolean): number {
  if (!isBinary || !isCompressed(message)) return message.length;
  return Math.max(message.length, message.readUInt32LE(message.length - SIZE_BYTES));
}

/** The id of a message that is not worth reading, where it stands in front; else none. */
export function idInFront(message: Buffer): string {
  return /^\s*\{\s*"id"\s*:\s*(-?[0-9]{1,20})\s*,/.exec(message.toString("latin1", 0, FRONT_BYTES))?.[1] ?? NO_ID;
}

const FRONT_BYTES = 64;

const GZIP_MAGIC = 0x1f8b;
/** A gzip member ends with the size of what is in it. */
const SIZE_BYTES = 4;

function isCompressed(message: Buffer): boolean {
  return message.length >= 2 + SIZE_BYTES && message.readUInt16BE(0) === GZIP_MAGIC;
}

function plainBytes(message: Buffer, bytesMax: number): Buffer | undefined {
  if (!isCompressed(message)) return message;
  const bytes = wholeBytes(message, true);
  if (bytes > bytesMax) return undefined;
  try {
    return gunzipSync(message, { maxOutputLength: bytes });
  } catch {
    return undefined;
  }
}
