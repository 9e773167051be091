import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** Prepared statements kept; queries differ only in a few optional filters and in the length of id lists. */
const STATEMENTS_MAX = 128;

/**
 * Kysely on a database of node:sqlite that somebody else opens and closes. There is one connection, and it answers at
 * once: the promises are only kysely's manner of speaking. `beforeQuery` is run before each one.
 */
export function sqliteDialect(database: DatabaseSync, beforeQuery = () => {}): Dialect {
  return {
    createDriver: () => driverOf(new SqliteConnection(database, beforeQuery)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function driverOf(connection: SqliteConnection): Driver {
  const run = async (text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text));
  };
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => run("begin"),
    commitTransaction: () => run("commit"),
    rollbackTransaction: () => run("rollback"),
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #beforeQuery: () => void;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, beforeQuery: () => void) {
    this.#database = database;
    this.#beforeQuery = beforeQuery;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return Promise.try(() => {
      this.#beforeQuery();
      const statement = this.#prepare(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  streamQuery(): never {
    throw new Error("Every answer of history is bounded and read whole; nothing streams.");
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    if (this.#statements.size === STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}
