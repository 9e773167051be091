/** Rows of a list that somebody looks for by a word of theirs. */

/** A number or word that is meant whole, or a part of a text: an order by its number, a deal by its market. */
export function rowsWith<Row extends object>(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return rows;
  return rows.filter((row) =>
    Object.values(row).some(
      (value) =>
        String(value).toLowerCase() === wanted || (typeof value === "string" && value.toLowerCase().includes(wanted)),
    ),
  );
}

/** Said of a list in which nothing fits. */
export function noneFits(hasNext: boolean): string {
  return hasNext ? "Nothing of what is shown so far fits: show more to search older records." : "Nothing fits.";
}
