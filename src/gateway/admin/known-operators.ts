/** Whose a token is. */
import { hash, timingSafeEqual } from "node:crypto";
import { ROOT } from "../../engine/operators/authority.ts";
import type { AdminVenue, Asker } from "./backend.ts";

const ROOT_ASKER: Asker = { name: ROOT, role: "admin" };

/** What is kept of a token: SHA-256, hexadecimal. */
export function tokenHashOf(token: string): string {
  return hash("sha256", token, "hex");
}

/** Who has a token with this hash now; undefined when nobody does, or does no more. */
export function operatorBehind(
  { state, rootToken }: Pick<AdminVenue, "state" | "rootToken">,
  tokenHash: string,
): Asker | undefined {
  // Hashes have one length, so the comparison takes the same time whatever was sent; nobody can aim at one by its beginning.
  if (timingSafeEqual(Buffer.from(tokenHash), Buffer.from(tokenHashOf(rootToken.current)))) return ROOT_ASKER;
  const operator = state.operators.byTokenHash.get(tokenHash);
  return operator && { name: operator.name, role: operator.role };
}
