import type { Audit, Hearing } from "../audit/audit.ts";
import { add, cellName, type Report } from "../audit/ledger-audit.ts";
import type { EngineEvent } from "../event.ts";
import { CELL, VENUE } from "../ledger/cell.ts";
import type { State } from "../state.ts";
import { POINTS_CELL } from "./codes.ts";
import { points } from "./points.ts";

/** Follows the points of every user by events alone, and gives the reason for the money that they are redeemed for. */
export class PointsAudit implements Audit {
  private readonly state: State;
  private readonly held: Map<number, bigint>;

  constructor(state: State) {
    this.state = state;
    this.held = new Map([...points.of(state).of].map(([userId, held]) => [userId, BigInt(held)]));
  }

  take(event: EngineEvent, { explain, report }: Hearing): void {
    if (event.kind !== "json") return;
    const rareEvent = event.event;
    switch (rareEvent.type) {
      case "points_granted":
      case "points_earned":
        this.move(rareEvent.userId, rareEvent.points, report);
        return;
      case "points_moved":
        this.move(rareEvent.userId, -rareEvent.points, report);
        this.move(rareEvent.toUserId, rareEvent.points, report);
        return;
      case "points_redeemed": {
        this.move(rareEvent.userId, -rareEvent.points, report);
        const asset = this.state.assetByCcy.get(rareEvent.ccy);
        if (asset === undefined) return;
        explain(cellName(POINTS_CELL.points_fund, VENUE, 0, asset.id), -BigInt(rareEvent.points));
        explain(cellName(CELL.spot, rareEvent.userId, 0, asset.id), BigInt(rareEvent.points));
      }
    }
  }

  compare(report: Report): void {
    const stored = points.of(this.state).of;
    for (const userId of new Set([...stored.keys(), ...this.held.keys()])) {
      const told = this.held.get(userId) ?? 0n;
      const held = BigInt(stored.get(userId) ?? 0);
      if (told !== held) report(`Events give user ${userId} ${told} points, the state has ${held}.`);
    }
  }

  private move(userId: number, more: number, report: Report): void {
    add(this.held, userId, BigInt(more));
    if ((this.held.get(userId) as bigint) < 0n) report(`User ${userId} gave points that he did not have.`);
  }
}
