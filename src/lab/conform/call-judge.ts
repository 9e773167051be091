/** Holds what a program asks over HTTP against the rules. */
import { AT_ONCE_MS, type Call, type CallReader, isReaction, looksAtOrders, placesOrder, signedPart } from "./call.ts";
import type { Findings } from "./rules.ts";

const SIGNATURE_CODES: ReadonlySet<number> = new Set([4005, 4006, 4008]);
const BUSY_CODES: ReadonlySet<number> = new Set([3008, 4001]);
const TOO_OFTEN = 4213;
const WRONG_TIME: ReadonlySet<number> = new Set([4010, 4017]);

/** Times in a row that a call may come again at once; once more is a habit. */
const IN_A_ROW = 3;
/** Word of an order comes within this time. */
const WORD_MS = 1_000;
const SAME_MATTER_MS = 10_000;
/** Signed calls with a wrong time before one with the right time. */
const WRONG_TIMES_MAX = 8;
/**
 * One crowd of calls may have been on its way already; so many seconds' worth of refusals, over more than this, are a
 * habit.
 */
const CROWDS = 2;
const BURST_MS = 1_000;

/** How often in a row something came again. */
interface Row {
  sameness: string;
  times: number;
  endedMs: number;
  signature: string | undefined;
}

/** A group whose quota ended, and the calls in it that were refused. */
interface Limited {
  /** When a call was refused first, and last. */
  readonly firstMs: number;
  endedMs: number;
  refused: number;
  /** How many came too soon behind a refusal, only to be refused as well. */
  tooSoon: number;
}

export class CallJudge {
  readonly #findings: Findings;
  readonly #reader: CallReader;
  readonly #secret: string;
  readonly #hearsOfOrders: () => boolean;
  #signatures: Row | undefined;
  #busy: Row | undefined;
  /** By group. */
  readonly #limited = new Map<string, Limited>();
  /** An order whose answer was lost, until somebody looks what became of it. */
  #lost: Call | undefined;
  #wrongTimes = 0;

  constructor(findings: Findings, reader: CallReader, secret: string, hearsOfOrders: () => boolean) {
    this.#findings = findings;
    this.#reader = reader;
    this.#secret = secret;
    this.#hearsOfOrders = hearsOfOrders;
  }

  /** A request has come. */
  came(call: Call): void {
    const { passing, endpoint = passing.path } = call;
    for (const odd of this.#reader.oddDecimals(passing))
      this.#findings.broke("float-amount", `${endpoint} with ${odd}`);
    if (passing.target.includes(this.#secret) || passing.body.includes(this.#secret)) {
      this.#findings.broke("secret-sent", endpoint);
    }
    this.#lookForSecondOrder(call);
    const signature = this.#signatures;
    if (
      signature !== undefined &&
      this.#signatureOf(call) === signature.signature &&
      signature.signature !== undefined
    ) {
      this.#findings.broke("signature-retried", `${endpoint} came again with the very signature that was refused`);
    }
  }

  /** It was answered, or its connection was cut. */
  ended(call: Call): void {
    const { code = 0, group } = call;
    if (call.fault === "cut_after" || call.fault === "cut_before") this.#lost = call;
    if (code === TOO_OFTEN && group !== undefined) this.#limit(call, group);
    this.#signatures = this.#inARow(call, SIGNATURE_CODES, this.#signatures, SAME_MATTER_MS, "signature-retried");
    this.#busy = this.#inARow(call, BUSY_CODES, this.#busy, AT_ONCE_MS, "busy-hammered");
    if (WRONG_TIME.has(code)) {
      this.#wrongTimes++;
      if (this.#wrongTimes === WRONG_TIMES_MAX) this.#timeNotTaken();
    } else if (call.isSigned && call.endedMs !== undefined && code !== TOO_OFTEN) this.#wrongTimes = 0;
  }

  /** The program has heard of its orders over a socket. */
  heardOfOrders(): void {
    this.#lost = undefined;
  }

  /** The run is over. */
  finish(): void {
    if (this.#wrongTimes >= IN_A_ROW && this.#wrongTimes < WRONG_TIMES_MAX) this.#timeNotTaken();
  }

  #timeNotTaken(): void {
    this.#findings.broke("clock-not-taken", `${this.#wrongTimes} signed calls in a row were refused for their time`);
  }

  #limit(call: Call, group: string): void {
    const { passing, endpoint, endedMs = performance.now() } = call;
    const limited = this.#limited.get(group);
    if (limited === undefined) {
      this.#limited.set(group, { firstMs: endedMs, endedMs, refused: 1, tooSoon: 0 });
      return;
    }
    const afterMs = passing.atMs - limited.endedMs;
    const isTooSoon = afterMs < this.#reader.tooSoonMs(group) && isReaction(call, limited.endedMs);
    if (isTooSoon) limited.tooSoon++;
    limited.refused++;
    limited.endedMs = endedMs;
    const sinceMs = endedMs - limited.firstMs;
    if (isTooSoon && limited.tooSoon >= IN_A_ROW) {
      this.#findings.broke(
        "limit-ignored",
        `${endpoint} came ${afterMs.toFixed(1)} ms after a refusal with 4213, and was refused, too`,
      );
    } else if (limited.refused >= CROWDS * this.#reader.rateOf(group) && sinceMs > BURST_MS) {
      const seconds = (sinceMs / 1_000).toFixed(1);
      this.#findings.broke(
        "limit-ignored",
        `${limited.refused} calls of ${group} were refused with 4213 in ${seconds} s`,
      );
    }
  }

  #lookForSecondOrder(call: Call): void {
    const lost = this.#lost;
    if (lost === undefined) return;
    if (looksAtOrders(call)) this.#lost = undefined;
    if (!placesOrder(call) || call.sameness !== lost.sameness) return;
    this.#lost = undefined;
    // Anyone who waited for word of it, where word would have come, knows that it is not there.
    const waitedMs = call.passing.atMs - (lost.endedMs ?? 0);
    if (lost.fault === "cut_before" && waitedMs > WORD_MS && this.#hearsOfOrders()) return;
    const fate =
      lost.fault === "cut_after" ? "the first is there, so now there are two" : "this time the first had not arrived";
    const { market, side, amount, price = "" } = call.params;
    this.#findings.broke("order-sent-twice", `${call.endpoint} ${market} ${side} ${amount} ${price}: ${fate}`);
  }

  #inARow(
    call: Call,
    codes: ReadonlySet<number>,
    row: Row | undefined,
    withinMs: number,
    rule: "signature-retried" | "busy-hammered",
  ): Row | undefined {
    const { code = 0, sameness, passing, endedMs = performance.now(), endpoint = "" } = call;
    if (!codes.has(code)) return row?.sameness === sameness ? undefined : row;
    const isAgain =
      row?.sameness === sameness && passing.atMs - row.endedMs <= withinMs && isReaction(call, row.endedMs);
    const times = isAgain ? row.times + 1 : 1;
    if (times === IN_A_ROW)
      this.#findings.broke(rule, `${endpoint}: ${times} times in a row, refused with ${code} each time`);
    return { sameness, times, endedMs, signature: this.#signatureOf(call) };
  }

  #signatureOf({ passing }: Call): string | undefined {
    const signature = signedPart(passing, "sign");
    return signature === undefined ? undefined : `${signature} ${signedPart(passing, "timestamp")}`;
  }
}
