import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { NewerProgram } from "../../engine/newer.ts";
import { WordBuffer } from "../../engine/words.ts";
import { backfillFrom } from "../backfill.ts";
import { faultCodeOf, HistoryRefused } from "../fault.ts";
import { HistoryWriter } from "../history-writer.ts";
import { PARTS } from "../parts.ts";
import type { DatabaseWorkerData, FromHistoryWorker, HistoryStatus, QueryName, ToHistoryWorker } from "../protocol.ts";
import { yieldToOthers } from "../yield-to-others.ts";
import { shownAddress } from "./address.ts";
import { reasonOf, settingFaultOf } from "./connection.ts";
import { type FoundHistory, openDatabase, seqInDatabase } from "./open.ts";
import { EventQueue } from "./queue.ts";
import { QUERY_NAMES, Readers, ReadersBusy } from "./reader.ts";
import { WriterSession } from "./writer-session.ts";
import { WrittenDatabase } from "./written.ts";

/** Events are committed this long after the first of a batch came, or as soon as a question waits for them. */
const COMMIT_EVERY_MS = 250;
const COMMIT_BYTES = 8 * 1024 * 1024;
/** Events that wait for a database that is away: some 300,000 orders. What exceeds it is read again from the log. */
const QUEUED_BYTES_MAX = 48 * 1024 * 1024;
/**
 * A database that takes nothing for so long, while as much waits as is kept for one that is away, counts as away: what
 * waits would soon hold up trading.
 */
const STALLED_MS = 5_000;
/** A question that history does not reach by then is answered that it is busy, or away. */
const QUESTION_WAIT_MS = 3_000;
/** A snapshot, or the venue's end, waits as long for a database that is away. */
const FLUSH_WAIT_MS = 5_000;
/** A start waits as long for a database that does not answer. */
const OPEN_WAIT_MS = 15_000;
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 10_000;
/** A venue that waits looks as often whether the one that writes is gone, and while somebody asks. */
const FOLLOW_EVERY_MS = 250;
const FOLLOW_ASKED_MS = 20;
const LOOK_EVERY_MS = 100;
/**
 * A writer that leaves unwritten for so long what is known here, and asks the server for nothing, is followed by
 * another one.
 */
const SLEEPING_MS = 5_000;

/** SQLSTATE codes of errors which show that the tables do not hold the rows that were written there. */
const DAMAGE = /^(?:23...|42P01|42703)$/;
const STATEMENT_CANCELED = "57014";

interface Waiting {
  readonly id: number;
  /** The history must hold everything up to here. */
  readonly seq: number;
  readonly sinceMs: number;
}

interface Question extends Waiting {
  readonly name: QueryName;
  readonly query: unknown;
}

class DatabaseHistory {
  readonly #port: MessagePort;
  readonly #data: DatabaseWorkerData;
  readonly #readers: Readers;
  #queue: EventQueue;
  /** The history holds everything up to here, by what was last seen. */
  #position = 0;
  #status: HistoryStatus | undefined;
  #awaySinceMs = 0;
  /** Since when another venue has written nothing of what is known here. */
  #unwrittenSinceMs = 0;
  #awayBecause = "";
  #isOpen = false;
  #hasFailed = false;
  #closingSinceMs: number | undefined;
  #isMadeAnew = false;
  #questions: Question[] = [];
  #flushes: Waiting[] = [];
  #firstAtMs = 0;
  /** Since when it writes without having come further; undefined while there is nothing to write. */
  #writingSinceMs: number | undefined;
  #session: WriterSession | undefined;
  #backfill: ((port: MessagePort) => void) | undefined;
  #wake = () => {};

  constructor(port: MessagePort, data: DatabaseWorkerData) {
    this.#port = port;
    this.#data = data;
    this.#readers = new Readers(data.address);
    this.#queue = new EventQueue(0, (chunk) => this.#left(chunk.events));
  }

  receive(message: ToHistoryWorker): void {
    switch (message.kind) {
      case "append":
        this.#append(message.events, message.lastSeq);
        break;
      case "query": {
        const { id, name, query } = message;
        this.#ask({ id, name, query, seq: this.#queue.lastSeq, sinceMs: performance.now() });
        break;
      }
      case "flush":
        this.#flushes.push({ id: message.id, seq: this.#queue.lastSeq, sinceMs: performance.now() });
        break;
      case "backfill":
        this.#backfill?.(message.port);
        break;
      case "close":
        this.#closingSinceMs = performance.now();
        break;
      default:
        this.#reject(message.id, "A history in PostgreSQL does not go back.");
    }
    this.#wake();
  }

