/**
 * Checks the invariants of the whole state between two commands. The checks share no code with what wrote the state.
 * Each part checks its own state, and tells what it has frozen; the ledger is checked here. Tests check after every
 * command, a running venue at intervals. A check costs time linear in orders and cells; 100,000 resting orders take
 * about a twentieth of a second.
 *
 * Source: domain 10, numbers 1-9, 23, 31 and 37. What happened in between is the business of event-audit.ts.
 */
import { CELLS, isSoundAmount, VENUE } from "./ledger/cell.ts";
import type { Census } from "./part.ts";
import { PARTS } from "./parts.ts";
import type { State } from "./state.ts";

/** Of a state that is broken everywhere, so many sentences are enough. */
const BREACHES_MAX = 50;

/** Sentences that say what does not hold; empty when the state is sound. Reads only. */
export function checkInvariants(state: State): string[] {
  const census = new CountedCensus(state);
  for (const part of PARTS) part.check?.(state, census);
  checkCells(state, census);
  return census.breaches;
}

class CountedCensus implements Census {
  readonly breaches: string[] = [];
  /** Units that parts have frozen, by cell. */
  readonly frozen: BigInt64Array;

  readonly expect = (holds: boolean, breach: () => string): void => {
    if (!holds && this.breaches.length < BREACHES_MAX) this.breaches.push(breach());
  };

  constructor(state: State) {
    this.frozen = new BigInt64Array(state.ledger.count);
  }

  freezes(cell: number, units: bigint): void {
    if (cell >= 0 && cell < this.frozen.length) this.frozen[cell] = (this.frozen[cell] as bigint) + units;
  }
}

/** 1, 2, 3: signs, freezes and sums of all cells, and custody within its bound. */
function checkCells(state: State, census: CountedCensus): void {
  const { ledger, assets, users } = state;
  const sums = assets.map(() => 0n);
  for (let cell = 0; cell < ledger.count; cell++) {
    const kind = ledger.marks(cell) & 255;
    const userId = ledger.userId(cell);
    const asset = assets[ledger.assetId(cell)];
    const [available, frozen] = [ledger.available(cell), ledger.frozen(cell)];
    const report = (what: string) => () =>
      `Cell ${CELLS.has(kind) ? CELLS.nameOf(kind) : kind} of ` +
      `${userId === VENUE ? "the venue" : `user ${userId}`} in ${asset?.ccy} ${what}.`;
    if (asset === undefined || !CELLS.has(kind)) {
      census.expect(false, report("is of no known kind or asset"));
      continue;
    }
    sums[asset.id] = (sums[asset.id] as bigint) + available + frozen;
    census.expect(ledger.find(ledger.keyOf(cell)) === cell, report("cannot be found by its key"));
    const { owner, sign } = CELLS.traitsOf(kind);
    census.expect(owner === "user" ? users.has(userId) : userId === VENUE, report("belongs to nobody"));
    const isWithinCustody = sign !== "negative" || -available <= asset.maxCustody;
    census.expect(
      isWithinCustody && isSoundAmount(kind, available),
      report(`holds ${available} available units, which it may not`),
    );
    census.expect(
      frozen === census.frozen[cell],
      report(`has frozen ${frozen} units for orders of ${census.frozen[cell]}`),
    );
  }
  for (const asset of assets) {
    census.expect(
      sums[asset.id] === 0n,
      () => `All cells of ${asset.ccy} sum to ${sums[asset.id]} units and not to 0.`,
    );
  }
}
