/**
 * The rules that a program is held to, and the faults that show whether it keeps to them. docs/guides/conform.md says
 * the same at length.
 */

/** Rules by name, with what is said of a program that broke one. */
export const RULES = {
  "signature-retried":
    "A call whose signature was refused was sent again and again: nothing but another key or another way of " +
    "signing makes it right.",
  "limit-ignored":
    "After a refusal for want of quota (4213) the program asked again at once, where the quota of one request " +
    "had to come back first.",
  "busy-hammered":
    "A call that was refused because the venue was busy or away (3008, 4001) was sent again at once, several " +
    "times over.",
  "order-sent-twice": "An order whose answer was lost was sent again without looking whether the first one was there.",
  "clock-not-taken":
    "After the venue's clock had jumped, the program went on signing with the wrong time, where /time tells the " +
    "right one.",
  "float-amount": "An amount or a price was written as binary fractions are, not as the decimal that was meant.",
  "secret-sent": "The secret key was sent over the line; it only ever signs.",
  "stale-book":
    "After an update of the book that did not agree with its checksum, the program went on with a book that was wrong.",
  "not-reconnected": "After its connection was closed, the program went on without one.",
  "not-resubscribed": "After connecting again, the program did not follow all that it had followed before.",
  "gap-not-read":
    "After connecting again, the program did not read what its orders or positions had become while nothing was " +
    "pushed.",
  "no-ping": "A connection was silent for longer than the venue lets it be; a ping now and then keeps it.",
  "unknown-value":
    "The program broke on a value or a push that is newer than itself, where it could have passed over it.",
  "program-died": "The program ended with an error.",
} as const;

export type Rule = keyof typeof RULES;

/** Faults by name, with what happens. Requests meet them in this order, the ones that fit. */
export const FAULTS = {
  limited: "a signed call is refused with 4213",
  cut_after: "the connection is cut after an order took effect, before its answer",
  busy: "an order is refused with 3008",
  cut_before: "the connection is cut before an order reaches the venue",
  unavailable: "a query is refused with 4001",
  unknown_value: "a market has a status that nobody knows; a push comes that nobody knows",
  clock_jump: "the venue's clock jumps by a minute, and the machine's time is not taken any more",
  bad_signature: "a signed query is refused with 4006",
  bad_checksum: "an update of a book arrives changed, so that its checksum is wrong",
  close_sockets: "all connections of the program's sockets are cut",
} as const;

export type Fault = keyof typeof FAULTS;

export interface Mishandled {
  readonly rule: Rule;
  readonly sentence: string;
  /** The evidence that was seen, a line each; the first few of many. */
  readonly evidence: readonly string[];
}

const EVIDENCE_MAX = 5;

/** The evidence against the program by rule, and the faults that were met; times are ms since the run began. */
export class Findings {
  readonly #startedMs = performance.now();
  readonly #broken = new Map<Rule, string[]>();
  readonly #met = new Map<Fault, number>();
  /** The last fault that was met, and when. */
  last: { readonly fault: Fault; readonly atMs: number } | undefined;

  broke(rule: Rule, evidence: string): void {
    const lines = this.#broken.get(rule) ?? [];
    if (lines.length < EVIDENCE_MAX) lines.push(`${this.#at()}: ${evidence}`);
    this.#broken.set(rule, lines);
  }

  met(fault: Fault): void {
    this.#met.set(fault, (this.#met.get(fault) ?? 0) + 1);
    this.last = { fault, atMs: performance.now() };
  }

  timesMet(fault: Fault): number {
    return this.#met.get(fault) ?? 0;
  }

  get mishandled(): Mishandled[] {
    return [...this.#broken].map(([rule, evidence]) => ({ rule, sentence: RULES[rule], evidence }));
  }

  #at(): string {
    return `${((performance.now() - this.#startedMs) / 1_000).toFixed(2)} s`;
  }
}
