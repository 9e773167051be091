/** What takes a second operator: done at once below the bound, proposed above it. */
import type { JsonCommand } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { ROOT } from "../../engine/operators/commands.ts";
import { isAbove } from "../bounds.ts";
import type { AdminBackend } from "./backend.ts";
import { type AdminAnswer, execute, type WithoutActor } from "./call.ts";

/** Whether so much of a currency takes two. What is no amount takes none: the engine refuses it. */
export function takesTwo({ fourEyes }: AdminBackend, ccy: string, amount: string): boolean {
  return isAbove(fourEyes, ccy, amount);
}

/** Whether a change of who may do what takes two: where anything does, and somebody else is there to consent. */
export function roleTakesTwo({ fourEyes, state, operator }: AdminBackend): boolean {
  if (fourEyes.size === 0) return false;
  const admins = [...state.operators.byName.values()].filter(({ role }) => role === "admin").map(({ name }) => name);
  return [ROOT, ...admins].some((name) => name !== operator.name && (name !== ROOT || admins.length > 0));
}

/** Proposes a command: the answer says under which number it waits, or what came of it if it was done before. */
export function proposed(
  backend: AdminBackend,
  command: WithoutActor<JsonCommand>,
  read: (result: unknown, engine: Engine) => object,
): Promise<AdminAnswer> {
  return execute(backend, { kind: "propose", command: JSON.stringify(command) }, (result, engine) => {
    const { approvalId } = result as { approvalId?: number };
    return approvalId === undefined ? read(result, engine) : { approval_id: approvalId, status: "pending" };
  });
}

/** As `execute`, or as a proposal when `two`. */
export function executeOrPropose(
  two: boolean,
  backend: AdminBackend,
  command: WithoutActor<JsonCommand>,
  read: (result: unknown, engine: Engine) => object,
): Promise<AdminAnswer> {
  return two ? proposed(backend, command, read) : execute(backend, command, read);
}
