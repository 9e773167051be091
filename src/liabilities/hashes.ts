/**
 * The hashes of a proof of liabilities, made at once. What is hashed, and the check of it, is the client's:
 * client/liability-proof.ts.
 */
import { createHash } from "node:crypto";
import {
  headText,
  type Liabilities,
  type LiabilityLeaf,
  leafBytes,
  nodeBytes,
  type SumNode,
} from "../../client/liability-proof.ts";

/** A piece of what the account is owed, and its way to the root. */
export type ProofLeaf = Omit<LiabilityLeaf, "ccy">;

/** Hashes a leaf. */
export function leafHash(accountId: number, units: bigint, salt: Uint8Array): Buffer {
  return sha256(leafBytes(accountId, units, salt));
}

/** Joins two neighbours. */
export function join(left: SumNode, right: SumNode): SumNode {
  return { hash: sha256(nodeBytes(left, right)), units: left.units + right.units };
}

export function headOf(count: Omit<Liabilities, "head">): string {
  return sha256(Buffer.from(headText(count), "utf8")).toString("hex");
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
