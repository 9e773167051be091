/**
 * The envelope of the current generation, written in one place: `{"code":0,"data":…,"message":"OK"}`, with `pagination`
 * for pages; on refusal `data` is `{}`, in a batch element null.
 */
import type { BatchElement } from "../reading/execute.ts";
import type { JsonText } from "../reading/json-text.ts";
import { Refused } from "../refused.ts";
import type { EnvelopeRenderer } from "./renderer.ts";

export interface Pagination {
  readonly hasNext: boolean;
  /** Rows in all; sent by the endpoints whose contract lists it. */
  readonly total?: number | undefined;
}

/** `data` is an object, a list or JSON text. */
export function successText(data: object | JsonText): string {
  return `{"code":0,"data":${jsonOf(data)},"message":"OK"}`;
}

export function pageText(rows: readonly unknown[] | JsonText, page: Pagination): string {
  const total = page.total === undefined ? "" : `,"total":${page.total}`;
  return `{"code":0,"data":${jsonOf(rows)},"pagination":{"has_next":${page.hasNext}${total}},"message":"OK"}`;
}

/** `flat` repeats the fields of each record beside `data`, for clients that look for them there (compat). */
export function batchText(
  elements: readonly BatchElement<object>[],
  renderer: EnvelopeRenderer,
  flat: boolean,
): string {
  let text = "";
  for (const element of elements) {
    if (text !== "") text += ",";
    text += element instanceof Refused ? renderer.renderElement(element) : batchSuccess(jsonOf(element.data), flat);
  }
  return `{"code":0,"data":[${text}],"message":"OK"}`;
}

function batchSuccess(data: string, flat: boolean): string {
  const beside = flat && data.length > 2 ? `,${data.slice(1, -1)}` : "";
  return `{"code":0,"data":${data},"message":"OK"${beside}}`;
}

function jsonOf(data: object | JsonText): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}
