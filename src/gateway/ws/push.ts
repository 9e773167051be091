/**
 * A message that the venue sends over a socket: one JSON object as one frame. The current generation reads binary
 * frames that hold one gzip member each, the legacy one text. It is framed once, when the first connection needs it,
 * and the bytes are shared by all.
 */
import { crc32, gzipSync } from "node:zlib";

/**
 * Below this, compressing costs more than it saves: setting up the compressor takes some 12 µs, for a quarter of 200
 * bytes. Such a text goes into its gzip member as it is, in one stored block.
 */
const STORED_BYTES_MAX = 200;

/**
 * The same bound for what one account alone is told. Nobody shares the price of compressing it there, which is ten
 * times that of making the push, and it would save a few hundred bytes. Orders, deals and balances stay below.
 */
export const OWN_STORED_BYTES_MAX = 1_024;

/**
 * A small window is set up quicker and holds most pushes whole; level 1 loses a few percent to level 6 on such texts.
 */
const GZIP = { level: 1, windowBits: 13, memLevel: 6, chunkSize: 4_096 } as const;

/** Makes the whole frame of a text. */
export type Framing = (text: Buffer) => Buffer;

/** Compressed where that saves anything. */
export const PACKED: Framing = (text) => (text.length <= STORED_BYTES_MAX ? storedFrame(text) : packedFrame(text));

/** The same of what one account alone is told. */
export const OWN_PACKED: Framing = (text) =>
  text.length <= OWN_STORED_BYTES_MAX ? storedFrame(text) : packedFrame(text);

/** As it is, in a text frame. */
export const PLAIN: Framing = (text) => framed(TEXT_FRAME, text);

export class Push {
  readonly json: string;
  /** Whether a channel tells it. */
  readonly isNews: boolean;
  readonly #framing: Framing;
  #frame: Buffer | undefined;

  constructor(json: string, framing = PACKED, isNews = false) {
    this.json = json;
    this.isNews = isNews;
    this.#framing = framing;
  }

  /**
   * The same with a number. Few are told the same under the same number, so it is compressed as what one account alone
   * is told.
   */
  numbered(seq: number): Push {
    return new Push(`{"seq":${seq},${this.json.slice(1)}`, OWN_PACKED);
  }

  /** The frame as it goes to the socket. Shared: not to be written to. */
  get frame(): Buffer {
    this.#frame ??= this.#framing(Buffer.from(this.json));
    return this.#frame;
  }
}

/**
 * An update of a channel, in the form of a generation; `data` is what it tells, as JSON, `isOwn` that one account alone
 * is told.
 */
export type PushForm = (method: string, data: string, isOwn: boolean) => Push;

/** First byte of a frame that is a whole message. */
const TEXT_FRAME = 0x81;
const BINARY_FRAME = 0x82;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

function packedFrame(text: Buffer): Buffer {
  return framed(BINARY_FRAME, gzipSync(text, GZIP));
}

function framed(kind: number, payload: Buffer): Buffer {
  const { length } = payload;
  const frame = Buffer.allocUnsafe(headBytes(length) + length);
  payload.copy(frame, writeHead(frame, kind, length));
  return frame;
}

/** RFC 6455: a whole message in one frame, which servers send unmasked. */
function headBytes(length: number): number {
  return length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10;
}

/** Where the payload goes on. */
function writeHead(frame: Buffer, kind: number, length: number): number {
  frame[0] = kind;
  if (length < LENGTH_16) {
    frame[1] = length;
    return 2;
  }
  if (length < 65_536) {
    frame[1] = LENGTH_16;
    return frame.writeUInt16BE(length, 2);
  }
  frame[1] = LENGTH_64;
  return frame.writeBigUInt64BE(BigInt(length), 2);
}

/** RFC 1952: no time, no name, an unknown system. Then RFC 1951: the last block, and a stored one. */
const STORED_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1]);
const LENGTHS_BYTES = 4;
const GZIP_TAIL_BYTES = 8;

/**
 * The text in one stored block, which RFC 1951 has for what would not get smaller. Written where it stays: nothing is
 * copied twice.
 */
function storedFrame(text: Buffer): Buffer {
  const { length } = text;
  const payloadBytes = STORED_HEAD.length + LENGTHS_BYTES + length + GZIP_TAIL_BYTES;
  const frame = Buffer.allocUnsafe(headBytes(payloadBytes) + payloadBytes);
  let at = writeHead(frame, BINARY_FRAME, payloadBytes);
  at += STORED_HEAD.copy(frame, at);
  at = frame.writeUInt16LE(length, at);
  at = frame.writeUInt16LE(length ^ 0xffff, at);
  at += text.copy(frame, at);
  at = frame.writeUInt32LE(crc32(text), at);
  frame.writeUInt32LE(length, at);
  return frame;
}
