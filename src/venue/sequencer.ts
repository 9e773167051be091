import { type Command, encodeCommand } from "../engine/command.ts";
import type { Engine, Outcome } from "../engine/engine.ts";
import { recordWords, WordBuffer } from "../engine/words.ts";
import { type LogGroup, lastSeqOf } from "../log/chain.ts";
import type { LogFault } from "../log/errors.ts";
import type { CommittedGroup, Log } from "../log/log.ts";

/** Called right after the engine has applied the command, which is then durable. Read the outcome before returning. */
export type Applied = (outcome: Outcome, engine: Engine) => void;

/**
 * Commands of one group. More wait for the next one: a group is one row of the log, one sync and one turn of the loop.
 */
export const GROUP_COMMANDS_MAX = 4_096;
/** Words of one group, well below what a row of the log may hold. */
const GROUP_WORDS_MAX = 131_072;
/** Commands that may wait for their group; beyond it the venue says that it is busy. */
const WAITING_COMMANDS_MAX = 65_536;

/**
 * Groups that are with the log at a time. One would leave the disk idle while the thread that commits hears of the next
 * group; more only make the groups smaller.
 */
const SYNCING_MAX = 2;

/** Groups that a caller who cuts them himself may have under way: half of what a log takes. */
export const LAPSE_GROUPS_MAX = 32;

/** Calls by which the sequencer informs the rest of the node. */
export interface SequencerHandlers {
  /** A group has been applied: its events, in order. The buffer is reused afterwards. */
  onEvents(events: WordBuffer, lastSeq: number, timeMs: number): void;
  /** A command has been applied; `kind` is the engine's number, and the outcome holds until this returns. */
  onApplied?(kind: number, outcome: Outcome): void;
  /** As `onApplied`, of a command that another node proposed, or that was only read. */
  onForeign?(records: WordBuffer, at: number, outcome: Outcome, seq: number, timeMs: number): void;
  /** A group that another node proposed is about to be applied; what it throws ends the process. */
  beforeForeign?(records: WordBuffer, firstSeq: number): void;
  /** A group of so many commands has been committed, which took the log so long, and applied. */
  onGroup?(commands: number, commitMs: number): void;
  /** The log failed: nothing more is committed, the process has to end. */
  onFault(fault: LogFault): void;
  /** Whether readers of events are so far behind that no more commands should be taken. */
  isBehind(): boolean;
}

/** Commands on their way, and who waits for each. */
interface Proposal {
  readonly records: WordBuffer;
  readonly applied: (Applied | undefined)[];
}

/**
 * Proposes commands to the log and applies what the log commits, no matter who proposed it. Commands that arrive while
 * a group is being synced form the next one; a group is applied when it is committed and not before, so the state never
 * shows what a crash could take back.
 */
export class Sequencer {
  readonly #engine: Engine;
  readonly #log: Log;
  readonly #handlers: SequencerHandlers;
  #open = newProposal();
  #waiting: Proposal[] = [];
  /** Proposals that are not committed yet, by token. */
  readonly #syncing = new Map<number, Proposal>();
  readonly #spare: Proposal[] = [];
  #nextToken = 1;
  #waitingCommands = 0;
  #sealScheduled = false;
  #closed = false;
  #held = false;
  #idle: PromiseWithResolvers<void> | undefined;

  /** The engine takes over what the log has beyond it, and follows from there. */
  constructor(engine: Engine, log: Log, handlers: SequencerHandlers) {
    this.#engine = engine;
    this.#log = log;
    this.#handlers = handlers;
    for (const group of log.read(engine.state.seq + 1)) this.#apply(group, undefined);
    log.follow({
      onCommitted: (group, commitMs) => this.#committed(group, commitMs),
      onFault: (fault) => handlers.onFault(fault),
    });
  }

  /** Whether `submit` would turn commands away now. */
  get isBusy(): boolean {
    return this.#waitingCommands >= WAITING_COMMANDS_MAX || this.#handlers.isBehind();
  }

  /** The venue's time: never before that of the last command. */
  now(): number {
    return this.#log.now();
  }

