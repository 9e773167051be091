/** Commands about maintenance windows. */

import { type CommandOf, type CommandsOf, commandSchema } from "../command-schema.ts";
import { flag, listOf, text, type Values, whole, word } from "../field.ts";

export const MAINTENANCE_SCOPES = ["SPOT", "FUTURES", "ALL_SITE"] as const;
export type MaintenanceScope = (typeof MAINTENANCE_SCOPES)[number];

/**
 * A window in the words of the contract's Maintenance record. Times are ms; those of the protection period 0 when it
 * has none.
 */
const PLAN = {
  scope: listOf("strings", word<MaintenanceScope>()),
  startedAt: whole,
  endedAt: whole,
  protectDurationStart: whole,
  protectDurationEnd: whole,
  /** Empty when there is none. */
  announceUrl: text,
  announceEnabled: flag,
};

export type MaintenancePlan = Values<typeof PLAN>;

export const MAINTENANCE_SCHEMAS = {
  /** Answers `{ maintenanceId }`. */
  plan_maintenance: commandSchema({
    by: "operator",
    fields: PLAN,
    words({ scope, startedAt, endedAt, protectDurationStart: from, protectDurationEnd: to, announceUrl }, { time }) {
      const parts = [
        `plan_maintenance of ${scope.join(", ")} from ${time(startedAt)} to ${time(endedAt)}`,
        to === 0 ? "" : `, protection from ${time(from)} to ${time(to)}`,
        announceUrl === "" ? "" : `, announced at ${JSON.stringify(announceUrl)}`,
      ];
      return parts.join("");
    },
  }),
  cancel_maintenance: commandSchema({ by: "operator", fields: { maintenanceId: whole } }),
};

export type PlanMaintenance = CommandOf<typeof MAINTENANCE_SCHEMAS, "plan_maintenance">;
export type CancelMaintenance = CommandOf<typeof MAINTENANCE_SCHEMAS, "cancel_maintenance">;

declare module "../command.ts" {
  interface JsonCommands extends CommandsOf<typeof MAINTENANCE_SCHEMAS> {}
}
