import type { Refusal } from "./refusal.ts";

/** The answer to a JSON command: a result for its sender, or a refusal with a sentence that says what is wrong. */
export type Answer =
  | { readonly refusal: undefined; readonly result: unknown }
  | { readonly refusal: Refusal; readonly detail: string };

export function accepted(result: unknown): Answer {
  return { refusal: undefined, result };
}

export function refused(refusal: Refusal, detail: string): Answer {
  return { refusal, detail };
}
