import type { MaintenancePlan } from "../../../../engine/maintenance/command-schemas.ts";
import { MAINTENANCE, MaintenanceChannel } from "../../../ws/channels/maintenance.ts";
import { temporaryMaintenanceOf } from "../../records/maintenance.ts";

/** Maintenance: a LegacyWsNotice. */
export class LegacyNoticeChannel extends MaintenanceChannel {
  protected print(window: MaintenancePlan): string {
    return JSON.stringify({ channel: MAINTENANCE, ...temporaryMaintenanceOf(window) });
  }
}
