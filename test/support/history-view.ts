import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { WordBuffer } from "../../src/engine/words.ts";
import { HistoryWriter, type OpenHistory } from "../../src/history/history-writer.ts";
import type { Part } from "../../src/history/part.ts";
import { type HistoryReader, PARTS, readerOf } from "../../src/history/parts.ts";
import { connect } from "../../src/history/postgresql/connection.ts";
import { openDatabase } from "../../src/history/postgresql/open.ts";
import { readerOn } from "../../src/history/postgresql/reader.ts";
import { WrittenDatabase } from "../../src/history/postgresql/written.ts";
import { openHistoryFile } from "../../src/history/sqlite/history-file.ts";
import { NO_POSTGRESQL, PostgresServer } from "./postgresql.ts";

/** History without its thread: its writer and who answers. */
export interface View extends OpenHistory {
  readonly db: Kysely<never>;
  readonly writer: HistoryWriter;
  readonly ask: HistoryReader;
  /** What a query written by hand gives, and what a statement does. */
  readonly run: (text: string) => Promise<Record<string, unknown>[]>;
  readonly close: () => Promise<void>;
}

/** Opens a view: a history in memory unless a path is given, or the address of a database. */
export async function openView(place = ":memory:"): Promise<View> {
  return place.startsWith("postgres:") ? await openDatabaseView(place) : await openFileView(place);
}

async function openFileView(path: string): Promise<View> {
  const file = await openHistoryFile({ path, venueId: "test" });
  return {
    ...file,
    writer: await HistoryWriter.open(file),
    ask: readerOf(file),
    // A view sees what was taken, committed or not.
    ...runIn(file.database, () => file.gathered.write()),
    close: () => Promise.try(() => file.database.close()),
  };
}

async function openDatabaseView(address: string): Promise<View> {
  const client = await connect({ address, name: "test" }, () => {});
  const found = await openDatabase(client, {
    venueId: "test",
    logSeq: undefined,
    refusesLostTail: false,
    parts: PARTS,
  });
  const written = await WrittenDatabase.open(client, found.appliedSeq, PARTS);
  const { db, inserter, statement, prepared, appliedSeq } = written;
  return {
    ...{ db, inserter, statement, prepared, appliedSeq },
    begin: () => written.begin(),
    commit: (seq) => written.commit(seq),
    writer: await HistoryWriter.open(written),
    // On the same connection, and after what it has to write: a view sees what was taken, committed or not.
    ask: readerOn(client, db, () => written.write()),
    run: async (text) => (await client.query(text)).rows,
    close: () => client.end(),
  };
}

/** What `contentOf` asks, of a file; `before` is run first. */
export function runIn(database: DatabaseSync, before = () => {}): Pick<View, "run"> {
  return {
    run: (text) =>
      Promise.try(() => {
        before();
        return database.prepare(text).all();
      }),
  };
}

/** A database that histories are tested in. */
export interface TestDatabase {
  readonly name: string;
  /** Why there is none here; false where there is one. */
  readonly skip: string | false;
  /** A view of an empty history. The one before is over. */
  open(): Promise<View>;
}

/** A history that is emptied is an empty one, and costs a tenth of a new one. */
class EmptiedDatabase implements TestDatabase {
  readonly name = "PostgreSQL";
  readonly skip = NO_POSTGRESQL;
  #server: Promise<PostgresServer> | undefined;
  #address: Promise<string> | undefined;
  #last: View | undefined;

  async open(): Promise<View> {
    this.#server ??= PostgresServer.start();
    this.#address ??= this.#server.then((server) => server.newDatabase());
    const address = await this.#address;
    await this.#last?.close();
    const client = await connect({ address, name: "test" }, () => {});
    const { rows } = await client.query("select to_regclass('bourse.meta') is not null as made");
    if (rows[0]?.made) {
      const texts = PARTS.flatMap(({ tables }) => tables).map(({ name }) => `delete from ${name}`);
      await client.query([...texts, "update meta set applied_seq = 0"].join("; "));
    }
    await client.end();
    this.#last = await openView(address);
    return this.#last;
  }

  async end(): Promise<void> {
    await this.#last?.close();
    await (await this.#server)?.remove();
  }
}

/** Both. Anyone who uses them calls `end` after its last test. */
export function testDatabases(): { readonly all: readonly TestDatabase[]; end(): Promise<void> } {
  const emptied = new EmptiedDatabase();
  return { all: [{ name: "SQLite", skip: false, open: () => openView() }, emptied], end: () => emptied.end() };
}

/** Hands events to a view, as if they had come from the main thread. */
export async function takeInto({ writer }: Pick<View, "writer">, ...groups: Uint8Array<ArrayBuffer>[]): Promise<void> {
  for (const events of groups) await writer.take(WordBuffer.over(events), 0);
}

/** Every row of every table of these parts, by key, for comparing two histories, whatever they lie in. */
export async function contentOf(
  { run }: Pick<View, "run">,
  parts: readonly Part[] = PARTS,
): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const { name, columns, shape } of parts.flatMap(({ tables }) => tables)) {
    const key = [shape.key].flat().join(", ");
    content[name] = (await run(`select ${Object.keys(columns).join(", ")} from ${name} order by ${key}`)).map(
      (row) => ({ ...row }),
    );
  }
  return content;
}
