/**
 * Files in one: the ustar form (POSIX.1-1988), which every `tar` unpacks. Sizes above 8 GiB are written as GNU tar
 * writes them. Written and read piece by piece, whatever the size.
 */
import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";

const BLOCK = 512;
const PIECE_BYTES = 1024 * 1024;
const OCTAL_MAX = 8 ** 11 - 1;
/** A backup has a dozen. */
const FILES_MAX = 64;
/** As files of a venue are called: none of them leads anywhere else. */
const NAME = /^[a-z][a-z0-9.-]*$/;

const NAME_AT = 0;
const NAME_BYTES = 100;
const MODE_AT = 100;
const SIZE_AT = 124;
const SIZE_BYTES = 12;
const TIME_AT = 136;
const CHECKSUM_AT = 148;
const TYPE_AT = 156;
const MAGIC_AT = 257;

/** A file in a tar, as it was when it was written. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256 of its content, 64 hexadecimal digits. */
  readonly sha256: string;
}

/** Gives what is next: so many bytes, fewer where it ends. */
export interface Source {
  read(bytes: number): Uint8Array;
}

/** Writes files one behind the other. */
export class TarWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #timeMs: number;

  /** `timeMs` is the time that all its files carry. */
  constructor(write: (bytes: Uint8Array) => void, timeMs: number) {
    this.#write = write;
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
    this.#write(Buffer.alloc(2 * BLOCK));
  }

  #add(name: string, bytes: number, pieces: Iterable<Uint8Array>): TarEntry {
    this.#write(headerOf(name, bytes, this.#timeMs));
    const hash = createHash("sha256");
    let left = bytes;
    for (const piece of pieces) {
      // A file that grows meanwhile is taken at the size it had.
      const taken = piece.subarray(0, left);
      hash.update(taken);
      this.#write(taken);
      left -= taken.length;
      if (left === 0) break;
    }
    if (left > 0) throw new Error(`The file ${name} became shorter while it was read.`);
    this.#write(Buffer.alloc(paddingOf(bytes)));
    return { name, bytes, sha256: hash.digest("hex") };
  }
}

/** A fault of a tar; the message is a clause. */
export class TarBroken extends Error {}

/**
 * The files of a tar in order, each with its content as pieces, which must be taken before the next file is asked for.
 * Throws TarBroken where it is none, ends too soon, or holds what no backup of ours does: links, folders, other names,
 * or too many.
 */
export function* readTar(source: Source): Generator<{ name: string; bytes: number; pieces: Iterable<Uint8Array> }> {
  const names = new Set<string>();
  for (;;) {
    const header = Buffer.from(source.read(BLOCK));
    if (header.length < BLOCK) throw new TarBroken("it ends in the middle");
    if (header.every((byte) => byte === 0)) return;
    const { name, bytes } = readHeader(header);
    if (names.has(name)) throw new TarBroken(`it holds ${name} twice`);
    names.add(name);
    if (names.size > FILES_MAX) throw new TarBroken(`it holds more than ${FILES_MAX} files`);
    let left = bytes;
    const take = function* () {
      while (left > 0) {
        const piece = source.read(Math.min(PIECE_BYTES, left));
        if (piece.length === 0) throw new TarBroken("it ends in the middle");
        left -= piece.length;
        yield piece;
      }
    };
    yield { name, bytes, pieces: take() };
    // What nobody took is passed over.
    for (const _ of take());
    if (source.read(paddingOf(bytes)).length < paddingOf(bytes)) throw new TarBroken("it ends in the middle");
  }
}

function headerOf(name: string, bytes: number, timeMs: number): Buffer {
  if (Buffer.byteLength(name) >= NAME_BYTES) throw new Error(`The name ${name} is too long for a tar.`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, NAME_AT);
  // Mode, user and group: private to root, no matter who unpacks it.
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
  // Also what an octal number with a minus, or a binary one with its sign bit, comes to.
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TarBroken("one of its headers is damaged");
  if (!isPlainFile(header.readUInt8(TYPE_AT))) throw new TarBroken("it holds something that is no plain file");
  if (!NAME.test(name)) throw new TarBroken("it holds a file with a name that no backup of bourse has");
  return { name, bytes };
}

/** Neither a link nor a folder, a device, a sparse file or a header of another form. */
function isPlainFile(type: number): boolean {
  return type === 0 || type === 0x30;
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

/** Piece by piece up to the end. Each piece is good until the next is asked for. */
function* piecesOf(descriptor: number): Generator<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(descriptor, piece, 0, PIECE_BYTES, at);
    if (read === 0) return;
    at += read;
    yield piece.subarray(0, read);
  }
}

/** Returns a source that reads a file from its beginning on. */
export function sourceOf(descriptor: number): Source {
  let at = 0;
  return {
    read(bytes) {
      const piece = Buffer.allocUnsafe(bytes);
      let filled = 0;
      while (filled < bytes) {
        const read = readSync(descriptor, piece, filled, bytes - filled, at);
        if (read === 0) break;
        filled += read;
        at += read;
      }
      return piece.subarray(0, filled);
    },
  };
}

/** A disk may take less than it is given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at, bytes.length - at);
}
