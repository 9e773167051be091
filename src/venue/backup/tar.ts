/**
 * Files in one: the ustar form (POSIX.1-1988), which every `tar` unpacks. Sizes above 8 GiB are written as GNU tar writes
 * them. Written and read piece by piece, whatever the size.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const BLOCK = 512;
const PIECE_BYTES = 1024 * 1024;
const OCTAL_MAX = 8 ** 11 - 1;

const NAME_AT = 0;
const NAME_BYTES = 100;
const MODE_AT = 100;
const SIZE_AT = 124;
const SIZE_BYTES = 12;
const TIME_AT = 136;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;
const MAGIC_AT = 257;

/** What a file in a tar was when it was written. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its content, 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Appends files to a descriptor that is open for writing. */
export class TarWriter {
  readonly #descriptor: number;
  readonly #timeMs: number;

  /** `timeMs` is the time that all its files carry. */
  constructor(descriptor: number, timeMs: number) {
    this.#descriptor = descriptor;
    this.#timeMs = timeMs;
  }

  addFile(name: string, path: string): TarEntry {
    const source = openSync(path, "r");
    try {
      return this.#add(name, fstatSync(source).size, piecesOf(source));
    } finally {
      closeSync(source);
    }
  }

  addText(name: string, text: string): TarEntry {
    const bytes = Buffer.from(text);
    return this.#add(name, bytes.length, [bytes]);
  }

  end(): void {
    writeAll(this.#descriptor, Buffer.alloc(2 * BLOCK));
  }

  #add(name: string, bytes: number, pieces: Iterable<Uint8Array>): TarEntry {
    writeAll(this.#descriptor, headerOf(name, bytes, this.#timeMs));
    const hash = createHash("sha256");
    let left = bytes;
    for (const piece of pieces) {
      // A file that grows meanwhile is taken at the size it had.
      const taken = piece.subarray(0, left);
      hash.update(taken);
      writeAll(this.#descriptor, taken);
      left -= taken.length;
      if (left === 0) break;
    }
    if (left > 0) throw new Error(`The file ${name} became shorter while it was read.`);
    writeAll(this.#descriptor, Buffer.alloc(paddingOf(bytes)));
    return { name, bytes, sha256: hash.digest("hex") };
  }
}

/** What is wrong with a tar, as a clause. */
export class TarBroken extends Error {}

/**
 * The files of a tar in order, each with its content as pieces, which must be taken before the next file is asked for. Throws
 * TarBroken where it is none, or ends too soon.
 */
export function* readTar(path: string): Generator<{ name: string; bytes: number; pieces: Iterable<Uint8Array> }> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    let at = 0;
    for (;;) {
      const header = Buffer.alloc(BLOCK);
      if (readSync(descriptor, header, 0, BLOCK, at) < BLOCK) throw new TarBroken("it ends in the middle");
      if (header.every((byte) => byte === 0)) return;
      const { name, bytes } = readHeader(header);
      const from = at + BLOCK;
      at = from + bytes + paddingOf(bytes);
      if (at > size) throw new TarBroken("it ends in the middle");
      yield { name, bytes, pieces: piecesOf(descriptor, from, bytes) };
    }
  } finally {
    closeSync(descriptor);
  }
}

function headerOf(name: string, bytes: number, timeMs: number): Buffer {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`The name ${name} is too long for a tar.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, NAME_AT);
  // Mode, user and group: private to root, whoever unpacks it.
  header.write("0000600\0" + "0000000\0" + "0000000\0", MODE_AT);
  if (bytes <= OCTAL_MAX) header.write(`${octal(bytes, SIZE_BYTES - 1)}\0`, SIZE_AT);
  else {
    header.writeUInt8(0x80, SIZE_AT);
    header.writeBigUInt64BE(BigInt(bytes), SIZE_AT + SIZE_BYTES - 8);
  }
  header.write(`${octal(Math.floor(timeMs / 1_000), 11)}\0`, TIME_AT);
  header.write("0", TYPE_AT);
  header.write("ustar\0" + "00", MAGIC_AT);
  header.write(`${octal(checksumOf(header), 6)}\0 `, CHECKSUM_AT);
  return header;
}

function readHeader(header: Buffer): { name: string; bytes: number } {
  const stated = Number.parseInt(header.toString("latin1", CHECKSUM_AT, CHECKSUM_AT + 7), 8);
  if (header.toString("latin1", MAGIC_AT, MAGIC_AT + 5) !== "ustar") throw new TarBroken("it is no backup of bourse");
  if (stated !== checksumOf(header)) throw new TarBroken("one of its headers is damaged");
  const end = header.indexOf(0, NAME_AT);
  const name = header.toString("utf8", NAME_AT, Math.min(end, NAME_BYTES));
  const isBinary = header.readUInt8(SIZE_AT) === 0x80;
  const bytes = isBinary
    ? Number(header.readBigUInt64BE(SIZE_AT + SIZE_BYTES - 8))
    : Number.parseInt(header.toString("latin1", SIZE_AT, SIZE_AT + SIZE_BYTES - 1), 8);
  if (!Number.isSafeInteger(bytes)) throw new TarBroken("one of its headers is damaged");
  return { name, bytes };
}

/** Sum of all bytes, those of the checksum itself taken as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= CHECKSUM_AT && at < TYPE_AT ? 32 : byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function paddingOf(bytes: number): number {
  return (BLOCK - (bytes % BLOCK)) % BLOCK;
}

/** `bytes` from `from` on, or up to the end. Each piece is good until the next is asked for. */
function* piecesOf(descriptor: number, from = 0, bytes = Number.MAX_SAFE_INTEGER): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let at = from;
  let left = bytes;
  while (left > 0) {
    const read = readSync(descriptor, piece, 0, Math.min(PIECE_BYTES, left), at);
    if (read === 0) return;
    at += read;
    left -= read;
    yield piece.subarray(0, read);
  }
}

/** A disk may take less than it is given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at);
}
