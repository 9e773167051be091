import { setImmediate } from "node:timers/promises";
import { copiedBytes, copyState, takeSnapshot } from "../engine/snapshot.ts";
import type { State } from "../engine/state.ts";
import { CopyMemory } from "../engine/store/copy-memory.ts";

/** A state whose copy is smaller than this is copied at once: that takes a few milliseconds. */
const SMALL_BYTES = 2 * 1024 * 1024;
/** Steps of a copy take turns with everything else: no longer than this at a time, or one step. */
const TURN_MS = 4;

/** The state as it stood at one seq. */
export interface StateCopy {
  readonly seq: number;
  readonly timeMs: number;
  readonly rulesVersion: number;
  /** Of a snapshot. */
  readonly chunks: Uint8Array<ArrayBuffer>[];
  /** The longest time for which making it held the venue up. */
  readonly heldUpMs: number;
}

/**
 * A copy of the state between two groups, a large one in three parts: memory for it is made ready in turns with other
 * work, then what changes is copied at once, then the copy is put into the form of a snapshot in turns again. Nothing
 * may load another state into this one meanwhile.
 */
export async function copyOfState(state: State): Promise<StateCopy> {
  const bytes = copiedBytes(state);
  if (bytes < SMALL_BYTES) return copyAtOnce(state);
  const memory = new CopyMemory();
  // A little more, since orders and users go on to come.
  const ready = await inTurns(memory.prepare(bytes + (bytes >> 5)));
  const startedMs = performance.now();
  const { seq, timeMs, rulesVersion } = state;
  const steps = copyState(state, memory);
  const copyMs = performance.now() - startedMs;
  await setImmediate();
  const { result, longestMs } = await inTurns(steps);
  return { seq, timeMs, rulesVersion, chunks: result, heldUpMs: Math.max(ready.longestMs, copyMs, longestMs) };
}

/** A copy of the state as it stands, made in one go. */
export function copyAtOnce(state: State): StateCopy {
  const startedMs = performance.now();
  const { seq, timeMs, rulesVersion } = state;
  const chunks = takeSnapshot(state);
  return { seq, timeMs, rulesVersion, chunks, heldUpMs: performance.now() - startedMs };
}

/** Takes steps in turns with all else that waits for the thread; gives how long the longest turn was. */
async function inTurns<Result>(steps: Generator<void, Result>): Promise<{ result: Result; longestMs: number }> {
  let longestMs = 0;
  for (;;) {
    const startedMs = performance.now();
    let step = steps.next();
    while (step.done !== true && performance.now() - startedMs < TURN_MS) step = steps.next();
    longestMs = Math.max(longestMs, performance.now() - startedMs);
    if (step.done === true) return { result: step.value, longestMs };
    await setImmediate();
  }
}
