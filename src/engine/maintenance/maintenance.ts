/**
 * Maintenance windows and their protection periods: planned and cancelled by the operator, begun and ended by the
 * venue's time. In a window the trading writes of its scope are refused; in its protection period only cancels and new
 * maker_only orders are taken. Windows may overlap: the stricter rule holds. Source: domain 2.13.
 */
import { type Answer, accepted, refused } from "../answer.ts";
import type { RareEvent } from "../event.ts";
import type { MarketType } from "../listing/market.ts";
import { emitRareEvent } from "../rare-event.ts";
import type { State } from "../state.ts";
import {
  type CancelMaintenance,
  MAINTENANCE_SCOPES,
  type MaintenancePlan,
  type MaintenanceScope,
  type PlanMaintenance,
} from "./command-schemas.ts";

/** The phases of trading in a scope; a higher number is stricter. */
export const PHASE = { open: 0, protection: 1, maintenance: 2 } as const;

/** Windows that may be planned or running at once, so that their list stays short enough to answer whole. */
export const WINDOWS_MAX = 100;

export interface MaintenanceWindow extends MaintenancePlan {
  readonly maintenanceId: number;
  /** ms; its beginnings and ends up to here have been told, -1 before the first. */
  toldMs: number;
}

/** A beginning or an end within a window. */
export interface MaintenanceEdge {
  readonly type: Extract<RareEvent, { maintenanceId: number }>["type"] & `${string}_${"started" | "ended"}`;
  readonly atMs: number;
  readonly window: MaintenanceWindow;
}

/** Answers the window's id. A window may begin at once, or have begun; one that is over cannot be planned. */
export function planMaintenance(state: State, command: PlanMaintenance): Answer {
  const fault = planFault(state, command);
  if (fault !== undefined) return refused("invalid_command", fault);
  const { startedAt, endedAt, protectDurationStart, protectDurationEnd, announceUrl, announceEnabled } = command;
  const plan: MaintenancePlan = {
    scope: MAINTENANCE_SCOPES.filter((scope) => command.scope.includes(scope)),
    startedAt,
    endedAt,
    protectDurationStart,
    protectDurationEnd,
    announceUrl,
    announceEnabled,
  };
  const maintenanceId = state.nextMaintenanceId++;
  state.maintenance.push({ maintenanceId, ...plan, toldMs: -1 });
  emitRareEvent(state, { type: "maintenance_planned", maintenanceId, ...plan });
  runMaintenance(state);
  return accepted({ maintenanceId });
}

/** Takes a window back, planned or running; what it forbade is allowed again at once. */
export function cancelMaintenance(state: State, { maintenanceId }: CancelMaintenance): Answer {
  const at = state.maintenance.findIndex((window) => window.maintenanceId === maintenanceId);
  if (at < 0) return refused("maintenance_not_found", "No maintenance with that id is planned or running.");
  state.maintenance.splice(at, 1);
  emitRareEvent(state, { type: "maintenance_cancelled", maintenanceId });
  runMaintenance(state);
  return accepted({ maintenanceId });
}

/**
 * Why users may not change their accounts now; undefined when they may. Only windows of the whole site cover that, and
 * no account write is among what a protection period allows. Operators are not asked.
 */
export function refuseAccountWrite(state: State): Answer | undefined {
  switch (phaseOf(state.maintenance, "ALL_SITE", state.timeMs)) {
    case PHASE.maintenance:
      return refused("maintenance", "The whole site is under maintenance.");
    case PHASE.protection:
      return refused("protection_period", "The whole site is in the protection period of a maintenance.");
    default:
      return undefined;
  }
}

