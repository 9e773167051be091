/** The faults of a form, each sentence at the field that it is about. */
import { inWords, Refusal } from "../api/client.ts";
import type { CallField } from "./calls.ts";
import type { Draft, Drafts } from "./draft.ts";
import { wordsOf } from "./words.ts";

export type FieldFaults = Readonly<Record<string, string>>;

/** The text before a field's name in a refusal: "Invalid Parameter: in item 1, price is required." */
const INTRODUCTION = /^(?:Invalid Parameter: )?(?:in (?:item \d+|it), )?/;
const NAME = /^([a-z]\w*) /;

/**
 * Fields that must be given and are not, and times of which a part is missing, which a browser takes for none at all.
 */
export function faultsBefore(
  fields: readonly CallField[],
  drafts: Drafts,
  halfGiven: ReadonlySet<string>,
): FieldFaults {
  const faults: Record<string, string> = {};
  for (const { name, required } of fields) {
    if (halfGiven.has(name))
      faults[name] = `${wordsOf(name)} needs a whole time: a day with its year, an hour and a minute.`;
    else if (required && isEmpty(drafts[name])) faults[name] = `${wordsOf(name)} is required.`;
  }
  return faults;
}

export function isEmpty(draft: Draft | undefined): boolean {
  return draft === undefined || (typeof draft === "string" ? draft.trim() === "" : draft.length === 0);
}

/** The venue's sentence at the field that it begins with; none where it is about something else. */
export function faultsAfter(fields: readonly CallField[], error: unknown): FieldFaults {
  if (!(error instanceof Refusal)) return {};
  const sentence = error.message.replace(INTRODUCTION, "");
  const [, name = ""] = NAME.exec(sentence) ?? [];
  const field = fields.find((each) => each.name === name) ?? fields.find((each) => holds(each, name));
  return field === undefined ? {} : { [field.name]: inWords(error.message, wordsOf) };
}

function holds({ fields }: CallField, name: string): boolean {
  return fields?.some((field) => field.name === name) === true;
}
