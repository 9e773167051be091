import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { POSTING_KINDS } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { HistoryTables } from "./schema.ts";

const TRADE = POSTING_KINDS.indexOf("trade");
const BYTE = 255;

/** Entries that a deal takes: two lines of each side, and one of each side's fee. */
const ENTRIES_PER_DEAL = 6;

/** What the fill under way left in the cells of its two sides: totals right after its postings. */
interface Legs {
  firstEntry: number;
  buyerQuote: bigint;
  sellerBase: bigint;
  buyerBase: bigint;
  sellerQuote: bigint;
}

/**
 * Reads postings for the statement. Those of a fill come before its deal and are kept with it, as four balances: its row tells
 * the rest, and nothing else on the way of an order costs less. Every other change of a total is a row of its own.
 */
export class StatementWriter {
  /** Of the fill under way; read by whoever stores its deal. */
  readonly legs: Legs = { firstEntry: 0, buyerQuote: 0n, sellerBase: 0n, buyerBase: 0n, sellerQuote: 0n };
  readonly #insert: StatementSync;
  readonly #insertMarket: StatementSync;
  /** Words of the postings of the fill under way. */
  readonly #trades: number[] = [];
  readonly #others: number[] = [];
  readonly #knownMarkets = new Set<number>();
  #lastEntry: number;

  constructor(database: DatabaseSync, db: Kysely<HistoryTables>) {
    const change = {
      user_id: 0,
      entry: 0,
      time_ms: 0,
      account: 0,
      market_id: 0,
      asset_id: 0,
      kind: 0,
      change: 0,
      balance: 0,
    };
    const market = { market_id: 0, base_asset_id: 0, quote_asset_id: 0, units_per_lot: 0 };
    const prepare = (query: { compile(): { sql: string } }) => database.prepare(query.compile().sql);
    this.#insert = prepare(db.insertInto("balance_changes").values(change));
    this.#insertMarket = prepare(
      db
        .insertInto("traded_markets")
        .values(market)
        .onConflict((conflict) => conflict.doNothing()),
    );
    const newestChange = db.selectFrom("balance_changes").select(({ fn }) => fn.max("entry").as("entry"));
    const newestDeal = db
      .selectFrom("deals")
      .select("first_entry as entry")
      .where("deal_id", "=", ({ selectFrom }) =>
        selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("newest")),
      );
    const lastChange = Number(prepare(newestChange).get()?.["entry"] ?? 0);
    const lastDeal = Number(prepare(newestDeal).get()?.["entry"] ?? 1 - ENTRIES_PER_DEAL);
    this.#lastEntry = Math.max(lastChange, lastDeal + ENTRIES_PER_DEAL - 1);
  }

  /** Word positions as in decodePosting of engine/event.ts. Freezes and releases change no total. */
  posting(events: WordBuffer, at: number, timeMs: number): void {
    const { i32, i64 } = events;
    if ((i32[at * 2 + 2] as number) < 0) return;
    if ((((i32[at * 2 + 3] as number) >> 8) & BYTE) === TRADE) this.#trades.push(at);
    else if ((i64[at + 2] as bigint) + (i64[at + 3] as bigint) === 0n) return;
    else if (this.#trades.length > 0) this.#others.push(at);
    else this.#write(events, at, timeMs);
  }

  /**
   * Takes the deal at word `at`, whose postings have come: `legs` then holds what belongs to it. What the buyer receives is
   * posted before what the seller does, which tells base from quote. Source: domain 6.2.
   */
  deal(events: WordBuffer, at: number, timeMs: number): void {
    const { i32, i64 } = events;
    const { legs } = this;
    legs.firstEntry = this.#lastEntry + 1;
    this.#lastEntry += ENTRIES_PER_DEAL;
    let [base, quote, sold, paid] = [-1, -1, -1, -1];
    for (const word of this.#trades) {
      if (changeAt(events, word) < 0n) [paid, sold] = [sold, word];
      else if (base < 0) base = word;
      else quote = word;
    }
    const baseAssetId = i32[base * 2 + 1] as number;
    if (sold >= 0 && i32[sold * 2 + 1] !== baseAssetId) [paid, sold] = [sold, paid];
    legs.buyerBase = totalAt(events, base);
    legs.sellerQuote = totalAt(events, quote);
    legs.sellerBase = totalAt(events, sold);
    legs.buyerQuote = totalAt(events, paid);
    const marketId = i32[at * 2 + 1] as number;
    if (sold >= 0 && !this.#knownMarkets.has(marketId)) {
      this.#knownMarkets.add(marketId);
      const unitsPerLot = -changeAt(events, sold) / (i64[at + 4] as bigint);
      this.#insertMarket.run(marketId, baseAssetId, i32[quote * 2 + 1] as number, unitsPerLot);
    }
    for (const word of this.#others) this.#write(events, word, timeMs);
    this.#trades.length = 0;
    this.#others.length = 0;
  }

  #write(events: WordBuffer, at: number, timeMs: number): void {
    const { i32 } = events;
    const marks = i32[at * 2 + 3] as number;
    this.#insert.run(
      i32[at * 2 + 2] as number,
      ++this.#lastEntry,
      timeMs,
      marks & BYTE,
      marks >>> 16,
      i32[at * 2 + 1] as number,
      (marks >> 8) & BYTE,
      changeAt(events, at),
      totalAt(events, at),
    );
  }
}

function changeAt({ i64 }: WordBuffer, at: number): bigint {
  return (i64[at + 2] as bigint) + (i64[at + 3] as bigint);
}

/** 0 where there is no such posting. */
function totalAt({ i64 }: WordBuffer, at: number): bigint {
  return at < 0 ? 0n : (i64[at + 4] as bigint) + (i64[at + 5] as bigint);
}
