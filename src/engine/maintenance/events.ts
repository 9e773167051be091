/** Events of maintenance windows. */
import type { MaintenancePlan } from "./command-schemas.ts";

declare module "../event.ts" {
  interface RareEvents {
    maintenance_planned: { readonly maintenanceId: number } & MaintenancePlan;
    /** Cancelled stands for the ends of what was running, too. */
    maintenance_cancelled: {
      readonly maintenanceId: number;
    };
    maintenance_started: {
      readonly maintenanceId: number;
    };
    maintenance_ended: {
      readonly maintenanceId: number;
    };
    protection_started: {
      readonly maintenanceId: number;
    };
    protection_ended: {
      readonly maintenanceId: number;
    };
  }
}
