/** Checks the invariants of maintenance windows between two commands. Source: domain 10, number 37. */
import type { Census } from "../part.ts";
import type { State } from "../state.ts";
import { WINDOWS_MAX } from "./maintenance.ts";

/** 37: what is planned and running, by a reading of its own of the times. */
export function checkMaintenance(state: State, census: Census): void {
  const { maintenance, nextMaintenanceId, nextDueMs, spotPhase, futuresPhase, timeMs } = state;
  const phases = { SPOT: 0, FUTURES: 0 };
  let before = 0;
  census.expect(maintenance.length <= WINDOWS_MAX, () => `${maintenance.length} windows of maintenance are stored.`);
  for (const window of maintenance) {
    const { maintenanceId: id, startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to } = window;
    const report = (what: string) => () => `Maintenance ${id} ${what}.`;
    census.expect(id > before && id < nextMaintenanceId, report("has an id that was not its turn"));
    before = id;
    census.expect(startedAt < endedAt && (to === 0 ? from === 0 : from < to), report("ends before it begins"));
    census.expect(endedAt > timeMs || to > timeMs, report("is over and still stored"));
    const edges = to === 0 ? [startedAt, endedAt] : [startedAt, endedAt, from, to];
    census.expect(
      edges.every((atMs) => (atMs <= timeMs ? window.toldMs >= atMs : window.toldMs < atMs && nextDueMs <= atMs)),
      report("begins or ends unnoticed"),
    );
    for (const product of ["SPOT", "FUTURES"] as const) {
      if (!window.scope.some((scope) => scope === product || scope === "ALL_SITE")) continue;
      if (startedAt <= timeMs && timeMs < endedAt) phases[product] = 2;
      else if (from <= timeMs && timeMs < to && phases[product] === 0) phases[product] = 1;
    }
  }
  census.expect(
    spotPhase === phases.SPOT,
    () => `Spot trading is in phase ${spotPhase} of maintenance and should be in ${phases.SPOT}.`,
  );
  census.expect(
    futuresPhase === phases.FUTURES,
    () => `Futures trading is in phase ${futuresPhase} of maintenance and should be in ${phases.FUTURES}.`,
  );
}
