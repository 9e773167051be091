/**
 * The trail of what operators did and tried, found by name, action and time: a view of the log that is kept beside it.
 * It is written as commands are applied, and again where a start applies them again. Entries that it lacks because its
 * file was lost are read from the log, which does not say what came of a command.
 */
import { DatabaseSync } from "node:sqlite";
import { type Command, decodeCommand, isJson } from "../engine/command.ts";
import { type Outcome, refusalIn } from "../engine/engine.ts";
import { schemaOf } from "../engine/json-command.ts";
import { recordWords, WordBuffer } from "../engine/words.ts";
import type { Action, ActionQuery, AuditTrail } from "../gateway/admin/backend.ts";
import { createPrivateFile } from "../log/data-dir.ts";
import { LogReader } from "../log/reader.ts";
import { IN_MEMORY } from "./settings.ts";

/** Trails that were written before name the table `deed`. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS deed (
    seq     INTEGER NOT NULL,
    time_ms INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    action  TEXT NOT NULL,
    user_id INTEGER,
    outcome TEXT,
    details TEXT NOT NULL,
    result  TEXT,
    PRIMARY KEY (seq, action)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deed_actor ON deed (actor, seq);
  CREATE INDEX IF NOT EXISTS deed_action ON deed (action, seq);
  CREATE INDEX IF NOT EXISTS deed_user ON deed (user_id, seq);
`;

/** Filters, and the condition of each. */
const CONDITIONS = {
  actor: "actor = ?",
  action: "action = ?",
  userId: "user_id = ?",
  from: "time_ms >= ?",
  to: "time_ms < ?",
} as const;

const ENTER = `
  INSERT INTO deed VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET outcome = excluded.outcome, result = excluded.result WHERE deed.outcome IS NULL
`;

type ActorCommand = Command & { readonly kind: string; readonly actor: string };

export class KeptTrail implements AuditTrail {
  readonly #database: DatabaseSync;
  readonly #insert;
  readonly #note;
  readonly #onBehind: (error: Error) => void;
  /** First command that could not be written; undefined: it has all. */
  #behindFrom: number | undefined;

