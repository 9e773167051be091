import type { Refused, WireRefusal } from "../refused.ts";

/** The part of a call that says no, in whatever renderer. */
export interface Refusing {
  refuse(refusal: WireRefusal | Refused): void;
}

/** Takes the facts that are remembered of a request beside its answer. */
export interface Trace {
  /** The engine has taken a command for it; `orderId` is 0 when that is about no order. */
  noteCommand(seq: number, orderId: number): void;
  /** One of what it asks for was refused, while it goes on. */
  noteRefusedElement(refused: Refused): void;
}

/** A call that is answered later, where the frame cannot see what is thrown. */
export interface Answering extends Refusing {
  /** Answers that the venue failed. */
  fail(error: unknown): void;
  readonly trace?: Trace | undefined;
}
