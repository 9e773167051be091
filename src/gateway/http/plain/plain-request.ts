/**
 * Reads the requests that nearly all clients send nearly always: whole in one piece, in the one way to write them that
 * nobody can read differently. Whatever is not plain in this sense is none of its business: Node's parser reads it, and
 * refuses it where it is wrong.
 */
import { numberOfPlainDigits } from "../../request/digits.ts";
import { isHost } from "../form.ts";
import type { RequestHead } from "../request-context.ts";
import { spellingOf } from "./header-names.ts";

/** A plain request: where its body begins and ends in the piece that it came in. */
export class PlainRequest implements RequestHead {
  readonly method: string;
  readonly url: string;
  /** Its headers, each once: names in lower case as header-names.ts gives them, and what stands there. */
  readonly names: readonly string[];
  readonly values: readonly string[];
  readonly bodyFrom: number;
  /** Where the next request begins. */
  readonly end: number;

  constructor(
    method: string,
    url: string,
    names: readonly string[],
    values: readonly string[],
    bodyFrom: number,
    end: number,
  ) {
    this.method = method;
    this.url = url;
    this.names = names;
    this.values = values;
    this.bodyFrom = bodyFrom;
    this.end = end;
  }

  header(name: string): string | undefined {
    return valueIn(this.names, this.values, name);
  }
}

export interface PlainBounds {
  readonly headBytesMax: number;
  readonly headersMax: number;
  readonly bodyBytesMax: number;
}

const METHODS = ["GET", "POST", "DELETE", "PUT"].map((method) => ({ method, start: `${method} ` }));
const VERSION = " HTTP/1.1\r\n";

/** Digits of a length; more is no body that would be taken. */
const LENGTH_DIGITS = 7;

/**
 * The plain request that begins at `from`, which is the start of a piece or the end of the request before; undefined
 * when what stands there is not plain, or not whole. `text` is the piece as Latin-1, or its beginning: a head that goes
 * beyond it is not read rightly. What is looked at one by one is bytes: a character of a text takes V8 three times as
 * long to find.
 */
export function plainRequestAt(
  piece: Uint8Array,
  text: string,
  from: number,
  bounds: PlainBounds,
): PlainRequest | undefined {
  const word = METHODS.find(({ start }) => text.startsWith(start, from));
  if (word === undefined) return undefined;
  const targetFrom = from + word.start.length;
  // A target is a path.
  const targetEnd = piece[targetFrom] === SLASH ? endOf(IN_TARGET, piece, targetFrom) : targetFrom;
  if (targetEnd === targetFrom || !text.startsWith(VERSION, targetEnd)) return undefined;
  const names: string[] = [];
  const values: string[] = [];
  let at = targetEnd + VERSION.length;
  while (piece[at] !== CARRIAGE_RETURN) {
    const colon = endOf(IN_NAME, piece, at);
    if (names.length === bounds.headersMax || colon === at || piece[colon] !== COLON) return undefined;
    const valueFrom = piece[colon + 1] === SPACE ? colon + 2 : colon + 1;
    const valueEnd = endOf(IN_VALUE, piece, valueFrom);
    if (!isLineEnd(piece, valueEnd) || isPadded(piece, valueFrom, valueEnd)) return undefined;
    const { name, isPlain } = spellingOf(piece, at, colon);
    if (!isPlain || valueIn(names, values, name) !== undefined) return undefined;
    names.push(name);
    values.push(text.slice(valueFrom, valueEnd));
    at = valueEnd + 2;
  }
  const bodyFrom = at + 2;
  if (!isLineEnd(piece, at) || bodyFrom - from > bounds.headBytesMax) return undefined;
  const host = valueIn(names, values, "host");
  if (host === undefined || !isHost(host)) return undefined;
  const connection = valueIn(names, values, "connection");
  if (connection !== undefined && connection.toLowerCase() !== "keep-alive") return undefined;
  const length = valueIn(names, values, "content-length");
  const bytes = length === undefined ? 0 : numberOfPlainDigits(length, LENGTH_DIGITS);
  if (bytes < 0 || bytes > bounds.bodyBytesMax || bodyFrom + bytes > piece.length) return undefined;
  const url = text.slice(targetFrom, targetEnd);
  return new PlainRequest(word.method, url, names, values, bodyFrom, bodyFrom + bytes);
}

/** Names are a few, so that looking at each is faster than an index of them would be. */
function valueIn(names: readonly string[], values: readonly string[], name: string): string | undefined {
  for (let at = 0; at < names.length; at++) if (names[at] === name) return values[at];
  return undefined;
}

const COLON = 0x3a;
const SLASH = 0x2f;
const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** The parts of a request in which a character may be, as bits. */
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
function endOf(place: number, piece: Uint8Array, from: number): number {
  let at = from;
  while (at < piece.length && ((PLACES[piece[at] as number] as number) & place) !== 0) at++;
  return at;
}

function isLineEnd(piece: Uint8Array, at: number): boolean {
  return piece[at] === CARRIAGE_RETURN && piece[at + 1] === LINE_FEED;
}

/** Spaces around a value do not count, and are left to who takes them away. */
function isPadded(piece: Uint8Array, from: number, end: number): boolean {
  return end > from && (piece[from] === SPACE || piece[end - 1] === SPACE);
}
