/** The pages of this generation. What history keeps is not counted: of such a list `total` is what is known to be there. */
import { asJson, type JsonText } from "../reading/json-text.ts";

/** Whatever of a list is shown. */
export interface Shown {
  readonly hasNext: boolean;
  /** Rows in all, where they are counted. */
  readonly total?: number | undefined;
}

/** A LegacyPage; `rows` are JSON texts. */
export function numberedPage(
  rows: readonly string[],
  { page, limit }: { readonly page: number; readonly limit: number },
  { hasNext, total = known(page - 1, limit, rows.length, hasNext) }: Shown,
): JsonText {
  const pages = Math.ceil(total / limit);
  return asJson(
    `{"has_next":${hasNext},"curr_page":${page},"count":${rows.length},"data":[${rows.join()}],` +
      `"total":${total},"total_page":${pages}}`,
  );
}

/** A LegacyRecordsPage. */
export function recordsPage(
  rows: readonly string[],
  { page, limit }: { readonly page: number; readonly limit: number },
  { hasNext, total = known(page - 1, limit, rows.length, hasNext) }: Shown,
): JsonText {
  return asJson(`{"records":[${rows.join()}],"total":${total}}`);
}

/** A PerpetualPage, or with a total a PerpetualPageTotal. */
export function offsetPage(
  rows: readonly string[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  total?: number,
): JsonText {
  const counted = total === undefined ? "" : `,"total":${total}`;
  return asJson(`{"records":[${rows.join()}],"offset":${offset},"limit":${limit}${counted}}`);
}

function known(pagesBefore: number, limit: number, rows: number, hasNext: boolean): number {
  return pagesBefore * limit + rows + (hasNext ? 1 : 0);
}
