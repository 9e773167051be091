/**
 * Holds a play to the law: whoever plays the rules gains nothing by them, and nobody is let go whose margin suffices.
 * What an account is worth is counted at the fair prices; its worth may change with those prices by what it
 * holds, by what honest orders offered, and by funding. All else is a gift.
 */
import type { DealEvent, DealParty, EngineEvent, Happening, OrderRecord } from "../../../src/engine/event.ts";
import type { FuturesTerms } from "../../../src/engine/futures/positions/contract.ts";
import type { Stage } from "./stage.ts";
import { equityOf, gains, isSafe, USDT_UNIT, valueAt, worthOf } from "./worth.ts";

/** How far an honest order that names no price may be taken from the fair one, in hundredths. */
const FAR_SPOT = 30n;
const FAR_FUTURES = 11n;
/** How far deals of a spot market may go within a minute, in hundredths: what an interruption lets through. */
const SWEEP = 12n;
const SWEEP_MS = 60_000;

type Role = "honest" | "adversary";

/** What the accounts of one strategy came to. All in the unit of worth. */
interface Book {
  readonly users: number[];
  /** Put in from outside. */
  paidIn: bigint;
  /** What the path of the fair prices, honest orders and funding brought. */
  moved: bigint;
  offered: bigint;
  funding: bigint;
  /** Fees as the rules have them, whatever was taken. */
  fees: bigint;
}

export class Judge {
  private readonly stage: Stage;
  private readonly betaPpm: bigint;
  private readonly slack: bigint;
  private readonly isHonest = new Set<number>();
  private readonly strategyOf = new Map<number, string>();
  private readonly books = new Map<string, Book>();
  /** What may be won from the venue: margins of honest users who were let go, what it won while it sold, and gaps. */
  private spoils = 0n;
  private safe = new Set<number>();
  private readonly orders = new Map<number, OrderRecord>();
  private readonly sweeps = new Map<number, { atMs: number; price: bigint }[]>();
  private problems: string[] = [];

  /** Up to `slack` units of worth is what rounding leaves. */
  constructor(stage: Stage, betaPpm: bigint, slack: bigint) {
    this.stage = stage;
    this.betaPpm = betaPpm;
    this.slack = slack;
  }

  /** The fair prices move: what everybody holds is worth another sum. */
  movePrices(btc: number, dsc: number): void {
    const before = new Map([...this.books].map(([name, book]) => [name, this.equity(book)]));
    const held = this.inventoryWorth();
    this.stage.movePrices(btc, dsc);
    for (const [name, book] of this.books) book.moved += this.equity(book) - (before.get(name) as bigint);
    const won = this.inventoryWorth() - held;
    if (won > 0n) this.spoils += won;
  }

  /** Notes who is safe before a command. */
  look(): void {
    const { stage } = this;
    this.safe = new Set([...this.isHonest].filter((userId) => isSafe(stage.state, stage, userId, this.betaPpm)));
  }

  /** What a command did against the law. */
  judge(events: readonly EngineEvent[]): string[] {
    this.problems = [];
    for (const event of events) if (event.kind === "order") this.orders.set(event.order.orderId, event.order);
    for (const event of events) {
      if (event.kind === "deal") this.deal(event);
      else if (event.kind === "posting" && event.posting === "funding")
        this.funding(event.userId, event.assetId, event.available);
      else if (event.kind === "json") this.happen(event.event);
    }
    const gift = this.gift();
    // Values of inverse contracts are rounded, a unit each time.
    if (gift > this.spoils + this.slack)
      this.problems.push(`A1: ${this.givers()} got ${usdt(gift - this.spoils)} USDT that nobody offered.`);
    return this.problems;
  }

  /** Gains that nobody offered, of all strategies together, fees put back. */
  private gift(): bigint {
    let gift = 0n;
    for (const book of this.books.values()) gift += this.net(book) + book.fees;
    return gift;
  }

  private net(book: Book): bigint {
    return this.equity(book) - book.paidIn - book.moved - book.offered - book.funding;
  }

  private givers(): string {
    return [...this.books]
      .filter(([, book]) => this.net(book) + book.fees > 0n)
      .map(([name]) => name)
      .join(" and ");
  }

  /** What each strategy has won beyond what was offered, fees paid, in USDT. */
  profits(): Map<string, number> {
    return new Map([...this.books].map(([name, book]) => [name, Number(this.net(book) / USDT_UNIT) / 1e8]));
  }

  fundings(): Map<string, number> {
    return new Map([...this.books].map(([name, book]) => [name, Number(book.funding / USDT_UNIT) / 1e8]));
  }

  private equity({ users }: Book): bigint {
    return users.reduce((sum, userId) => sum + equityOf(this.stage, userId), 0n);
  }

  /** Worth of what the venue has taken over, the fund included. */
  private inventoryWorth(): bigint {
    return equityOf(this.stage, 0);
  }

