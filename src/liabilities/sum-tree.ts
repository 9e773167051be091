/**
 * The sum tree of one currency. What an account is owed lies in two leaves of random sizes at random places, so that a
 * leaf tells its neighbour little and nothing of a count fits to the next. Salts, sizes and places follow from a key
 * that only the venue has.
 *
 * Kept are the accounts, the places, and the nodes from the fifth level on: a path makes the sixteen leaves around its
 * own anew, which takes microseconds and spares four fifths of the memory.
 */
import { createCipheriv, hash as hashOnce } from "node:crypto";
import { decimalOf, HASH_BYTES, SALT_BYTES, type SumNode, UNITS_LIMIT } from "../../client/liability-proof.ts";
import { join, leafHash, type ProofLeaf } from "./hashes.ts";

/**
 * Amounts owed of a currency: accounts by ascending id, each once, and their units, above 0 and below 2^63 all
 * together.
 */
export interface Owed {
  readonly accounts: Int32Array<ArrayBuffer>;
  readonly units: BigInt64Array<ArrayBuffer>;
}

/** Leaves of an account. */
export const PIECES = 2;
/** Of a key. */
export const KEY_BYTES = 32;

/** The lowest level whose nodes are kept, and the leaves below one of its nodes. */
const KEPT_LEVEL = 4;
const BLOCK = 2 ** KEPT_LEVEL;
/**
 * Of the stream of an account: a salt for each piece, eight bytes for the sizes, and what fills three blocks of the
 * cipher.
 */
const SEED_BLOCKS = 3;
const CIPHER_BLOCK = 16;
const SEED_BYTES = SEED_BLOCKS * CIPHER_BLOCK;
/** Accounts whose seeds are made at a time. */
const SEEDS_AT_ONCE = 16_384;
/** Where the stream that places come from begins: behind all seeds. */
const PLACES_BLOCK = 2n ** 64n;

/** The kept nodes of a level. */
interface Level {
  readonly hashes: Uint8Array<ArrayBuffer>;
  readonly units: BigInt64Array<ArrayBuffer>;
}

/** The memory of a tree, plain, which a thread can hand to another. */
export interface SumTreeParts extends Owed {
  readonly key: Uint8Array<ArrayBuffer>;
  /** Leaf of a piece, and piece of a leaf; piece p of the account in row r is number 2r + p. */
  readonly places: Uint32Array<ArrayBuffer>;
  readonly pieces: Uint32Array<ArrayBuffer>;
  readonly levels: readonly Level[];
  /** The root. */
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly total: bigint;
}

/** Makes the tree. Throws when there is nothing, or more than the sums can hold. */
export function makeSumTree(owed: Owed, key: Uint8Array<ArrayBuffer>): SumTreeParts {
  const { accounts, units } = owed;
  let total = 0n;
  for (const each of units) total += each;
  if (accounts.length === 0 || total >= UNITS_LIMIT) throw new Error("What is owed of a currency does not fit a tree.");
  const count = accounts.length * PIECES;
  const { places, pieces } = placesOf(count, key);
  let level = leavesOf(owed, key, places);
  const levels: Level[] = [];
  for (let height = 0, size = count; size > 1; height++) {
    if (height >= KEPT_LEVEL) levels.push(level);
    size = Math.ceil(size / 2);
    level = levelAbove(level, size);
  }
  return { accounts, units, key, places, pieces, levels, hash: level.hashes.slice(0, HASH_BYTES), total };
}

/** The leaves of an account with their ways to the root, none where it is owed nothing. */
export function leavesFor(tree: SumTreeParts, accountId: number, precision: number): ProofLeaf[] {
  const row = rowOf(tree.accounts, accountId);
  if (row < 0) return [];
  const seed = seedOf(tree.key, row);
  return [0, 1].map((piece) => {
    const index = tree.places[row * PIECES + piece] as number;
    const units = pieceOf(tree.units[row] as bigint, seed, piece);
    return {
      index,
      amount: decimalOf(units, precision),
      salt: Buffer.from(saltOf(seed, piece)).toString("hex"),
      path: pathOf(tree, index).map((node) => ({
        hash: Buffer.from(node.hash).toString("hex"),
        amount: decimalOf(node.units, precision),
      })),
    };
  });
}

