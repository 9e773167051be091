/**
 * How often somebody may try: failures to sign in by address, by account, and by both, mails that strangers have the
 * venue send, and test money. An account that is attacked from everywhere still lets in who signs in from where its
 * owner did before; and by passkeys, which nobody guesses. What is counted is in memory and bounded: a restart forgets
 * it. A refused attempt is not counted, and makes nothing that is kept.
 */
import { groupOf } from "../limits/address.ts";
import { forgetOldest } from "../limits/forget-oldest.ts";

const MINUTE_MS = 60_000;
/**
 * Things that strangers name (addresses, and e-mail addresses of no account) and that are counted at once; beyond it
 * the oldest are forgotten. What is counted of accounts is not among them: there is as much of it as accounts, and
 * strangers cannot have it forgotten.
 */
const STRANGE_MAX = 100_000;
/** Of accounts, counts that are over are looked for when there are so many more. */
const SWEPT_EVERY = 1_000;

/** So often in so many minutes. */
interface Bound {
  readonly most: number;
  readonly minutes: number;
}

const SIGN_IN_BY_ADDRESS: Bound = { most: 30, minutes: 15 };
const SIGN_IN_BY_BOTH: Bound = { most: 10, minutes: 15 };
const SIGN_IN_BY_ACCOUNT: Bound = { most: 50, minutes: 60 };
/** Anyone who is here has the password already, so that nobody else can use these up. */
const SECOND_FACTOR: Bound = { most: 10, minutes: 60 };
const MAIL_BY_ADDRESS: Bound = { most: 10, minutes: 60 };
const MAIL_BY_RECIPIENT: Bound = { most: 3, minutes: 60 };
/** Enough for anyone who tries things out; a loop that takes money for ever should find its end. */
export const TEST_MONEY: Bound = { most: 20, minutes: 60 };
/** Passkeys cost a check of a signature each. */
const PASSKEY_BY_ADDRESS: Bound = { most: 60, minutes: 15 };

/** Something that was tried, and counts as failed until it is taken back. */
export interface Attempt {
  takeBack(): void;
}

/** Whose password is tried. */
export interface Tried {
  readonly email: string;
  /** There is such an account. */
  readonly isAccount: boolean;
  /** It was used from the address before. */
  readonly isKnown: boolean;
}

type Counted = readonly [counts: Counts, what: string, bound: Bound];

export class Attempts {
  readonly #now: () => number;
  readonly #ofStrangers = new Counts(STRANGE_MAX);
  readonly #ofAccounts = new Counts(Number.POSITIVE_INFINITY);

  /** `now` gives a time that runs evenly, ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Things that are counted. */
  get size(): number {
    return this.#ofStrangers.size + this.#ofAccounts.size;
  }

  /** To be taken before a password is looked at; undefined: too many failed. */
  signIn(address: string, { email, isAccount, isKnown }: Tried): Attempt | undefined {
    const from = groupOf(address);
    const counts = this.#of(isAccount);
    return this.#take([
      [this.#ofStrangers, `sign-in ${from}`, SIGN_IN_BY_ADDRESS],
      [counts, `sign-in ${from} ${email}`, SIGN_IN_BY_BOTH],
      ...(isKnown ? [] : [[counts, `account ${email}`, SIGN_IN_BY_ACCOUNT] as const]),
    ]);
  }

  secondFactor(userId: number): Attempt | undefined {
    return this.#take([[this.#ofAccounts, `second ${userId}`, SECOND_FACTOR]]);
  }

  passkey(address: string): Attempt | undefined {
    return this.#take([[this.#ofStrangers, `passkey ${groupOf(address)}`, PASSKEY_BY_ADDRESS]]);
  }

  /** Whether a stranger may have a mail sent. */
  mailFrom(address: string): boolean {
    return this.#take([[this.#ofStrangers, `mail from ${groupOf(address)}`, MAIL_BY_ADDRESS]]) !== undefined;
  }

  /** Whether somebody may be sent one more of the mails that strangers can ask for. */
  mailTo(email: string, isAccount: boolean): boolean {
    return this.#take([[this.#of(isAccount), `mail to ${email}`, MAIL_BY_RECIPIENT]]) !== undefined;
  }

  /** To be taken before an account is given test money. */
  testMoney(userId: number): Attempt | undefined {
    return this.#take([[this.#ofAccounts, `test money ${userId}`, TEST_MONEY]]);
  }

  #of(isAccount: boolean): Counts {
    return isAccount ? this.#ofAccounts : this.#ofStrangers;
  }

  #take(counted: readonly Counted[]): Attempt | undefined {
    const nowMs = this.#now();
    if (counted.some(([counts, what, { most }]) => counts.of(what, nowMs) >= most)) return undefined;
    for (const [counts, what, bound] of counted) counts.add(what, bound, nowMs);
    return {
      takeBack: () => {
        for (const [counts, what] of counted) counts.takeBack(what);
      },
    };
  }
}

interface Count {
  readonly sinceMs: number;
  readonly ms: number;
  count: number;
}

class Counts {
  readonly #most: number;
  readonly #known = new Map<string, Count>();
  #sweptAt = SWEPT_EVERY;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#known.size;
  }

  of(what: string, nowMs: number): number {
    const known = this.#known.get(what);
    return known === undefined || isOver(known, nowMs) ? 0 : known.count;
  }

  add(what: string, { minutes }: Bound, nowMs: number): void {
    const known = this.#known.get(what);
    if (known !== undefined && !isOver(known, nowMs)) {
      known.count++;
      return;
    }
    // Behind the others, so that the front of the map is what is oldest.
    this.#known.delete(what);
    this.#makeRoom(nowMs);
    this.#known.set(what, { sinceMs: nowMs, ms: minutes * MINUTE_MS, count: 1 });
  }

  takeBack(what: string): void {
    const known = this.#known.get(what);
    if (known !== undefined && --known.count <= 0) this.#known.delete(what);
  }

  #makeRoom(nowMs: number): void {
    forgetOldest(this.#known, this.#most);
    if (this.#known.size < this.#sweptAt) return;
    for (const [what, count] of this.#known) if (isOver(count, nowMs)) this.#known.delete(what);
    this.#sweptAt = this.#known.size + Math.max(SWEPT_EVERY, this.#known.size);
  }
}

function isOver({ sinceMs, ms }: Count, nowMs: number): boolean {
  return nowMs - sinceMs >= ms;
}
