import { createHash } from "node:crypto";
import { type BeginEpoch, type Command, decodeCommand, isJson, KIND, type StateMark } from "../engine/command.ts";
import { Engine, type Outcome } from "../engine/engine.ts";
import { OLDEST_RULES_VERSION, RELEASE_OF_RULES } from "../engine/rules-version.ts";
import { loadSnapshot, SNAPSHOT_FORM, takeSnapshot } from "../engine/snapshot.ts";
import { recordWords, WordBuffer } from "../engine/words.ts";
import type { LogGroup } from "../log/chain.ts";
import { ReplayDiverged, RulesMissing } from "../log/errors.ts";
import type { Machine } from "../log/replay.ts";
import type { SnapshotMeta } from "../log/snapshot-file.ts";

/** Events of the groups replayed so far, to be handed on when they have grown to about this many words. */
const REPLAY_EVENTS_WORDS = 131_072;

/** The rules of a log that names none. */
const FIRST_RULES = 1;

/** Hears of a command and what came of it; the outcome holds until it returns. */
export type OnAction = (command: Command, outcome: Outcome, seq: number, timeMs: number) => void;

/** The engine as the log replays into it, each epoch under its own rules. */
export class EngineMachine implements Machine {
  readonly engine = new Engine();
  readonly form = SNAPSHOT_FORM;
  readonly #onEvents: ((events: WordBuffer) => void) | undefined;
  readonly #oldestRules: number;
  readonly #onAction: OnAction | undefined;

  /**
   * `onEvents` gets what replayed commands brought about, in order and whole groups; the buffer is reused. Commands
   * made under rules before `oldestRules` are refused with RulesMissing; a snapshot that these rules made is taken.
   * `onAction` hears what came of every JSON command.
   */
  constructor(
    onEvents?: (events: WordBuffer) => void,
    oldestRules: number = OLDEST_RULES_VERSION,
    onAction?: OnAction,
  ) {
    this.#onEvents = onEvents;
    this.#oldestRules = oldestRules;
    this.#onAction = onAction;
    this.engine.state.rulesVersion = FIRST_RULES;
  }

  get seq(): number {
    return this.engine.state.seq;
  }

  restore(meta: SnapshotMeta, chunks: readonly Uint8Array[]): void {
    loadSnapshot(this.engine.state, chunks, meta.seq, meta.timeMs);
  }

  applyGroup(group: LogGroup): void {
    const { engine } = this;
    const records = WordBuffer.over(group.payload);
    const epoch = epochIn(records);
    if (epoch === undefined) {
      this.refuseMissingRules(group.firstSeq);
      if (this.#onAction === undefined) engine.applyGroup(records, group.firstSeq, group.timeMs);
      else this.#applyEach(records, group, this.#onAction);
    } else {
      this.#compare(epoch.before, group.firstSeq);
      engine.applyGroup(records, group.firstSeq, group.timeMs);
      this.#compare(epoch.after, group.firstSeq);
    }
    if (this.#onEvents === undefined) engine.events.clear();
    else if (engine.events.length >= REPLAY_EVENTS_WORDS) this.flush();
  }

  #applyEach(records: WordBuffer, { firstSeq, timeMs }: LogGroup, onAction: OnAction): void {
    let seq = firstSeq;
    for (let at = 0; at < records.length; at += recordWords(records, at), seq++) {
      const outcome = this.engine.apply(records, at, seq, timeMs);
      if (isJson(records, at)) onAction(decodeCommand(records, at), outcome, seq, timeMs);
    }
  }

  /** Hands on the events that are left. */
  flush(): void {
    const { events } = this.engine;
    if (events.length > 0) this.#onEvents?.(events);
    events.clear();
  }

  stateHash(): string {
    return hashOf(this.engine);
  }

  /** Throws RulesMissing when the rules that hold at `seq` are no longer in this program. */
  protected refuseMissingRules(seq: number): void {
    const { rulesVersion } = this.engine.state;
    if (rulesVersion >= this.#oldestRules) return;
    const release = RELEASE_OF_RULES[rulesVersion] ?? "of that time";
    throw new RulesMissing(seq, rulesVersion, this.#oldestRules, release);
  }

  /** The state must be the one that an epoch records, where that was taken over the same form. */
  #compare({ hash, form }: StateMark, seq: number): void {
    if (form !== this.form) return;
    const actual = this.stateHash();
    if (actual !== hash) throw new ReplayDiverged(seq, "the epoch that begins there", hash, actual);
  }
}

/** The epoch that this group of commands begins; undefined of all other groups. */
export function epochIn(records: WordBuffer): BeginEpoch | undefined {
  if (((records.i32[0] as number) & 255) !== KIND.begin_epoch) return undefined;
  return decodeCommand(records, 0) as BeginEpoch;
}

/** Returns the mark by which the state is known: its hash, and the form of the snapshot that was hashed. */
export function markOf(engine: Engine): StateMark {
  return { hash: hashOf(engine), form: SNAPSHOT_FORM };
}

/** SHA-256 over the canonical form of the engine's state, as 64 hexadecimal digits; seq and time do not count. */
export function hashOf({ state }: Pick<Engine, "state">): string {
  const hash = createHash("sha256");
  for (const chunk of takeSnapshot(state)) hash.update(chunk);
  return hash.digest("hex");
}
