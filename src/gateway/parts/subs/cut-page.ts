/** A page of a list that is whole in memory; for lists that are bounded. */
export function cutPage<Row>(
  all: readonly Row[],
  { page, limit }: { readonly page: number; readonly limit: number },
): { readonly rows: readonly Row[]; readonly hasNext: boolean; readonly total: number } {
  const from = (page - 1) * limit;
  return { rows: all.slice(from, from + limit), hasNext: all.length > from + limit, total: all.length };
}