  /** Lives until it is closed, or cannot go on. */
  async run(): Promise<void> {
    const looking = setInterval(() => this.#look(), LOOK_EVERY_MS);
    const startedMs = performance.now();
    let waitMs = RECONNECT_FIRST_MS;
    while (!this.#isOver) {
      let session: WriterSession | undefined;
      try {
        session = await WriterSession.open(this.#data.address, () => this.#wake());
        this.#session = session;
        await this.#serve(session, () => {
          waitMs = RECONNECT_FIRST_MS;
        });
      } catch (error) {
        if (this.#isFinal(error, startedMs)) break;
        this.#standAway(reasonOf(error));
        await this.#sleep(waitMs);
        waitMs = Math.min(waitMs * 2, RECONNECT_MAX_MS);
      } finally {
        this.#session = undefined;
        this.#writingSinceMs = undefined;
        session?.end();
      }
    }
    clearInterval(looking);
    this.#readers.end();
    this.#port.close();
  }

  get #isClosing(): boolean {
    return this.#closingSinceMs !== undefined;
  }

  /** Closed, with everything written or no hope for it: what is missing then is in the log. */
  get #isOver(): boolean {
    if (this.#hasFailed) return this.#isClosing;
    if (this.#closingSinceMs === undefined) return false;
    const isDone = this.#status !== "writing" || this.#position >= this.#queue.lastSeq;
    return isDone || performance.now() - this.#closingSinceMs > FLUSH_WAIT_MS;
  }

  async #serve(session: WriterSession, onServing: () => void): Promise<void> {
    while (!(await session.tryLock())) {
      if (this.#isOver) return;
      await this.#follow(session);
      onServing();
    }
    const { venueId, logSeq, refusesLostTail } = this.#data;
    const options = { venueId, refusesLostTail, parts: PARTS, logSeq: this.#isOpen ? undefined : logSeq };
    const found = await openDatabase(session.client, options);
    onServing();
    this.#position = found.appliedSeq;
    this.#opened(found);
    this.#stand("writing", `This venue writes the history in PostgreSQL (${shownAddress(this.#data.address)}).`);
    const database = await WrittenDatabase.open(session.client, found.appliedSeq, PARTS);
    const writer = await HistoryWriter.open(database, PARTS);
    try {
      await this.#write(session, database, writer);
    } catch (error) {
      await this.#makeAnewIfDamaged(error, session);
      throw error;
    }
  }

  /** Another venue writes: what it has written is not needed here any more, and questions are answered by it. */
  async #follow(session: WriterSession): Promise<void> {
    const seq = (await seqInDatabase(session.client, this.#data.venueId)) ?? 0;
    const now = performance.now();
    if (seq !== this.#position || seq >= this.#queue.lastSeq || this.#status !== "waiting")
      this.#unwrittenSinceMs = now;
    this.#position = seq;
    this.#opened({ appliedSeq: seq, notes: [] });
    this.#stand("waiting", "Another venue writes the history; this one waits, and takes over when that one ends.");
    this.#queue.dropUpTo(seq);
    this.#moved();
    if (now - this.#unwrittenSinceMs > SLEEPING_MS) {
      this.#unwrittenSinceMs = now;
      // The lock is free then, and this venue or another one takes it.
      if (await session.endSleepingWriter(SLEEPING_MS)) return;
    }
    await this.#sleep(this.#questions.length > 0 ? FOLLOW_ASKED_MS : FOLLOW_EVERY_MS);
  }

  async #write(session: WriterSession, database: WrittenDatabase, writer: HistoryWriter): Promise<void> {
    while (!this.#isOver) {
      session.assertHeld();
      if (this.#position < this.#queue.afterSeq) {
        await this.#catchUp(session, writer);
      } else if (this.#isDue) {
        this.#writingSinceMs = performance.now();
        database.isDurable = this.#flushes.length > 0 || this.#isClosing;
        const flushes = this.#flushes.length;
        for (const { events, lastSeq } of this.#queue.first(COMMIT_BYTES)) {
          await writer.take(WordBuffer.over(events), lastSeq);
        }
        await writer.commit();
        // Nothing new, but what was committed before is to be on the disk.
        if (flushes > 0 && this.#position === writer.committedSeq) await database.commit(writer.committedSeq);
        this.#advance(writer.committedSeq, database.isDurable);
      } else {
        await this.#sleep(this.#queue.isEmpty ? RECONNECT_MAX_MS : this.#dueInMs);
      }
    }
  }

  /** Whether something waits, or waits long enough. */
  get #isDue(): boolean {
    if (this.#flushes.length > 0) return true;
    if (this.#queue.isEmpty) return false;
    const isAsked = this.#questions.some(({ seq }) => seq > this.#position);
    return isAsked || this.#isClosing || this.#queue.bytes >= COMMIT_BYTES || this.#dueInMs <= 0;
  }

  get #dueInMs(): number {
    return this.#firstAtMs + COMMIT_EVERY_MS - performance.now();
  }

  /** Takes in from the log what the queue has let go, or never had. */
  async #catchUp(session: WriterSession, writer: HistoryWriter): Promise<void> {
    const from = this.#position;
    this.#stand("catching_up", `The history is at seq ${from}; what came since is read again from the log.`);
    let bytes = 0;
    for await (const { events, lastSeq } of backfillFrom(await this.#backfillAfter(from))) {
      session.assertHeld();
      bytes += events.byteLength;
      await writer.take(WordBuffer.over(events), lastSeq);
      if (bytes >= COMMIT_BYTES) {
        await writer.commit();
        this.#advance(writer.committedSeq, false);
        bytes = 0;
      }
      if (writer.takenSeq >= this.#queue.afterSeq || this.#isOver) break;
    }
    await writer.commit();
    this.#advance(writer.committedSeq, false);
    // Who reads the log could not, or it has no more yet.
    if (this.#position === from) await this.#sleep(FOLLOW_EVERY_MS);
    else if (this.#position >= this.#queue.afterSeq) this.#stand("writing", "The history has caught up.");
  }

  #backfillAfter(afterSeq: number): Promise<MessagePort> {
    return new Promise((resolve) => {
      this.#backfill = resolve;
      this.#send({ kind: "behind", afterSeq });
    });
  }

  #append(events: Uint8Array<ArrayBuffer>, lastSeq: number): void {
    if (this.#hasFailed) return;
    if (this.#queue.isEmpty) this.#firstAtMs = performance.now();
    this.#queue.add({ events, lastSeq });
    if (this.#queue.bytes > QUEUED_BYTES_MAX && this.#status !== "writing") this.#queue.dropAll();
  }

  #left(events: Uint8Array<ArrayBuffer>): void {
    const bytes = events.byteLength;
    this.#port.postMessage({ kind: "taken", memory: events.buffer } satisfies FromHistoryWorker, [events.buffer]);
    this.#send({ kind: "committed", bytes, seq: this.#position });
  }

  #advance(seq: number, isDurable: boolean): void {
    this.#position = seq;
    this.#writingSinceMs = undefined;
    this.#queue.dropUpTo(seq);
    this.#firstAtMs = performance.now();
    if (isDurable) this.#endFlushes();
    this.#moved();
  }

  #endFlushes(): void {
    const reached = this.#flushes.filter(({ seq }) => seq <= this.#position);
    this.#flushes = this.#flushes.filter(({ seq }) => seq > this.#position);
    for (const { id } of reached) this.#send({ kind: "answer", id, answer: this.#position });
  }

  /** The history reaches further: some questions can be asked. */
  #moved(): void {
    this.#send({ kind: "committed", bytes: 0, seq: this.#position });
    if (this.#status === "waiting") this.#endFlushes();
    const ready = this.#questions.filter(({ seq }) => seq <= this.#position);
    this.#questions = this.#questions.filter(({ seq }) => seq > this.#position);
    for (const question of ready) void this.#answer(question);
  }

  #ask(question: Question): void {
    if (this.#isAwayForLong) this.#rejectAway(question.id);
    else if (question.seq <= this.#position) void this.#answer(question);
    else this.#questions.push(question);
  }

  async #answer(question: Question): Promise<void> {
    const { id, name, query, seq } = question;
    try {
      const found = await this.#readers.ask(seq, (reader) =>
        (reader[name] as (query: unknown) => Promise<unknown>)(query),
      );
      if (found !== undefined) this.#send({ kind: "answer", id, answer: found.answer });
      // A server that came back after a crash may have lost its newest; they are on their way again.
      else this.#questions.push(question);
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
        this.#reject(id, error.message);
      } else if (error instanceof ReadersBusy) {
        this.#reject(id, error.message, "busy");
      } else if ((error as { code?: string }).code === STATEMENT_CANCELED) {
        this.#reject(id, "The history's database took too long for this question.", "busy");
      } else {
        this.#rejectAway(id, reasonOf(error));
      }
    }
  }

  /** Nobody waits for ever. */
  #look(): void {
    const now = performance.now();
    const isStalled = this.#writingSinceMs !== undefined && now - this.#writingSinceMs > STALLED_MS;
    if (isStalled && this.#queue.bytes > QUEUED_BYTES_MAX)
      this.#session?.giveUp(`it took nothing for ${STALLED_MS} ms`);
    const isLate = ({ sinceMs }: Waiting) => now - sinceMs > QUESTION_WAIT_MS;
    const late = this.#questions.filter(isLate);
    if (late.length > 0) {
      this.#questions = this.#questions.filter((question) => !isLate(question));
      for (const { id } of late) {
        if (this.#status === "away") this.#rejectAway(id);
        else this.#reject(id, "The history has not come as far as this question asks for; ask again.", "busy");
      }
    }
    if (this.#status !== "away") return;
    const isGivenUp = now - this.#awaySinceMs > FLUSH_WAIT_MS;
    const given = isGivenUp ? this.#flushes.splice(0) : [];
    for (const { id } of given) this.#rejectAway(id);
    if (this.#isOver) this.#wake();
  }

  get #isAwayForLong(): boolean {
    return this.#status === "away" && performance.now() - this.#awaySinceMs > QUESTION_WAIT_MS;
  }

  #rejectAway(id: number, reason = ""): void {
    this.#reject(id, `The history's database is away${reason === "" ? "" : ` (${reason})`}.`, "away");
  }

  #reject(id: number, message: string, because?: "busy" | "away"): void {
    this.#send(because === undefined ? { kind: "rejected", id, message } : { kind: "rejected", id, message, because });
  }

  #opened({ appliedSeq, setAside, notes }: FoundHistory): void {
    if (this.#isOpen) {
      for (const note of [...(setAside === undefined ? [] : [setAside]), ...notes]) {
        this.#send({ kind: "status", status: this.#status ?? "writing", note });
      }
      return;
    }
    this.#isOpen = true;
    this.#queue = new EventQueue(appliedSeq, (chunk) => this.#left(chunk.events));
    this.#send({ kind: "open", appliedSeq, setAside, notes, queries: QUERY_NAMES });
  }

  #stand(status: HistoryStatus, note: string): void {
    if (status === this.#status || !this.#isOpen) return;
    if (status === "away") this.#awaySinceMs = performance.now();
    this.#status = status;
    this.#send({ kind: "status", status, note });
  }

  /** Told again when there is another reason. */
  #standAway(reason: string): void {
    const isNew = this.#status !== "away" || this.#awayBecause !== reason;
    this.#awayBecause = reason;
    const note = `The history's database is away (${reason}); the venue goes on without it.`;
    if (this.#status !== "away") this.#stand("away", note);
    else if (isNew) this.#send({ kind: "status", status: "away", note });
  }

  /** Whether nothing can come of trying again. */
  #isFinal(error: unknown, startedMs: number): boolean {
    const final =
      error instanceof NewerProgram
        ? error
        : (settingFaultOf(error, this.#data.address) ??
          (this.#isOpen || performance.now() - startedMs < OPEN_WAIT_MS ? undefined : unreachable(error, this.#data)));
    // A password that was changed, a database that is moved or holds what is another's, comes back as it went: only a
    // start ends by it.
    if (final === undefined || this.#isOpen) return false;
    this.#hasFailed = true;
    this.#send({ kind: "fault", step: "open", code: faultCodeOf(final), message: final.message });
    return true;
  }

  /** Tables in which something is missing or double are dropped, once: then they are made anew from the log. */
  async #makeAnewIfDamaged(error: unknown, session: WriterSession): Promise<void> {
    if (this.#isMadeAnew || !DAMAGE.test((error as { code?: string }).code ?? "")) return;
    this.#isMadeAnew = true;
    await session.client.query("rollback");
    // Of a history that does not say what it is nothing is kept.
    await session.client.query("delete from meta");
    this.#send({
      kind: "status",
      status: "away",
      note: `The history in PostgreSQL is damaged (${reasonOf(error)}); it is made anew from the log.`,
    });
  }

  #send(message: FromHistoryWorker): void {
    this.#port.postMessage(message);
  }

  /** Until something happens, at most so long. */
  async #sleep(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(0, ms));
    });
    clearTimeout(timer);
    this.#wake = () => {};
  }
}

function unreachable(error: unknown, { address }: DatabaseWorkerData): HistoryRefused {
  return new HistoryRefused(
    "HISTORY_UNREACHABLE",
    `The history's database cannot be reached (${shownAddress(address)}): ${reasonOf(error)}.`,
  );
}

if (parentPort !== null) {
  yieldToOthers();
  const history = new DatabaseHistory(parentPort, workerData as DatabaseWorkerData);
  parentPort.on("message", (message: ToHistoryWorker) => history.receive(message));
  void history.run();
}
