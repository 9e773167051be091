import { part } from "../part.ts";
import "./events.ts";
import { MAINTENANCE_SCHEMAS } from "./command-schemas.ts";
import { cancelMaintenance, planMaintenance, runMaintenance } from "./maintenance.ts";
import { MaintenanceAudit } from "./maintenance-audit.ts";
import { checkMaintenance } from "./maintenance-invariants.ts";
import { maintenanceSection } from "./maintenance-section.ts";

/** Windows in which nothing, or only some of it, may be traded. */
export const maintenance = part({
  name: "maintenance",
  commandSchemas: MAINTENANCE_SCHEMAS,
  commands: { plan_maintenance: planMaintenance, cancel_maintenance: cancelMaintenance },
  sections: [maintenanceSection],
  check: checkMaintenance,
  audits: (state) => [new MaintenanceAudit(state)],
  beforeDue: runMaintenance,
});
