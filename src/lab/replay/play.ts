/** Plays recorded rows at a pace: what happened at one time happens at one time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BackgroundTraders } from "./background-traders.ts";
import type { RecordedRow } from "./recording.ts";

export interface PlayOptions {
  /** Recorded ms per ms of the machine; 0: as fast as it goes. */
  readonly speed: number;
  /** Advances the venue's time by so much, ms; undefined where that runs by itself. */
  readonly advance: ((ms: number) => Promise<void>) | undefined;
  /**
   * Hears of the middle of the book, in ticks, after what happened at one time, at most once a second of the recording.
   */
  readonly onMiddle: (ticks: bigint) => Promise<void>;
}

const MIDDLE_EVERY_MS = 1_000;

export async function playRows(
  rows: readonly RecordedRow[],
  traders: BackgroundTraders,
  options: PlayOptions,
): Promise<void> {
  const startMs = rows[0]?.timeMs ?? 0;
  const realStartMs = performance.now();
  let atMs = startMs;
  let toldMs = Number.NEGATIVE_INFINITY;
  let owedMs = 0;
  for (let at = 0; at < rows.length; ) {
    const { timeMs } = rows[at] as RecordedRow;
    owedMs += timeMs - atMs;
    atMs = timeMs;
    // A clock counts whole ms; what is left is owed to the next time.
    const whole = Math.floor(owedMs);
    if (options.advance !== undefined && whole > 0) await options.advance(whole);
    if (options.advance !== undefined || options.speed === 0) owedMs -= whole;
    else {
      const aheadMs = (timeMs - startMs) / options.speed - (performance.now() - realStartMs);
      if (aheadMs > 1) await sleep(aheadMs);
    }
    const end = endOfTime(rows, at);
    await playTogether(rows.slice(at, end), traders);
    at = end;
    const { middle } = traders;
    if (middle === undefined || timeMs - toldMs < MIDDLE_EVERY_MS) continue;
    toldMs = timeMs;
    await options.onMiddle(middle);
  }
}

function endOfTime(rows: readonly RecordedRow[], from: number): number {
  let end = from + 1;
  while (end < rows.length && rows[end]?.timeMs === rows[from]?.timeMs) end++;
  return end;
}

/** Snapshot rows that stand together are one book. */
async function playTogether(rows: readonly RecordedRow[], traders: BackgroundTraders): Promise<void> {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as RecordedRow;
    if (row.kind === "trade") await traders.trade(row);
    else if (row.kind === "level") await traders.level(row);
    else {
      let end = at + 1;
      while (rows[end]?.kind === "snapshot") end++;
      await traders.snapshot(rows.slice(at, end));
      at = end - 1;
    }
  }
}
