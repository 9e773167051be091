/** The draft of a form, and the body that becomes of it. */
import type { Act } from "./area.ts";
import type { Call, CallField } from "./calls.ts";

/** A text, texts that were chosen, or rows of fields. */
export type Draft = string | readonly string[] | readonly Readonly<Record<string, Draft>>[];
export type Drafts = Readonly<Record<string, Draft>>;

/** Why something was done: a person who does it by hand says so. */
const NOTE = "note";
/** By which the venue knows that it has done this before. */
const REFERENCE = "reference";

/** The fields that the form of an act asks for: those that must be given first, then those that may. */
export function askedFields(call: Call, act: Act): readonly CallField[] {
  const fixed = Object.keys(act.fixed ?? {});
  const asked = call.fields
    .filter(({ name }) => !fixed.includes(name) && (act.ask?.includes(name) ?? true))
    .map((field) => (field.name === NOTE ? { ...field, required: true } : field));
  return [...asked.filter(({ required }) => required), ...asked.filter(({ required }) => !required)];
}

export function emptyDraft(field: CallField): Draft {
  return field.shape === "records" || field.shape === "record" || field.item?.choices !== undefined ? [] : "";
}

/** Sent again, as when no answer came, a call with a reference is done once. */
export function firstDrafts(fields: readonly CallField[], initial: Act["initial"] = {}): Drafts {
  return Object.fromEntries(
    fields.map((field) => {
      const own = field.name === REFERENCE ? `console ${randomName()}` : undefined;
      return [field.name, initial[field.name] ?? own ?? emptyDraft(field)];
    }),
  );
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the values of the fields; those that were left empty are not in it. */
export function bodyOf(fields: readonly CallField[], drafts: Drafts): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = fieldValue(field, drafts[field.name] ?? "");
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

/** The word that takes a value back, on the command line and here. */
export const NONE = "none";

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/;

function fieldValue(field: CallField, draft: Draft): unknown {
  if (typeof draft !== "string") {
    if (draft.length === 0) return undefined;
    if (field.fields === undefined) return draft;
    const rows = (draft as readonly Drafts[]).map((row) => bodyOf(field.fields ?? [], row));
    return field.shape === "record" ? rows[0] : rows;
  }
  const text = draft.trim();
  if (text === "") return undefined;
  if (field.clearable && text === NONE) return null;
  if (field.shape === "flag") return text === "true";
  if (field.shape === "list") return text.split(/[\s,]+/).filter((each) => each !== "");
  // The browser's clock gives times without their zone.
  if (/^TIME\b/.test(field.values) && LOCAL_TIME.test(text)) return new Date(text).toISOString();
  return text;
}
