import type { Side } from "../engine/command.ts";
import type { PublicDeal } from "../engine/event.ts";

/** The most that the contract lets anybody ask for, so that history need not be asked. */
export const RECENT_DEALS_MAX = 1000;

/**
 * The newest deals of a market, in a ring. It grows while somebody who is told of deals now and then has not been told
 * of those that would be overwritten.
 */
export class RecentDeals {
  #ids = new Float64Array(RECENT_DEALS_MAX);
  #times = new Float64Array(RECENT_DEALS_MAX);
  #sells = new Uint8Array(RECENT_DEALS_MAX);
  #prices = new BigInt64Array(RECENT_DEALS_MAX);
  #lots = new BigInt64Array(RECENT_DEALS_MAX);
  #count = 0;
  /** Where the next deal goes. */
  #next = 0;
  /** Who has asked for deals above an id to be kept, and the least of these ids. */
  readonly #keepers = new Map<object, number>();
  #keptAbove = Number.POSITIVE_INFINITY;
  /** The lots that takers bought and sold in the newest RECENT_DEALS_MAX deals. */
  readonly #traded = { buy: 0n, sell: 0n };

  /** The newest deal; 0 before the first. */
  get lastId(): number {
    return this.#count === 0 ? 0 : (this.#ids[this.#at(1)] as number);
  }

  /** Returns the lots that takers bought and sold in the newest RECENT_DEALS_MAX deals. */
  get traded(): Readonly<Record<Side, bigint>> {
    return this.#traded;
  }

  add(dealId: number, timeMs: number, takerSells: boolean, price: bigint, lots: bigint): void {
    // A full ring has its oldest deal where the next one goes.
    if (this.#isFull && (this.#ids[this.#next] as number) > this.#keptAbove) this.#resize(2 * this.#ids.length);
    if (this.#count >= RECENT_DEALS_MAX) this.#leave(this.#at(RECENT_DEALS_MAX));
    this.#traded[takerSells ? "sell" : "buy"] += lots;
    const at = this.#next;
    this.#ids[at] = dealId;
    this.#times[at] = timeMs;
    this.#sells[at] = takerSells ? 1 : 0;
    this.#prices[at] = price;
    this.#lots[at] = lots;
    this.#next = (at + 1) % this.#ids.length;
    if (!this.#isFull) this.#count++;
  }

  /**
   * Deals above an id stay for `keeper` until it calls this again, however many they are; without one the newest alone
   * do.
   */
  keepAbove(keeper: object, dealId?: number): void {
    if (dealId === undefined) this.#keepers.delete(keeper);
    else this.#keepers.set(keeper, dealId);
    this.#keptAbove = Math.min(Number.POSITIVE_INFINITY, ...this.#keepers.values());
    const isGrown = this.#ids.length > RECENT_DEALS_MAX;
    if (isGrown && (this.#ids[this.#at(RECENT_DEALS_MAX)] as number) <= this.#keptAbove) this.#resize(RECENT_DEALS_MAX);
  }

  /** The newest deals with an id above `lastId` (0: all), newest first, at most `limit`. Source: domain 8, deals. */
  since(lastId: number, limit: number): PublicDeal[] {
    const deals: PublicDeal[] = [];
    for (let back = 1; back <= this.#count && deals.length < limit; back++) {
      const at = this.#at(back);
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

  get #isFull(): boolean {
    return this.#count === this.#ids.length;
  }

  /** A deal is among the newest no more. */
  #leave(at: number): void {
    this.#traded[this.#sells[at] === 1 ? "sell" : "buy"] -= this.#lots[at] as bigint;
  }

  /** Where the newest deal but so many less one stands. */
  #at(back: number): number {
    const size = this.#ids.length;
    return (this.#next - back + size) % size;
  }

  /** Makes room for so many deals, with the newest of those that there are. */
  #resize(size: number): void {
    const newestFirst = this.since(0, size);
    this.#ids = new Float64Array(size);
    this.#times = new Float64Array(size);
    this.#sells = new Uint8Array(size);
    this.#prices = new BigInt64Array(size);
    this.#lots = new BigInt64Array(size);
    this.#count = 0;
    this.#next = 0;
    this.#traded.buy = 0n;
    this.#traded.sell = 0n;
    for (const { dealId, createdAt, side, price, lots } of newestFirst.reverse()) {
      this.add(dealId, createdAt, side === "sell", price, lots);
    }
  }
}
