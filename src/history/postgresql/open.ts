/**
 * Opens the history of a venue in PostgreSQL: makes it, brings it up to this program, or says why it cannot be used.
 */
import { Kysely } from "kysely";
import type { Client } from "pg";
import { HistoryRefused } from "../fault.ts";
import { NO_META, readMeta } from "../meta.ts";
import type { Part } from "../part.ts";
import { createHistory, type Fitting, fitParts, type ShapedTables } from "../versions.ts";
import { SCHEMA } from "./connection.ts";
import { postgresDialect } from "./dialect.ts";
import { definitionsOf } from "./tables.ts";

export interface HistoryDatabaseOptions {
  /** The course of events that this is the view of: a venue, or what became of it when its log was cut back. */
  readonly venueId: string;
  /** Last sequence number of the log. */
  readonly logSeq: number | undefined;
  /** Whether a history that goes further than the log says that the log has lost its end, and is kept as it is. */
  readonly refusesLostTail: boolean;
  readonly parts: readonly Part[];
}

/** A history that fits the venue. */
export interface FoundHistory {
  readonly appliedSeq: number;
  /** Why what was there could not be used and was dropped, as a sentence. */
  readonly setAside?: string;
  readonly notes: readonly string[];
}

/** A constant that nobody else locks: "bour", "se". */
const LOCK = [0x62_6f_75_72, 0x73_65_00_01] as const;

/** Whether this connection has become the one whose venue writes. The lock goes with the connection. */
export async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1, $2) as locked", [...LOCK]);
  return rows[0]?.locked === true;
}

/** As which a connection of a writer is known, by the process of its lock at the server. */
export const writerName = (lockPid: number) => `history writer ${lockPid}`;

/** The process at the server that serves a connection. */
export async function pidOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: bigint }>("select pg_backend_pid() as pid");
  return Number(rows[0]?.pid);
}

/**
 * Ends the connections of who holds the lock, if it has asked for nothing over those that it writes by for so long: it
 * sleeps, or its machine does, and the server cannot see that. Whether there was such a one. A writer that works, for
 * however long, is left alone.
 */
export async function endSleepingWriter(client: Client, idleMs: number): Promise<boolean> {
  const { rowCount } = await client.query(
    `select pg_terminate_backend(holder.pid), pg_terminate_backend(writer.pid)
     from pg_locks as holder join pg_stat_activity as writer
       on writer.application_name = 'bourse history writer ' || holder.pid
     where holder.locktype = 'advisory' and holder.granted and holder.objsubid = 2
       and holder.database = (select oid from pg_database where datname = current_database())
       and holder.classid::bigint = $1 and holder.objid::bigint = $2
       and (writer.state <> 'active' or writer.wait_event_type = 'Client')
       and writer.state_change < clock_timestamp() - $3 * interval '1 millisecond'`,
    [...LOCK, idleMs],
  );
  return rowCount !== 0;
}

/**
 * Up to where the history of this course goes, while another writes it; undefined while there is none. Throws as
 * openDatabase does.
 */
export async function seqInDatabase(client: Client, venueId: string): Promise<number | undefined> {
  const meta = (await isMade(client)) ? await readMeta(dbOf(client)) : undefined;
  if (meta !== undefined && meta.venueId !== venueId) {
    if (!isOtherCourse(meta.venueId, venueId)) refuseOtherVenue(meta.venueId);
    return undefined;
  }
  return meta?.appliedSeq;
}

/**
 * For the one who holds the lock. What another course of the same venue has left, or nothing leads from to this
 * program, is dropped: history is a view, and the venue writes it again from the log. Throws NewerProgram, and
 * HistoryRefused when it is another venue's, or the log has lost its end.
 */
export async function openDatabase(client: Client, options: HistoryDatabaseOptions): Promise<FoundHistory> {
  const { venueId, parts } = options;
  if (!(await isMade(client))) {
    await makeAnew(client, venueId, parts, false);
    return { appliedSeq: 0, notes: [] };
  }
  const meta = await readMeta(dbOf(client));
  const fitting = meta === undefined ? { misfit: NO_META } : await fitted(client, meta, options);
  if (meta !== undefined && "notes" in fitting) return { appliedSeq: meta.appliedSeq, notes: fitting.notes };
  await makeAnew(client, venueId, parts, true);
  return {
    appliedSeq: 0,
    notes: [],
    setAside: `${"misfit" in fitting ? fitting.misfit : NO_META} It was dropped, and is made anew.`,
  };
}

