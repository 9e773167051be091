import { type Answer, accepted, refused } from "../answer.ts";
import type { State } from "../state.ts";

const REFERENCE_CHARS_MAX = 128;

/**
 * A reference makes a command that is sent again come to nothing new: with the same content it is answered by what came
 * of the first, with other content it is refused. Each kind of command has a space of its own.
 */
export interface Referring {
  readonly kind: string;
  readonly reference: string | undefined;
  /** The fields that must not differ, from `contentOf`. */
  readonly content: string;
}

/**
 * The answer of a command that was carried out before, marked as `repeated`, or why the reference cannot be used;
 * undefined when it is new.
 */
export function answeredBefore(state: State, { kind, reference, content }: Referring): Answer | undefined {
  if (reference === undefined) return undefined;
  if (reference === "" || reference.length > REFERENCE_CHARS_MAX) {
    return refused("invalid_command", `A reference has 1 to ${REFERENCE_CHARS_MAX} characters.`);
  }
  const before = state.operators.references.get(`${kind} ${reference}`);
  if (before === undefined) return undefined;
  return before.content === content ? accepted({ ...before.result, repeated: true }) : otherContent(reference);
}

/** To be called when a command was carried out. */
export function remember(state: State, { kind, reference, content }: Referring, result: object): void {
  if (reference !== undefined) state.operators.references.set(`${kind} ${reference}`, { content, result });
}

export function otherContent(reference: string): Answer {
  return refused("invalid_command", `The reference ${reference} was used before, for something else.`);
}

/** The parts of a command that count, as one text: no two different ones give the same. */
export function contentOf(...parts: readonly (string | number | undefined)[]): string {
  return JSON.stringify(parts.map((part) => part ?? null));
}

/** A decimal without what does not change it: "01.50" and "1.5" are one amount. What is no decimal stays as it is. */
export function plainAmount(text: string): string {
  const [, minus = "", whole, fraction = ""] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${minus}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
