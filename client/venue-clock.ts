/** The venue's time, as far as this machine knows it: its own until the venue has said otherwise. */
export class VenueClock {
  #aheadMs = 0;
  #isSynced = false;
  #reading: Promise<boolean> | undefined;

  /** ms that the venue is ahead of this machine. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** The venue's time, whole ms. */
  now(): number {
    return Math.round(Date.now() + this.#aheadMs);
  }

  /** Moves the time of requests, for who knows better than both clocks. */
  shift(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Whether the venue's time was ever read. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /**
   * Takes the venue's time over. Calls that want it at one moment share one reading; false when it could not be read.
   * The time is taken to be that of the middle between question and answer.
   */
  async sync(read: () => Promise<number | undefined>): Promise<boolean> {
    this.#reading ??= this.#read(read).finally(() => {
      this.#reading = undefined;
    });
    return await this.#reading;
  }

  async #read(read: () => Promise<number | undefined>): Promise<boolean> {
    const askedAt = Date.now();
    const timestamp = await read();
    if (timestamp === undefined) return false;
    this.#aheadMs = timestamp - (askedAt + Date.now()) / 2;
    this.#isSynced = true;
    return true;
  }
}
