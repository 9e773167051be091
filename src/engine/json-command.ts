/** JSON commands at the engine's door: found by their kind, checked by their form, carried out by their part. */
import { isFrozen } from "./accounts/freeze.ts";
import { type Answer, refused } from "./answer.ts";
import { isObject } from "./field.ts";
import { type Form, formFault, ownerOf } from "./form.ts";
import { withFourEyes } from "./operators/approvals.ts";
import { PARTS } from "./parts.ts";
import { holds } from "./rules-version.ts";
import type { State } from "./state.ts";

interface Carrier {
  readonly form: Form;
  carryOut(state: State, command: object): Answer;
}

const CARRIERS: ReadonlyMap<unknown, Carrier> = carriers();

function carriers(): Map<unknown, Carrier> {
  const found = new Map<unknown, Carrier>();
  for (const { name, forms, commands } of PARTS) {
    for (const [kind, form] of Object.entries(forms)) {
      if (found.has(kind)) throw new Error(`The command ${kind} of ${name} is another part's, too.`);
      found.set(kind, { form, carryOut: commands[kind] as Carrier["carryOut"] });
    }
  }
  return found;
}

/** The form of the commands of a kind; undefined of what is no JSON command. */
export function formOf(kind: unknown): Form | undefined {
  return CARRIERS.get(kind)?.form;
}

/** Carries out whatever stood in a JSON record. */
export function carryOut(state: State, command: unknown): Answer {
  if (!isObject(command)) return refused("invalid_command", "A command is a JSON object.");
  const carrier = CARRIERS.get(command.kind);
  if (carrier === undefined || !isKnown(state, carrier.form)) {
    return refused("invalid_command", "There is no such command.");
  }
  const fault = formFault(carrier.form, command);
  if (fault !== undefined) return refused("invalid_command", fault);
  const owner = ownerOf(carrier.form, command);
  if (owner !== undefined && isFrozen(state, owner)) {
    return refused("account_frozen", "The account is frozen.");
  }
  return withFourEyes(state, command) ?? carrier.carryOut(state, command);
}

/** Whether the rules that hold know commands of this form. */
function isKnown(state: State, { since }: Form): boolean {
  return since === undefined || holds(state, since);
}

/**
 * Whether markets, stop orders and futures accounts are looked after when a command is done that stood in a JSON
 * record.
 */
export function stirs(command: unknown): boolean {
  return !isObject(command) || CARRIERS.get(command.kind)?.form.isQuiet !== true;
}
