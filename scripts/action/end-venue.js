import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/** A venue that does not stop by then is ended. */
const STOP_MS = 15_000;
const WAIT_MS = 50;

/**
 * Ends a venue that leads a group of its own, as SIGTERM does, and what it has started. Gives whether it stopped by
 * itself.
 * @param {number} pid
 */
export async function endVenue(pid) {
  signal(-pid, "SIGTERM");
  for (let waitedMs = 0; waitedMs < STOP_MS; waitedMs += WAIT_MS) {
    if (!signal(-pid, 0)) return true;
    await pause(WAIT_MS);
  }
  signal(-pid, "SIGKILL");
  return false;
}

/**
 * Whether there was somebody to be told.
 * @param {number} pid
 * @param {NodeJS.Signals | 0} which
 */
function signal(pid, which) {
  try {
    process.kill(pid, which);
    return true;
  } catch {
    return false;
  }
}
