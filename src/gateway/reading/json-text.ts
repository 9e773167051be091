/** A text that is valid JSON already, from a template or a stored row; taken as it is. */
export type JsonText = string & { readonly __json: true };

/** Marks a text as JSON. The caller vouches for it. */
export function asJson(text: string): JsonText {
  return text as JsonText;
}

/** A list, of the text of each row. Texts are added one by one: joining a list of them would copy each once more. */
export function jsonList<Row>(rows: readonly Row[], print: (row: Row) => JsonText): JsonText {
  let text = "";
  for (const row of rows) text += text === "" ? print(row) : `,${print(row)}`;
  return asJson(`[${text}]`);
}
