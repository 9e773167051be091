import { part } from "../part.ts";
import { MAINTENANCE_FORMS } from "./forms.ts";
import { cancelMaintenance, planMaintenance } from "./maintenance.ts";

/** Windows in which nothing, or only some of it, may be traded. */
export const maintenance = part({
  name: "maintenance",
  forms: MAINTENANCE_FORMS,
  commands: { plan_maintenance: planMaintenance, cancel_maintenance: cancelMaintenance },
});
