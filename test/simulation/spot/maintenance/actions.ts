import type { MaintenanceScope } from "../../../../src/engine/maintenance/command-schemas.ts";
import type { Draw } from "../draw.ts";
import { picking, type Step } from "../step.ts";

export function maintenance(draw: Draw): Omit<Step, "waitMs"> {
  const { random, settings } = draw;
  if (random.chance(50)) return picking(draw.random, { kind: "cancel_maintenance", maintenanceId: 0 });
  const scope = random.pick<MaintenanceScope[]>([["SPOT"], ["ALL_SITE"], ["FUTURES"], ["SPOT", "FUTURES"], []]);
  const long = random.pick(settings.waits);
  const startedAt = random.pick([0, 1, -1_000, long]);
  const endedAt = startedAt + random.pick([1, long, 2 * long]);
  const protects = random.chance(50);
  const protectDurationStart = protects ? random.pick([endedAt, startedAt, -500]) || 1 : 0;
  const protectDurationEnd = protects ? protectDurationStart + random.pick([long, 2_000]) || 1 : 0;
  const rest = { announceUrl: "", announceEnabled: random.chance(5) };
  const window = { scope, startedAt, endedAt, protectDurationStart, protectDurationEnd, ...rest };
  return { command: { kind: "plan_maintenance", ...window } };
}