  /** `path` is a file that may be new, or `:memory:`. */
  constructor(path: string, onBehind: (error: Error) => void = () => {}) {
    this.#onBehind = onBehind;
    if (path !== IN_MEMORY) createPrivateFile(path);
    this.#database = new DatabaseSync(path);
    this.#database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`);
    this.#insert = this.#database.prepare(ENTER);
    this.#note = this.#database.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  }

  /**
   * A start is about to apply what the log of a venue holds up to seq `end` behind some snapshot; `catchUp` ends this.
   * Returns the seq up to which the trail has seen it, of which it need not hear again; undefined when it has seen
   * nothing: a trail that is new, or was another log's and is begun anew.
   */
  beginCatchUp(venueId: string, end: number): number | undefined {
    this.#database.exec("BEGIN");
    let seen = Number(this.#noted("seen") ?? 0);
    if (this.#noted("venue") !== venueId || seen > end) {
      this.#database.exec("DELETE FROM deed");
      seen = 0;
    }
    this.#note.run("venue", venueId);
    this.#note.run("seen", String(seen));
    return seen === 0 ? undefined : seen;
  }

  /**
   * Reads of the log in `dir`, up to seq `end`, what was not applied meanwhile: all that it has not seen up to
   * `appliedFrom`.
   */
  catchUp(dir: string, appliedFrom: number, end: number): void {
    const reader = new LogReader(dir);
    try {
      const from = Math.max(Number(this.#noted("seen")), reader.start.lastSeq) + 1;
      if (from <= appliedFrom) this.#readFrom(reader, from, appliedFrom);
    } finally {
      reader.close();
    }
    this.seen(end);
    this.#database.exec("COMMIT");
  }

  /** A command has been applied. What is nobody's action is passed over. */
  applied(command: Command, outcome: Outcome, seq: number, timeMs: number): void {
    if (!isAction(command) || this.#behindFrom !== undefined) return;
    try {
      this.#noteAction(command, outcome, seq, timeMs);
    } catch (error) {
      // A view: what it lacks is in the log, and is read from there when the disk can be written again.
      this.#behindFrom = seq;
      this.#onBehind(error as Error);
    }
  }

  get isBehind(): boolean {
    return this.#behindFrom !== undefined;
  }

  /**
   * Reads what it lacks from the log in `dir`, up to the last applied command; the log does not say what came of a
   * command.
   */
  mend(dir: string, appliedSeq: number): void {
    const from = this.#behindFrom;
    if (from === undefined) return;
    const reader = new LogReader(dir);
    this.#database.exec("BEGIN");
    try {
      if (from <= appliedSeq) this.#readFrom(reader, from, appliedSeq);
      this.#database.exec("COMMIT");
      this.#behindFrom = undefined;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    } finally {
      reader.close();
    }
  }

  #noteAction(command: ActorCommand, outcome: Outcome, seq: number, timeMs: number): void {
    const refusal = refusalIn(outcome);
    const { done, repeated, ...result } = (outcome.result ?? {}) as { done?: ActorCommand; repeated?: boolean };
    const waits = done === undefined && command.kind !== "decide" && "approvalId" in result;
    const came = refusal ?? (waits ? "pending" : repeated === true ? "repeated" : "accepted");
    this.#enter(command, seq, timeMs, came, refusal === undefined ? result : undefined);
    // What two agreed on is an action of who asked for it, too.
    if (done === undefined) return;
    const { result: own } = result as { result?: unknown };
    this.#enter(Object.assign({ approvedBy: command.actor }, done), seq, timeMs, "accepted", own);
  }

  /** Closes it as it was before a start that has failed. */
  abandon(): void {
    this.#database.close();
  }

  /** Everything up to `seq` has been seen. */
  seen(seq: number): void {
    if (this.#behindFrom !== undefined)
      throw new Error(`The audit trail lacks what came from seq ${this.#behindFrom} on.`);
    this.#note.run("seen", String(seq));
  }

  /** As `seen`, on the disk: from now on a start need not apply again what came before. */
  settle(seq: number): void {
    this.seen(seq);
    this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /** Forgets what came behind `seq`, for a venue that goes back; from now on it is that of `venueId`. */
  cutBack(venueId: string, seq: number): void {
    this.#database.exec("BEGIN");
    this.#database.prepare("DELETE FROM deed WHERE seq > ?").run(seq);
    this.#note.run("venue", venueId);
    this.seen(seq);
    this.#database.exec("COMMIT");
  }

  list(query: ActionQuery): readonly Action[] {
    const given = Object.entries(CONDITIONS).flatMap(([name, condition]) => {
      const value = query[name as keyof typeof CONDITIONS];
      return value === undefined ? [] : [{ condition, value }];
    });
    const conditions: string[] = given.map(({ condition }) => condition);
    if (query.accepted === true) conditions.push("outcome = 'accepted'");
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const rows = this.#database
      .prepare(`SELECT * FROM deed ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`)
      .all(...given.map(({ value }) => value), query.limit, query.offset);
    return rows.map(actionOf);
  }

  /** `seq` is the last command that was applied. */
  close(seq: number): void {
    try {
      if (this.#behindFrom === undefined) this.seen(seq);
    } catch (error) {
      // The next start reads from the log what it lacks.
      this.#onBehind(error as Error);
    }
    this.#database.close();
  }

  #noted(key: string): string | undefined {
    return this.#database.prepare("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] as string | undefined;
  }

  #readFrom(reader: LogReader, fromSeq: number, toSeq: number): void {
    for (const { firstSeq, timeMs, payload } of reader.groups(fromSeq, toSeq)) {
      const records = WordBuffer.over(payload);
      let seq = firstSeq;
      for (let at = 0; at < records.length; at += recordWords(records, at), seq++) {
        if (!isJson(records, at) || seq < fromSeq || seq > toSeq) continue;
        const command = decodeCommand(records, at);
        if (isAction(command)) this.#enter(command, seq, timeMs, undefined, undefined);
      }
    }
  }

  #enter(command: ActorCommand, seq: number, timeMs: number, outcome: string | undefined, result: unknown): void {
    const { kind, actor } = command;
    const details = detailsOf(command);
    const { userId } = details;
    this.#insert.run(
      seq,
      timeMs,
      actor,
      kind,
      typeof userId === "number" ? userId : null,
      outcome ?? null,
      JSON.stringify(details),
      result === undefined ? null : JSON.stringify(result),
    );
  }
}

/**
 * Whether a command is an action of somebody who runs the venue: neither a user's wish nor prices that come in all day.
 */
function isAction(command: Command): command is ActorCommand {
  const { kind, actor } = command as { readonly kind: unknown; readonly actor?: unknown };
  const by = schemaOf(kind)?.by;
  return typeof actor === "string" && (by === "operator" || by === "user_or_operator" || by === "venue");
}

/** The fields of a command without what is sealed; a proposed one is shown as what it is. */
function detailsOf(command: { readonly kind: string }): Record<string, unknown> {
  const { kind, actor: _, ...fields } = command as { readonly kind: string; readonly actor?: unknown };
  const sealed = schemaOf(kind)?.fields ?? {};
  const details = Object.fromEntries(Object.entries(fields).filter(([name]) => sealed[name]?.isSealed !== true));
  return kind === "propose" ? { ...details, command: proposedIn(details["command"]) } : details;
}

function proposedIn(text: unknown): unknown {
  try {
    const command: unknown = JSON.parse(String(text));
    if (typeof command !== "object" || command === null) return text;
    const { kind } = command as { kind?: unknown };
    return { kind, ...detailsOf({ ...command, kind: String(kind) }) };
  } catch {
    return text;
  }
}

function actionOf(row: Readonly<Record<string, unknown>>): Action {
  return {
    seq: row["seq"] as number,
    timeMs: row["time_ms"] as number,
    actor: row["actor"] as string,
    action: row["action"] as string,
    details: JSON.parse(row["details"] as string),
    outcome: (row["outcome"] as string | null) ?? undefined,
    result: row["result"] === null ? undefined : JSON.parse(row["result"] as string),
  };
}
