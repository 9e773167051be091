import type { Audit, Hearing } from "../audit/audit.ts";
import type { EngineEvent, OrderEvent, RareEvent } from "../event.ts";
import type { State } from "../state.ts";
import type { MaintenancePlan } from "./command-schemas.ts";

interface Followed {
  readonly plan: MaintenancePlan;
  maintenanceRuns: boolean;
  protectionRuns: boolean;
}

/**
 * Follows windows of maintenance by their events: whether each began and ended at its time, and whether trading kept to
 * it. Source: domain 2.13 and domain 10, numbers 37.
 */
export class MaintenanceAudit implements Audit {
  private readonly state: State;
  private readonly windows = new Map<number, Followed>();

  constructor(state: State) {
    this.state = state;
    for (const window of state.maintenance) {
      const { startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = window;
      this.windows.set(window.maintenanceId, {
        plan: window,
        maintenanceRuns: isWithin(startedAt, endedAt, state.timeMs),
        protectionRuns: isWithin(from, to, state.timeMs),
      });
    }
  }

  take(event: EngineEvent, { report }: Hearing): void {
    if (event.kind === "deal") this.deal(event.taker.account === "futures", report);
    else if (event.kind === "order") this.order(event, report);
    else if (event.kind === "json") this.happen(event.event, report);
  }

  private happen(rareEvent: RareEvent, report: (breach: string) => void): void {
    if (!("maintenanceId" in rareEvent)) return;
    const { type, maintenanceId } = rareEvent;
    const followed = this.windows.get(maintenanceId);
    if (type === "maintenance_planned") {
      if (followed !== undefined) report(`Maintenance ${maintenanceId} was planned twice.`);
      this.windows.set(maintenanceId, { plan: rareEvent, maintenanceRuns: false, protectionRuns: false });
      return;
    }
    if (followed === undefined) {
      report(`${type} tells of maintenance ${maintenanceId}, which nobody planned.`);
      return;
    }
    if (type === "maintenance_cancelled") {
      this.windows.delete(maintenanceId);
      return;
    }
    const which = type.startsWith("maintenance") ? "maintenanceRuns" : "protectionRuns";
    const runs = type.endsWith("started");
    if (followed[which] === runs) report(`${type} of maintenance ${maintenanceId} came twice.`);
    followed[which] = runs;
  }

  /** A deal in a market of a scope. */
  private deal(isFutures: boolean, report: (breach: string) => void): void {
    if (this.restricts("maintenanceRuns", isFutures) || this.restricts("protectionRuns", isFutures)) {
      report("A deal was made during maintenance or protection.");
    }
  }

  /** A step of an order in a market of a scope. */
  private order({ event, order }: OrderEvent, report: (breach: string) => void): void {
    const isFutures = order.account === "futures";
    // An order may end all the same, with its market.
    if (event === "finish") return;
    if (this.restricts("maintenanceRuns", isFutures))
      report(`Order ${order.orderId} was taken or changed during maintenance.`);
    else if (this.restricts("protectionRuns", isFutures) && (event !== "put" || order.type !== "maker_only")) {
      report(`Order ${order.orderId} was taken or changed during protection.`);
    }
  }

  /** At the end of a command's events: whether what runs is what should, and what is over is told of to the end. */
  end({ timeMs, report }: Hearing): void {
    for (const [maintenanceId, { plan, maintenanceRuns, protectionRuns }] of this.windows) {
      const { startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = plan;
      if (maintenanceRuns !== isWithin(startedAt, endedAt, timeMs) || protectionRuns !== isWithin(from, to, timeMs)) {
        report(`Maintenance ${maintenanceId} does not begin or end at its time.`);
      }
      if (timeMs >= endedAt && timeMs >= to) this.windows.delete(maintenanceId);
    }
  }

  compare(report: (breach: string) => void): void {
    const { state } = this;
    for (const isFutures of [false, true]) {
      const phase = this.restricts("maintenanceRuns", isFutures)
        ? 2
        : this.restricts("protectionRuns", isFutures)
          ? 1
          : 0;
      const stored = isFutures ? state.futuresPhase : state.spotPhase;
      const what = isFutures ? "futures" : "spot";
      if (phase !== stored) report(`Events put ${what} trading into phase ${phase}, the state is in ${stored}.`);
    }
    const ids = [...this.windows.keys()].join();
    const stored = state.maintenance.map((window) => window.maintenanceId).join();
    if (ids !== stored) report(`Events tell of maintenance ${ids || "none"}, the state of ${stored || "none"}.`);
  }

  /** Whether the trading of a product is in such a period. */
  private restricts(which: "maintenanceRuns" | "protectionRuns", isFutures: boolean): boolean {
    const others = isFutures ? "SPOT" : "FUTURES";
    for (const followed of this.windows.values()) {
      if (followed[which] && followed.plan.scope.some((scope) => scope !== others)) return true;
    }
    return false;
  }
}

function isWithin(from: number, to: number, timeMs: number): boolean {
  return from <= timeMs && timeMs < to;
}
