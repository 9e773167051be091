import { ApiKeys } from "./accounts/api-keys.ts";
import { Users } from "./accounts/user.ts";
import { FuturesState } from "./futures/futures-state.ts";
import { hooks } from "./hooks.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Asset } from "./listing/asset.ts";
import { standardDeduction } from "./listing/fee-deduction.ts";
import { noteBandIndex } from "./listing/index-freshness.ts";
import type { Market } from "./listing/market.ts";
import { MarketTimes } from "./listing/market-times.ts";
import { noteWorkedOut } from "./listing/price-index.ts";
import { ListingSpec } from "./listing/terms.ts";
import type { MaintenanceWindow } from "./maintenance/maintenance.ts";
import { MarginState } from "./margin/margin-state.ts";
import { Operators } from "./operators/operators.ts";
import { RULES_VERSION } from "./rules-version.ts";
import { Scratch } from "./scratch.ts";
import { Stops } from "./stops/stop-order.ts";
import type { Book } from "./trading/book.ts";
import { LadderBook } from "./trading/ladder-book.ts";
import { Fills, Orders, Seats } from "./trading/order.ts";
import { TickMarks } from "./trading/tick-marks.ts";
import { WordBuffer } from "./words.ts";

/** Makes the book of a market, which publishes its levels into `events`. */
export type BookMaker = (orders: Orders, events: WordBuffer, marketId: number) => Book;

/**
 * All that the venue is. Only the engine's functions write it; everybody else reads. Rows are numbered in the order in
 * which they came: `assets[id]`, `markets[id]`, `books[id]`.
 */
export class State {
  /** Stamp of the last command. */
  seq = 0;
  timeMs = 0;
  /** The rules that hold now, see rules-version.ts. */
  rulesVersion = RULES_VERSION;
  nextOrderId = 1;
  nextDealId = 1;
  nextDepositId = 1;
  nextAdjustmentId = 1;
  nextPrio = 1;
  nextMaintenanceId = 1;
  nextStopId = 1;
  nextPositionId = 1;
  nextExitId = 1;
  nextTransferId = 1;
  /** Only cancels are accepted: an invariant broke. */
  cancelOnly = false;
  /** Windows that are planned or running, by id. */
  maintenance: MaintenanceWindow[] = [];
  /** The phase into which these windows put spot trading now, one of PHASE in maintenance.ts: 0 = open. */
  spotPhase = 0;
  /** As `spotPhase`, of futures trading. */
  futuresPhase = 0;
  /** The next time at which something is due of itself; Infinity when nothing is. */
  nextDueMs = Number.POSITIVE_INFINITY;
  /** Ids of spot markets that have a pool. */
  readonly pooled = new Set<number>();
  /** When the index of each market that has sources was worked out; one that can only stay as it is has no time. */
  readonly indexTimes = new MarketTimes();
  /** Ids of markets in which something may have to wait for an obstacle to go: see `isOverdueIn` of part.ts. */
  readonly waiting = new Set<number>();
  /**
   * The last position or loan of a market that is to leave may be gone: looked at when the command is done, and false
   * between commands.
   */
  mayLeave = false;
  /**
   * A fill has reached a limit of the protection of quotes that it filled: those that are left go before anything else
   * is matched. False between commands.
   */
  hasTripped = false;

  readonly assets: Asset[] = [];
  readonly assetByCcy = new Map<string, Asset>();
  readonly markets: Market[] = [];
  /** Listed spot markets and listed futures markets: two spaces of names. */
  readonly marketByName = new Map<string, Market>();
  readonly futuresByName = new Map<string, Market>();
  readonly books: Book[] = [];
  /** Ticks of the last deal per market; 0 before the first. */
  lastPrice = new BigInt64Array(16);

  /** Markets by base and quote, in order of listing. */
  private readonly marketsByPair = new Map<number, Market[]>();
  deduction = standardDeduction();

  readonly users = new Users();
  readonly keys = new ApiKeys();
  readonly operators = new Operators();
  readonly ledger = new Ledger();
  readonly orders = new Orders();
  readonly fills = new Fills();
  readonly seats = new Seats();
  readonly ticks = new TickMarks();
  readonly terms = new ListingSpec();
  readonly stops = new Stops();
  readonly futures = new FuturesState();
  readonly margin = new MarginState();

  /** Values that parts keep without a field here, see slot.ts. */
  readonly slots = new Map<object, unknown>();

  /** The events of the commands applied since the last `clear`. */
  readonly events = new WordBuffer(8192);
  /** The figures of the command under way; no part of the state. */
  readonly scratch = new Scratch();
  private readonly makeBook: BookMaker;

  /** The plain book can take the fast one's place in tests. */
  constructor(makeBook: BookMaker = (orders, events, marketId) => new LadderBook(orders, events, marketId)) {
    this.makeBook = makeBook;
  }

  /** Makes it what a new one is, for a venue that goes back: anyone who holds it sees what it is filled with next. */
  clear(): void {
    Object.assign(this, new State(this.makeBook));
  }

  enterAsset(asset: Asset): void {
    this.assets.push(asset);
    this.assetByCcy.set(asset.ccy, asset);
  }

  /** The listed market of this name. */
  marketNamed(name: string, isFutures: boolean): Market | undefined {
    return (isFutures ? this.futuresByName : this.marketByName).get(name);
  }

  /** Takes a market off the list; its rows stay. */
  forgetName(market: Market): void {
    this.namesOf(market).delete(market.name);
  }

  private namesOf(market: Market): Map<string, Market> {
    return market.futures === undefined ? this.marketByName : this.futuresByName;
  }

  enterMarket(market: Market): void {
    this.terms.note(market);
    noteBandIndex(this, market);
    this.markets.push(market);
    this.waiting.add(market.id);
    noteWorkedOut(this, market, market.index.updatedAt);
    this.namesOf(market).set(market.name, market);
    if (market.futures === undefined) {
      const pair = pairOf(market.baseAssetId, market.quoteAssetId);
      this.marketsByPair.set(pair, [...(this.marketsByPair.get(pair) ?? []), market]);
    }
    this.books.push(this.makeBook(this.orders, this.events, market.id));
    if (market.id >= this.lastPrice.length) {
      const grown = new BigInt64Array(market.id * 2);
      grown.set(this.lastPrice);
      this.lastPrice = grown;
    }
    for (const part of hooks()) part.onListed?.(this, market);
  }

  /** Every spot market that these two were ever traded in, whichever is its base, in order of listing. */
  marketsOf(assetId: number, otherId: number): readonly Market[] {
    return this.marketsByPair.get(pairOf(assetId, otherId)) ?? [];
  }
}

/** The two in either order. Asset ids stay below 2^17, the places of cells. */
function pairOf(assetId: number, otherId: number): number {
  return Math.min(assetId, otherId) * 131_072 + Math.max(assetId, otherId);
}
