/**
 * One frame, one paint: whatever comes in between is taken in at the next frame, in the order in which it came, in one
 * update.
 */
import { batch } from "solid-js";

/** A page that nobody looks at gets no frames, but should not fall behind for ever either. */
const HIDDEN_MS = 500;

let waiting: (() => void)[] = [];
let isPlanned = false;

/** Runs `take` at the next frame, with all that is gathered until then. */
export function gather(take: () => void): void {
  waiting.push(take);
  if (isPlanned) return;
  isPlanned = true;
  if (document.hidden) setTimeout(flush, HIDDEN_MS);
  else requestAnimationFrame(flush);
}

function flush(): void {
  isPlanned = false;
  const taken = waiting;
  waiting = [];
  batch(() => {
    for (const take of taken) take();
  });
}

// A frame that was planned before the page was hidden does not come.
document.addEventListener("visibilitychange", () => {
  if (isPlanned) flush();
});
