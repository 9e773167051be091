import { WordBuffer } from "../../src/engine/words.ts";
import { type HistoryFile, openHistoryFile } from "../../src/history/history-file.ts";
import { HistoryWriter } from "../../src/history/history-writer.ts";
import { type HistoryReader, readerOf } from "../../src/history/parts.ts";

/** History without its thread: the file, its writer and who answers. */
export interface View extends HistoryFile {
  readonly writer: HistoryWriter;
  readonly ask: HistoryReader;
}

/** Opens a view; in memory unless a path is given. */
export function openView(path = ":memory:"): View {
  const file = openHistoryFile({ path, venueId: "test" });
  return { ...file, writer: new HistoryWriter(file), ask: readerOf(file) };
}

/** Hands events to a view, as if they had come from the main thread. */
export function takeInto(view: View, ...groups: Uint8Array<ArrayBuffer>[]): void {
  for (const events of groups) view.writer.take(WordBuffer.over(events), 0);
}

/** Every row of every table but `meta`, for comparing two files. */
export function contentOf({ database }: Pick<HistoryFile, "database">): Record<string, unknown[]> {
  const tables = database.prepare("select name from sqlite_schema where type = 'table' and name <> 'meta'").all();
  return Object.fromEntries(
    tables.map(({ name }) => [name as string, database.prepare(`select * from "${name}"`).all()]),
  );
}
