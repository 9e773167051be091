/** A text that is valid JSON already, from a template or a stored row; taken as it is. */
export type JsonText = string & { readonly __json: true };

/** Marks a text as JSON. The caller vouches for it. */
export function asJson(text: string): JsonText {
  return text as JsonText;
}
