/** Who answers questions of a history in PostgreSQL: a few connections, each for one question at a time. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Client } from "pg";
import { type HistoryReader, readerOf } from "../parts.ts";
import { connect, drop } from "./connection.ts";
import { postgresDialect } from "./dialect.ts";
import { partitionedSegments } from "./segments.ts";

/** Each is a process of the server, and more than it has cores answer nothing sooner. */
const CONNECTIONS_MAX = 4;
/** No question takes nearly as long; one that did would hold up all others. */
const STATEMENT_MS_MAX = 10_000;
const ANSWER_MS_MAX = 15_000;
/** A question waits so long for a connection: who asked has given it up by then. */
const FREE_MS_MAX = 10_000;

/** All connections are taken by questions that take long. */
export class ReadersBusy extends Error {
  constructor() {
    super("The history's database is busy with other questions.");
    this.name = "ReadersBusy";
  }
}

interface Connection {
  readonly client: Client;
  readonly reader: HistoryReader;
  isLost: boolean;
}

/** Makes queries, and asks nobody. */
const NOBODY = new Kysely<never>({
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  },
});

/** The names of the questions that can be asked, the same for all databases. */
export const QUERY_NAMES = Object.keys(
  readerOf({ prepared: () => () => Promise.resolve(undefined), db: NOBODY, segments: partitionedSegments(NOBODY) }),
) as (keyof HistoryReader)[];

export class Readers {
  readonly #address: string;
  readonly #free: Connection[] = [];
  readonly #all = new Set<Connection>();
  #waiting: (() => void)[] = [];
  #opened = 0;

  constructor(address: string) {
    this.#address = address;
  }

  /**
   * Asks in a transaction that sees one state of the history, whatever is written meanwhile, and which reaches `seq`:
   * undefined where the history does not reach that far yet. Rejects with ReadersBusy when no connection comes free.
   */
  async ask<Answer>(
    seq: number,
    question: (reader: HistoryReader) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> {
    const connection = await this.#take();
    try {
      const { client, reader } = connection;
      await client.query("begin isolation level repeatable read read only");
      const { rows } = await client.query("select applied_seq from meta");
      const reaches = Number(rows[0]?.applied_seq ?? -1) >= seq;
      const answer = reaches ? { answer: await question(reader) } : undefined;
      await client.query("commit");
      return answer;
    } catch (error) {
      // A server that says nothing is not waited for once more.
      if (isSilence(error)) connection.isLost = true;
      else
        await connection.client.query("rollback").catch(() => {
          connection.isLost = true;
        });
      throw error;
    } finally {
      this.#giveBack(connection);
    }
  }

  end(): void {
    for (const connection of this.#all) {
      connection.isLost = true;
      drop(connection.client);
    }
    this.#all.clear();
    this.#opened -= this.#free.length;
    this.#free.length = 0;
    this.#letOn();
  }

  async #take(): Promise<Connection> {
    while (true) {
      const free = this.#free.pop();
      if (free !== undefined && !free.isLost) return free;
      if (this.#opened < CONNECTIONS_MAX) return await this.#open();
      if (!(await this.#comesFree())) throw new ReadersBusy();
    }
  }

  /** Whether a connection has come free in time, for the one who takes it first. */
  async #comesFree(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const hear = () => resolve(true);
    this.#waiting.push(hear);
    const late = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== hear);
      resolve(false);
    }, FREE_MS_MAX);
    return await promise.finally(() => clearTimeout(late));
  }

  async #open(): Promise<Connection> {
    this.#opened++;
    try {
      const limits = { statementMsMax: STATEMENT_MS_MAX, answerMsMax: ANSWER_MS_MAX };
      const lost = () => {
        if (connection !== undefined) this.#lose(connection);
      };
      let connection: Connection | undefined;
      const client = await connect({ address: this.#address, name: "history reader", ...limits }, lost);
      connection = { client, reader: readerOn(client), isLost: false };
      this.#all.add(connection);
      return connection;
    } catch (error) {
      this.#opened--;
      this.#letOn();
      throw error;
    }
  }

  #lose(connection: Connection): void {
    connection.isLost = true;
    const at = this.#free.indexOf(connection);
    if (at < 0) return;
    this.#free.splice(at, 1);
    this.#giveBack(connection);
  }

  #giveBack(connection: Connection): void {
    if (connection.isLost) {
      if (this.#all.delete(connection)) drop(connection.client);
      this.#opened--;
    } else {
      this.#free.push(connection);
    }
    this.#letOn();
  }

  #letOn(): void {
    this.#waiting.shift()?.();
  }
}

/** Whether the driver reports that the server has not answered in time. */
function isSilence(error: unknown): boolean {
  return (error as Error).message === "Query read timeout";
}

/**
 * Who answers on a connection; `before` is awaited before each query of `db`, which has it built in, and of all others.
 */
export function readerOn(
  client: Client,
  db = new Kysely<never>({ dialect: postgresDialect(client) }),
  before?: () => Promise<void>,
): HistoryReader {
  let names = 0;
  return readerOf({
    db,
    segments: partitionedSegments(db),
    prepared: (query) => {
      const { sql: text } = query.compile();
      const name = `r${++names}`;
      return async (...values) => {
        await before?.();
        return (await client.query({ name, text, values })).rows[0];
      };
    },
  });
}