/** The neighbours from a leaf to the root. */
function pathOf(tree: SumTreeParts, index: number): SumNode[] {
  const count = tree.places.length;
  const path: SumNode[] = [];
  const blockFrom = index - (index % BLOCK);
  let block = blockNodes(tree, blockFrom, Math.min(count, blockFrom + BLOCK));
  let place = index;
  let size = count;
  for (let height = 0; size > 1; height++) {
    const beside = place % 2 === 0 ? place + 1 : place - 1;
    if (beside < size) {
      const local = beside - Math.floor(blockFrom / 2 ** height);
      path.push(
        height < KEPT_LEVEL ? (block[local] as SumNode) : nodeOf(tree.levels[height - KEPT_LEVEL] as Level, beside),
      );
    }
    block = pairs(block);
    place = Math.floor(place / 2);
    size = Math.ceil(size / 2);
  }
  return path;
}

function blockNodes({ accounts, units, pieces, key }: SumTreeParts, from: number, to: number): SumNode[] {
  return Array.from({ length: to - from }, (_, each) => {
    const number = pieces[from + each] as number;
    const row = Math.floor(number / PIECES);
    const piece = number % PIECES;
    const seed = seedOf(key, row);
    const its = pieceOf(units[row] as bigint, seed, piece);
    return { hash: leafHash(accounts[row] as number, its, saltOf(seed, piece)), units: its };
  });
}

/** The level above some nodes of which the first is a left one; one without a neighbour moves up. */
function pairs(nodes: readonly SumNode[]): SumNode[] {
  const above: SumNode[] = [];
  for (let at = 0; at < nodes.length; at += 2) {
    const [left, right] = [nodes[at] as SumNode, nodes[at + 1]];
    above.push(right === undefined ? left : join(left, right));
  }
  return above;
}

function nodeOf({ hashes, units }: Level, at: number): SumNode {
  return { hash: hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES), units: units[at] as bigint };
}

/** All leaves, in the order of their places. The same hashes as `leafHash`, without an object for each. */
function leavesOf({ accounts, units }: Owed, key: Uint8Array, places: Uint32Array): Level {
  const level = emptyLevel(places.length);
  const hashes = Buffer.from(level.hashes.buffer);
  const leaf = Buffer.alloc(17 + SALT_BYTES);
  const numbers = new DataView(leaf.buffer, leaf.byteOffset);
  for (let from = 0; from < accounts.length; from += SEEDS_AT_ONCE) {
    const rows = Math.min(SEEDS_AT_ONCE, accounts.length - from);
    const seeds = stream(key, BigInt(from * SEED_BLOCKS), rows * SEED_BYTES);
    for (let each = 0; each < rows; each++) {
      const row = from + each;
      const seed = seeds.subarray(each * SEED_BYTES, (each + 1) * SEED_BYTES);
      numbers.setUint32(5, accounts[row] as number);
      for (let piece = 0; piece < PIECES; piece++) {
        const its = pieceOf(units[row] as bigint, seed, piece);
        numbers.setBigUint64(9, its);
        leaf.set(saltOf(seed, piece), 17);
        const place = places[row * PIECES + piece] as number;
        level.units[place] = its;
        hashInto(hashes, place, leaf);
      }
    }
  }
  return level;
}

