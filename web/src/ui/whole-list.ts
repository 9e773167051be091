/** Whole lists as files: every record of all pages, with every field of the API that is one text. */
import { getPage } from "../api/client.ts";
import { csvOf, saveFile } from "./csv.ts";
import type { PageSource } from "./pages.ts";

const PAGE = 100;
/** A browser holds so many without pain; who wants more asks the API. */
const RECORDS_MAX = 20_000;

type Row = Readonly<Record<string, unknown>>;

/** Reads all pages of these lists; `isCut` where there were more than are taken. */
async function readAll(sources: readonly PageSource[]): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = [];
  for (const { path, query } of sources) {
    for (let page = 1; ; page++) {
      const fresh = await getPage<Row>(path, { ...query, page, limit: PAGE });
      rows.push(...fresh.rows);
      if (rows.length >= RECORDS_MAX) return { rows: rows.slice(0, RECORDS_MAX), isCut: true };
      if (!fresh.hasNext) break;
    }
  }
  return { rows, isCut: false };
}

/** Hands the browser a file with all records of these lists; gives a sentence about it. */
export async function download(name: string, sources: readonly PageSource[]): Promise<string> {
  const { rows, isCut } = await readAll(sources);
  const fields = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((field) => typeof row[field] !== "object"))),
  ];
  saveFile(`${name}.csv`, csvOf(fields, rows));
  return isCut
    ? `The newest ${RECORDS_MAX} records are in the file; the API has the rest.`
    : `${rows.length} records are in the file.`;
}
