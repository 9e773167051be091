/** The lists of this generation whose elements succeed and fail apart. */
import type { BatchElement } from "../reading/execute.ts";
import { asJson, type JsonText } from "../reading/json-text.ts";
import { Refused } from "../refused.ts";
import { envelopeText, type LegacyRenderer } from "./renderer.ts";

/** Prints each element as `{code, message, data}`, `{}` where it failed. */
export function elementsText(renderer: LegacyRenderer, elements: readonly BatchElement<object>[]): JsonText {
  const texts = elements.map((element) =>
    element instanceof Refused
      ? envelopeText(renderer.codeOf(element), renderer.sentenceOf(element), "{}")
      : envelopeText(0, "Success", typeof element.data === "string" ? element.data : JSON.stringify(element.data)),
  );
  return asJson(`[${texts.join()}]`);
}
