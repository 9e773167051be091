import { createHash } from "node:crypto";
import { Engine } from "../engine/engine.ts";
import { loadSnapshot, SNAPSHOT_FORM, takeSnapshot } from "../engine/snapshot.ts";
import { WordBuffer } from "../engine/words.ts";
import type { LogGroup } from "../log/chain.ts";
import type { Machine } from "../log/replay.ts";
import type { SnapshotMeta } from "../log/snapshot-file.ts";

/** Events of the groups replayed so far, to be handed on when they have grown to about this many words. */
const REPLAY_EVENTS_WORDS = 131_072;

/** The engine as the log replays into it. */
export class EngineMachine implements Machine {
  readonly engine = new Engine();
  readonly form = SNAPSHOT_FORM;
  readonly #onEvents: ((events: WordBuffer) => void) | undefined;

  /** `onEvents` gets what replayed commands brought about, in order and whole groups; the buffer is reused. */
  constructor(onEvents?: (events: WordBuffer) => void) {
    this.#onEvents = onEvents;
  }

  get seq(): number {
    return this.engine.state.seq;
  }

  restore(meta: SnapshotMeta, chunks: readonly Uint8Array[]): void {
    loadSnapshot(this.engine.state, chunks, meta.seq, meta.timeMs);
  }

  applyGroup(group: LogGroup): void {
    const { engine } = this;
    engine.applyGroup(WordBuffer.over(group.payload), group.firstSeq, group.timeMs);
    if (this.#onEvents === undefined) engine.events.clear();
    else if (engine.events.length >= REPLAY_EVENTS_WORDS) this.flush();
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
}

/** SHA-256 over the canonical form of the engine's state, as 64 hexadecimal digits; seq and time do not count. */
export function hashOf(engine: Engine): string {
  const hash = createHash("sha256");
  for (const chunk of takeSnapshot(engine.state)) hash.update(chunk);
  return hash.digest("hex");
}