  /**
   * Takes a command; `applied` hears what came of it. Commands submitted in one go stand next to each other, in one
   * group unless that is full. Ask `isBusy` first; after `close`, and while it is held, nothing is taken and false is
   * returned.
   */
  submit(command: Command, applied?: Applied): boolean {
    if (this.#closed || this.#held) return false;
    const group = this.#open;
    encodeCommand(group.records, command);
    group.applied.push(applied);
    this.#waitingCommands++;
    if (group.applied.length >= GROUP_COMMANDS_MAX || group.records.length >= GROUP_WORDS_MAX) {
      this.#waiting.push(group);
      this.#open = newProposal();
    }
    // What else has arrived in this turn of the event loop joins the group.
    if (this.#syncing.size < SYNCING_MAX && !this.#sealScheduled) {
      this.#sealScheduled = true;
      setImmediate(() => {
        this.#sealScheduled = false;
        if (this.#syncing.size < SYNCING_MAX) this.#seal();
      });
    }
    return true;
  }

  /**
   * Proposes what has been submitted at once, as groups of the venue's time of this moment: for anyone who moves the
   * clock from one group to the next without waiting for each. So many groups may be under way at a time as the log
   * takes, see LAPSE_GROUPS_MAX.
   */
  cut(): void {
    while (this.#waiting.length > 0 || this.#open.applied.length > 0) this.#seal();
  }

  /** As `submit`, as a promise of whatever `read` takes from the outcome. */
  ask<Result>(command: Command, read: (outcome: Outcome, engine: Engine) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const taken = this.submit(command, (outcome, engine) => resolve(read(outcome, engine)));
      if (!taken) reject(new SequencerClosed());
    });
  }

  /** Takes no more commands and settles when all that were taken have been applied. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#drained();
  }

  /** As `close`, until `resume`: nothing is under way, and the state stands still. */
  async hold(): Promise<void> {
    this.#held = true;
    await this.#drained();
  }

  resume(): void {
    this.#held = false;
  }

  async #drained(): Promise<void> {
    if (this.#waitingCommands === 0 && this.#syncing.size === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
    this.#idle = undefined;
  }

  #seal(): void {
    let proposal = this.#waiting.shift();
    if (proposal === undefined) {
      if (this.#open.applied.length === 0) return;
      proposal = this.#open;
      this.#open = this.#spare.pop() ?? newProposal();
    }
    const token = this.#nextToken++;
    this.#syncing.set(token, proposal);
    this.#log.propose(proposal.records.written(), proposal.applied.length, token);
  }

  /** The next group is handed over first: the disk works on it while this one is applied. */
  #committed(group: CommittedGroup, commitMs: number): void {
    const { state } = this.#engine;
    // Read from the log already.
    if (lastSeqOf(group) <= state.seq) return;
    if (group.firstSeq !== state.seq + 1) {
      throw new Error(`The log committed seq ${group.firstSeq} after seq ${state.seq}.`);
    }
    const own = group.token === undefined ? undefined : this.#syncing.get(group.token);
    if (group.token !== undefined) this.#syncing.delete(group.token);
    this.#seal();
    this.#apply(group, own);
    this.#handlers.onGroup?.(group.count, commitMs);
    if (this.#syncing.size === 0 && this.#waitingCommands === 0) this.#idle?.resolve();
  }

  #apply(group: LogGroup, own: Proposal | undefined): void {
    const engine = this.#engine;
    // A log of one node gives back the very words that were proposed.
    const isOwn = own !== undefined && own.records.bytes.buffer === group.payload.buffer;
    const records = isOwn ? own.records : WordBuffer.over(group.payload);
    const { beforeForeign, onForeign } = own === undefined ? this.#handlers : NOT_FOREIGN;
    beforeForeign?.(records, group.firstSeq);
    let seq = group.firstSeq;
    let index = 0;
    for (let at = 0; at < records.length; at += recordWords(records, at)) {
      const outcome = engine.apply(records, at, seq++, group.timeMs);
      onForeign?.(records, at, outcome, seq - 1, group.timeMs);
      this.#handlers.onApplied?.((records.i32[at * 2] as number) & 255, outcome);
      own?.applied[index++]?.(outcome, engine);
    }
    if (engine.events.length > 0) this.#handlers.onEvents(engine.events, seq - 1, group.timeMs);
    engine.events.clear();
    if (own === undefined) return;
    this.#waitingCommands -= own.applied.length;
    own.records.clear();
    own.applied.length = 0;
    if (this.#spare.length <= SYNCING_MAX) this.#spare.push(own);
  }
}

/** The venue is stopping and takes no more commands. */
export class SequencerClosed extends Error {
  constructor() {
    super("The venue is stopping and takes no more commands.");
    this.name = "SequencerClosed";
  }
}

const NOT_FOREIGN: Pick<SequencerHandlers, "beforeForeign" | "onForeign"> = {};

function newProposal(): Proposal {
  return { records: new WordBuffer(4_096), applied: [] };
}
