/** A failing list is tried so often at most; the rest of the way is left to anyone who reads it. */
const TRIES_MAX = 3_000;

/**
 * The steps of a failing list without those it fails without, in the same way: ever smaller pieces are left out while
 * it still does. `kindOf` says in which way a list fails; undefined when it does not.
 */
export function shrink<Step>(steps: readonly Step[], kindOf: (steps: readonly Step[]) => string | undefined): Step[] {
  const kind = kindOf(steps);
  if (kind === undefined) return [...steps];
  let kept = [...steps];
  let tries = 0;
  for (let piece = kept.length >> 1; piece >= 1 && tries < TRIES_MAX; ) {
    let shorter = false;
    for (let at = 0; at < kept.length && tries < TRIES_MAX; ) {
      tries++;
      const rest = [...kept.slice(0, at), ...kept.slice(at + piece)];
      if (kindOf(rest) === kind) {
        kept = rest;
        shorter = true;
      } else at += piece;
    }
    // Once a single step was dropped, others may have become needless.
    if (piece > 1 || !shorter) piece >>= 1;
  }
  return kept;
}
