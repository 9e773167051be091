/** JSON commands at the engine's door: found by their kind, checked by their schema, carried out by their part. */
import { isFrozen } from "./accounts/freeze.ts";
import { type Answer, refused } from "./answer.ts";
import { type CommandSchema, ownerOf, schemaFault } from "./command-schema.ts";
import { isObject } from "./field.ts";
import { withFourEyes } from "./operators/approvals.ts";
import { PARTS } from "./parts.ts";
import { holds } from "./rules-version.ts";
import type { State } from "./state.ts";

interface Carrier {
  readonly schema: CommandSchema;
  carryOut(state: State, command: object): Answer;
}

const CARRIERS: ReadonlyMap<unknown, Carrier> = carriers();

function carriers(): Map<unknown, Carrier> {
  const found = new Map<unknown, Carrier>();
  for (const { name, commandSchemas, commands } of PARTS) {
    for (const [kind, schema] of Object.entries(commandSchemas)) {
      if (found.has(kind)) throw new Error(`The command ${kind} of ${name} is another part's, too.`);
      found.set(kind, { schema, carryOut: commands[kind] as Carrier["carryOut"] });
    }
  }
  return found;
}

/** The schema of the commands of a kind; undefined of what is no JSON command. */
export function schemaOf(kind: unknown): CommandSchema | undefined {
  return CARRIERS.get(kind)?.schema;
}

/** Carries out whatever stood in a JSON record. */
export function carryOut(state: State, command: unknown): Answer {
  if (!isObject(command)) return refused("invalid_command", "A command is a JSON object.");
  const carrier = CARRIERS.get(command.kind);
  if (carrier === undefined || !isKnown(state, carrier.schema)) {
    return refused("invalid_command", "There is no such command.");
  }
  const fault = schemaFault(carrier.schema, command);
  if (fault !== undefined) return refused("invalid_command", fault);
  const owner = ownerOf(carrier.schema, command);
  if (owner !== undefined && isFrozen(state, owner)) {
    return refused("account_frozen", "The account is frozen.");
  }
  return withFourEyes(state, command) ?? carrier.carryOut(state, command);
}

/** Whether the rules that hold know commands of this schema. */
function isKnown(state: State, { since }: CommandSchema): boolean {
  return since === undefined || holds(state, since);
}

/**
 * Whether markets, stop orders and futures accounts are looked after when a command is done that stood in a JSON
 * record.
 */
export function stirs(command: unknown): boolean {
  return !isObject(command) || CARRIERS.get(command.kind)?.schema.isQuiet !== true;
}
