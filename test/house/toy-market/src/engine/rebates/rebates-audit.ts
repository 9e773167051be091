import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName } from "../audit/ledger-audit.ts";
import type { EngineEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { State } from "../state.ts";
import { REBATE_CELL } from "./codes.ts";
import { rebates } from "./rebates-state.ts";

/**
 * Gives the reason for the money of rebates: each follows a deal of its market, goes to its maker, and is no larger
 * than the terms say.
 */
export class RebatesAudit implements Audit {
  private readonly state: State;
  /** Of the command under way, by id: who is the maker, and how much may be paid still. */
  private readonly due = new Map<number, { readonly userId: number; units: bigint }>();

  constructor(state: State) {
    this.state = state;
  }

  begin(): void {
    this.due.clear();
  }

  take(event: EngineEvent, { explain, report }: Hearing): void {
    if (event.kind === "deal") {
      const terms = rebates.of(this.state).get(event.marketId);
      if (terms === undefined) return;
      this.due.set(event.dealId, { userId: event.maker.userId, units: event.lots * BigInt(terms.unitsPerLot) });
      return;
    }
    if (event.kind !== "json" || event.event.type !== "rebate_paid") return;
    const { dealId, userId, assetId, units } = event.event;
    const due = this.due.get(dealId);
    this.due.delete(dealId);
    if (due?.userId !== userId || BigInt(units) > due.units)
      report(`Deal ${dealId} pays user ${userId} ${units} units.`);
    explain(cellName(REBATE_CELL.rebate_fund, VENUE, 0, assetId), -BigInt(units));
    explain(cellName(CELL.spot, userId, 0, assetId), BigInt(units));
  }
}
