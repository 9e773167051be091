import { createHash } from "node:crypto";
import { Engine } from "../../src/engine/engine.ts";
import { takeSnapshot } from "../../src/engine/snapshot.ts";
import { WordBuffer } from "../../src/engine/words.ts";

/** A command record in base64 with its stamp. */
export interface Stamped {
  readonly record: string;
  readonly seq: number;
  readonly timeMs: number;
}

/** What a fresh engine comes to when it is told these commands: hashes over all events and over the state. */
export function fingerprint(commands: readonly Stamped[]): { readonly events: string; readonly state: string } {
  const engine = new Engine();
  for (const { record, seq, timeMs } of commands) {
    engine.apply(WordBuffer.over(new Uint8Array(Buffer.from(record, "base64"))), 0, seq, timeMs);
  }
  const state = createHash("sha256");
  for (const chunk of takeSnapshot(engine.state)) state.update(chunk);
  return { events: createHash("sha256").update(engine.events.copy()).digest("hex"), state: state.digest("hex") };
}
