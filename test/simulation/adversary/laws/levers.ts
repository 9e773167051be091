import type { DealEvent, EngineEvent, OrderRecord } from "../../../../src/engine/event.ts";
import type { Market } from "../../../../src/engine/listing/market.ts";
import type { Court, Law } from "./law.ts";

/** How far an honest order that names no price may be taken from the fair one, in hundredths. */
const FAR_SPOT = 30n;
const FAR_FUTURES = 11n;
/** How far deals of a spot market may go within a minute, in hundredths: what an interruption lets through. */
const SWEEP = 12n;
const SWEEP_MS = 60_000;
/**
 * How far from what its index said last a spot market trades, in hundredths: where it may be interrupted a move, two in
 * the auction, and a move from there for a window (1.2 times 1.1); else half.
 */
const MOVE = 10n;
const REOPENED = 32n;
const BAND_SPOT = 50n;
const WINDOW_MS = 60_000;
/**
 * How far from the mark an honest order trades that names no price, in hundredths: all of them are fired by triggers.
 */
const FAR_FIRED = 5n;

/** A3: no lever. What an adversary's orders move, they move within bounds. */
export class Levers implements Law {
  private readonly court: Court;
  /** By market: when it reopened last. */
  private readonly reopened = new Map<number, number>();
  /** Of orders: their price, and what the index said when they came to have it. */
  private readonly placed = new Map<number, { readonly price: bigint; readonly told: bigint }>();
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
    if (event.kind === "json" && event.event.type === "auction_uncrossed") {
      this.recent.delete(event.event.marketId);
      this.reopened.set(event.event.marketId, court.stage.state.timeMs);
    }
    if (event.kind === "order") this.place(event.order);
    if (event.kind !== "deal") return;
    if (court.fundsOf(event.taker.userId) === undefined && court.fundsOf(event.maker.userId) === undefined) return;
    const isFutures = court.stage.state.markets[event.marketId]?.futures !== undefined;
    if (!isFutures) this.sweep(event);
    if (!isFutures) this.beyond(event);
    this.far(event, isFutures ? FAR_FUTURES : FAR_SPOT);
  }

  judge(): string[] {
    return this.found;
  }

  /** Prices of a spot market stay near each other for a minute. */
  private sweep(deal: DealEvent): void {
    const { timeMs, markets } = this.court.stage.state;
    const market = markets[deal.marketId];
    if (market?.interruption === undefined || this.isNear(market, deal.price)) return;
    const recent = (this.recent.get(deal.marketId) ?? []).filter(({ atMs }) => atMs > timeMs - SWEEP_MS);
    recent.push({ atMs: timeMs, price: deal.price });
    this.recent.set(deal.marketId, recent);
    const first = recent[0]?.price as bigint;
    const far = first > deal.price ? first - deal.price : deal.price - first;
    if (far * 100n <= first * SWEEP) return;
    this.found.push(`A3: within a minute a spot price is moved from ${first} to ${deal.price}.`);
  }

  private beyond(deal: DealEvent): void {
    const { state } = this.court.stage;
    const market = state.markets[deal.marketId];
    if (state.rulesVersion < 3 || market === undefined) return;
    if (market.interruption === undefined) {
      this.beyondBand(deal);
      return;
    }
    const told = market.index.price;
    const away = deal.price > told ? deal.price - told : told - deal.price;
    const isReopened = state.timeMs - (this.reopened.get(deal.marketId) ?? 0) <= WINDOW_MS;
    const most = isReopened ? REOPENED : MOVE;
    if (told > 0n && away * 100n > told * most)
      this.found.push(`A3: a spot deal is made at ${deal.price}, where the index says ${told}.`);
  }

  private place({ orderId, price, marketId }: OrderRecord): void {
    if (this.placed.get(orderId)?.price === price) return;
    this.placed.set(orderId, { price, told: this.court.stage.state.markets[marketId]?.index.price ?? 0n });
  }

  /** Without an interruption an order is held to the index when it is placed, and rests while that goes elsewhere. */
  private beyondBand({ marketId, price, maker, side }: DealEvent): void {
    const now = this.court.stage.state.markets[marketId]?.index.price ?? 0n;
    const placed = this.placed.get(maker.orderId);
    // A pool stands where its last deal has brought it: its taker alone is held to the index.
    const told = placed?.told ?? now;
    if (placed === undefined && price > told !== (side === "buy")) return;
    const away = price > told ? price - told : told - price;
    if (told > 0n && away * 100n > told * BAND_SPOT)
      this.found.push(`A3: a spot deal is made at ${price}, where the index said ${told}.`);
  }

  /** Under the present rules a price may go wherever it is near what its index said last. */
  private isNear({ index: { price: told } }: Market, price: bigint): boolean {
    const away = price > told ? price - told : told - price;
    return this.court.stage.state.rulesVersion >= 3 && away * 100n <= told * MOVE;
  }

  /** An honest order that names no price trades near the fair one, no matter who meets it. */
  private far(deal: DealEvent, percent: bigint): void {
    const { court } = this;
    const order = court.order(deal.taker.orderId);
    if (order?.type !== "market" || !court.isHonest(order.userId)) return;
    const key = court.stage.keyOf(deal.marketId);
    const fair = court.stage.fair(key);
    // Sources may have said nothing of the last step: what they said before is all that the venue can know.
    const told = court.stage.asTold(() => court.stage.fair(key));
    const worseThan = (price: bigint) => (order.side === "buy" ? deal.price - price : price - deal.price);
    const { state } = court.stage;
    const mark = state.futures.live.mark(deal.marketId);
    const isFutures = state.markets[deal.marketId]?.futures !== undefined;
    const isFarFromMark = isFutures && state.rulesVersion >= 3 && worseThan(mark) * 100n > mark * FAR_FIRED;
    const isFar = [fair, told].every((price) => worseThan(price) * 100n > price * percent);
    if (!isFar && !isFarFromMark) return;
    this.found.push(`A3: an honest market order trades at ${deal.price}, where ${fair} is fair.`);
  }
}