  private happen(event: Happening): void {
    const { stage } = this;
    switch (event.type) {
      case "user_created": {
        const [role, strategy] = (stage.state.users.names[event.userId] ?? "").split(" ") as [Role, string];
        if (role === "honest") this.isHonest.add(event.userId);
        else {
          this.strategyOf.set(event.userId, strategy);
          const book = this.books.get(strategy) ?? {
            users: [],
            paidIn: 0n,
            moved: 0n,
            offered: 0n,
            funding: 0n,
            fees: 0n,
          };
          book.users.push(event.userId);
          this.books.set(strategy, book);
        }
        return;
      }
      case "deposited": {
        const book = this.bookOf(event.userId ?? 0);
        const asset = stage.state.assetByCcy.get(event.ccy);
        if (book === undefined || asset === undefined) return;
        book.paidIn += worthOf(stage, asset.id, unitsOf(event.amount, asset.scale));
        return;
      }
      case "liquidated": {
        const terms = stage.state.markets[event.marketId]?.futures as FuturesTerms;
        const fair = valueAt(terms, stage.fair(stage.keyOf(event.marketId)), BigInt(event.lots));
        const carried = worthOf(stage, terms.settleAssetId, gains(terms, event.isShort) * (fair - BigInt(event.value)));
        const isHonest = this.isHonest.has(event.userId);
        if (carried < 0n) this.spoils -= carried;
        else if (isHonest) this.spoils += carried;
        if (isHonest && this.safe.has(event.userId)) {
          const mark = stage.state.futures.live.mark(event.marketId);
          this.problems.push(
            `A2: an honest position is taken over at mark ${mark}, which its margin bears at any mark near the fair price.`,
          );
        }
        return;
      }
    }
  }

  private bookOf(userId: number): Book | undefined {
    const strategy = this.strategyOf.get(userId);
    return strategy === undefined ? undefined : this.books.get(strategy);
  }

  private funding(userId: number, assetId: number, units: bigint): void {
    const book = this.bookOf(userId);
    if (book !== undefined) book.funding += worthOf(this.stage, assetId, units);
  }

  private deal(deal: DealEvent): void {
    const { stage } = this;
    const market = stage.state.markets[deal.marketId] as (typeof stage.state.markets)[number];
    const fair = stage.fair(stage.keyOf(deal.marketId));
    const terms = market.futures;
    const buyer = deal.side === "buy" ? deal.taker : deal.maker;
    const seller = deal.side === "buy" ? deal.maker : deal.taker;
    // What the buyer gains by this price, and the seller loses.
    const edge =
      terms === undefined
        ? worthOf(stage, market.baseAssetId, deal.lots * market.unitsPerLot) -
          worthOf(stage, market.quoteAssetId, deal.value)
        : worthOf(stage, terms.settleAssetId, gains(terms, false) * (valueAt(terms, fair, deal.lots) - deal.value));
    const buys = this.bookOf(buyer.userId);
    const sells = this.bookOf(seller.userId);
    if (buys !== undefined && this.isHonest.has(seller.userId)) buys.offered += edge;
    if (sells !== undefined && this.isHonest.has(buyer.userId)) sells.offered -= edge;
    // Between strategies nothing is given away: what one wins the other loses.
    for (const party of [deal.taker, deal.maker]) this.fee(party, deal, market);
    if (buys === undefined && sells === undefined) return;
    if (terms === undefined) this.sweep(deal, fair);
    this.far(deal, fair, terms === undefined ? FAR_SPOT : FAR_FUTURES);
  }

  /** An honest order that names no price trades near the fair one, whoever meets it. */
  private far(deal: DealEvent, fair: bigint, percent: bigint): void {
    const order = this.orders.get(deal.taker.orderId);
    if (order?.type !== "market" || !this.isHonest.has(order.userId)) return;
    const worse = order.side === "buy" ? deal.price - fair : fair - deal.price;
    if (worse * 100n > fair * percent) {
      this.problems.push(`A3: an honest market order trades at ${deal.price}, where ${fair} is fair.`);
    }
  }

  /** A fee counts as the rules have it: in the deduction currency no less than the discount leaves of it. */
  private fee(party: DealParty, deal: DealEvent, market: { readonly quoteAssetId: number }): void {
    const book = this.bookOf(party.userId);
    if (book === undefined) return;
    const { stage } = this;
    const paid = worthOf(stage, party.feeAssetId, party.fee);
    if (!party.deducted) {
      book.fees += paid;
      return;
    }
    const { state } = stage;
    const order = this.orders.get(party.orderId);
    const rate = (party === deal.taker ? order?.takerFeeRateE8 : order?.makerFeeRateE8) ?? 0;
    const kept = BigInt(100_000_000 - state.deduction.discountE8);
    const due = (worthOf(stage, market.quoteAssetId, deal.value) * BigInt(rate) * kept) / 10n ** 16n;
    book.fees += paid < due ? due : paid;
  }

  /** Prices of a spot market in which an adversary trades stay near each other for a minute. */
  private sweep(deal: DealEvent, fair: bigint): void {
    const { timeMs } = this.stage.state;
    const recent = (this.sweeps.get(deal.marketId) ?? []).filter(({ atMs }) => atMs > timeMs - SWEEP_MS);
    recent.push({ atMs: timeMs, price: deal.price });
    this.sweeps.set(deal.marketId, recent);
    const first = recent[0]?.price as bigint;
    const far = first > deal.price ? first - deal.price : deal.price - first;
    if (far * 100n > first * SWEEP) {
      this.problems.push(
        `A3: within a minute a spot price is moved from ${first} to ${deal.price}, where ${fair} is fair.`,
      );
    }
  }
}

function unitsOf(text: string, scale: number): bigint {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.padEnd(scale, "0") || "0");
}

function usdt(worth: bigint): string {
  return (Number(worth / USDT_UNIT) / 1e8).toFixed(4);
}
