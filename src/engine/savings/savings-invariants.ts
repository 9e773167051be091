import { VENUE } from "../ledger/cell.ts";
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { SAVINGS_CELL } from "./codes.ts";
import { type Savings, savings } from "./savings-state.ts";

/**
 * Checks the invariants of savings between two commands: every FINANCIAL cell has its account, the sums are those of
 * the accounts, and the units put aside are the units still to be paid. Source: domain 6.6 and 10, number 42.
 */
export function checkSavings(state: State, { expect }: Census): void {
  const own = savings.of(state);
  const { saved, owed } = sumsOf(state, own);
  let cells = 0;
  for (let cell = 0; cell < state.ledger.count; cell++) {
    const kind = state.ledger.marks(cell) & 255;
    if (kind === SAVINGS_CELL.financial) cells++;
    if (kind !== SAVINGS_CELL.interest_due || state.ledger.userId(cell) !== VENUE) continue;
    const left = own.round?.assets.get(state.ledger.assetId(cell))?.left ?? 0n;
    const held = state.ledger.available(cell);
    expect(held === left, () => `${held} units are put aside for interest, of which ${left} are to be paid.`);
  }
  expect(cells === own.accounts.count, () => `There are ${cells} FINANCIAL cells and ${own.accounts.count} accounts.`);
  for (const assetId of new Set([...saved.keys(), ...own.assets.keys()])) {
    const known = own.assets.get(assetId);
    const sum = saved.get(assetId) ?? 0n;
    const due = owed.get(assetId) ?? 0n;
    expect(known?.saved === sum, () => `${sum} units of asset ${assetId} are saved, and counted as ${known?.saved}.`);
    expect(known?.owed === due, () => `${due} units of interest are owed, and counted as ${known?.owed}.`);
  }
}

function sumsOf(state: State, { accounts, day }: Savings): Record<"saved" | "owed", Map<number, bigint>> {
  const sums = { saved: new Map<number, bigint>(), owed: new Map<number, bigint>() };
  for (let row = 0; row < accounts.count; row++) {
    const assetId = accounts.assetId(row);
    const cell = accounts.cell(row);
    if (state.ledger.userId(cell) !== accounts.userId(row) || accounts.day(row) > day) continue;
    sums.saved.set(assetId, (sums.saved.get(assetId) ?? 0n) + state.ledger.available(cell));
    sums.owed.set(assetId, (sums.owed.get(assetId) ?? 0n) + accounts.owed(row));
  }
  return sums;
}
