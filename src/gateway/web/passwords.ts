/**
 * Hashes of passwords: argon2id (RFC 9106) with 19 MiB and two passes, one of the settings that OWASP holds to be
 * equal; what is kept is sealed besides, so that anyone who has the log and not the key file cannot even begin to
 * guess. Hashing runs in a thread of its own at a low priority, one at a time, and rests as long as each hash took:
 * whatever is asked, it takes half of a processor at most. Few wait for it, addresses take turns, and where no more may
 * wait, the address with the most of them gives way: anyone who floods it makes himself wait. Who comes from where his
 * account was used before has places and every second turn of his own, so that no flood of strangers keeps him out.
 */

import { type Argon2Parameters, randomBytes, timingSafeEqual } from "node:crypto";
import { groupOf } from "../limits/address.ts";
import { invalidParameter, Refused } from "../refused.ts";
import { PasswordThread } from "./password-thread.ts";

const MEMORY_KIB = 19_456;
const PASSES = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/**
 * Beyond it the venue is busy, of strangers and of those who are known: the last of them waits some seconds on a slow
 * machine.
 */
const WAITING_MAX = 32;
/** Of them from one address, or one network of IPv6, so that one cannot keep all others out. */
const WAITING_PER_ADDRESS_MAX = 4;

/** A passphrase fits; a hash of more would only cost. */
export const PASSWORD_CHARS_MAX = 256;
const PASSWORD_CHARS_MIN = 10;
const DIFFERENT_CHARS_MIN = 5;

interface Terms {
  readonly memory: number;
  readonly passes: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Hashes a password. */
export type Work = (password: string, terms: Omit<Terms, "hash">) => Promise<Buffer>;

/** Even time, for a test to move. */
export interface Pace {
  /** In ms. */
  now(): number;
  after(ms: number, then: () => void): void;
}

/** Who asks for a password to be hashed. */
export interface Hasher {
  readonly address: string;
  /** The account was used from there before. */
  readonly isKnown: boolean;
}

interface Waiting {
  readonly group: string;
  /** Its turn has come; false: another one took its place. */
  readonly go: (isIts: boolean) => void;
}

const EVEN: Pace = { now: () => performance.now(), after: (ms, then) => void setTimeout(then, ms) };

export class Passwords {
  readonly #thread = new PasswordThread();
  readonly #work: Work;
  readonly #pace: Pace;
  #isTaken = false;
  /** Whose turn came last, */
  #last = "";
  /** and whether he was known. */
  #wasKnown = false;
  readonly #strangers: Waiting[] = [];
  readonly #known: Waiting[] = [];

  /** `work` hashes, one password at a time; a test counts. */
  constructor(work?: Work, pace: Pace = EVEN) {
    this.#work = work ?? ((password, terms) => this.#thread.hash(parametersOf(password, terms)));
    this.#pace = pace;
  }

  /** Returns the text to keep of a password, in the form of the PHC. */
  async hash(password: string, hasher: Hasher): Promise<string | Refused> {
    const salt = randomBytes(SALT_BYTES);
    const terms = { memory: MEMORY_KIB, passes: PASSES, salt };
    const hash = await this.#inTurn(hasher, () => this.#work(password, terms));
    return hash instanceof Refused ? hash : textOf({ ...terms, hash });
  }

  /** Whether a password is the one that was hashed. Where there is none, it takes as long to say no. */
  async fits(password: string, kept: string | undefined, hasher: Hasher): Promise<boolean | Refused> {
    const terms = (kept === undefined ? undefined : termsOf(kept)) ?? NOBODY;
    const hash = await this.#inTurn(hasher, () => this.#work(password, terms));
    if (hash instanceof Refused) return hash;
    return timingSafeEqual(hash, terms.hash) && terms !== NOBODY;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #inTurn<Result>({ address, isKnown }: Hasher, work: () => Promise<Result>): Promise<Result | Refused> {
    const group = groupOf(address);
    if (!this.#isTaken) this.#take(group, isKnown);
    else if (!(await turnIn(isKnown ? this.#known : this.#strangers, group))) return new Refused("busy");
    const began = this.#pace.now();
    try {
      return await work();
    } finally {
      this.#pace.after(this.#pace.now() - began, () => this.#next());
    }
  }

  #take(group: string, isKnown: boolean): void {
    this.#isTaken = true;
    this.#last = group;
    this.#wasKnown = isKnown;
  }

  /** Those who are known and strangers in turns, and of each the longest waiting whose address did not come last. */
  #next(): void {
    const isKnown = this.#known.length > 0 && (!this.#wasKnown || this.#strangers.length === 0);
    const queue = isKnown ? this.#known : this.#strangers;
    const fair = queue.findIndex(({ group }) => group !== this.#last);
    const next = queue.splice(Math.max(0, fair), 1)[0];
    this.#isTaken = false;
    if (next === undefined) return;
    // Its place is taken at once: it goes on in a later step.
    this.#take(next.group, isKnown);
    next.go(true);
  }
}

/** Waits for a turn; false when there is no place to wait, or another one took it. */
async function turnIn(queue: Waiting[], group: string): Promise<boolean> {
  const waitingOf = (whose: string) => queue.filter((one) => one.group === whose).length;
  const own = waitingOf(group);
  if (own >= WAITING_PER_ADDRESS_MAX) return false;
  if (queue.length >= WAITING_MAX) {
    const most = queue.reduce((one, other) => (waitingOf(other.group) >= waitingOf(one.group) ? other : one));
    if (waitingOf(most.group) <= own + 1) return false;
    queue.splice(queue.lastIndexOf(most), 1);
    most.go(false);
  }
  return await new Promise<boolean>((go) => queue.push({ group, go }));
}

/** Why a password is not taken; undefined when it is. `email` is the address that it is for. */
export function refusePassword(password: string, email: string): Refused | undefined {
  const text = password.normalize("NFKC");
  const isGuessed =
    new Set(text).size < DIFFERENT_CHARS_MIN ||
    text.toLowerCase().includes(email) ||
    email.includes(text.toLowerCase());
  return [...text].length < PASSWORD_CHARS_MIN || isGuessed
    ? invalidParameter(
        `the password must have at least ${PASSWORD_CHARS_MIN} characters, ${DIFFERENT_CHARS_MIN} of them ` +
          "different, and not be the e-mail address.",
      )
    : undefined;
}

/** Different keyboards write one letter in different ways. */
function parametersOf(password: string, { memory, passes, salt }: Omit<Terms, "hash">): Argon2Parameters {
  const message = password.normalize("NFKC");
  return { message, nonce: salt, parallelism: 1, tagLength: HASH_BYTES, memory, passes };
}

const NOBODY: Terms = {
  memory: MEMORY_KIB,
  passes: PASSES,
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
};

function textOf({ memory, passes, salt, hash }: Terms): string {
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memory},t=${passes},p=1$${saltText}$${hashText}`;
}

function termsOf(text: string): Terms | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(text);
  if (match === null) return undefined;
  const [, memory, passes, salt = "", hash = ""] = match;
  const bytes = Buffer.from(hash, "base64");
  if (bytes.length !== HASH_BYTES) return undefined;
  return { memory: Number(memory), passes: Number(passes), salt: Buffer.from(salt, "base64"), hash: bytes };
}
