/**
 * Hashes of passwords: argon2id (RFC 9106) with 19 MiB and two passes, one of the settings that OWASP holds to be equal; what is kept is
 * sealed besides, so that whoever has the log and not the key file cannot even begin to guess. Hashing runs on Node's own threads, two at
 * a time at most, which leaves the other two to files and names; the log has a thread of its own. Few wait for it, addresses take turns, and where
 * no more may wait, the address with the most of them gives way: whoever floods it makes himself wait.
 */

import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { groupOf } from "../limits/address.ts";
import { invalidParameter, Refused } from "../refused.ts";

const MEMORY_KIB = 19_456;
const PASSES = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashed at once: on a machine of two processors one, so that the other is left to the venue's own thread. */
const RUNNING_MAX = Math.max(1, Math.min(2, availableParallelism() >> 1));
/** Beyond it the venue is busy: the last of them waits some seconds on a slow machine. */
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

interface Waiting {
  readonly group: string;
  /** Its turn has come; false: another one took its place. */
  readonly go: (isIts: boolean) => void;
}

export class Passwords {
  /** Whose are hashed, */
  readonly #running: string[] = [];
  /** and whose turn came last. */
  #last = "";
  readonly #waiting: Waiting[] = [];
  readonly #work: typeof derived;

  readonly #runningMax: number;

  /** `work` hashes, so many at once; a test counts. */
  constructor(work = derived, runningMax = RUNNING_MAX) {
    this.#work = work;
    this.#runningMax = runningMax;
  }

  /** What is to be kept of a password, in the form of the PHC. */
  async hash(password: string, address: string): Promise<string | Refused> {
    const salt = randomBytes(SALT_BYTES);
    const terms = { memory: MEMORY_KIB, passes: PASSES, salt };
    const hash = await this.#inTurn(address, () => this.#work(password, terms));
    return hash instanceof Refused ? hash : textOf({ ...terms, hash });
  }

  /** Whether a password is the one that was hashed. Where there is none, it takes as long to say no. */
  async fits(password: string, kept: string | undefined, address: string): Promise<boolean | Refused> {
    const terms = (kept === undefined ? undefined : termsOf(kept)) ?? NOBODY;
    const hash = await this.#inTurn(address, () => this.#work(password, terms));
    if (hash instanceof Refused) return hash;
    return timingSafeEqual(hash, terms.hash) && terms !== NOBODY;
  }

  async #inTurn<Result>(address: string, work: () => Promise<Result>): Promise<Result | Refused> {
    const group = groupOf(address);
    if (this.#running.length < this.#runningMax) this.#running.push(group);
    else if (!(await this.#turnOf(group))) return new Refused("busy");
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(group), 1);
      this.#next();
    }
  }

  /** Waits for a turn; false when there is no place to wait, or another one took it. */
  async #turnOf(group: string): Promise<boolean> {
    const own = this.#waitingOf(group);
    if (own >= WAITING_PER_ADDRESS_MAX) return false;
    if (this.#waiting.length >= WAITING_MAX) {
      const most = this.#waiting.reduce((one, other) =>
        this.#waitingOf(other.group) >= this.#waitingOf(one.group) ? other : one,
      );
      if (this.#waitingOf(most.group) <= own + 1) return false;
      this.#waiting.splice(this.#waiting.lastIndexOf(most), 1);
      most.go(false);
    }
    return await new Promise<boolean>((go) => this.#waiting.push({ group, go }));
  }

  #waitingOf(group: string): number {
    return this.#waiting.filter((one) => one.group === group).length;
  }

  /** The longest waiting of those whose address has none running, or the longest waiting of all. */
  #next(): void {
    const fair = this.#waiting.findIndex(({ group }) => !this.#running.includes(group) && group !== this.#last);
    const next = this.#waiting.splice(Math.max(0, fair), 1)[0];
    if (next === undefined) return;
    this.#last = next.group;
    // Its place is taken at once: it goes on in a later step.
    this.#running.push(next.group);
    next.go(true);
  }
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
        `the password must have at least ${PASSWORD_CHARS_MIN} characters, ${DIFFERENT_CHARS_MIN} of them different, and not be the e-mail address.`,
      )
    : undefined;
}

/** Different keyboards write one letter in different ways. */
function derived(password: string, { memory, passes, salt }: Omit<Terms, "hash">): Promise<Buffer> {
  const parameters: Argon2Parameters = {
    message: password.normalize("NFKC"),
    nonce: salt,
    parallelism: 1,
    tagLength: HASH_BYTES,
    memory,
    passes,
  };
  return new Promise((resolve, reject) => {
    argon2("argon2id", parameters, (error, hash) => (error === null ? resolve(hash) : reject(error)));
  });
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
