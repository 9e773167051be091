import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/** How far this thread steps back: it gets about a tenth of a core it has to share, and all of a free one. */
const NICENESS = 10;

/**
 * Gives the calling thread the lowest priority, so that it runs after all others when there is more to do than cores.
 * History is a view that may lag a little; orders and their log may not wait for it. Only Linux lets one thread of a
 * process step back; elsewhere nothing happens.
 */
export function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    // "PID/task/TID"
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, NICENESS);
  } catch {
    // A system without /proc, or one that forbids it: then history competes like any other thread.
  }
}
