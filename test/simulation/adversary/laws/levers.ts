import type { DealEvent, EngineEvent } from "../../../../src/engine/event.ts";
import type { Court, Law } from "./law.ts";

/** How far an honest order that names no price may be taken from the fair one, in hundredths. */
const FAR_SPOT = 30n;
const FAR_FUTURES = 11n;
/** How far deals of a spot market may go within a minute, in hundredths: what an interruption lets through. */
const SWEEP = 12n;
const SWEEP_MS = 60_000;
/** How far a mark may lie from its index, in 10^-8. */
const BETA_E8 = 250_000n;

/** A3: no lever. What an adversary's orders move, they move within bounds. */
export class Levers implements Law {
  private readonly court: Court;
  private readonly recent = new Map<number, { readonly atMs: number; readonly price: bigint }[]>();
  private found: string[] = [];

  constructor(court: Court) {
    this.court = court;
  }

  look(): void {
    this.found = [];
  }

  see(event: EngineEvent): void {
    const { court } = this;
    // A reopening names a price that all agreed on.
    if (event.kind === "json" && event.event.type === "auction_uncrossed") this.recent.delete(event.event.marketId);
    if (event.kind !== "deal") return;
    if (court.purseOf(event.taker.userId) === undefined && court.purseOf(event.maker.userId) === undefined) return;
    const isFutures = court.stage.state.markets[event.marketId]?.futures !== undefined;
    if (!isFutures) this.sweep(event);
    this.far(event, isFutures ? FAR_FUTURES : FAR_SPOT);
  }

  judge(): string[] {
    this.marks();
    return this.found;
  }

  /** Prices of a spot market stay near each other for a minute. */
  private sweep(deal: DealEvent): void {
    const { timeMs } = this.court.stage.state;
    const recent = (this.recent.get(deal.marketId) ?? []).filter(({ atMs }) => atMs > timeMs - SWEEP_MS);
    recent.push({ atMs: timeMs, price: deal.price });
    this.recent.set(deal.marketId, recent);
    const first = recent[0]?.price as bigint;
    const far = first > deal.price ? first - deal.price : deal.price - first;
    if (far * 100n <= first * SWEEP) return;
    this.found.push(`A3: within a minute a spot price is moved from ${first} to ${deal.price}.`);
  }

  /** An honest order that names no price trades near the fair one, whoever meets it. */
  private far(deal: DealEvent, percent: bigint): void {
    const { court } = this;
    const order = court.order(deal.taker.orderId);
    if (order?.type !== "market" || !court.isHonest(order.userId)) return;
    const fair = court.stage.fair(court.stage.keyOf(deal.marketId));
    const worse = order.side === "buy" ? deal.price - fair : fair - deal.price;
    if (worse * 100n <= fair * percent) return;
    this.found.push(`A3: an honest market order trades at ${deal.price}, where ${fair} is fair.`);
  }

  private marks(): void {
    const { state } = this.court.stage;
    if (state.rulesVersion < 2) return;
    for (const { id, futures, index, name } of state.markets) {
      if (futures === undefined || index.price === 0n || this.court.isSilent(id)) continue;
      const mark = state.futures.live.mark(id);
      const away = mark > index.price ? mark - index.price : index.price - mark;
      // The first update after a silence shows as index, the mark moves with the second.
      if (away * 100_000_000n > index.price * BETA_E8) {
        this.found.push(`A3: the mark of ${name} is ${mark}, its index ${index.price}.`);
      }
    }
  }
}
