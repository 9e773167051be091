/** Who gives requests their names and hears what became of each. */
import { type Chance, REAL_CHANCE } from "../auth/chance.ts";
import type { Refused } from "../refused.ts";
import type { RequestContext } from "./request-context.ts";

/** An answer that goes out. */
export interface Answered {
  /** Undefined where no request could be read, or it was one for a socket. */
  readonly context: RequestContext | undefined;
  readonly status: number;
  /** The envelope's; NO_CODE when it is none. */
  readonly code: number;
  /** From the head of the request to the answer; 0 where there was no head. */
  readonly ms: number;
  /** Why it says no; undefined when it does not. */
  readonly refused: Refused | undefined;
}

export interface RequestObserver {
  /** Hears of an answer; gives the header lines that go with it, each with its end. */
  answered(answered: Answered): string;
}

/**
 * Names of 16 hexadecimal digits, each once in the life of a process. Who sees some of them cannot tell how many
 * requests there were between them.
 */
export class RequestNames {
  /** The first eight digits of every name, and the last eight of the latest, as signed numbers of 32 bits. */
  readonly high: number;
  low = 0;
  readonly #process: string;
  readonly #first: number;
  readonly #mask: number;
  #count = 0;

  constructor(chance: Chance = REAL_CHANCE) {
    const bytes = chance.bytes(12);
    this.#process = bytes.toString("hex", 0, 4);
    this.high = bytes.readInt32BE(0);
    this.#first = bytes.readUInt32LE(4);
    this.#mask = bytes.readUInt32LE(8);
  }

  next(): string {
    // Each step can be undone, so that different counts stay different.
    let mixed = (this.#first + this.#count++) | 0;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
    mixed = Math.imul(mixed ^ (mixed >>> 16) ^ this.#mask, 0x45d9f3b);
    mixed ^= mixed >>> 16;
    this.low = mixed;
    return (
      this.#process +
      (HEX[mixed >>> 24] as string) +
      (HEX[(mixed >>> 16) & 255] as string) +
      (HEX[(mixed >>> 8) & 255] as string) +
      (HEX[mixed & 255] as string)
    );
  }
}

/** Of every byte: put together they are several times faster than a number turned into text. */
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export const REQUEST_ID = "X-Request-Id";

/** Names requests and remembers none. */
export class NamingObserver implements RequestObserver {
  readonly #names = new RequestNames();

  answered(): string {
    return `${REQUEST_ID}: ${this.#names.next()}\r\n`;
  }
}
