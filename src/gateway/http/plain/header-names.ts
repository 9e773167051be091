/**
 * Names of headers, from the text of a request to the one string that stands for each. All clients of a venue spell
 * them in a few dozen ways, which are recognized where they stand: to cut a name out, turn it into lower case and look
 * it up takes longer than all else that is done with it.
 */

/** A way to spell a name. */
export interface Spelling {
  readonly bytes: Uint8Array;
  /** In lower case, as V8 keeps names of properties: two of them are compared by where they lie. */
  readonly name: string;
  /** A request with such a header may be plain. */
  readonly isPlain: boolean;
}

/** Headers that make a request another than it looks, or its connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  "transfer-encoding",
  // Node's parser takes it for Connection.
  "proxy-connection",
  "upgrade",
  "expect",
  "trailer",
  "te",
  "http2-settings",
]);

/**
 * Each place keeps the last spelling that fell into it, so that strangers who think names up cost time and no memory.
 */
const PLACES = 512;
/** Longer ones are not kept. */
const KEPT_BYTES_MAX = 64;
const kept: (Spelling | undefined)[] = new Array(PLACES).fill(undefined);

/** Returns the spelling of the Latin-1 bytes of `piece` from `from` up to `to`. */
export function spellingOf(piece: Uint8Array, from: number, to: number): Spelling {
  let mixed = to - from;
  for (let at = from; at < to; at++) mixed = Math.imul(mixed ^ (piece[at] as number), 0x01000193);
  const place = (mixed ^ (mixed >>> 15)) & (PLACES - 1);
  const known = kept[place];
  if (known !== undefined && isSpelled(known.bytes, piece, from, to)) return known;
  const spelling = spell(new Uint8Array(piece.subarray(from, to)));
  if (to - from <= KEPT_BYTES_MAX) kept[place] = spelling;
  return spelling;
}

function isSpelled(known: Uint8Array, piece: Uint8Array, from: number, to: number): boolean {
  if (known.length !== to - from) return false;
  for (let at = 0; at < known.length; at++) if (known[at] !== piece[from + at]) return false;
  return true;
}

function spell(bytes: Uint8Array): Spelling {
  const name = asKey(Buffer.from(bytes).toString("latin1").toLowerCase());
  // What every object has is no name of a header for Node, either.
  return { bytes, name, isPlain: !NOT_PLAIN.has(name) && !(name in Object.prototype) };
}

/** The text as V8 keeps names of properties: each of them is one string. */
export function asKey(text: string): string {
  return Object.keys({ [text]: undefined })[0] as string;
}
