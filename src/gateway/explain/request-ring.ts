/**
 * The latest requests of one kind, in columns. As objects they would live just long enough to outlast two collections
 * of young garbage, so that each of those moved thousands of them twice: half of the pauses of a busy venue.
 */
import type { Refused } from "../refused.ts";

/** Kept of each kind, in some hundred bytes each. */
export const REQUESTS_KEPT = 4_096;

/** A request as it is remembered, without its name. */
export interface KeptRequest {
  /** When it was complete, or was refused before, by the venue's clock, ms. */
  readonly atMs: number;
  /** Empty where no request could be read; of one over a socket the method that it names. */
  readonly method: string;
  /** Without its query; of a socket where it stands. */
  readonly path: string;
  /** 0: nobody signed. */
  readonly userId: number;
  /** 0 over a socket. */
  readonly status: number;
  readonly code: number;
  /** 0 over a socket. */
  readonly ms: number;
  /** The command that it became and the order that this was about; 0 without one. */
  readonly seq: number;
  readonly orderId: number;
  /** Why it, or what of it, was refused. */
  readonly refused: readonly Refused[];
}

/** The name of a request as two halves, see RequestNames. */
export interface RequestName {
  readonly high: number;
  readonly low: number;
}

const NAME = /^[0-9a-f]{16}$/;

/** Places of a row among the fractions and among the whole numbers. */
const FRACTION = { atMs: 0, ms: 1, seq: 2, orderId: 3 } as const;
const FRACTIONS = 4;
const WHOLE = { high: 0, low: 1, userId: 2, status: 3, code: 4 } as const;
const WHOLES = 5;

export class RequestRing {
  readonly #fractions = new Float64Array(REQUESTS_KEPT * FRACTIONS);
  readonly #wholes = new Int32Array(REQUESTS_KEPT * WHOLES);
  readonly #methods: string[] = [];
  readonly #paths: string[] = [];
  readonly #refused: (readonly Refused[])[] = [];
  #next = 0;
  #pushed = 0;

  /** How many have been taken in, those that are not kept any more included. */
  get pushed(): number {
    return this.#pushed;
  }

  push({ high, low }: RequestName, kept: KeptRequest): void {
    const at = this.#next;
    this.#next = (at + 1) % REQUESTS_KEPT;
    this.#pushed++;
    const fractions = this.#fractions;
    const fraction = at * FRACTIONS;
    fractions[fraction + FRACTION.atMs] = kept.atMs;
    fractions[fraction + FRACTION.ms] = kept.ms;
    fractions[fraction + FRACTION.seq] = kept.seq;
    fractions[fraction + FRACTION.orderId] = kept.orderId;
    const wholes = this.#wholes;
    const whole = at * WHOLES;
    wholes[whole + WHOLE.high] = high;
    wholes[whole + WHOLE.low] = low;
    wholes[whole + WHOLE.userId] = kept.userId;
    wholes[whole + WHOLE.status] = kept.status;
    wholes[whole + WHOLE.code] = kept.code;
    this.#methods[at] = kept.method;
    this.#paths[at] = kept.path;
    this.#refused[at] = kept.refused;
  }

  /** The request of that name; undefined when it is not kept, or any more. */
  find(name: string): KeptRequest | undefined {
    if (!NAME.test(name)) return undefined;
    const [high, low] = [halfOf(name, 0), halfOf(name, 8)];
    const wholes = this.#wholes;
    for (let at = 0; at < this.#refused.length; at++) {
      const whole = at * WHOLES;
      if (wholes[whole + WHOLE.low] === low && wholes[whole + WHOLE.high] === high) return this.#at(at);
    }
    return undefined;
  }

  /**
   * Those that are kept, the newest first, each with its name and the number by which it was taken in, counted from 1.
   */
  *newestFirst(): Generator<KeptRequest & { readonly name: string; readonly number: number }> {
    for (let back = 1; back <= this.#refused.length; back++) {
      const at = (this.#next - back + REQUESTS_KEPT) % REQUESTS_KEPT;
      const [high, low] = [this.#wholes[at * WHOLES + WHOLE.high], this.#wholes[at * WHOLES + WHOLE.low]];
      yield { name: nameText(high ?? 0) + nameText(low ?? 0), number: this.#pushed + 1 - back, ...this.#at(at) };
    }
  }

  #at(at: number): KeptRequest {
    const fraction = (place: number) => this.#fractions[at * FRACTIONS + place] as number;
    const whole = (place: number) => this.#wholes[at * WHOLES + place] as number;
    return {
      atMs: fraction(FRACTION.atMs),
      method: this.#methods[at] as string,
      path: this.#paths[at] as string,
      userId: whole(WHOLE.userId),
      status: whole(WHOLE.status),
      code: whole(WHOLE.code),
      ms: fraction(FRACTION.ms),
      seq: fraction(FRACTION.seq),
      orderId: fraction(FRACTION.orderId),
      refused: this.#refused[at] as readonly Refused[],
    };
  }
}

/** Eight digits as a signed number of 32 bits. */
function halfOf(name: string, from: number): number {
  return Number.parseInt(name.slice(from, from + 8), 16) | 0;
}

function nameText(half: number): string {
  return (half >>> 0).toString(16).padStart(8, "0");
}
