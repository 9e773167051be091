import type { PostingEvent } from "../event.ts";
import { CELL, CELLS, isSoundAmount, VENUE } from "../ledger/cell.ts";
import type { State } from "../state.ts";

/** Takes down what is wrong. */
export type Report = (breach: string) => void;

interface Held {
  available: bigint;
  frozen: bigint;
}

/** One name per cell, from what a posting tells of it. */
export function cellName(kind: number, userId: number, marketId: number, assetId: number): string {
  const place = marketId === 0 ? "" : ` of market ${marketId}`;
  return (
    `${userId === VENUE ? "the venue's" : `user ${userId}'s`} ${CELLS.nameOf(kind)} cell of asset ` +
    `${assetId}${place}`
  );
}

/** The name of a user's spot cell. */
export function spotCellName(userId: number, assetId: number): string {
  return cellName(CELL.spot, userId, 0, assetId);
}

/** Follows every cell by its postings alone, and compares what moved with what was said to be the reason. */
export class LedgerAudit {
  private readonly cells = new Map<string, Held>();
  /** Of the present command, per cell: what moved, and what deals and deposits say should have. */
  private readonly moved = new Map<string, bigint>();
  private readonly explained = new Map<string, bigint>();
  private readonly sums = new Map<number, bigint>();

  constructor(state: State) {
    const { ledger } = state;
    for (let cell = 0; cell < ledger.count; cell++) {
      this.cells.set(nameIn(state, cell), { available: ledger.available(cell), frozen: ledger.frozen(cell) });
    }
  }

  /** The units that the cell holds frozen. */
  frozen(name: string): bigint {
    return this.cells.get(name)?.frozen ?? 0n;
  }

  /** The units that it holds available. */
  available(name: string): bigint {
    return this.cells.get(name)?.available ?? 0n;
  }

  /** Cells that the present command has posted to. */
  get touched(): Iterable<string> {
    return this.moved.keys();
  }

  /** 1 and 2: a line continues its cell, and leaves no part of it below what it may be. */
  post(line: PostingEvent, report: Report): void {
    const name = cellName(line.cellKind, line.userId, line.marketId, line.assetId);
    const before = this.cells.get(name) ?? { available: 0n, frozen: 0n };
    if (before.available + line.available !== line.availableAfter || before.frozen + line.frozen !== line.frozenAfter) {
      report(`A posting to ${name} does not continue from what the cell held.`);
    }
    this.cells.set(name, { available: line.availableAfter, frozen: line.frozenAfter });
    if (!isSoundAmount(line.cellKind, line.availableAfter) || line.frozenAfter < 0n) {
      report(`A posting leaves ${name} with ${line.availableAfter} available and ${line.frozenAfter} frozen units.`);
    }
    const moves = line.available + line.frozen;
    if (line.posting === "freeze" && (moves !== 0n || line.frozen < 0n)) report(`A freeze of ${name} is none.`);
    if (line.posting === "release" && (moves !== 0n || line.frozen > 0n)) report(`A release of ${name} is none.`);
    add(this.moved, name, moves);
    add(this.sums, line.assetId, moves);
  }

  /** A deal or a deposit gives the reason for `units` more in a cell. */
  explain(name: string, units: bigint): void {
    add(this.explained, name, units);
  }

  /** 1: the lines of a command sum to zero per asset, and each has its reason. */
  end(report: Report): void {
    for (const [assetId, sum] of this.sums) {
      if (sum !== 0n) report(`The postings of asset ${assetId} sum to ${sum} units and not to 0.`);
    }
    for (const name of new Set([...this.moved.keys(), ...this.explained.keys()])) {
      const moved = this.moved.get(name) ?? 0n;
      const explained = this.explained.get(name) ?? 0n;
      if (moved !== explained)
        report(
          `${moved} units moved in ${name} where its deals, deposits and adjustments give reason for ${explained}.`,
        );
    }
    this.sums.clear();
    this.moved.clear();
    this.explained.clear();
  }

  /** Whether the postings told everything: the cells followed are those of the state. */
  compare(state: State, report: Report): void {
    const { ledger } = state;
    for (let cell = 0; cell < ledger.count; cell++) {
      const name = nameIn(state, cell);
      const told = this.cells.get(name) ?? { available: 0n, frozen: 0n };
      if (told.available !== ledger.available(cell) || told.frozen !== ledger.frozen(cell)) {
        report(`Postings do not tell what ${name} holds.`);
      }
    }
    if (this.cells.size > ledger.count) report("Postings tell of more cells than there are.");
  }
}

function nameIn({ ledger }: State, cell: number): string {
  const marks = ledger.marks(cell);
  return cellName(marks & 255, ledger.userId(cell), marks >>> 16, ledger.assetId(cell));
}

/** Adds to the number kept under `key`. */
export function add<Key>(totals: Map<Key, bigint>, key: Key, amount: bigint): void {
  totals.set(key, (totals.get(key) ?? 0n) + amount);
}
