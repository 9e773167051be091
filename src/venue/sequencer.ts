import { type Command, commandWords, encodeCommand } from "../engine/command.ts";
import type { Engine, Outcome } from "../engine/engine.ts";
import { WordBuffer } from "../engine/words.ts";
import type { LogWriter } from "../log/log-writer.ts";
import type { Clock } from "./clock.ts";

/** Called right after the engine has applied the command, which is then durable. Read the outcome before returning. */
export type Applied = (outcome: Outcome, engine: Engine) => void;

/** Commands of one group. More wait for the next one: a group is one row of the log, one sync and one turn of the loop. */
const GROUP_COMMANDS_MAX = 4_096;
/** Words of one group, well below what a row of the log may hold. */
const GROUP_WORDS_MAX = 131_072;
/** Commands that may wait for their group; beyond it the venue says that it is busy. */
const WAITING_COMMANDS_MAX = 65_536;

/**
 * Groups that are with the log at a time. One would leave the disk idle while the thread that commits hears of the next
 * group; more only make the groups smaller.
 */
const SYNCING_MAX = 2;

/** What the sequencer tells the rest of the node. */
export interface SequencerHandlers {
  /** A group has been applied: its events, in order. The buffer is reused afterwards. */
  onEvents(events: WordBuffer, lastSeq: number, timeMs: number): void;
  /** A command has been applied; both are the engine's numbers. */
  onApplied?(kind: number, refusal: number): void;
  /** Whether readers of events are so far behind that no more commands should be taken. */
  isBehind(): boolean;
}

interface Group {
  records: WordBuffer;
  applied: (Applied | undefined)[];
  firstSeq: number;
  timeMs: number;
}

/**
 * Puts every command into one order. Commands that arrive while a group is being synced form the next group; a group is
 * applied when it is durable and not before, so the state never shows what a crash could take back.
 */
export class Sequencer {
  readonly #engine: Engine;
  readonly #log: LogWriter;
  readonly #clock: Clock;
  readonly #handlers: SequencerHandlers;
  #open: Group = newGroup();
  #waiting: Group[] = [];
  /** Groups handed to the log and not yet durable, oldest first. */
  readonly #syncing: Group[] = [];
  readonly #spare: Group[] = [];
  #lastTimeMs: number;
  #lastSeq: number;
  #waitingCommands = 0;
  #sealScheduled = false;
  #closed = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(engine: Engine, log: LogWriter, clock: Clock, handlers: SequencerHandlers) {
    this.#engine = engine;
    this.#log = log;
    this.#clock = clock;
    this.#handlers = handlers;
    this.#lastSeq = engine.state.seq;
    this.#lastTimeMs = engine.state.timeMs;
  }

  /** Whether `submit` would turn commands away now. */
  get isBusy(): boolean {
    return this.#waitingCommands >= WAITING_COMMANDS_MAX || this.#handlers.isBehind();
  }

  /** The venue's time: never before that of the last command. */
  now(): number {
    return Math.max(this.#clock.now(), this.#lastTimeMs);
  }

  /**
   * Takes a command; `applied` hears what came of it. Commands submitted in one go stand next to each other, in one group
   * unless that is full. Ask `isBusy` first; after `close` nothing is taken any more and false is returned.
   */
  submit(command: Command, applied?: Applied): boolean {
    if (this.#closed) return false;
    const group = this.#open;
    encodeCommand(group.records, command);
    group.applied.push(applied);
    this.#waitingCommands++;
    if (group.applied.length >= GROUP_COMMANDS_MAX || group.records.length >= GROUP_WORDS_MAX) {
      this.#waiting.push(group);
      this.#open = newGroup();
    }
    // What else has arrived in this turn of the event loop joins the group.
    if (this.#syncing.length < SYNCING_MAX && !this.#sealScheduled) {
      this.#sealScheduled = true;
      setImmediate(() => {
        this.#sealScheduled = false;
        if (this.#syncing.length < SYNCING_MAX) this.#seal();
      });
    }
    return true;
  }

  /** As `submit`, as a promise of whatever `read` takes from the outcome. */
  ask<Result>(command: Command, read: (outcome: Outcome, engine: Engine) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const taken = this.submit(command, (outcome, engine) => resolve(read(outcome, engine)));
      if (!taken) reject(new SequencerClosed());
    });
  }

  /** To be called when the log reports a group durable: applies it, while the next one is already being synced. */
  durable(): void {
    const group = this.#syncing.shift() as Group;
    this.#seal();
    this.#apply(group);
    if (this.#syncing.length === 0 && this.#waitingCommands === 0) this.#idle?.resolve();
  }

  /** Takes no more commands and settles when all that were taken have been applied. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#waitingCommands === 0 && this.#syncing.length === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #seal(): void {
    let group = this.#waiting.shift();
    if (group === undefined) {
      if (this.#open.applied.length === 0) return;
      group = this.#open;
      this.#open = this.#spare.pop() ?? newGroup();
    }
    const count = group.applied.length;
    group.timeMs = this.now();
    group.firstSeq = this.#lastSeq + 1;
    this.#lastTimeMs = group.timeMs;
    this.#lastSeq += count;
    this.#syncing.push(group);
    const payload = group.records.bytes.subarray(0, group.records.length * 8);
    this.#log.append({ firstSeq: group.firstSeq, count, timeMs: group.timeMs, payload });
  }

  #apply(group: Group): void {
    const engine = this.#engine;
    const { records, applied } = group;
    let seq = group.firstSeq;
    let index = 0;
    for (let at = 0; at < records.length; at += commandWords(records, at)) {
      const outcome = engine.apply(records, at, seq++, group.timeMs);
      this.#handlers.onApplied?.((records.i32[at * 2] as number) & 255, outcome.refusal);
      applied[index++]?.(outcome, engine);
    }
    this.#waitingCommands -= applied.length;
    if (engine.events.length > 0) this.#handlers.onEvents(engine.events, seq - 1, group.timeMs);
    engine.events.clear();
    records.clear();
    applied.length = 0;
    if (this.#spare.length <= SYNCING_MAX) this.#spare.push(group);
  }
}

/** The venue is stopping and takes no more commands. */
export class SequencerClosed extends Error {
  constructor() {
    super("The venue is stopping and takes no more commands.");
    this.name = "SequencerClosed";
  }
}

function newGroup(): Group {
  return { records: new WordBuffer(4_096), applied: [], firstSeq: 0, timeMs: 0 };
}
