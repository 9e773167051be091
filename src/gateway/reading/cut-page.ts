import type { CountedPage, PageRequest } from "../../history/page.ts";

/** A page of a list that is whole in memory; for lists that are bounded. */
export function cutPage<Row>(
  all: readonly Row[],
  { page, limit, offset = (page - 1) * limit }: PageRequest,
): CountedPage<Row> {
  return { rows: all.slice(offset, offset + limit), hasNext: all.length > offset + limit, total: all.length };
}
