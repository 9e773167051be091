/**
 * Reads the requests that nearly all clients send nearly always: whole in one piece, in the one way to write them that nobody can
 * read differently. Whatever is not plain in this sense is none of its business: Node's parser reads it, and refuses it where it is wrong.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isHost } from "../form.ts";

/** A plain request: where its body begins and ends in the piece that it came in. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly bodyFrom: number;
  /** Where the next request begins. */
  readonly end: number;
}

export interface PlainBounds {
  readonly headBytesMax: number;
  readonly headersMax: number;
  readonly bodyBytesMax: number;
}

const METHODS = ["GET", "POST", "DELETE", "PUT"].map((method) => ({ method, start: `${method} ` }));
const VERSION = " HTTP/1.1\r\n";

/** Headers that make a request another than it looks, or its connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  "transfer-encoding",
  "upgrade",
  "expect",
  "trailer",
  "te",
  "http2-settings",
]);

/** Digits of a length; more is no body that would be taken. */
const LENGTH = /^(?:0|[1-9][0-9]{0,6})$/;

/**
 * The plain request that begins at `from`, which is the start of a piece or the end of the request before; undefined when what stands there
 * is not plain, or not whole. `text` is the piece as Latin-1.
 */
export function plainRequestAt(text: string, from: number, bounds: PlainBounds): PlainRequest | undefined {
  const word = METHODS.find(({ start }) => text.startsWith(start, from));
  if (word === undefined) return undefined;
  const targetFrom = from + word.start.length;
  const targetEnd = endOfTarget(text, targetFrom);
  if (targetEnd === targetFrom || !text.startsWith(VERSION, targetEnd)) return undefined;
  const headers: Record<string, string> = {};
  let at = targetEnd + VERSION.length;
  for (let count = 0; text.charCodeAt(at) !== CARRIAGE_RETURN; count++) {
    const colon = endOfName(text, at);
    if (count === bounds.headersMax || colon === at || text.charCodeAt(colon) !== COLON) return undefined;
    const valueFrom = text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const valueEnd = endOfValue(text, valueFrom);
    if (!isLineEnd(text, valueEnd) || isPadded(text, valueFrom, valueEnd)) return undefined;
    const name = keyOf(text.slice(at, colon));
    // A name that comes twice, or that every object has.
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return undefined;
    headers[name] = text.slice(valueFrom, valueEnd);
    at = valueEnd + 2;
  }
  const bodyFrom = at + 2;
  if (!isLineEnd(text, at) || bodyFrom - from > bounds.headBytesMax) return undefined;
  const { host, connection, "content-length": length } = headers;
  if (host === undefined || !isHost(host)) return undefined;
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return undefined;
  if (length !== undefined && !LENGTH.test(length)) return undefined;
  const bytes = Number(length ?? 0);
  if (bytes > bounds.bodyBytesMax || bodyFrom + bytes > text.length) return undefined;
  const url = text.slice(targetFrom, targetEnd);
  return { method: word.method, url, headers, bodyFrom, end: bodyFrom + bytes };
}

const COLON = 0x3a;
const SLASH = 0x2f;
const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** What a character may stand in. */
const IN_NAME = 1;
const IN_TARGET = 2;
const IN_VALUE = 4;
const PLACES = placesOfCharacters();

function placesOfCharacters(): Uint8Array {
  const places = new Uint8Array(256);
  const allow = (characters: string, place: number) => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      places[code] = (places[code] as number) | place;
    }
  };
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  // A token of RFC 9110, 5.6.2.
  allow(`${letters}!#$%&'*+-.^_\`|~`, IN_NAME);
  // What RFC 3986 lets stand in a path and a query. Some send more, which Node judges.
  allow(`${letters}-._~!$&'()*+,;=:@/?%`, IN_TARGET);
  for (let code = SPACE; code < 0x7f; code++) places[code] = (places[code] as number) | IN_VALUE;
  return places;
}

/** Where what may stand in such a place ends. */
function endOf(place: number, text: string, from: number): number {
  let at = from;
  // Past the end of the text there is no code, and so no place.
  while (((PLACES[text.charCodeAt(at)] as number) & place) !== 0) at++;
  return at;
}

/** A target is a path; else it ends where it begins. */
function endOfTarget(text: string, from: number): number {
  return text.charCodeAt(from) === SLASH ? endOf(IN_TARGET, text, from) : from;
}

function endOfName(text: string, from: number): number {
  return endOf(IN_NAME, text, from);
}

function endOfValue(text: string, from: number): number {
  return endOf(IN_VALUE, text, from);
}

function isLineEnd(text: string, at: number): boolean {
  return text.charCodeAt(at) === CARRIAGE_RETURN && text.charCodeAt(at + 1) === LINE_FEED;
}

/** Spaces around a value do not count, and are left to who takes them away. */
function isPadded(text: string, from: number, end: number): boolean {
  return end > from && (text.charCodeAt(from) === SPACE || text.charCodeAt(end - 1) === SPACE);
}

/** Spellings that are remembered: those of all clients of a venue are a few dozen. A stranger may send any; then it begins anew. */
const KEYS_MAX = 256;
const KEY_CHARS_MAX = 64;
const keys = new Map<string, string>();

/**
 * The name in lower case, as V8 keeps names of properties: any other text would be sought among all of them each time that something is
 * read or set by it.
 */
function keyOf(name: string): string {
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = Object.keys({ [name.toLowerCase()]: undefined })[0] as string;
  if (name.length > KEY_CHARS_MAX) return key;
  if (keys.size >= KEYS_MAX) keys.clear();
  // A copy: V8 keeps a part of a text by keeping the whole.
  keys.set(Buffer.from(name, "latin1").toString("latin1"), key);
  return key;
}
