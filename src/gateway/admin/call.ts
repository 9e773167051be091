/** The form of the calls of the operator's interface, and how a call becomes a command. */
import type { JsonCommand } from "../../engine/command.ts";
import { type Engine, refusalIn } from "../../engine/engine.ts";
import { isGuarded } from "../../engine/operators/approvals.ts";
import type { Role } from "../../engine/operators/command-schemas.ts";
import { holds } from "../../engine/rules-version.ts";
import { Refused } from "../refused.ts";
import type { AdminBackend, Asker } from "./backend.ts";
import type { Fields, Values } from "./field.ts";

/** The `data` of a call's answer, or the refusal of the call. */
export type AdminAnswer = object | Refused;

export interface AdminCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** A part in capitals, such as `USER_ID`, stands for the first field. */
  readonly path: string;
  /** Its words on the command line, such as `market list`; several where two verbs make the same call. */
  readonly verbs: Readonly<Record<string, string>>;
  readonly fields: Fields;
  /** Above the bounds of four eyes, or once an administrator exists, it waits for the consent of a second operator. */
  readonly takesTwo?: true;
  /** Nobody need be known to make it, and anyone who is refused waits as with a wrong token. */
  readonly isOpen?: true;
  /** Who besides an admin may do it with these values. Unless given everybody may read, and nobody change. */
  mayBy?(values: never): readonly Role[];
  serve(backend: AdminBackend, values: never): AdminAnswer | Promise<AdminAnswer>;
}

/** The part of a path that stands for a field. */
export const FIELD_IN_PATH = /(?<=\/)[A-Z_]+(?=\/|$)/;

/** Ties the type of the values to the fields. */
export function call<All extends Fields>(
  definition: Omit<AdminCall, "fields" | "serve" | "mayBy"> & {
    readonly fields: All;
    mayBy?(values: Values<All>): readonly Role[];
    serve(backend: AdminBackend, values: Values<All>): AdminAnswer | Promise<AdminAnswer>;
  },
): AdminCall {
  return definition;
}

/** Whether an operator may make a call with these values. */
export function mayCall({ role }: Asker, call: AdminCall, values: object): boolean {
  if (role === "admin") return true;
  return call.mayBy === undefined ? call.method === "GET" : call.mayBy(values as never).includes(role);
}

export type WithoutActor<Command> = Command extends unknown ? Omit<Command, "actor"> : never;

/**
 * Submits a command in the operator's name; `read` makes the answer of what the engine says when it is applied, unless
 * the command waits for another operator's consent. The operator is not turned away by a busy venue: these calls are
 * few, bounded by the listener's connections, and may be the ones that end the trouble.
 */
export function execute(
  backend: AdminBackend,
  command: WithoutActor<JsonCommand>,
  read: (result: unknown, engine: Engine) => object,
): Promise<AdminAnswer> {
  // While nodes of a cluster run different programs the older rules hold, which leave to the gateway what takes two.
  if (isGuarded(command.kind) && !holds(backend.state, "authority")) return Promise.resolve(UPGRADING);
  return new Promise((resolve) => {
    const taken = backend.submit({ ...command, actor: backend.operator.name } as JsonCommand, (outcome, engine) => {
      const refusal = refusalIn(outcome);
      if (refusal !== undefined) resolve(new Refused(refusal, outcome.detail));
      else resolve(pendingIn(command.kind, outcome.result) ?? read(outcome.result, engine));
    });
    if (!taken) resolve(new Refused("stopping"));
  });
}

const UPGRADING = new Refused(
  "unavailable",
  "The nodes are being upgraded: this is possible again once all of them run the new program.",
);

/** The answer of a command that waits. */
function pendingIn(kind: string, result: unknown): object | undefined {
  const { approvalId } = (result ?? {}) as { approvalId?: number };
  return approvalId === undefined || kind === "decide" ? undefined : { approval_id: approvalId, status: "pending" };
}
