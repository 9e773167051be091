import { poolLevels } from "../engine/amm/quotes.ts";
import { decodeJson, SIDES, type Side, startsJson } from "../engine/command.ts";
import { DEAL_FLAG, EVENT, type PublicDeal, type RareEvent } from "../engine/event.ts";
import type { State } from "../engine/state.ts";
import { openingOf } from "../engine/trading/auction.ts";
import type { Level } from "../engine/trading/book.ts";
import type { WordBuffer } from "../engine/words.ts";
import { type BestQuotes, Depth, type DepthView, stepOf } from "./depth.ts";
import type { OwnHidden } from "./own-hidden.ts";
import { RECENT_DEALS_MAX, RecentDeals } from "./recent-deals.ts";
import { TICKER_WINDOW_S, Ticker, type TickerView, type TradedSecond } from "./ticker.ts";

/** How the text of the one rare event begins that feeds keep something of. */
const FUNDING_COLLECTED = '{"type":"funding_collected"';

/** The trades and funding rates that feeds start from after a restart; history has them. */
export interface PastTrades {
  tradedSeconds(query: { marketId: number; since: number }): Promise<readonly TradedSecond[]>;
  marketDeals(query: { marketId: number; lastId: number; limit: number }): Promise<readonly PublicDeal[]>;
  /** Collections of funding, newest first. */
  fundingRates(query: { marketId: number; page: number; limit: number }): Promise<{
    readonly rows: readonly { readonly rateE8: number }[];
  }>;
}

interface MarketFeeds {
  readonly depth: Depth;
  readonly ticker: Ticker;
  readonly deals: RecentDeals;
  /** The price at which an auction would open, as of a command. */
  readonly opening: { seq: number; price: bigint };
  /** The rate at which funding was collected last, 10^-8; 0 before the first collection. */
  fundingE8: number;
  /** How often the pool had changed, and whether it could quote, when it was looked at last. */
  pool: string;
  /** Whether the events that are being taken in have changed it. */
  touched: boolean;
}

/** Who is told of what feeds have taken in: the pushes. */
export interface FeedListener {
  /** Something rare has happened, at the venue's time. Called before `applied`. */
  happened(event: RareEvent, timeMs: number): void;
  /**
   * The events from word `from` to `to` have been taken in, and the state shows them. `touched` are the markets whose
   * book or deals they changed. Both are reused afterwards.
   */
  applied(events: WordBuffer, from: number, to: number, touched: readonly number[]): void;
}

/**
 * Market data that everybody sees, kept in memory from events alone. Of the state only the listing of a market is read,
 * and what no event brings: the price of an auction under way, and what a pool quotes; the latest index is read there
 * by who needs it.
 */
export class Feeds {
  readonly #state: State;
  /** By market id. */
  readonly #markets: MarketFeeds[] = [];
  readonly #touched: number[] = [];
  readonly #listeners: FeedListener[] = [];
  /** Time of the last command that left an event. */
  #timeMs: number;

  /**
   * Feeds of a venue that has been brought to the end of its log: books from the state, trades from history. No events
   * may be applied before it settles.
   */
  static async start(state: State, history: PastTrades, nowMs: number): Promise<Feeds> {
    const feeds = new Feeds(state);
    await feeds.#load(history, nowMs);
    return feeds;
  }

  /**
   * As at the start, of a venue that went back: the state is another one, history too. Who listened is told of nothing
   * more, since what listeners remember is of a course of events that never was.
   */
  async restart(history: PastTrades, nowMs: number): Promise<void> {
    this.#markets.length = 0;
    this.#touched.length = 0;
    this.#listeners.length = 0;
    this.#timeMs = this.#state.timeMs;
    await this.#load(history, nowMs);
  }

