/** Beyond so many that wait, further work is done at once: what waits is held in memory. */
const WAITING_MAX = 256;

/**
 * Work that takes its turn: one piece in a turn of the event loop, in the order in which it came. A thousand long
 * messages that arrive together would else be read one after the other before anybody else is heard.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  get hasRoom(): boolean {
    return this.#waiting.length < WAITING_MAX;
  }

  /** Does `work` when its turn comes: later, and after all that was taken before. */
  take(work: () => void): void {
    if (this.#waiting.push(work) === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const work = this.#waiting[0] as () => void;
    try {
      work();
    } finally {
      this.#waiting.shift();
      // Scheduled within a turn, it belongs to the next one: what has come in meanwhile is heard before.
      if (this.#waiting.length > 0) setImmediate(() => this.#next());
    }
  }
}
