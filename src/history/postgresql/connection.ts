/** Connections to the database of a history, and why there is none. */
import type { Socket } from "node:net";
import pg from "pg";
import { guardAnswers } from "../../net/guarded-answers.ts";
import { HistoryRefused } from "../fault.ts";
import { shownAddress } from "./address.ts";
import { postgresFrames } from "./frames.ts";

/** Everything of a history lies in this schema, beside what else is in the database. */
export const SCHEMA = "bourse";
/** The oldest server whose plans history counts on: sorting what is partly in order came with 13. */
const SERVER_VERSION_MIN = 130_000;
const CONNECT_MS_MAX = 5_000;
/** A server has so long to take leave; then the connection is cut. */
const LEAVE_MS_MAX = 1_000;
/** A connection whose other end is gone is told by itself after about so long. */
const KEEP_ALIVE_AFTER_MS = 10_000;

const INT2 = 21;
const INT4 = 23;
const INT8 = 20;
const NUMERIC = 1700;

/** Whole numbers are read as bigints, so that no amount loses a digit; sums come as `numeric`. */
const asBigint = (text: string) => BigInt(text);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    oid === INT8 || oid === INT4 || oid === INT2 || oid === NUMERIC
      ? asBigint
      : pg.types.getTypeParser(oid, format as "text"),
};

export interface ConnectionOptions {
  readonly address: string;
  /** The name of the connection in the server's lists. */
  readonly name: string;
  /** After which the server gives a statement up, ms. */
  readonly statementMsMax?: number;
  /** After which a server that says nothing counts as gone, ms. */
  readonly answerMsMax?: number;
}

/** Opens a connection. `onLost` hears of its end, unless it is ended here. */
export async function connect(options: ConnectionOptions, onLost: (reason: string) => void): Promise<pg.Client> {
  const { address, name, statementMsMax = 0, answerMsMax } = options;
  const client = new pg.Client({
    connectionString: address,
    application_name: `bourse ${name}`,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    options: [
      `-c search_path=${SCHEMA}`,
      `-c statement_timeout=${statementMsMax}`,
      "-c client_min_messages=warning",
      // Every question reads a page by keys. Where the statistics are old, or there are none yet, a join of whole
      // tables may seem cheaper.
      "-c enable_hashjoin=off -c enable_mergejoin=off -c jit=off",
      // So that the server lets go of the lock of a venue whose machine is gone.
      "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
    ].join(" "),
    types,
    ...(answerMsMax === undefined ? {} : { query_timeout: answerMsMax }),
  });
  let isLost = false;
  const lost = (reason: string) => {
    if (isLost) return;
    isLost = true;
    onLost(reason);
  };
  client.on("error", (error: Error) => lost(error.message));
  client.on("end", () => lost("the connection ended"));
  guard(client);
  try {
    await client.connect();
    return client;
  } catch (error) {
    isLost = true;
    drop(client);
    throw error;
  }
}

/** Ends a connection without waiting for a server that may not answer any more. */
export function drop(client: pg.Client | undefined): void {
  if (client === undefined) return;
  const { stream } = connectionOf(client);
  const cut = setTimeout(() => stream.destroy(), LEAVE_MS_MAX).unref();
  stream.once("close", () => clearTimeout(cut));
  client.end().catch(() => {});
}

/**
 * The part that the driver's types leave out: where the bytes come from, and word of another such place once the
 * connection is secured.
 */
interface Connection {
  readonly stream: Socket;
  readonly ssl: unknown;
  once(event: "sslconnect", hear: () => void): void;
}

function connectionOf(client: pg.Client): Connection {
  return (client as unknown as { readonly connection: Connection }).connection;
}

function guard(client: pg.Client): void {
  const connection = connectionOf(client);
  const look = () => guardAnswers(connection.stream, postgresFrames());
  // Before it is secured one byte comes, which the driver reads by itself.
  if (connection.ssl) connection.once("sslconnect", look);
  else look();
}

/** Refuses a server that is too old, and says so. */
export async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as version",
  );
  const [{ number, version } = { number: "0", version: "unknown" }] = rows;
  if (Number(number) >= SERVER_VERSION_MIN) return;
  throw new HistoryRefused(
    "HISTORY_SETTING",
    `The server of the history's database is PostgreSQL ${version}, which is too old: it must be ` +
      `${SERVER_VERSION_MIN / 10_000} or later.`,
  );
}

const SETTING_FAULTS: Readonly<Record<string, (shown: string) => string>> = {
  "28P01": (shown) => `The history's database refuses the user or the password (${shown}).`,
  "28000": (shown) => `The history's database does not let this user in (${shown}).`,
  "3D000": (shown) => `The history's database does not exist (${shown}). Make it with createdb, owned by that user.`,
  "42501": (shown) =>
    `The user may not make what the history needs in its database (${shown}): it must be allowed to create a ` +
    "schema there.",
};

/** The sentence for a start that cannot use the database as it is set; undefined when waiting may help. */
export function settingFaultOf(error: unknown, address: string): HistoryRefused | undefined {
  if (error instanceof HistoryRefused) return error;
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const shown = shownAddress(address);
  const sentence = SETTING_FAULTS[code]?.(shown);
  if (sentence !== undefined) return new HistoryRefused("HISTORY_SETTING", sentence);
  // What the driver says by itself of a server that asks for a password, or speaks no TLS.
  if (/SASL|password must be|does not support SSL|self-signed|certificate/.test(message)) {
    return new HistoryRefused("HISTORY_SETTING", `The history's database cannot be opened (${shown}): ${message}.`);
  }
  return undefined;
}

/** Returns the reason why the database is away, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code === undefined ? (message ?? String(error)) : `${code}${message ? `, ${message}` : ""}`;
}