/** Tells of every beginning and end up to `state.timeMs`, in their order, and forgets the windows that are over. */
export function runMaintenance(state: State): void {
  const { timeMs } = state;
  const due = state.maintenance
    .flatMap((window) => edgesOf(window))
    .filter(({ atMs, window }) => atMs > window.toldMs && atMs <= timeMs)
    .sort((first, second) => first.atMs - second.atMs);
  for (const { type, atMs, window } of due) {
    window.toldMs = atMs;
    emitRareEvent(state, { type, maintenanceId: window.maintenanceId });
  }
  state.maintenance = state.maintenance.filter((window) => !isOver(window, timeMs));
  enterPhase(state);
}

/** Works out what holds for trading now, and makes sure that the engine wakes up when that may change. */
export function enterPhase(state: State): void {
  state.spotPhase = phaseOf(state.maintenance, "SPOT", state.timeMs);
  state.futuresPhase = phaseOf(state.maintenance, "FUTURES", state.timeMs);
  for (const window of state.maintenance) {
    for (const { atMs } of edgesOf(window)) {
      if (atMs > state.timeMs) state.nextDueMs = Math.min(state.nextDueMs, atMs);
    }
  }
}

/** Returns the phase that maintenance has put the trading of a product into now, one of PHASE. */
export function phaseFor(state: State, marketType: MarketType): number {
  return marketType === "FUTURES" ? state.futuresPhase : state.spotPhase;
}

/** The strictest phase that any of these windows puts a scope into. */
export function phaseOf(windows: readonly MaintenanceWindow[], scope: MaintenanceScope, timeMs: number): number {
  let phase: number = PHASE.open;
  for (const window of windows) {
    if (!window.scope.includes(scope) && !window.scope.includes("ALL_SITE")) continue;
    if (window.startedAt <= timeMs && timeMs < window.endedAt) return PHASE.maintenance;
    if (window.protectDurationStart <= timeMs && timeMs < window.protectDurationEnd) phase = PHASE.protection;
  }
  return phase;
}

/** Whether nothing of a window is still to come. */
export function isOver(window: MaintenancePlan, timeMs: number): boolean {
  return timeMs >= window.endedAt && timeMs >= window.protectDurationEnd;
}

/** Ends before beginnings, so that at one instant a period is over before the next one begins. */
export function edgesOf(window: MaintenanceWindow): MaintenanceEdge[] {
  const { endedAt, protectDurationEnd, startedAt, protectDurationStart } = window;
  const edges: MaintenanceEdge[] = [
    { type: "maintenance_ended", atMs: endedAt, window },
    { type: "maintenance_started", atMs: startedAt, window },
  ];
  // Without a protection period both of its times are 0.
  if (protectDurationEnd > 0) {
    edges.unshift({ type: "protection_ended", atMs: protectDurationEnd, window });
    edges.push({ type: "protection_started", atMs: protectDurationStart, window });
  }
  return edges.sort((first, second) => first.atMs - second.atMs);
}

/** The sentence that says what is wrong with a plan; undefined when it is sound. */
function planFault(state: State, command: PlanMaintenance): string | undefined {
  const { scope, startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = command;
  if (scope.length === 0 || !scope.every((name) => MAINTENANCE_SCOPES.includes(name))) {
    return `scope must name one or more of ${MAINTENANCE_SCOPES.join(", ")}.`;
  }
  if (Math.min(startedAt, endedAt, from, to) < 0) return "Times are milliseconds since 1970.";
  if (startedAt >= endedAt) return "started_at must lie before ended_at.";
  if ((from !== 0 || to !== 0) && from >= to) {
    return "protect_duration_start must lie before protect_duration_end; without a protection period both are 0.";
  }
  if (endedAt <= state.timeMs) return "ended_at must lie in the future.";
  if (to !== 0 && to <= state.timeMs) return "protect_duration_end must lie in the future, or both times be 0.";
  if (command.announceEnabled && command.announceUrl === "") {
    return "announce_enabled needs an announce_url.";
  }
  if (state.maintenance.length >= WINDOWS_MAX) {
    return `At most ${WINDOWS_MAX} windows can be planned or running at once.`;
  }
  return undefined;
}
