import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName } from "../audit/ledger-audit.ts";
import type { EngineEvent } from "../event.ts";
import { adjustingCell, CELL, VENUE } from "../ledger/cell.ts";
import { parseSignedDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";

/** Gives the reason for what deposits and adjustments say should have moved. */
export class FundsAudit implements Audit {
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  take(event: EngineEvent, { explain }: Hearing): void {
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    if (rareEvent.type !== "deposited" && rareEvent.type !== "adjusted") return;
    const asset = this.state.assetByCcy.get(rareEvent.ccy);
    const units = asset === undefined ? undefined : parseSignedDecimal(rareEvent.amount, asset.scale);
    if (asset === undefined || units === undefined) return;
    const { type, userId, cell } = rareEvent;
    const named = cell === null ? undefined : adjustingCell(cell);
    const from = type === "adjusted" && named !== undefined ? named : CELL.outside;
    const to = type === "deposited" && named !== undefined ? named : CELL.spot;
    explain(cellName(from, VENUE, 0, asset.id), -units);
    explain(cellName(to, userId ?? VENUE, 0, asset.id), units);
  }
}
