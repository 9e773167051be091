/**
 * Shares the time in which connections are read between the addresses that they come from. An address is read at once
 * as long as it has cost little in a turn of the event loop. What it sends beyond that is held, and read in slices: one
 * of each address after the other, with a look at all other connections in between. So nobody waits for the pipelines
 * of somebody else.
 */

/**
 * The time, in ms, for which an address is read at once in a turn. A plain request takes 0.02 ms, so that few clients
 * ever send more at a time. Together with `HELD_MS` it is what one address can make all others wait.
 */
export const DIRECT_MS = 1;
/** The time, in ms, that held connections get in a turn: about as long as one look at all other connections takes. */
const HELD_MS = 0.5;
/** All that is held; beyond it, the address that holds most loses a connection. 256 whole pieces of 64 KiB. */
export const HELD_BYTES_MAX = 16 * 1_048_576;

/** A connection of which more has come than is read at once. */
export interface Held {
  /** Memory that it takes. */
  readonly heldBytes: number;
  /** Reads a slice; false when nothing is to be read for now. */
  readSlice(): boolean;
  /** Closes the connection. */
  cut(): void;
}

/** The state of an address: its connections, its held bytes, and the time that reading it took in this turn. */
export class Share {
  readonly #turns: ReadingTurns;
  /** Connections that wait for a slice, longest first. */
  readonly waiting: Held[] = [];
  /** Connections that hold something, whether they wait for their turn or for their reader. */
  readonly holding = new Set<Held>();
  heldBytes = 0;
  #turn = 0;
  #usedMs = 0;

  constructor(turns: ReadingTurns) {
    this.#turns = turns;
  }

  /** Whether it may be read at once. */
  get mayRead(): boolean {
    return this.#turn !== this.#turns.turn || this.#usedMs < DIRECT_MS;
  }

  /** It has been read for so long. */
  spend(ms: number): void {
    const turn = this.#turns.begun();
    if (this.#turn !== turn) {
      this.#turn = turn;
      this.#usedMs = 0;
    }
    this.#usedMs += ms;
  }

  /** A connection holds so many bytes more, or less. */
  hold(held: Held, bytes: number): void {
    if (held.heldBytes > 0) this.holding.add(held);
    else this.holding.delete(held);
    this.heldBytes += bytes;
    this.#turns.hold(this, bytes);
  }

  /** A connection waits for a slice. */
  wait(held: Held): void {
    this.waiting.push(held);
    this.#turns.wait(this);
  }
}

export class ReadingTurns {
  /** Counts turns in which something was read. */
  turn = 1;
  #isArmed = false;
  #heldBytes = 0;
  /** Addresses of which something is held. */
  readonly #holding = new Set<Share>();
  /** Addresses with connections that wait for a slice, in the order of their turns. */
  readonly #shares = new Set<Share>();

  /** Something is read; gives the number of this turn. */
  begun(): number {
    this.#arm();
    return this.turn;
  }

  wait(share: Share): void {
    this.#shares.add(share);
    this.#arm();
  }

  hold(share: Share, bytes: number): void {
    this.#heldBytes += bytes;
    if (share.heldBytes > 0) this.#holding.add(share);
    else this.#holding.delete(share);
    if (this.#heldBytes <= HELD_BYTES_MAX) return;
    const most = [...this.#holding].reduce((one, other) => (other.heldBytes > one.heldBytes ? other : one), share);
    const [oldest] = most.holding;
    oldest?.cut();
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    setImmediate(this.#next);
  }

  readonly #next = () => {
    this.#isArmed = false;
    this.turn++;
    if (this.#shares.size === 0) return;
    const end = performance.now() + HELD_MS;
    for (const share of this.#shares) {
      this.#shares.delete(share);
      const held = share.waiting.shift() as Held;
      if (held.readSlice()) share.waiting.push(held);
      // Behind all others: a set is gone through in the order in which it was added to.
      if (share.waiting.length > 0) this.#shares.add(share);
      if (performance.now() >= end) break;
    }
    if (this.#shares.size > 0) this.#arm();
  };
}
