import type { Side } from "../engine/command.ts";

/** An execution as everybody may see it; `side` is the taker's, `price` in ticks. */
export interface PublicDeal {
  readonly dealId: number;
  /** ms. */
  readonly createdAt: number;
  readonly side: Side;
  readonly price: bigint;
  readonly lots: bigint;
}

/** The most that the contract lets anybody ask for, so that history need not be asked. */
export const RECENT_DEALS_MAX = 1000;

/** The newest deals of a market, in a ring. */
export class RecentDeals {
  readonly #ids = new Float64Array(RECENT_DEALS_MAX);
  readonly #times = new Float64Array(RECENT_DEALS_MAX);
  readonly #sells = new Uint8Array(RECENT_DEALS_MAX);
  readonly #prices = new BigInt64Array(RECENT_DEALS_MAX);
  readonly #lots = new BigInt64Array(RECENT_DEALS_MAX);
  #count = 0;
  /** Where the next deal goes. */
  #next = 0;

  /** The newest deal; 0 before the first. */
  get lastId(): number {
    return this.#count === 0 ? 0 : (this.#ids[(this.#next + RECENT_DEALS_MAX - 1) % RECENT_DEALS_MAX] as number);
  }

  add(dealId: number, timeMs: number, takerSells: boolean, price: bigint, lots: bigint): void {
    const at = this.#next;
    this.#ids[at] = dealId;
    this.#times[at] = timeMs;
    this.#sells[at] = takerSells ? 1 : 0;
    this.#prices[at] = price;
    this.#lots[at] = lots;
    this.#next = (at + 1) % RECENT_DEALS_MAX;
    if (this.#count < RECENT_DEALS_MAX) this.#count++;
  }

  /** The newest deals with an id above `lastId` (0: all), newest first, at most `limit`. Source: domain 8, deals. */
  since(lastId: number, limit: number): PublicDeal[] {
    const deals: PublicDeal[] = [];
    for (let back = 1; back <= this.#count && deals.length < limit; back++) {
      const at = (this.#next - back + RECENT_DEALS_MAX) % RECENT_DEALS_MAX;
      const dealId = this.#ids[at] as number;
      if (dealId <= lastId) break;
      deals.push({
        dealId,
        createdAt: this.#times[at] as number,
        side: this.#sells[at] === 1 ? "sell" : "buy",
        price: this.#prices[at] as bigint,
        lots: this.#lots[at] as bigint,
      });
    }
    return deals;
  }
}
