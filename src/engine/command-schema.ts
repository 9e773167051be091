/**
 * Schemas of JSON commands. A schema is the one declaration of a command: its fields, who may give it, and how the log
 * tells of it. Its TypeScript type follows from it (`CommandOf`), and so does the check at the engine's door: what
 * stands in the log must never make the engine throw, or the venue could not start from it again.
 *
 * A part declares its schemas in its own folder and enters them in the list of all commands (`JsonCommands` in
 * command.ts).
 */
import { type Field, type Fields, hasField, optional, text, type Values } from "./field.ts";
import type { Rule } from "./rules-version.ts";

/**
 * Whose wish a command is. What a user wishes names him in `userId`, and is refused while his account is frozen.
 * `user_or_operator`: it is the user's when its `byUser` is true. `feed` brings prices from outside; `venue` is the
 * program itself.
 */
export type Giver = "user" | "user_or_operator" | "operator" | "feed" | "venue";

/** Fields that a schema must have for the engine to know whose wish the command is. */
interface FieldsBy {
  readonly user: { readonly userId: Field<number, false> };
  readonly user_or_operator: { readonly userId: Field<number, false>; readonly byUser: Field<boolean, true> };
  readonly operator: object;
  readonly feed: object;
  readonly venue: object;
}

/** Services that the words of a command may need and the engine does not have. */
export interface Teller {
  /** A time in ms, as people read it. */
  time(timeMs: number): string;
}

export interface CommandSchema<All extends Fields = Fields> {
  readonly by: Giver;
  readonly fields: All;
  /** The rule that brought the command: under older ones there is no such command. */
  readonly since?: Rule | undefined;
  /**
   * Promises that the command moves no price, frees no money and opens no market. Without it markets, stop orders and
   * futures accounts are all looked after when it is done, which is always right.
   */
  readonly isQuiet?: boolean | undefined;
  /** How the log tells of it; without them its name and what its fields hold. */
  words?(command: Values<All>, teller: Teller): string;
}

/** By the kinds of the commands. */
export type CommandSchemas = Readonly<Record<string, CommandSchema>>;

/** Declares a schema. */
export function commandSchema<const All extends Fields, By extends Giver>(
  declared: CommandSchema<All> & { readonly by: By; readonly fields: All & FieldsBy[By] },
): CommandSchema<All> {
  return declared;
}

/** The command of this kind. `actor` says who asked, for the log. */
export type CommandOf<All extends CommandSchemas, Kind extends keyof All> =
  All[Kind] extends CommandSchema<infer One>
    ? { readonly kind: Kind; readonly actor?: string | undefined } & Values<One>
    : never;

/** Commands by kind, to enter in `JsonCommands`. */
export type CommandsOf<All extends CommandSchemas> = { [Kind in keyof All]: CommandOf<All, Kind> };

const ACTOR = optional(text);

/**
 * The sentence that says which field of a command is not what its schema wants; undefined when all are. Unknown fields
 * may stand.
 */
export function schemaFault(schema: CommandSchema, command: object): string | undefined {
  const values = command as Readonly<Record<string, unknown>>;
  for (const [name, expected] of Object.entries({ ...schema.fields, actor: ACTOR })) {
    if (!hasField(values, name, expected)) return `${name} must be ${expected.expected}.`;
  }
  return undefined;
}

/** The user whose own wish a command of this schema is; undefined of what others give. */
export function ownerOf({ by }: CommandSchema, command: object): number | undefined {
  const { userId, byUser } = command as { readonly userId: number; readonly byUser?: boolean };
  return by === "user" || (by === "user_or_operator" && byUser === true) ? userId : undefined;
}

/**
 * Returns in words what a command asks for; also for one that was refused because it does not fit its schema, or
 * because it has none.
 */
export function wordsOf(schema: CommandSchema | undefined, command: { readonly kind: string }, teller: Teller): string {
  if (schema?.words !== undefined && schemaFault(schema, command) === undefined)
    return schema.words(command as never, teller);
  const pairs = Object.entries(command)
    .filter(([name, value]) => !UNTOLD.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${schema?.fields[name]?.isSealed === true ? "(sealed)" : valueText(value)}`);
  return [command.kind, ...pairs].join(" ");
}

/** The kind stands before the fields, and who asked is told beside. */
const UNTOLD: ReadonlySet<string> = new Set(["kind", "actor"]);

function valueText(value: unknown): string {
  return typeof value === "string" && /^[\w.:+-]+$/.test(value) ? value : JSON.stringify(value);
}
