import type { Audit, Hearing } from "../audit/audit.ts";
import { cellName } from "../audit/ledger-audit.ts";
import type { EngineEvent } from "../event.ts";
import { CELL } from "../ledger/cell.ts";
import { parseDecimal } from "../money/decimal.ts";
import type { State } from "../state.ts";

/**
 * Gives the reason for what transfers with sub-accounts say should have moved, and says where one is between strangers.
 */
export class SubsAudit implements Audit {
  private readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  take(event: EngineEvent, { explain, report }: Hearing): void {
    if (event.kind !== "json" || event.event.type !== "sub_transferred") return;
    const { transferId, userId, fromUserId, toUserId, from, to, ccy, amount } = event.event;
    const { assetByCcy, users } = this.state;
    const asset = assetByCcy.get(ccy);
    const units = asset === undefined ? undefined : parseDecimal(amount, asset.scale);
    if (asset === undefined || units === undefined || units <= 0n) {
      report(`Transfer ${transferId} moves ${amount} ${ccy}.`);
      return;
    }
    if (users.mainOf(fromUserId) !== userId || users.mainOf(toUserId) !== userId || fromUserId === toUserId) {
      report(`Transfer ${transferId} of user ${userId} goes from user ${fromUserId} to user ${toUserId}.`);
    }
    const isWithMain = fromUserId === userId || toUserId === userId;
    if (!isWithMain && (from !== "SPOT" || to !== "SPOT")) {
      report(`Transfer ${transferId} goes from ${from} to ${to} between two sub-accounts.`);
    }
    explain(cellName(kindOf(from), fromUserId, 0, asset.id), -units);
    explain(cellName(kindOf(to), toUserId, 0, asset.id), units);
  }
}

function kindOf(account: string): number {
  return account === "FUTURES" ? CELL.futures : CELL.spot;
}