  async #load(history: PastTrades, nowMs: number): Promise<void> {
    const state = this.#state;
    const since = Math.floor(nowMs / 1000) - TICKER_WINDOW_S;
    // Asked for all at once, so that one way to history and back is enough.
    const trades = await Promise.all(
      state.markets.map(async ({ id: marketId }) => {
        const seconds = history.tradedSeconds({ marketId, since });
        const newestFirst = history.marketDeals({ marketId, lastId: 0, limit: RECENT_DEALS_MAX });
        const funding = history.fundingRates({ marketId, page: 1, limit: 1 });
        return { seconds: await seconds, newestFirst: await newestFirst, lastFunding: (await funding).rows[0] };
      }),
    );
    for (const { id: marketId } of state.markets) {
      const feeds = this.#of(marketId);
      const { depth, ticker, deals } = feeds;
      SIDES.forEach((side, number) => {
        for (const { price, lots } of state.books[marketId]?.levels(number) ?? []) {
          depth.set(side, price, lots, state.timeMs);
        }
      });
      const { seconds, newestFirst, lastFunding } = trades[marketId] as (typeof trades)[number];
      feeds.fundingE8 = lastFunding?.rateE8 ?? 0;
      ticker.load(seconds);
      for (const { dealId, createdAt, side, price, lots } of newestFirst.toReversed()) {
        deals.add(dealId, createdAt, side === "sell", price, lots);
      }
    }
  }

  private constructor(state: State) {
    this.#state = state;
    this.#timeMs = state.timeMs;
  }

  /** Tells `listener` of everything from now on. */
  listen(listener: FeedListener): void {
    this.#listeners.push(listener);
  }

  /** Takes in the events from word `from` to `to`, which are whole commands. Word positions as in engine/event.ts. */
  apply(events: WordBuffer, from: number, to: number): void {
    const { i32, f64, i64 } = events;
    let timeMs = this.#timeMs;
    let isRare = false;
    for (let at = from; at < to; at += (i32[at * 2] as number) >>> 8) {
      const kind = (i32[at * 2] as number) & 255;
      if (kind === EVENT.command) {
        timeMs = f64[at + 2] as number;
        this.#timeMs = timeMs;
      } else if (kind === EVENT.level) {
        const side = SIDES[(i32[at * 2 + 2] as number) & 1] ?? "buy";
        this.#touch(i32[at * 2 + 1] as number).depth.set(side, i64[at + 2] as bigint, i64[at + 3] as bigint, timeMs);
      } else if (kind === EVENT.deal) {
        const { ticker, deals } = this.#touch(i32[at * 2 + 1] as number);
        const sells = ((i32[at * 2 + 2] as number) & DEAL_FLAG.sell) !== 0;
        const price = i64[at + 3] as bigint;
        const lots = i64[at + 4] as bigint;
        ticker.deal(timeMs, price, lots, i64[at + 5] as bigint, sells);
        deals.add(f64[at + 2] as number, timeMs, sells, price, lots);
      } else if (kind === EVENT.json) {
        isRare = true;
        this.#happened(events, at, timeMs);
      }
    }
    // A deal touches its market; additions, and what opens and closes a market, are told as what is rare.
    if (isRare) for (const id of this.#state.pooled) this.#lookAtPool(id, timeMs);
    else for (const marketId of this.#touched) this.#lookAtPool(marketId, timeMs);
    for (const listener of this.#listeners) listener.applied(events, from, to, this.#touched);
    for (const marketId of this.#touched) this.#of(marketId).touched = false;
    this.#touched.length = 0;
  }

  /**
   * The displayed book, at most `limit` rows a side, merged to an interval of the contract such as "0.1"; "0":
   * unmerged. With `hidden`, as the owner of these orders sees it. Until the book changes it is the same object, for
   * everybody.
   */
  depth(marketId: number, limit: number, interval: string, hidden?: OwnHidden): DepthView {
    const market = this.#state.markets[marketId];
    if (market === undefined) throw new RangeError(`There is no market ${marketId}.`);
    const { depth } = this.#of(marketId);
    const step = stepOf(interval, market);
    return hidden === undefined ? depth.view(limit, step, market) : depth.viewWith(hidden, limit, step, market);
  }

  /** The best displayed price of each side and all that is displayed there. */
  bestQuotes(marketId: number): BestQuotes {
    return this.#of(marketId).depth.best();
  }

  /**
   * The last 24 hours of a market at the venue's time. Before its first deal the latest price is all that there is to
   * tell.
   */
  ticker(marketId: number, nowMs: number): TickerView {
    const view = this.#of(marketId).ticker.view(nowMs);
    if (view.last !== 0n) return view;
    const last = this.lastPrice(marketId);
    return last === 0n ? view : { ...view, last, open: last, high: last, low: last };
  }

  /**
   * The price that is shown as the latest, in ticks; 0 = none. While a market takes bids for its auction it is the
   * price at which it would open now: the price alone, since amounts would tell of hidden orders. Source: domain 2.12.
   */
  lastPrice(marketId: number): bigint {
    const state = this.#state;
    const market = state.markets[marketId];
    if (market?.status !== "bidding") return state.lastPrice[marketId] ?? 0n;
    const { opening } = this.#of(marketId);
    if (opening.seq !== state.seq) {
      opening.price = openingOf(state, market)?.price ?? 0n;
      opening.seq = state.seq;
    }
    return opening.price;
  }

  /**
   * The newest deals with an id above `lastId` (0: all), newest first; there are RECENT_DEALS_MAX, or more that are
   * kept.
   */
  recentDeals(marketId: number, lastId: number, limit: number): PublicDeal[] {
    return this.#of(marketId).deals.since(lastId, limit);
  }

  /**
   * Lets `recentDeals` give `keeper` all deals above an id, however many there will be, until it calls again; see
   * RecentDeals.
   */
  keepDealsAbove(marketId: number, keeper: object, dealId?: number): void {
    this.#of(marketId).deals.keepAbove(keeper, dealId);
  }

  /** The lots that takers bought and sold in the newest deals, of which there are at most RECENT_DEALS_MAX. */
  recentlyTraded(marketId: number): Readonly<Record<Side, bigint>> {
    return this.#of(marketId).deals.traded;
  }

  /** The rate at which funding was collected last, 10^-8; 0 before the first collection. */
  lastFundingE8(marketId: number): number {
    return this.#of(marketId).fundingE8;
  }

  /** The newest deal; 0 before the first. */
  lastDealId(marketId: number): number {
    return this.#of(marketId).deals.lastId;
  }

  #happened(events: WordBuffer, at: number, timeMs: number): void {
    // While a past is lived, or a log replayed, nobody listens yet, and reading them all would take as long as
    // everything else here.
    if (this.#listeners.length === 0 && !startsJson(events, at, FUNDING_COLLECTED)) return;
    const event = decodeJson(events, at) as RareEvent;
    if (event.type === "funding_collected") this.#of(event.marketId).fundingE8 = event.rateE8;
    for (const listener of this.#listeners) listener.happened(event, timeMs);
  }

  /**
   * Notes where a pool may quote something else than before; its quotes are worked out from its reserves, and no event
   * tells of them.
   */
  #lookAtPool(marketId: number, timeMs: number): void {
    const market = this.#state.markets[marketId];
    if (market?.pool === undefined) return;
    const now = `${market.pool.changes} ${market.status}`;
    if (this.#of(marketId).pool === now) return;
    const feeds = this.#touch(marketId);
    feeds.pool = now;
    feeds.depth.note(timeMs);
  }

  *#poolQuotes(marketId: number, side: Side): Generator<Level> {
    const market = this.#state.markets[marketId];
    if (market !== undefined) yield* poolLevels(this.#state, market, side === "buy" ? 0 : 1);
  }

  #touch(marketId: number): MarketFeeds {
    const market = this.#of(marketId);
    if (!market.touched) {
      market.touched = true;
      this.#touched.push(marketId);
    }
    return market;
  }

  #of(marketId: number): MarketFeeds {
    const known = this.#markets[marketId];
    if (known !== undefined) return known;
    const made = {
      depth: new Depth(this.#timeMs, (side) => this.#poolQuotes(marketId, side)),
      ticker: new Ticker(),
      deals: new RecentDeals(),
      opening: { seq: -1, price: 0n },
      fundingE8: 0,
      pool: "",
      touched: false,
    };
    this.#markets[marketId] = made;
    return made;
  }
}
