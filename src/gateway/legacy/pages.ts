/**
 * The pages of this generation. What history keeps is not counted: of such a list `total` is what is known to be there.
 */
import type { Refusing } from "../reading/answering.ts";
import { asJson, type JsonText } from "../reading/json-text.ts";
import { Refused } from "../refused.ts";

/** The rows of a list that are shown. */
export interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  /** Rows in all, where they are counted. */
  readonly total?: number | undefined;
}

interface Numbered {
  readonly page: number;
  readonly limit: number;
}

interface Offset {
  readonly offset: number;
  readonly limit: number;
}

interface PageCall<Asked> extends Refusing {
  readonly params: Asked;
  answer(text: JsonText): void;
}

/** `print` gives a row as JSON text. */
type Answer<Asked> = <Row>(call: PageCall<Asked>, shown: Shown<Row> | Refused, print: (row: Row) => string) => void;

/** Answers a page in a form of this generation, or why there is none. */
function answering<Asked>(
  form: (rows: readonly string[], asked: Asked, shown: Shown<unknown>) => string,
): Answer<Asked> {
  return (call, shown, print) => {
    if (shown instanceof Refused) call.refuse(shown);
    else call.answer(asJson(form(shown.rows.map(print), call.params, shown)));
  };
}

/** A LegacyPage. */
export const answerNumbered = answering<Numbered>((rows, asked, shown) => {
  const total = totalOf(shown, asked);
  return (
    `{"has_next":${shown.hasNext},"curr_page":${asked.page},"count":${rows.length},"data":[${rows.join()}],` +
    `"total":${total},"total_page":${Math.ceil(total / asked.limit)}}`
  );
});

/** A LegacyRecordsPage. */
export const answerRecords = answering<Numbered>(
  (rows, asked, shown) => `{"records":[${rows.join()}],"total":${totalOf(shown, asked)}}`,
);

/** A PerpetualPage, or with a total a PerpetualPageTotal. */
export const answerOffset = answering<Offset>((rows, asked, { total }) => offsetPage(rows, asked, total));

/** A page by offset as text; its total is counted, or what is known to be there. */
export function offsetText<Row>(asked: Offset, shown: Shown<Row>, print: (row: Row) => string): string {
  const { rows, hasNext, total = asked.offset + rows.length + (hasNext ? 1 : 0) } = shown;
  return offsetPage(rows.map(print), asked, total);
}

function offsetPage(rows: readonly string[], { offset, limit }: Offset, total: number | undefined): string {
  const counted = total === undefined ? "" : `,"total":${total}`;
  return `{"records":[${rows.join()}],"offset":${offset},"limit":${limit}${counted}}`;
}

function totalOf({ rows, hasNext, total }: Shown<unknown>, { page, limit }: Numbered): number {
  return total ?? (page - 1) * limit + rows.length + (hasNext ? 1 : 0);
}
