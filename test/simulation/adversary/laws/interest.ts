import type { EngineEvent } from "../../../../src/engine/event.ts";
import { cellKey } from "../../../../src/engine/ledger/cell.ts";
import { SAVINGS_CELL } from "../../../../src/engine/savings/codes.ts";
import { savings } from "../../../../src/engine/savings/savings-state.ts";
import { worthOf } from "../worth.ts";
import type { Court, Law } from "./law.ts";

const DAY_MS = 86_400_000;
const ONE_E8 = 100_000_000n;

/**
 * A1 of savings: a midnight brings each account the rate on what lay there before it, once, and nobody anything else.
 * Source: domain 6.6.
 */
export class Interest implements Law {
  private readonly court: Court;
  private day = -1;
  /** By user and asset, what the last midnight may bring still, units. */
  private due = new Map<string, bigint>();
  private found: string[] = [];

  constructor(court: Court) {
    this.court = court;
  }

  look(timeMs: number): void {
    this.found = [];
    const day = Math.floor(timeMs / DAY_MS);
    if (day === this.day) return;
    if (this.day >= 0) this.due = this.earned();
    this.day = day;
  }

  see(event: EngineEvent): void {
    if (event.kind !== "posting" || event.posting !== "savings_interest" || event.userId <= 0) return;
    const { court } = this;
    const key = `${event.userId} ${event.assetId}`;
    const left = (this.due.get(key) ?? 0n) - event.available;
    this.due.set(key, left);
    if (left < 0n) this.found.push(`A1: savings of user ${event.userId} earned ${-left} units more than the rate.`);
    court.fundsOf(event.userId)?.take(worthOf(court.stage, event.assetId, event.available), false);
  }

  judge(): string[] {
    return this.found;
  }

  private earned(): Map<string, bigint> {
    const { state } = this.court.stage;
    const due = new Map<string, bigint>();
    for (const { id } of state.assets) {
      const rate = BigInt(savings.of(state).of(id).dailyRateE8);
      if (rate === 0n) continue;
      for (let userId = 1; userId < state.users.count; userId++) {
        const cell = state.ledger.find(cellKey(SAVINGS_CELL.financial, userId, id));
        if (cell >= 0) due.set(`${userId} ${id}`, (state.ledger.available(cell) * rate) / ONE_E8);
      }
    }
    return due;
  }
}
