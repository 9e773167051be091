/**
 * How often somebody may try: failures to sign in by address, by account, and by both, mails that strangers have the venue send, and test money. An
 * account that is attacked from everywhere still lets in who signs in from where its owner did before; and by passkeys, which nobody
 * guesses. What is counted is in memory and bounded: a restart forgets it.
 */
import { groupOf } from "../limits/address.ts";

const MINUTE_MS = 60_000;
/** So many things are counted at once; beyond, the oldest are forgotten. */
const KNOWN_MAX = 100_000;

/** So often in so many minutes. */
interface Bound {
  readonly most: number;
  readonly minutes: number;
}

const SIGN_IN_BY_ADDRESS: Bound = { most: 30, minutes: 15 };
const SIGN_IN_BY_BOTH: Bound = { most: 10, minutes: 15 };
const SIGN_IN_BY_ACCOUNT: Bound = { most: 50, minutes: 60 };
/** Whoever is here has the password already, so that nobody else can use these up. */
const SECOND_FACTOR: Bound = { most: 10, minutes: 60 };
const MAIL_BY_ADDRESS: Bound = { most: 10, minutes: 60 };
const MAIL_BY_RECIPIENT: Bound = { most: 3, minutes: 60 };
/** Enough for whoever tries things out; a loop that takes money for ever should find its end. */
export const TEST_MONEY: Bound = { most: 20, minutes: 60 };
/** Passkeys cost a check of a signature each. */
const PASSKEY_BY_ADDRESS: Bound = { most: 60, minutes: 15 };

interface Count {
  readonly sinceMs: number;
  readonly ms: number;
  count: number;
}

/** Something that was tried, and counts as failed until it is taken back. */
export interface Attempt {
  takeBack(): void;
}

export class Attempts {
  readonly #now: () => number;
  readonly #counts = new Map<string, Count>();

  /** `now` gives a time that runs evenly, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** To be taken before a password is looked at; undefined: too many failed. `isKnown`: the account was used from there before. */
  signIn(address: string, email: string, isKnown: boolean): Attempt | undefined {
    const from = groupOf(address);
    return this.#take([
      [`sign-in ${from}`, SIGN_IN_BY_ADDRESS],
      [`sign-in ${from} ${email}`, SIGN_IN_BY_BOTH],
      ...(isKnown ? [] : [[`account ${email}`, SIGN_IN_BY_ACCOUNT] as const]),
    ]);
  }

  secondFactor(userId: number): Attempt | undefined {
    return this.#take([[`second ${userId}`, SECOND_FACTOR]]);
  }

  passkey(address: string): Attempt | undefined {
    return this.#take([[`passkey ${groupOf(address)}`, PASSKEY_BY_ADDRESS]]);
  }

  /** Whether a stranger may have a mail sent. */
  mailFrom(address: string): boolean {
    return this.#take([[`mail ${groupOf(address)}`, MAIL_BY_ADDRESS]]) !== undefined;
  }

  /** Whether somebody may be sent one more. */
  mailTo(email: string): boolean {
    return this.#take([[`mail ${email}`, MAIL_BY_RECIPIENT]]) !== undefined;
  }

  /** To be taken before an account is given test money. */
  testMoney(userId: number): Attempt | undefined {
    return this.#take([[`test money ${userId}`, TEST_MONEY]]);
  }

  #take(bounds: readonly (readonly [what: string, bound: Bound])[]): Attempt | undefined {
    const counts = bounds.map(([what, bound]) => ({ count: this.#countOf(what, bound), bound }));
    if (counts.some(({ count, bound }) => count.count >= bound.most)) return undefined;
    for (const { count } of counts) count.count++;
    return {
      takeBack: () => {
        for (const { count } of counts) count.count--;
      },
    };
  }

  #countOf(what: string, { minutes }: Bound): Count {
    const nowMs = this.#now();
    const known = this.#counts.get(what);
    if (known !== undefined && nowMs - known.sinceMs < known.ms) return known;
    // Behind the others, so that the front of the map is what is oldest.
    this.#counts.delete(what);
    if (this.#counts.size >= KNOWN_MAX) this.#counts.delete(this.#counts.keys().next().value as string);
    const count = { sinceMs: nowMs, ms: minutes * MINUTE_MS, count: 0 };
    this.#counts.set(what, count);
    return count;
  }
}
