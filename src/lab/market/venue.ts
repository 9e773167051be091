import type { Command } from "../../engine/command.ts";
import type { Outcome } from "../../engine/engine.ts";
import type { State } from "../../engine/state.ts";

/** The part of the venue that the simulated market needs: no more than any other client has, and the clock. */
export interface Venue {
  /** To be read only. */
  readonly state: State;
  /** Too much is waiting: the simulation keeps still rather than make it worse. */
  readonly isBusy: boolean;
  /** The venue's time, ms. */
  now(): number;
  /** Takes a command; `applied` is called once the engine has applied it. False: the venue is stopping. */
  submit(command: Command, applied: (outcome: Outcome) => void): boolean;
}

/** Calls `run` again and again; the function it returns ends that. */
export type Every = (intervalMs: number, run: () => void) => () => void;

/** The machine's timer. It does not keep the process alive. */
export const everyRealMs: Every = (intervalMs, run) => {
  const timer = setInterval(run, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
};
