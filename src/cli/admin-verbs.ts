/**
 * One verb for every call of the admin interface, made from the same description that the interface itself checks by.
 */

import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { type AdminCall, FIELD_IN_PATH } from "../gateway/admin/call.ts";
import type { Field, Form } from "../gateway/admin/field.ts";
import { ADMIN_CALLS, NOUNS } from "../gateway/parts.ts";
import { jsonOf } from "../venue/setting-values.ts";
import { AdminClient, type VenueOptions, withVenueOptions } from "./admin-client.ts";
import { figuresOf } from "./figures.ts";
import { print } from "./output.ts";

/** The verbs that nouns stand for without a further word. */
export const DEFAULT_VERBS: ReadonlySet<string> = new Set(["deposit create", "fault create"]);

/** Value that takes back what was set. Commander would replace null itself by an empty text. */
const NONE = "none";
const CLEARED = Symbol(NONE);

export function addAdminVerbs(program: Command): void {
  for (const call of ADMIN_CALLS) {
    for (const [verb, description] of Object.entries(call.verbs)) {
      // `audit --live` is an option of the verb that audits the log.
      if (!verb.includes("--")) addVerb(program, verb, description, call);
    }
  }
  const metrics = program.command("metrics").description("Print all figures in the text form of Prometheus.");
  withVenueOptions(metrics.summary("print all figures")).action(async (options: VenueOptions) => {
    const text = await AdminClient.of(options).text("GET", "/metrics");
    process.stdout.write(options.json === true ? `${JSON.stringify(figuresOf(text))}\n` : text);
  });
}

function addVerb(program: Command, verb: string, description: string, call: AdminCall): void {
  const words = verb.split(" ");
  const parent = words.length === 1 ? program : nounOf(program, words[0] as string);
  const command = parent
    .command(words.at(-1) as string, { isDefault: DEFAULT_VERBS.has(verb) })
    .description(description)
    .summary(summaryOf(description));
  const inPath = FIELD_IN_PATH.exec(call.path)?.[0];
  const names = Object.keys(call.fields).slice(inPath === undefined ? 0 : 1);
  if (inPath !== undefined) {
    const field = Object.values(call.fields)[0] as Field<unknown>;
    command.addArgument(new Argument(`<${inPath}>`, field.meaning));
  }
  if (names.length > 0) command.optionsGroup("Fields:");
  for (const name of names) command.addOption(fieldOption(name, call.fields[name] as Field<unknown>));
  withVenueOptions(command).action(async () => {
    const body = Object.fromEntries(
      names.map((name) => {
        const value: unknown = command.getOptionValue(camelCase(name));
        return [name, value === CLEARED ? null : value];
      }),
    );
    const path = call.path.replace(FIELD_IN_PATH, () => encodeURIComponent(command.args[0] ?? ""));
    const options = command.opts<VenueOptions>();
    const isPost = call.method === "POST";
    const data = await AdminClient.of(options).call(
      call.method,
      isPost ? path : path + queryText(body),
      isPost ? body : undefined,
    );
    print(data, options.json);
  });
}

/** The values that were given, as the query of a call that takes no body. */
function queryText(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

/** The beginning of a description, for the list of all verbs. */
function summaryOf(description: string): string {
  const begin = description.replace(/[:;.].*$/s, "");
  return begin.charAt(0).toLowerCase() + begin.slice(1);
}

function nounOf(program: Command, noun: string): Command {
  return (
    program.commands.find((command) => command.name() === noun) ??
    program
      .command(noun)
      .description(NOUNS[noun] as string)
      .exitOverride()
  );
}

function fieldOption(name: string, { form, meaning, required, clearable }: Field<unknown>): Option {
  const values = clearable ? `${form.values}|${NONE}` : form.values;
  const flags = form.shape === "flag" ? `--${kebabCase(name)} [${values}]` : `--${kebabCase(name)} <${values}>`;
  const repeated = form.shape === "list" || form.shape === "records" ? "; may be repeated" : "";
  const option = new Option(flags, `${meaning.replace(/null (?=goes|takes)/, `${NONE} `)}${repeated}`);
  option.makeOptionMandatory(required);
  // To commander --no-cancel-at is the opposite of a --cancel-at; here it is a name like any other.
  option.negate = false;
  option.argParser((text: string, before: unknown) => {
    const value = clearable && text === NONE ? CLEARED : argumentOf(form, text);
    return repeated === "" ? value : [...((before as unknown[] | undefined) ?? []), value];
  });
  return option;
}

/**
 * Returns the value that the interface wants in place of a text. The interface checks whether it is right. Throws
 * InvalidArgumentError for a text that does not have the shape of the form.
 */
function argumentOf({ shape }: Form<unknown>, text: string): unknown {
  if (shape === "records") return recordOf(text);
  if (shape === "record") return text === NONE ? NONE : recordOf(text);
  if (shape !== "flag") return text;
  if (text === "true" || text === "on") return true;
  if (text === "false" || text === "off") return false;
  throw new InvalidArgumentError(`Say true or false instead of ${text}.`);
}

/** `exchange=a,price=1` or a JSON object. */
function recordOf(text: string): unknown {
  if (text.startsWith("{")) {
    const value = jsonOf(text);
    if (value === undefined) throw new InvalidArgumentError(`This is no JSON object: ${text}.`);
    return value;
  }
  const pairs = text.split(",").map((pair) => {
    const equals = pair.indexOf("=");
    if (equals < 1) throw new InvalidArgumentError(`Write name=value,name=value or a JSON object instead of ${text}.`);
    const value = pair.slice(equals + 1);
    return [pair.slice(0, equals), value === "true" ? true : value === "false" ? false : value];
  });
  return Object.fromEntries(pairs);
}

function kebabCase(name: string): string {
  return name.replaceAll("_", "-");
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
