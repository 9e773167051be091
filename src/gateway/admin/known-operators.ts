/** Whose a token is. */
import { timingSafeEqual } from "node:crypto";
import { ROOT } from "../../engine/operators/authority.ts";
import { tokenHashOf } from "../auth/web-sessions.ts";
import type { AdminVenue, Asker } from "./backend.ts";

const ROOT_ASKER: Asker = { name: ROOT, role: "admin" };

/** Who has a token with this hash now; undefined when nobody does, or does no more. */
export function operatorBehind(
  { state, rootToken }: Pick<AdminVenue, "state" | "rootToken">,
  tokenHash: string,
): Asker | undefined {
  // Hashes have one length, so the comparison takes the same time whatever was sent; nobody can aim at one by its
  // beginning.
  if (timingSafeEqual(Buffer.from(tokenHash), Buffer.from(tokenHashOf(rootToken.current)))) return ROOT_ASKER;
  const operator = state.operators.byTokenHash.get(tokenHash);
  return operator && { name: operator.name, role: operator.role };
}
