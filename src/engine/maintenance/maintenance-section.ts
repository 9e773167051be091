import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import { enterPhase, type MaintenanceWindow } from "./maintenance.ts";

/** Windows that are planned or running, by id. */
export const maintenanceSection: Section = {
  name: "maintenance",
  version: 1,
  write: ({ maintenance }) => [jsonChunk(maintenance)],
  read: (state, [json]) => {
    state.maintenance.push(...(jsonOf(json) as MaintenanceWindow[]));
    enterPhase(state);
  },
};
