/**
 * Who fails to prove who he is, by what he claims to be and by his address: the first few failures of a minute are answered at
 * once, the next ones later and later. Whoever proves himself never waits. What happened is told to the log once a minute.
 */
export interface FailuresOptions {
  /** What fails, as the log calls it. */
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
/** Lines of the log name so many of them. */
const TOLD_MAX = 10;
const CLAIM_CHARS_MAX = 64;

interface Entry {
  readonly claim: string;
  readonly address: string;
  readonly sinceMs: number;
  count: number;
}

export class Failures {
  readonly #options: FailuresOptions;
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  #total = 0;
  #untold = 0;
  #telling: NodeJS.Timeout | undefined;

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
    this.#untold++;
    this.#telling ??= setTimeout(() => this.#tell(), WINDOW_MS).unref();
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
    clearTimeout(this.#telling);
    if (this.#untold > 0) this.#tell();
  }

  #entryOf(claim: string, address: string): Entry {
    const key = keyOf(claim, address);
    const known = this.#entries.get(key);
    if (known !== undefined && !this.#isOver(known)) return known;
    // Behind the others, so that the front of the map is what is oldest.
    this.#entries.delete(key);
    if (this.#entries.size >= KNOWN_MAX) this.#entries.delete(this.#entries.keys().next().value as string);
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
      most: most.map(({ claim, address, count }) => ({ claim, address, count })),
    };
    log.warn(details, `${what} failed in the last minute`);
    this.#untold = 0;
  }
}

function keyOf(claim: string, address: string): string {
  return `${address} ${claim}`;
}
