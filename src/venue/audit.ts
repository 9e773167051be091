import { checkInvariants } from "../engine/invariants.ts";
import { CELL, CELLS } from "../engine/ledger/cell.ts";
import { formatDecimal } from "../engine/money/decimal.ts";
import type { State } from "../engine/state.ts";
import type { AdminAudit, AssetTotals } from "../gateway/admin/backend.ts";
import { hashOf } from "./machine.ts";

/** The whole state held against the invariants, with what the venue holds of each asset. Reads only. */
export function auditOf(state: State, breaches: readonly string[] = checkInvariants(state)): AdminAudit {
  return { seq: state.seq, stateHash: hashOf({ state }), ok: breaches.length === 0, breaches, totals: totalsOf(state) };
}

/** Custody, and who owns it: users in all their accounts, or the venue itself. In order of listing. */
export function totalsOf(state: State): AssetTotals[] {
  const { ledger, assets } = state;
  const users = assets.map(() => 0n);
  const system = assets.map(() => 0n);
  for (let cell = 0; cell < ledger.count; cell++) {
    const kind = ledger.marks(cell) & 255;
    if (kind === CELL.outside) continue;
    const owner = CELLS.traitsOf(kind).owner === "user" ? users : system;
    const assetId = ledger.assetId(cell);
    owner[assetId] = (owner[assetId] as bigint) + ledger.available(cell) + ledger.frozen(cell);
  }
  return assets.map(({ id, ccy, scale }) => ({
    ccy,
    custody: formatDecimal(ledger.custody(id), scale),
    users: formatDecimal(users[id] as bigint, scale),
    system: formatDecimal(system[id] as bigint, scale),
  }));
}
