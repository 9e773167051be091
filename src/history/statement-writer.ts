import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { DEAL_LEGS, POSTING_FLAG } from "../engine/event.ts";
import type { WordBuffer } from "../engine/words.ts";
import type { HistoryTables } from "./schema.ts";

const { kindShift, kindMask, legShift, legMask } = POSTING_FLAG;
const CELL_MASK = 255;

/** Numbers of legs, as postings carry them. */
const BUYER_GIVES = DEAL_LEGS.indexOf("buyer_gives");
const SELLER_GIVES = DEAL_LEGS.indexOf("seller_gives");
const BUYER_GETS = DEAL_LEGS.indexOf("buyer_gets");
const SELLER_GETS = DEAL_LEGS.indexOf("seller_gets");

/** Entries that a deal takes: two lines of each side, and one of each side's fee. */
const ENTRIES_PER_DEAL = 6;

/** What the deal under way left in the cells of its two sides: totals right after its postings. A contract leaves nothing. */
interface Legs {
  firstEntry: number;
  buyerQuote: bigint;
  sellerBase: bigint;
  buyerBase: bigint;
  sellerQuote: bigint;
}
const NO_LEGS: Legs = { firstEntry: 0, buyerQuote: 0n, sellerBase: 0n, buyerBase: 0n, sellerQuote: 0n };

/**
 * Reads postings for the statement. Those of a fill come before its deal and are kept with it, as four balances: its row tells
 * the rest, and nothing else on the way of an order costs less. Every other change of a total is a row of its own.
 */
export class StatementWriter {
  /** Of the deal under way; read by whoever stores it. */
  readonly legs: Legs = { ...NO_LEGS };
  /** Where its postings stand that say what the market is in; -1 = none. */
  #sold = -1;
  #received = -1;
  readonly #insert: StatementSync;
  readonly #insertMarket: StatementSync;
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
    const leg = ((i32[at * 2 + 3] as number) >> legShift) & legMask;
    if (leg !== 0) this.#leg(events, at, leg);
    else if ((i64[at + 2] as bigint) + (i64[at + 3] as bigint) !== 0n) this.#write(events, at, timeMs);
  }

  /** Takes the deal at word `at`, whose postings have come: `legs` then holds what belongs to it, until `endDeal`. */
  deal({ i32, i64 }: WordBuffer, at: number): void {
    if (this.legs.firstEntry === 0) this.#beginDeal();
    const marketId = i32[at * 2 + 1] as number;
    if (this.#sold >= 0 && !this.#knownMarkets.has(marketId)) {
      this.#knownMarkets.add(marketId);
      const unitsPerLot = -changeAt({ i64 }, this.#sold) / (i64[at + 4] as bigint);
      const baseAssetId = i32[this.#sold * 2 + 1] as number;
      const quoteAssetId = i32[this.#received * 2 + 1] as number;
      this.#insertMarket.run(marketId, baseAssetId, quoteAssetId, unitsPerLot);
    }
  }

  endDeal(): void {
    Object.assign(this.legs, NO_LEGS);
    this.#sold = this.#received = -1;
  }

  /** The lines of a deal come before what else is posted with it, such as a fee that is deducted. */
  #beginDeal(): void {
    this.legs.firstEntry = this.#lastEntry + 1;
    this.#lastEntry += ENTRIES_PER_DEAL;
  }

  #leg(events: WordBuffer, at: number, leg: number): void {
    const { legs } = this;
    if (legs.firstEntry === 0) this.#beginDeal();
    const total = totalAt(events, at);
    if (leg === BUYER_GIVES) legs.buyerQuote = total;
    else if (leg === BUYER_GETS) legs.buyerBase = total;
    else if (leg === SELLER_GIVES) {
      legs.sellerBase = total;
      this.#sold = at;
    } else if (leg === SELLER_GETS) {
      legs.sellerQuote = total;
      this.#received = at;
    }
  }

  #write(events: WordBuffer, at: number, timeMs: number): void {
    const { i32 } = events;
    const marks = i32[at * 2 + 3] as number;
    this.#insert.run(
      i32[at * 2 + 2] as number,
      ++this.#lastEntry,
      timeMs,
      marks & CELL_MASK,
      marks >>> 16,
      i32[at * 2 + 1] as number,
      (marks >> kindShift) & kindMask,
      changeAt(events, at),
      totalAt(events, at),
    );
  }
}

function changeAt({ i64 }: Pick<WordBuffer, "i64">, at: number): bigint {
  return (i64[at + 2] as bigint) + (i64[at + 3] as bigint);
}

function totalAt({ i64 }: WordBuffer, at: number): bigint {
  return (i64[at + 4] as bigint) + (i64[at + 5] as bigint);
}
