/** Whole lists as files: every record of all pages, with every field of the API that is one text. */
import { getPage } from "../api/client.ts";
import { csvOf, saveFile } from "./csv.ts";
import type { PageSource } from "./pages.ts";

const PAGE = 100;
/** A browser holds so many without pain; who wants more asks the API. */
const RECORDS_MAX = 20_000;

type Row = Readonly<Record<string, unknown>>;

/** Reads page after page, until there is no more or so many rows are there; `isCut` where there were more. */
export async function allPages<Found>(
  readPage: (page: number) => Promise<{ readonly rows: readonly Found[]; readonly hasNext: boolean }>,
  most: number,
): Promise<{ rows: Found[]; isCut: boolean }> {
  const rows: Found[] = [];
  for (let page = 1; ; page++) {
    const fresh = await readPage(page);
    rows.push(...fresh.rows);
    if (!fresh.hasNext) return { rows: rows.slice(0, most), isCut: rows.length > most };
    if (rows.length >= most) return { rows: rows.slice(0, most), isCut: true };
  }
}

/** Hands the browser a file with all records of these lists; gives a sentence about it. */
export async function download(name: string, sources: readonly PageSource[]): Promise<string> {
  const rows: Row[] = [];
  let isCut = false;
  for (const { path, query } of sources) {
    const read = await allPages<Row>(
      (page) => getPage<Row>(path, { ...query, page, limit: PAGE }),
      RECORDS_MAX - rows.length,
    );
    rows.push(...read.rows);
    isCut ||= read.isCut;
  }
  const fields = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((field) => typeof row[field] !== "object"))),
  ];
  saveFile(`${name}.csv`, csvOf(fields, rows));
  return isCut
    ? `The newest ${RECORDS_MAX} records are in the file; the API has the rest.`
    : `${rows.length} records are in the file.`;
}
