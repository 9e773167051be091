import type { Refusal } from "./refusal.ts";

/** What a JSON command comes to: a result for its sender, or a refusal with a sentence that says what is wrong. */
export type Answer =
  | { readonly refusal: undefined; readonly result: unknown }
  | { readonly refusal: Refusal; readonly detail: string };

export function accepted(result: unknown): Answer {
  return { refusal: undefined, result };
}

export function refused(refusal: Refusal, detail: string): Answer {
  return { refusal, detail };
}
