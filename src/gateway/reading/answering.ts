import type { Refused, WireRefusal } from "../refused.ts";

/** The part of a call that says no, in whatever voice. */
export interface Refusing {
  refuse(refusal: WireRefusal | Refused): void;
}

/** A call that is answered later, where the frame cannot see what is thrown. */
export interface Answering extends Refusing {
  /** Answers that the venue failed. */
  fail(error: unknown): void;
}
