/**
 * How old a signed time is. Clients sign by the clock of their machine. A venue on a virtual clock may be days away
 * from that, and its bots must live through every jump of it: there a time is as good by the machine's clock as by the
 * venue's.
 */
import { Refused } from "../refused.ts";

export class SigningTime {
  readonly #machineNow: (() => number) | undefined;

  /** `machineNow`: the machine's clock, ms; undefined where the venue runs on it. */
  constructor(machineNow: (() => number) | undefined) {
    this.#machineNow = machineNow;
  }

  /** ms since `signedMs`, by the clock that it is nearer to; below 0 when it is ahead. */
  ageOf(signedMs: number, venueMs: number): number {
    const age = venueMs - signedMs;
    if (this.#machineNow === undefined) return age;
    const ageByMachine = this.#machineNow() - signedMs;
    return Math.abs(ageByMachine) < Math.abs(age) ? ageByMachine : age;
  }

  /**
   * The venue's time up to which what is signed for a time is taken, when that may be so old; `venueMs` as it was taken
   * at.
   */
  goodUntil(signedMs: number, windowMs: number, venueMs: number): number {
    return venueMs - this.ageOf(signedMs, venueMs) + windowMs;
  }

  /** The refusal of a time that is right by neither clock; it names both where there are two. */
  refused(refusal: "request_expired" | "signature_expired", signedMs: number, venueMs: number): Refused {
    const figures = { signed_at: signedMs, venue_time: venueMs };
    if (this.#machineNow === undefined) return new Refused(refusal, undefined, undefined, figures);
    const machineMs = this.#machineNow();
    const clocks = `it is ${venueMs} in the venue, and ${machineMs} by the clock of its machine`;
    const message = `The request is signed for ${signedMs}, but ${clocks}; one of them must be near.`;
    return new Refused(refusal, message, undefined, { ...figures, machine_time: machineMs });
  }
}
