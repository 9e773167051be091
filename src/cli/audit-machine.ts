import { EventAudit } from "../engine/audit/event-audit.ts";
import { checkInvariants } from "../engine/invariants.ts";
import { recordWords, WordBuffer } from "../engine/words.ts";
import type { LogGroup } from "../log/chain.ts";
import type { SnapshotMeta } from "../log/snapshot-file.ts";
import { EngineMachine, epochIn } from "../venue/machine.ts";

/** Something that does not hold, and the first command after which that was seen. */
export interface Finding {
  readonly seq: number;
  readonly breach: string;
}

export interface AuditOptions {
  /** Check the whole state after so many commands, and at these numbers besides. */
  readonly every: number;
  readonly at: ReadonlySet<number>;
  /** Check the events of every command. */
  readonly events: boolean;
}

/** Of a log that is broken everywhere, so many findings are enough. */
const FINDINGS_MAX = 100;

/** An engine that is looked at while the log replays into it. */
export class AuditMachine extends EngineMachine {
  readonly findings: Finding[] = [];
  /** How often the whole state was checked. */
  checks = 0;
  firstTimeMs = 0;
  readonly #options: AuditOptions;
  #events: EventAudit | undefined;
  #lastCheckSeq = 0;

  constructor(options: AuditOptions) {
    super();
    this.#options = options;
    this.#events = options.events ? new EventAudit(this.engine.state) : undefined;
  }

  override restore(meta: SnapshotMeta, chunks: readonly Uint8Array[]): void {
    super.restore(meta, chunks);
    this.#lastCheckSeq = meta.seq;
    if (this.#events !== undefined) this.#events = new EventAudit(this.engine.state);
  }

  override applyGroup(group: LogGroup): void {
    if (this.firstTimeMs === 0) this.firstTimeMs = group.timeMs;
    // What begins an epoch has no events, and is held against the state hashes that it records.
    const isEpoch = epochIn(WordBuffer.over(group.payload)) !== undefined;
    if (this.#events === undefined || isEpoch) super.applyGroup(group);
    else this.#applyEach(this.#events, group);
    const { every, at } = this.#options;
    if (at.has(this.seq) || this.seq - this.#lastCheckSeq >= every) this.check();
  }

  /** Holds the state as it stands against the invariants. */
  check(): void {
    this.#lastCheckSeq = this.seq;
    this.checks++;
    this.#find(checkInvariants(this.engine.state));
  }

  #applyEach(audit: EventAudit, group: LogGroup): void {
    const { engine } = this;
    this.refuseMissingRules(group.firstSeq);
    const records = WordBuffer.over(group.payload);
    let seq = group.firstSeq;
    for (let at = 0; at < records.length; at += recordWords(records, at)) {
      const { from, to } = engine.apply(records, at, seq++, group.timeMs);
      if (to > from) this.#find(audit.check(engine.events, from, to));
      engine.events.clear();
    }
  }

  #find(breaches: readonly string[]): void {
    for (const breach of breaches) {
      if (this.findings.length < FINDINGS_MAX) this.findings.push({ seq: this.seq, breach });
    }
  }
}
