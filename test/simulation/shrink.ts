import { CLOSELY, run } from "./run.ts";
import type { Step } from "./step.ts";

/** A failing list is tried so often at most; the rest of the way is left to whoever reads it. */
const TRIES_MAX = 3_000;

/** The steps of a list that fails without those it fails without, too: ever smaller pieces are left out while it still does. */
export function shrink(steps: readonly Step[], fails: (steps: readonly Step[]) => boolean = failsUnder): Step[] {
  let kept = [...steps];
  let tries = 0;
  for (let piece = kept.length >> 1; piece >= 1 && tries < TRIES_MAX; ) {
    let shorter = false;
    for (let at = 0; at < kept.length && tries < TRIES_MAX; ) {
      tries++;
      const rest = [...kept.slice(0, at), ...kept.slice(at + piece)];
      if (fails(rest)) {
        kept = rest;
        shorter = true;
      } else at += piece;
    }
    // Once a single step was dropped, others may have become needless.
    if (piece > 1 || !shorter) piece >>= 1;
  }
  return kept;
}

function failsUnder(steps: readonly Step[]): boolean {
  return run(steps, CLOSELY).failure !== undefined;
}
