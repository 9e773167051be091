/** Saves all rows of a list that the filters leave, page by page, as CSV. */
import { createSignal } from "solid-js";
import { get, type Query, sentenceOf } from "../api/client.ts";
import { csvOf, saveFile } from "../ui/csv.ts";
import { say } from "../ui/toasts.tsx";
import { allPages } from "../ui/whole-list.ts";
import type { List, Row } from "./area.ts";
import { watched } from "./session.ts";

const PAGE_ROWS = 1_000;
/** Rows that a browser can hold without trouble; a list with more must be narrowed by time. */
const ROWS_MAX = 100_000;

export function ExportButton(props: { list: List; query: Query }) {
  const [isBusy, setIsBusy] = createSignal(false);
  const save = async () => {
    setIsBusy(true);
    try {
      const { rows, isCut } = await allRows(props.list, props.query);
      const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
      saveFile(
        `${props.list.id}-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.csv`,
        csvOf(columns, rows),
      );
      if (isCut) say(`The file has the first ${ROWS_MAX} rows: narrow the list to get the others.`, "bad");
    } catch (error) {
      say(sentenceOf(error), "bad");
    }
    setIsBusy(false);
  };
  return (
    <button type="button" class="button small" disabled={isBusy()} onClick={() => void save()}>
      {isBusy() ? "Exporting" : "Export CSV"}
    </button>
  );
}

function allRows(list: List, query: Query): Promise<{ rows: Row[]; isCut: boolean }> {
  return allPages<Row>(async (page) => {
    const paging = list.isPaged === true ? { page, limit: PAGE_ROWS } : {};
    const answer = await watched(get<Row>(list.path, { ...query, ...paging }));
    const rows = (answer[list.rows] as readonly Row[] | undefined) ?? [];
    return { rows, hasNext: list.isPaged === true && answer["has_next"] === true };
  }, ROWS_MAX);
}
