/**
 * Who fails to prove who he is, by what he claims to be and by his address: the first few failures of a minute are
 * answered at once, the next ones later and later. Anyone who proves himself never waits. The first failure of an
 * address is told to the log within five seconds, so that an operator sees who begins to try; what follows, once a
 * minute, with its count.
 */
import { forgetOldest } from "../limits/forget-oldest.ts";
import type { Refused, WireRefusal } from "../refused.ts";
import { printable } from "../request/clean-text.ts";

export interface FailuresOptions {
  /** The thing that fails, as the log calls it. */
  readonly what: string;
  readonly log: { warn(details: object, message: string): void };
  /** A time that runs evenly, ms. */
  readonly now?: () => number;
  /** The longest wait, ms. */
  readonly waitMaxMs?: number;
}

const WINDOW_MS = 60_000;
/** Failures of a minute that cost no time: a client with a wrong clock or key finds out without a wait. */
const FREE = 20;
const FIRST_WAIT_MS = 100;
const WAIT_MAX_MS = 2_000;
/** Claims by address that are remembered; beyond it the oldest are forgotten. */
const KNOWN_MAX = 10_000;
/**
 * The first failures of addresses are told together after so long: a thousand addresses that begin at once are one
 * line.
 */
const FIRST_TOLD_MS = 5_000;
/** An address is a new one again when nothing failed from there for so long. */
const NEW_AGAIN_MS = 60 * WINDOW_MS;
/** Addresses that are known to have failed; beyond it the oldest are new ones again, and are told of twice. */
const ADDRESSES_MAX = 10_000;
/** Lines of the log name so many of them. */
const TOLD_MAX = 10;
const CLAIM_CHARS_MAX = 64;

interface Entry {
  readonly claim: string;
  readonly address: string;
  readonly sinceMs: number;
  count: number;
}

const FAILED_PROOFS: ReadonlySet<WireRefusal> = new Set(["signature_mismatch", "access_id_unknown"]);

/** Notes a request whose proof has failed, and gives the ms after which it is answered; of any other refusal, 0. */
export function waitForProof(
  failures: Failures | undefined,
  { refusal }: Refused,
  from: { readonly remoteAddress: string },
  claim: () => string | undefined,
): number {
  return FAILED_PROOFS.has(refusal) ? (failures?.note(claim() ?? "", from.remoteAddress) ?? 0) : 0;
}

export class Failures {
  readonly #options: FailuresOptions;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;
  #untold = 0;
  #telling: NodeJS.Timeout | undefined;
  /** When something failed last from an address. */
  readonly #addresses = new Map<string, number>();
  /** The first failures of new addresses that are not told yet, and how many there are besides those that are named. */
  #first: { readonly claim: string; readonly address: string }[] = [];
  #firstBesides = 0;
  #tellingFirst: NodeJS.Timeout | undefined;

  constructor(options: FailuresOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** All of them, since the start. */
  get total(): number {
    return this.#total;
  }

  /** Notes one; gives for how many ms its answer should wait. `claim` is a name that was claimed, never a secret. */
  note(claim: string, address: string): number {
    const entry = this.#entryOf(claim.slice(0, CLAIM_CHARS_MAX), address);
    entry.count++;
    this.#total++;
    if (this.#isNew(address)) this.#noteFirst(entry);
    else {
      this.#untold++;
      this.#telling ??= setTimeout(() => this.#tell(), WINDOW_MS).unref();
    }
    return this.#waitAfter(entry.count);
  }

  /** How long what comes from there now should wait, without noting anything. */
  waitOf(claim: string, address: string): number {
    const known = this.#entries.get(keyOf(claim, address));
    return known === undefined || this.#isOver(known) ? 0 : this.#waitAfter(known.count);
  }

  #waitAfter(count: number): number {
    const beyond = count - FREE;
    if (beyond <= 0) return 0;
    return Math.min(this.#options.waitMaxMs ?? WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** Math.min(beyond - 1, 10));
  }

  #isOver({ sinceMs }: Entry): boolean {
    return this.#now() - sinceMs >= WINDOW_MS;
  }

  close(): void {
    clearTimeout(this.#tellingFirst);
    clearTimeout(this.#telling);
    if (this.#first.length > 0) this.#tellFirst();
    if (this.#untold > 0) this.#tell();
  }

  /** Whether nothing failed from an address for long. */
  #isNew(address: string): boolean {
    const nowMs = this.#now();
    const lastMs = this.#addresses.get(address);
    // Behind the others, so that the front of the map is what is oldest.
    this.#addresses.delete(address);
    forgetOldest(this.#addresses, ADDRESSES_MAX);
    this.#addresses.set(address, nowMs);
    return lastMs === undefined || nowMs - lastMs >= NEW_AGAIN_MS;
  }

  #noteFirst({ claim, address }: Entry): void {
    if (this.#first.length < TOLD_MAX) this.#first.push({ claim: printable(claim), address });
    else this.#firstBesides++;
    this.#tellingFirst ??= setTimeout(() => this.#tellFirst(), FIRST_TOLD_MS).unref();
  }

  #tellFirst(): void {
    this.#tellingFirst = undefined;
    const { what, log } = this.#options;
    const addresses = this.#first.length + this.#firstBesides;
    log.warn({ addresses, first: this.#first }, `${what} failed, from addresses from which none had failed lately`);
    this.#first = [];
    this.#firstBesides = 0;
  }

  #entryOf(claim: string, address: string): Entry {
    const key = keyOf(claim, address);
    const known = this.#entries.get(key);
    if (known !== undefined && !this.#isOver(known)) return known;
    // Behind the others, so that the front of the map is what is oldest.
    this.#entries.delete(key);
    forgetOldest(this.#entries, KNOWN_MAX);
    const entry = { claim, address, sinceMs: this.#now(), count: 0 };
    this.#entries.set(key, entry);
    return entry;
  }

  #tell(): void {
    this.#telling = undefined;
    const most = [...this.#entries.values()].sort((one, other) => other.count - one.count).slice(0, TOLD_MAX);
    const { what, log } = this.#options;
    const details = {
      failures: this.#untold,
      most: most.map(({ claim, address, count }) => ({ claim: printable(claim), address, count })),
    };
    log.warn(details, `${what} failed in the last minute`);
    this.#untold = 0;
  }
}

function keyOf(claim: string, address: string): string {
  return `${address} ${claim}`;
}
