/**
 * Limits of time that count only while this process runs: one that stood still with its machine for minutes is not late
 * by them.
 */

/** A stop of any length counts as one beat. */
const BEAT_MS = 500;

export interface RunningLimit {
  /** Aborted once the process has run for so long. */
  readonly signal: AbortSignal;
  /** Frees the timer, for who needs the limit no more. */
  end(): void;
}

export function runningLimit(ms: number): RunningLimit {
  const controller = new AbortController();
  let leftMs = ms;
  let beat: NodeJS.Timeout | undefined;
  const next = () => {
    beat = setTimeout(
      () => {
        leftMs -= BEAT_MS;
        if (leftMs > 0) next();
        else controller.abort();
      },
      Math.min(BEAT_MS, leftMs),
    );
  };
  next();
  return { signal: controller.signal, end: () => clearTimeout(beat) };
}
