/**
 * A proof of liabilities and the check of it, for browsers and Node alike. The check trusts nobody: it needs the proof,
 * and what the user knows anyway. docs/decisions/0032-proof-of-liabilities.md says why the hashes are as they are.
 *
 * A leaf is a piece of what one account is owed of one currency. SHA-256 is taken over these bytes:
 * - leaf: 00 | account id, 8 bytes | units, 8 bytes | salt, 16 bytes
 * - node: 01 | left hash | left units, 8 bytes | right hash | right units, 8 bytes; its units are the sum of both
 * - a node without a neighbour on its level moves up as it is
 * - head: the lines of `headText`, which name every currency's root
 * Numbers are unsigned, most significant byte first, and below 2^63, sums too.
 */
import type { Liabilities, LiabilityLeaf, LiabilityProof, LiabilityRoot } from "./http.generated.ts";

export type { Liabilities, LiabilityLeaf, LiabilityProof };

/** The bound of all sums: below it a sum of two fits eight bytes, and nothing wraps. */
export const UNITS_LIMIT = 2n ** 63n;
export const HASH_BYTES = 32;
export const SALT_BYTES = 16;

const NUMBER_BYTES = 8;
/** More digits than any amount has. */
const DIGITS_MAX = 40;
/** Leaves that a tree may have: an account may not be shown a way that is longer than any. */
const LEAVES_MAX = 2 ** 40;

export interface SumNode {
  readonly hash: Uint8Array;
  readonly units: bigint;
}

/** The facts that a sound proof shows. */
export interface VerifiedProof {
  readonly accountId: string;
  readonly seq: number;
  readonly countedAt: number;
  readonly head: string;
  /** Amounts owed to this account and to all together, of each currency of which this account is owed something. */
  readonly owed: readonly VerifiedAmount[];
}

export interface VerifiedAmount {
  readonly ccy: string;
  readonly amount: string;
  readonly total: string;
}

/** A proof that does not hold. The message says what is wrong. */
export class ProofUnsound extends Error {
  readonly code = "PROOF_UNSOUND";
}

/**
 * Checks a proof, by Web Crypto; rejects with ProofUnsound. `proof` may be anything that JSON can hold, and the whole
 * answer of the API will do.
 */
export async function verifyProof(proof: unknown): Promise<VerifiedProof> {
  const { account_id, seq, counted_at, head, currencies, leaves } = proofIn(proof);
  const headBytes = new TextEncoder().encode(headText({ seq, counted_at, currencies }));
  if (hexOf(await sha256(headBytes)) !== head) unsound("The head is not the hash of the roots beside it.");
  const roots = new Map(currencies.map((root) => [root.ccy, root]));
  if (roots.size !== currencies.length) unsound("A currency has two roots.");
  const owed = new Map<string, bigint>();
  const places = new Set<string>();
  for (const leaf of leaves) {
    const { ccy, index } = leaf;
    const root = roots.get(ccy) ?? unsound(`A leaf is of ${ccy}, of which there is no root.`);
    if (places.has(`${ccy} ${index}`)) unsound(`Leaf ${index} of ${ccy} stands there twice.`);
    places.add(`${ccy} ${index}`);
    const units = unitsOf(leaf.amount, root);
    const hash = await sha256(leafBytes(Number(account_id), units, bytesOf(leaf.salt)));
    await climb({ hash, units }, leaf, root);
    owed.set(ccy, (owed.get(ccy) ?? 0n) + units);
  }
  return {
    accountId: account_id,
    ...{ seq, countedAt: counted_at, head },
    owed: [...owed].map(([ccy, units]) => {
      const { precision, total } = roots.get(ccy) as LiabilityRoot;
      return { ccy, amount: decimalOf(units, precision), total };
    }),
  };
}

/** Goes from a leaf to the root, by its place and the number of leaves alone. */
async function climb(from: SumNode, { index, path }: LiabilityLeaf, root: LiabilityRoot): Promise<void> {
  let node = from;
  let place = index;
  let used = 0;
  if (index >= root.leaf_count) unsound(`Leaf ${index} of ${root.ccy} is beyond the last one.`);
  for (let size = root.leaf_count; size > 1; size = Math.ceil(size / 2)) {
    const isLeft = place % 2 === 0;
    if (!isLeft || place + 1 < size) {
      const step = path[used++] ?? unsound(`The way of leaf ${index} of ${root.ccy} is too short.`);
      const beside = { hash: bytesOf(step.hash), units: unitsOf(step.amount, root) };
      const [left, right] = isLeft ? [node, beside] : [beside, node];
      node = { hash: await sha256(nodeBytes(left, right)), units: left.units + right.units };
      if (node.units >= UNITS_LIMIT) unsound(`A sum of ${root.ccy} is too large.`);
    }
    place = Math.floor(place / 2);
  }
  if (used !== path.length) unsound(`The way of leaf ${index} of ${root.ccy} is too long.`);
  if (hexOf(node.hash) !== root.root) unsound(`The way of leaf ${index} of ${root.ccy} does not lead to the root.`);
  if (node.units !== unitsOf(root.total, root)) {
    unsound(
      `The total of ${root.ccy} is ${root.total}, and its tree adds up to ${decimalOf(node.units, root.precision)}.`,
    );
  }
}

