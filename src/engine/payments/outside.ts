/**
 * Money leaves the venue. The ledger's outside world is never paid more than it has given: where debts stand for what
 * is gone, the venue pays the rest out of its own funds, which its own cell then shows.
 */

import { CELL } from "../ledger/cell.ts";
import type { Asset } from "../listing/asset.ts";
import { formatDecimal } from "../money/decimal.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import { PAYMENT_CELL, PAYMENT_POSTING } from "./codes.ts";

export function payOutside(state: State, assetId: number, units: bigint, posting: number, ref: number): void {
  const { ledger, events } = state;
  const held = ledger.custody(assetId);
  const covered = units < held ? units : held;
  ledger.post(events, ledger.venueCell(CELL.outside, assetId), covered, 0n, posting, ref);
  if (covered === units) return;
  const { ccy, scale } = state.assets[assetId] as Asset;
  ledger.post(events, ledger.venueCell(PAYMENT_CELL.own_purse, assetId), units - covered, 0n, posting, ref);
  emitRareEvent(state, { type: "purse_paid", ccy, amount: formatDecimal(units - covered, scale) });
}

/** Custody falls by what the network took; the venue's own account owes it. */
export function bookNetworkCost(state: State, chain: string, assetId: number, units: bigint, ref: number): void {
  const { ledger, events, assets } = state;
  const { owe } = PAYMENT_POSTING;
  payOutside(state, assetId, units, owe, ref);
  ledger.post(events, ledger.venueCell(PAYMENT_CELL.network_cost, assetId), -units, 0n, owe, ref);
  const { ccy, scale } = assets[assetId] as Asset;
  emitRareEvent(state, { type: "network_cost", chain, ccy, amount: formatDecimal(units, scale) });
}
