import { Kysely } from "kysely";
import type { Client } from "pg";
import type { OpenHistory } from "../history-writer.ts";
import type { Parameter, Part } from "../part.ts";
import type { Table } from "../table.ts";
import { postgresDialect } from "./dialect.ts";
import { PendingRows } from "./pending-rows.ts";
import { followersOf, partition, partitionOf } from "./tables.ts";

/** Somebody else has written meanwhile, or this history is not where it was: what is at hand must not be written. */
export class NotTheWriter extends Error {
  constructor(expectedSeq: number) {
    super(
      `The history does not stand at seq ${expectedSeq} any more: another writer has gone on, or it was made anew.`,
    );
    this.name = "NotTheWriter";
  }
}

interface Queued {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/**
 * The tables of a history in PostgreSQL, for the one who writes them. Rows gather here and go in one transaction with
 * the seq up to which they reach, and only if it stood where it was left: one who has lost the history to another
 * writes nothing.
 */
export class WrittenDatabase implements OpenHistory {
  readonly appliedSeq: number;
  readonly db: Kysely<never>;
  readonly #client: Client;
  readonly #parts: readonly Part[];
  readonly #pending = new Map<Table, PendingRows>();
  readonly #partitions = new Map<string, bigint>();
  #statements: Queued[] = [];
  #names = 0;
  #committedSeq: number;
  #inTransaction = false;
  #writing: Promise<void> = Promise.resolve();

  /** As it stands at `appliedSeq`. */
  static async open(client: Client, appliedSeq: number, parts: readonly Part[]): Promise<WrittenDatabase> {
    const written = new WrittenDatabase(client, appliedSeq, parts);
    for (const table of parts.flatMap((part) => part.tables)) await written.#enter(table);
    return written;
  }

  private constructor(client: Client, appliedSeq: number, parts: readonly Part[]) {
    this.#client = client;
    this.#parts = parts;
    this.appliedSeq = this.#committedSeq = appliedSeq;
    this.db = new Kysely<never>({ dialect: postgresDialect(client, () => this.write()) });
  }

  async #enter(table: Table): Promise<void> {
    const pending = new PendingRows(table);
    this.#pending.set(table, pending);
    const { countedColumn } = pending;
    if (countedColumn !== undefined) {
      const { rows } = await this.#client.query(`select max(${countedColumn}) as last from ${table.name}`);
      pending.countOn(Number(rows[0]?.last ?? 0));
    }
    if (table.shape.segmented !== undefined) {
      const { rows } = await this.#client.query(
        "select count(*) as made from pg_inherits where inhparent = to_regclass($1)",
        [table.name],
      );
      this.#partitions.set(table.name, BigInt(rows[0]?.made ?? 0) - 1n);
    }
  }

  readonly inserter: OpenHistory["inserter"] = (table, onConflict) => {
    const pending = this.#pending.get(table);
    if (pending === undefined) throw new Error(`The history has no table ${table.name}.`);
    return pending.inserter(onConflict) as ReturnType<OpenHistory["inserter"]>;
  };

  readonly statement: OpenHistory["statement"] = (query) => {
    const text = query.compile().sql;
    return (...parameters) => void this.#statements.push({ text, parameters });
  };

  readonly prepared: OpenHistory["prepared"] = (query) => {
    const { sql: text } = query.compile();
    const name = `q${++this.#names}`;
    return async (...values) => {
      await this.write();
      return (await this.#client.query({ name, text, values })).rows[0];
    };
  };

  /** Nothing to do: a transaction begins when there is something to write into it. */
  begin(): void {}

  /**
   * Whether what is committed from now on is on the server's disk before the commit ends. Otherwise a crash of the
   * server may take back the newest.
   */
  isDurable = false;

  async commit(seq: number): Promise<void> {
    await this.write();
    await this.#ensureTransaction();
    if (this.isDurable) await this.#client.query("set local synchronous_commit = on");
    await this.#client.query("update meta set applied_seq = $1", [seq]);
    await this.#client.query("commit");
    this.#inTransaction = false;
    this.#committedSeq = seq;
  }

  /** Everything that waits goes into the transaction. */
  write(): Promise<void> {
    const written = this.#writing.then(() => this.#writeAll());
    this.#writing = written.catch(() => {});
    return written;
  }

  async #writeAll(): Promise<void> {
    const waiting = [...this.#pending].filter(([, pending]) => !pending.isEmpty);
    if (waiting.length === 0 && this.#statements.length === 0) return;
    await this.#ensureTransaction();
    for (const [table, pending] of waiting) await this.#makePartitions(table, pending);
    for (const [, pending] of waiting) {
      for (const { text, values } of pending.take()) await this.#client.query(text, values);
    }
    for (const { text, parameters } of this.#statements.splice(0)) await this.#client.query(text, [...parameters]);
  }

  /**
   * The row that says where the history stands is locked first: of two writers the later one waits, and finds it moved.
   */
  async #ensureTransaction(): Promise<void> {
    if (this.#inTransaction) return;
    await this.#client.query("begin");
    this.#inTransaction = true;
    await this.#client.query("set local synchronous_commit = off");
    const { rowCount } = await this.#client.query("update meta set applied_seq = $1 where applied_seq = $1", [
      this.#committedSeq,
    ]);
    if (rowCount !== 1) throw new NotTheWriter(this.#committedSeq);
  }

  async #makePartitions(table: Table, pending: PendingRows): Promise<void> {
    const tables = this.#parts.flatMap((part) => part.tables);
    for (const { name, segmented } of followersOf(tables, table)) {
      const needed = partitionOf(pending.highest(segmented.by) ?? 0n);
      let made = this.#partitions.get(name) ?? -1n;
      while (made < needed) await this.#client.query(partition(name, ++made));
      this.#partitions.set(name, made);
    }
  }
}