/** The bytes that a leaf is the hash of. */
export function leafBytes(accountId: number, units: bigint, salt: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(1 + 2 * NUMBER_BYTES + SALT_BYTES);
  const numbers = new DataView(bytes.buffer);
  numbers.setBigUint64(1, BigInt(accountId));
  numbers.setBigUint64(1 + NUMBER_BYTES, units);
  bytes.set(salt, 1 + 2 * NUMBER_BYTES);
  return bytes;
}

/** The bytes that the node above two neighbours is the hash of. */
export function nodeBytes(left: SumNode, right: SumNode): Uint8Array<ArrayBuffer> {
  const half = HASH_BYTES + NUMBER_BYTES;
  const bytes = new Uint8Array(1 + 2 * half);
  const numbers = new DataView(bytes.buffer);
  bytes[0] = 1;
  for (const [at, { hash, units }] of [left, right].entries()) {
    bytes.set(hash, 1 + at * half);
    numbers.setBigUint64(1 + at * half + HASH_BYTES, units);
  }
  return bytes;
}

/** The text that the head is the hash of. */
export function headText({ seq, counted_at, currencies }: Omit<Liabilities, "head">): string {
  const rows = currencies.map((one) => `${one.ccy} ${one.precision} ${one.root} ${one.total} ${one.leaf_count}`);
  return ["bourse liabilities 1", `seq ${seq}`, `counted ${counted_at}`, ...rows, ""].join("\n");
}

/** Units of a decimal with exactly the decimals of its currency; never below 0. */
function unitsOf(amount: string, { ccy, precision }: LiabilityRoot): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  const isDecimal = /^\d+(\.\d+)?$/.test(amount) && amount.length <= DIGITS_MAX && fraction.length === precision;
  const units = isDecimal
    ? BigInt(whole + fraction)
    : unsound(`${amount} is no amount of ${ccy} with ${precision} decimals.`);
  return units < UNITS_LIMIT ? units : unsound(`${amount} ${ccy} is too large.`);
}

export function decimalOf(units: bigint, precision: number): string {
  const digits = units.toString().padStart(precision + 1, "0");
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** A proof with fields of the right kind. */
function proofIn(value: unknown): LiabilityProof {
  const given = record(value, "The proof");
  const proof = given["data"] === undefined ? given : record(given["data"], "The proof");
  const { account_id, seq, counted_at, head } = proof;
  if (typeof account_id !== "string" || !/^\d{1,15}$/.test(account_id))
    unsound("account_id must be a number as a string.");
  if (!isWhole(seq) || !isWhole(counted_at)) unsound("seq and counted_at must be whole numbers.");
  if (!isHex(head, HASH_BYTES)) unsound("head must be a hash of 64 hexadecimal digits.");
  for (const each of list(proof["currencies"], "currencies")) {
    const { ccy, precision, root, total, leaf_count } = record(each, "A root");
    const isSound =
      typeof ccy === "string" && /^\S+$/.test(ccy) && isHex(root, HASH_BYTES) && typeof total === "string";
    if (!isSound || !isWhole(precision) || !isWhole(leaf_count))
      unsound("A root lacks a field, or has one of the wrong kind.");
    if (leaf_count < 1 || leaf_count > LEAVES_MAX || precision > DIGITS_MAX)
      unsound(`The root of ${ccy} is out of bounds.`);
  }
  for (const each of list(proof["leaves"], "leaves")) {
    const { ccy, index, amount, salt, path } = record(each, "A leaf");
    const isSound = typeof ccy === "string" && isWhole(index) && typeof amount === "string" && isHex(salt, SALT_BYTES);
    if (!isSound) unsound("A leaf lacks a field, or has one of the wrong kind.");
    for (const step of list(path, "path")) {
      const { hash, amount: sum } = record(step, "A step");
      if (!isHex(hash, HASH_BYTES) || typeof sum !== "string") unsound("A step of a path needs a hash and an amount.");
    }
  }
  return proof as unknown as LiabilityProof;
}

function record(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) unsound(`${what} must be an object.`);
  return value as Readonly<Record<string, unknown>>;
}

function list(value: unknown, name: string): readonly unknown[] {
  return Array.isArray(value) ? value : unsound(`${name} must be a list.`);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isHex(value: unknown, bytes: number): value is string {
  return typeof value === "string" && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value);
}

function unsound(message: string): never {
  throw new ProofUnsound(message);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Browsers have none on a page that comes over plain HTTP from another machine.
  if (globalThis.crypto?.subtle === undefined)
    throw new Error("This browser hashes nothing on a page without HTTPS: open the page over HTTPS.");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The bytes of hexadecimal digits that were found to be such. */
function bytesOf(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