async function fitted(
  client: Client,
  meta: { readonly formVersion: number; readonly venueId: string; readonly appliedSeq: number },
  { venueId, logSeq, refusesLostTail, parts }: HistoryDatabaseOptions,
): Promise<Fitting> {
  if (meta.venueId !== venueId) {
    if (!isOtherCourse(meta.venueId, venueId)) refuseOtherVenue(meta.venueId);
    return { misfit: "The history is of a course of events that the log was cut back from." };
  }
  if (logSeq !== undefined && meta.appliedSeq > logSeq) {
    const misfit = `The history goes to seq ${meta.appliedSeq}, but the log ends at seq ${logSeq}.`;
    if (refusesLostTail) {
      throw new HistoryRefused(
        "HISTORY_AHEAD",
        `${misfit} Commands that were acknowledged are missing from the log. Put the log back with its ` +
          "log.sqlite-wal, or restore a " +
          `backup; to go on without what is missing, drop the schema ${SCHEMA} of the history's database.`,
      );
    }
    return { misfit };
  }
  await client.query("begin");
  let fitting: Fitting | undefined;
  try {
    fitting = await fitParts(shapedOf(client), meta.formVersion, parts);
  } finally {
    await client.query(fitting !== undefined && "notes" in fitting ? "commit" : "rollback");
  }
  return fitting;
}

/** Courses of one venue differ behind its id: see `courseOf` of the venue. */
function isOtherCourse(one: string, other: string): boolean {
  return one.split(".")[0] === other.split(".")[0];
}

function refuseOtherVenue(venueId: string): never {
  throw new HistoryRefused(
    "HISTORY_SETTING",
    `The history's database holds the history of another venue, ${venueId}. Name a database of this venue's ` +
      "own, or drop the schema " +
      `${SCHEMA} in this one.`,
  );
}

async function isMade(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>("select to_regclass($1) is not null as made", [
    `${SCHEMA}.meta`,
  ]);
  return rows[0]?.made === true;
}

async function makeAnew(client: Client, venueId: string, parts: readonly Part[], drops: boolean): Promise<void> {
  await client.query("begin");
  try {
    // The schema itself stays, with what its owner allows others there.
    if (drops) await dropTables(client);
    else await makeSchema(client);
    await createHistory(shapedOf(client), { venueId, parts });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** Anyone who may not make schemas may be given an empty one. What lies in it beside a history is somebody else's. */
async function makeSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ tables: bigint }>(
    "select count(c.oid) as tables from pg_namespace n left join pg_class c on c.relnamespace = n.oid where " +
      "nspname = $1 group by n.oid",
    [SCHEMA],
  );
  if (rows.length === 0) await client.query(`create schema ${SCHEMA}`);
  else if ((rows[0]?.tables ?? 0n) > 0n) {
    throw new HistoryRefused(
      "HISTORY_SETTING",
      `The schema ${SCHEMA} of the history's database holds tables, but no history. Name another database, or ` +
        "drop the schema.",
    );
  }
}

async function dropTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(relname) as name from pg_class where relnamespace = $1::regnamespace and relkind in " +
      "('r', 'p') and not relispartition",
    [SCHEMA],
  );
  for (const { name } of rows) await client.query(`drop table ${SCHEMA}.${name}`);
}

function shapedOf(client: Client): ShapedTables {
  return {
    db: dbOf(client),
    createTable: async (table) => {
      for (const text of definitionsOf(table)) await client.query(text);
    },
    addColumn: async (table, column) => {
      await client.query(`alter table ${table} add column ${column} bigint not null default 0`);
    },
  };
}

function dbOf(client: Client): Kysely<never> {
  return new Kysely<never>({ dialect: postgresDialect(client) });
}
