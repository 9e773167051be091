/**
 * The check of a proof of liabilities, in this browser: the leaves of the account lead to the roots, and the sums on
 * the way add up to the totals. docs/decisions/0032-proof-of-liabilities.md says what is hashed.
 */
import type { LiabilityLeaf, LiabilityProof, LiabilityRoot } from "../api/records.ts";

/** Amounts of a currency that the venue owes the account, and everybody together. */
export interface Owed {
  readonly ccy: string;
  readonly amount: string;
  readonly total: string;
}

/** Sums stay below: then nothing wraps. */
const UNITS_LIMIT = 2n ** 63n;
const HASH_BYTES = 32;
const UNITS_BYTES = 8;

interface Node {
  readonly hash: Uint8Array;
  readonly units: bigint;
}

/** Returns the amounts of a proof that holds. Throws an Error with a sentence where it does not. */
export async function verifiedOwed(proof: LiabilityProof, accountId: number): Promise<Owed[]> {
  const { account_id, seq, counted_at, head, currencies, leaves } = proof;
  if (account_id !== String(accountId)) throw new Error(`The proof is of account ${account_id}, and not of yours.`);
  const rows = currencies.map((one) => `${one.ccy} ${one.precision} ${one.root} ${one.total} ${one.leaf_count}`);
  const text = ["bourse liabilities 1", `seq ${seq}`, `counted ${counted_at}`, ...rows, ""].join("\n");
  if (hex(await sha256(new TextEncoder().encode(text))) !== head) throw new Error("The head is not that of the roots.");
  const owed: Owed[] = [];
  for (const root of currencies) {
    const mine = leaves.filter(({ ccy }) => ccy === root.ccy);
    if (new Set(mine.map(({ index }) => index)).size !== mine.length)
      throw new Error(`A leaf of ${root.ccy} is there twice.`);
    let units = 0n;
    for (const leaf of mine) {
      await climb(leaf, root, accountId);
      units += unitsOf(leaf.amount, root);
    }
    if (units > 0n) owed.push({ ccy: root.ccy, amount: decimalOf(units, root.precision), total: root.total });
  }
  if (leaves.some(({ ccy }) => !currencies.some((root) => root.ccy === ccy))) throw new Error("A leaf has no root.");
  return owed;
}

async function climb(leaf: LiabilityLeaf, root: LiabilityRoot, accountId: number): Promise<void> {
  const fails = (what: string) => new Error(`A leaf of ${root.ccy} ${what}.`);
  const units = unitsOf(leaf.amount, root);
  let node: Node = {
    hash: await sha256(joined([0], number(BigInt(accountId)), number(units), bytes(leaf.salt))),
    units,
  };
  let place = leaf.index;
  const steps = [...leaf.path];
  if (place >= root.leaf_count) throw fails("is beyond the last one");
  for (let size = root.leaf_count; size > 1; size = Math.ceil(size / 2)) {
    const isLeft = place % 2 === 0;
    if (!isLeft || place + 1 < size) {
      const step = steps.shift();
      if (step === undefined) throw fails("has a way that is too short");
      const beside: Node = { hash: bytes(step.hash), units: unitsOf(step.amount, root) };
      node = await parent(...(isLeft ? ([node, beside] as const) : ([beside, node] as const)));
      if (node.units >= UNITS_LIMIT) throw fails("has a sum that is too large");
    }
    place = Math.floor(place / 2);
  }
  if (steps.length > 0) throw fails("has a way that is too long");
  if (hex(node.hash) !== root.root) throw fails("does not lead to the root");
  if (node.units !== unitsOf(root.total, root)) throw fails("is of another total");
}

async function parent(left: Node, right: Node): Promise<Node> {
  const hash = await sha256(joined([1], left.hash, number(left.units), right.hash, number(right.units)));
  return { hash, units: left.units + right.units };
}

function unitsOf(amount: string, { ccy, precision }: LiabilityRoot): bigint {
  const [whole = "", fraction = ""] = amount.split(".");
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(amount) || fraction.length !== precision) {
    throw new Error(`${amount} is no amount of ${ccy}.`);
  }
  const units = BigInt(whole + fraction);
  if (units >= UNITS_LIMIT) throw new Error(`${amount} ${ccy} is too large.`);
  return units;
}

function decimalOf(units: bigint, precision: number): string {
  const digits = units.toString().padStart(precision + 1, "0");
  return precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

/** Eight bytes, the most significant first. */
function number(value: bigint): Uint8Array {
  const made = new Uint8Array(UNITS_BYTES);
  new DataView(made.buffer).setBigUint64(0, value);
  return made;
}

function bytes(digits: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2}){1,32}$/.test(digits)) throw new Error("A hash or a salt is not as it must be.");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function joined(...parts: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

async function sha256(data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Pages that come over plain HTTP from another machine have none.
  if (globalThis.crypto?.subtle === undefined) throw new Error("This browser hashes nothing on a page without HTTPS.");
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return hash.subarray(0, HASH_BYTES);
}

function hex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
