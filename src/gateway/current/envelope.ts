/**
 * The envelope of the current generation, written in one place:
 * `{"code":0,"data":…,"message":"OK"}`, with `pagination` for pages; on refusal `data` is `{}`, in a batch element null.
 */
import { Refused, type WireRefusal, wireRow } from "../refusals.ts";

/** A text that is valid JSON already, from a template or a stored row; taken as it is. */
export type JsonText = string & { readonly __json: true };

/** Marks a text as JSON. The caller vouches for it. */
export function asJson(text: string): JsonText {
  return text as JsonText;
}

/** One element of a batch: the record, or why it was refused. */
export type BatchElement<Row> = { readonly data: Row | JsonText } | Refused;

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
export function batchText(elements: readonly BatchElement<object>[], flat: boolean): string {
  let text = "";
  for (const element of elements) {
    if (text !== "") text += ",";
    text += element instanceof Refused ? refusedText(element, "null") : batchSuccess(jsonOf(element.data), flat);
  }
  return `{"code":0,"data":[${text}],"message":"OK"}`;
}

export function refusalText(refusal: WireRefusal, message?: string): string {
  return refusedText(new Refused(refusal, message), "{}");
}

function batchSuccess(data: string, flat: boolean): string {
  const beside = flat && data.length > 2 ? `,${data.slice(1, -1)}` : "";
  return `{"code":0,"data":${data},"message":"OK"${beside}}`;
}

function refusedText(refused: Refused, data: "{}" | "null"): string {
  const row = wireRow(refused.refusal);
  return `{"code":${row.v2},"data":${data},"message":${JSON.stringify(refused.message ?? row.message)}}`;
}

function jsonOf(data: object | JsonText): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}