/** The same hashes as `join`, without an object for each. */
function levelAbove(below: Level, size: number): Level {
  const level = emptyLevel(size);
  const count = below.units.length;
  const hashes = Buffer.from(level.hashes.buffer);
  const node = Buffer.alloc(1 + 2 * (HASH_BYTES + 8));
  const numbers = new DataView(node.buffer, node.byteOffset);
  node[0] = 1;
  for (let at = 0; at < size; at++) {
    const left = at * 2;
    const right = left + 1;
    const leftUnits = below.units[left] as bigint;
    if (right === count) {
      level.units[at] = leftUnits;
      level.hashes.set(below.hashes.subarray(left * HASH_BYTES, right * HASH_BYTES), at * HASH_BYTES);
      continue;
    }
    const rightUnits = below.units[right] as bigint;
    node.set(below.hashes.subarray(left * HASH_BYTES, right * HASH_BYTES), 1);
    numbers.setBigUint64(33, leftUnits);
    node.set(below.hashes.subarray(right * HASH_BYTES, (right + 1) * HASH_BYTES), 41);
    numbers.setBigUint64(73, rightUnits);
    level.units[at] = leftUnits + rightUnits;
    hashInto(hashes, at, node);
  }
  return level;
}

/**
 * Puts the hash into its place. As a text of Latin letters, a byte each, it costs a third of what a buffer for it
 * would.
 */
function hashInto(hashes: Buffer, place: number, bytes: Uint8Array): void {
  hashes.write(hashOnce("sha256", bytes, "latin1"), place * HASH_BYTES, HASH_BYTES, "latin1");
}

function emptyLevel(size: number): Level {
  return { hashes: new Uint8Array(size * HASH_BYTES), units: new BigInt64Array(size) };
}

/** A random order of so many leaves (Fisher and Yates), and the way back. */
function placesOf(
  count: number,
  key: Uint8Array,
): { places: Uint32Array<ArrayBuffer>; pieces: Uint32Array<ArrayBuffer> } {
  const pieces = new Uint32Array(count).map((_, at) => at);
  const bytes = stream(key, PLACES_BLOCK, count * 8);
  const random = new Uint32Array(bytes.buffer, bytes.byteOffset, count * 2);
  for (let at = count - 1; at > 0; at--) {
    // 53 bits: what a choice is off even is below 2^-20 for any tree.
    const share = ((random[at * 2] as number) * 2_097_152 + ((random[at * 2 + 1] as number) >>> 11)) / 2 ** 53;
    const other = Math.floor(share * (at + 1));
    const its = pieces[at] as number;
    pieces[at] = pieces[other] as number;
    pieces[other] = its;
  }
  const places = new Uint32Array(count);
  for (let place = 0; place < count; place++) places[pieces[place] as number] = place;
  return { places, pieces };
}

function seedOf(key: Uint8Array, row: number): Uint8Array {
  return stream(key, BigInt(row * SEED_BLOCKS), SEED_BYTES);
}

function saltOf(seed: Uint8Array, piece: number): Uint8Array {
  return seed.subarray(piece * SALT_BYTES, (piece + 1) * SALT_BYTES);
}

/** A random part of the units, and the rest. */
function pieceOf(units: bigint, seed: Uint8Array, piece: number): bigint {
  const share = new DataView(seed.buffer, seed.byteOffset).getBigUint64(PIECES * SALT_BYTES);
  const first = (units * share) >> 64n;
  return piece === 0 ? first : units - first;
}

/** Bytes of the key's stream (AES-256 in counter mode), from this block on. */
function stream(key: Uint8Array, fromBlock: bigint, bytes: number): Uint8Array<ArrayBuffer> {
  const counter = Buffer.alloc(CIPHER_BLOCK);
  counter.writeBigUInt64BE(fromBlock >> 64n, 0);
  counter.writeBigUInt64BE(fromBlock & (2n ** 64n - 1n), 8);
  const made = new Uint8Array(bytes);
  made.set(createCipheriv("aes-256-ctr", key, counter).update(made));
  return made;
}

/** The row of an account by halves, or -1. */
function rowOf(accounts: Int32Array, accountId: number): number {
  let low = 0;
  let high = accounts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((accounts[middle] as number) < accountId) low = middle + 1;
    else high = middle;
  }
  return accounts[low] === accountId ? low : -1;
}
