/** Which windows keep something from being done. Source: domain 2.13. */
import { isOver } from "../../../engine/maintenance/maintenance.ts";
import type { AskedFor, FigureSource } from "../../reading/figures.ts";
import type { Figures } from "../../refused.ts";

const window = ({ state }: AskedFor): Figures => {
  const [next] = state.maintenance.filter((each) => !isOver(each, state.timeMs));
  return next === undefined
    ? {}
    : {
        maintenance_id: next.maintenanceId,
        scope: next.scope.join(" "),
        started_at: next.startedAt,
        ended_at: next.endedAt,
        protection_from: next.protectDurationStart,
        protection_to: next.protectDurationEnd,
        now: state.timeMs,
      };
};

export const MAINTENANCE_FIGURES: Readonly<Record<string, FigureSource>> = {
  maintenance: window,
  protection_period: window,
};
