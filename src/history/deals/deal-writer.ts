import { sql } from "kysely";
import { DEAL_FLAG, DEAL_LEGS, POSTING_FLAG } from "../../engine/event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { accountIn } from "../account-of-flags.ts";
import type { Parameter, PartWriter, WrittenTables } from "../part.ts";
import { SEGMENT_SHIFT } from "../segments.ts";
import { type Entries, entriesOf } from "../statement/entries.ts";
import type { balanceChanges } from "../statement/tables.ts";
import type { TablesOf } from "../table.ts";
import { type DEAL_TABLES, dealRows, tradedMarkets } from "./tables.ts";

type Tables = WrittenTables<TablesOf<(typeof DEAL_TABLES)[number] | typeof balanceChanges>>;

const { legShift, legMask } = POSTING_FLAG;

/** Numbers of legs, as postings carry them. */
const BUYER_GIVES = DEAL_LEGS.indexOf("buyer_gives");
const SELLER_GIVES = DEAL_LEGS.indexOf("seller_gives");
const BUYER_GETS = DEAL_LEGS.indexOf("buyer_gets");
const SELLER_GETS = DEAL_LEGS.indexOf("seller_gets");

/**
 * Stores deals. What the cells of the two sides held right after one is in its postings, which come before it, and is
 * kept with it: a statement reads its lines from there, and nothing else on the way of an order costs less.
 */
export class DealWriter implements PartWriter {
  readonly #entries: Entries;
  readonly #insert;
  readonly #insertMarket;
  readonly #knownMarkets = new Set<number>();
  readonly #settleUserDeals: (...parameters: Parameter[]) => void;
  readonly #settleOrderDeals: (...parameters: Parameter[]) => void;
  readonly #settleSegments: (...parameters: Parameter[]) => void;
  #lastDealId: number;
  #settledDealId: number;
  /** Of the deal under way, by leg: where its posting stands; -1 of a contract, which has none. */
  readonly #legs = DEAL_LEGS.map(() => -1);
  /** Its first line; 0 = it has none yet. */
  #firstEntry = 0;

  static async begin(tables: Tables): Promise<DealWriter> {
    const { db } = tables;
    const newest = await db
      .selectFrom("deals")
      .select(({ fn }) => fn.max("deal_id").as("deal_id"))
      .executeTakeFirst();
    return new DealWriter(tables, await entriesOf(tables), Number(newest?.deal_id ?? 0));
  }

  private constructor({ db, inserter, statement }: Tables, entries: Entries, lastDealId: number) {
    this.#entries = entries;
    this.#insert = inserter(dealRows);
    this.#insertMarket = inserter(tradedMarkets, "keep");
    this.#lastDealId = this.#settledDealId = lastDealId;

    // A pool is nobody. In the text itself: values of a prepared query only stand for parameters, and these are not
    // given.
    const hasMaker = sql<boolean>`maker_user_id >= 0`;
    const segment = sql<number>`deal_id >> ${sql.lit(SEGMENT_SHIFT)}`;
    const isSell = sql<boolean>`(flags & ${sql.lit(DEAL_FLAG.sell)}) <> 0`;
    const takerSells = sql<number>`case when ${isSell} then 1 else 0 end`;
    const makerSells = sql<number>`case when ${isSell} then 0 else 1 end`;
    const takerAccount = accountIn(DEAL_FLAG.futures, DEAL_FLAG.takerMargin);
    const makerAccount = accountIn(DEAL_FLAG.futures, DEAL_FLAG.makerMargin);
    const newDeals = db.selectFrom("deals").where("deal_id", ">", 0n).where("deal_id", "<=", 0n);
    this.#settleUserDeals = statement(
      db
        .insertInto("user_deals")
        .columns(["segment", "user_id", "market_id", "account", "side", "deal_id"])
        .expression(
          newDeals
            .select([segment.as("segment"), "taker_user_id as user_id", "market_id", takerAccount.as("account")])
            .select([takerSells.as("side"), "deal_id"])
            .unionAll(
              newDeals
                .select([segment.as("segment"), "maker_user_id as user_id", "market_id", makerAccount.as("account")])
                .select([makerSells.as("side"), "deal_id"])
                .where(hasMaker),
            ),
        ),
    );
    this.#settleOrderDeals = statement(
      db
        .insertInto("order_deals")
        .columns(["order_id", "deal_id"])
        .expression(
          newDeals
            .select(["taker_order_id as order_id", "deal_id"])
            .unionAll(newDeals.select(["maker_order_id as order_id", "deal_id"]).where(hasMaker)),
        ),
    );
    this.#settleSegments = statement(
      db
        .insertInto("deal_segments")
        .columns(["segment"])
        .expression(newDeals.select(segment.as("segment")).distinct())
        .onConflict((conflict) => conflict.doNothing()),
    );
  }

  /**
   * Legs take the lines of their deal at once, so that these come before what else is posted with it, such as a
   * deducted fee.
   */
  posting({ i32 }: WordBuffer, at: number): void {
    const leg = ((i32[at * 2 + 3] as number) >> legShift) & legMask;
    if (leg === 0) return;
    if (this.#firstEntry === 0) this.#firstEntry = this.#entries.ofDeal();
    this.#legs[leg] = at;
  }

  /** Word positions as in decodeDeal of engine/event.ts; read here without making an object of each deal. */
  deal(events: WordBuffer, at: number, timeMs: number): void {
    const { i32, f64, i64 } = events;
    const dealId = f64[at + 2] as number;
    const marketId = i32[at * 2 + 1] as number;
    this.#noteMarket(events, marketId, i64[at + 4] as bigint);
    this.#insert({
      deal_id: dealId,
      market_id: marketId,
      time_ms: timeMs,
      flags: i32[at * 2 + 2] as number,
      price: i64[at + 3] as bigint,
      lots: i64[at + 4] as bigint,
      value: i64[at + 5] as bigint,
      taker_user_id: i32[at * 2 + 12] as number,
      maker_user_id: i32[at * 2 + 13] as number,
      taker_order_id: f64[at + 7] as number,
      maker_order_id: f64[at + 8] as number,
      taker_fee: i64[at + 9] as bigint,
      maker_fee: i64[at + 10] as bigint,
      taker_fee_asset_id: i32[at * 2 + 22] as number,
      maker_fee_asset_id: i32[at * 2 + 23] as number,
      first_entry: this.#firstEntry === 0 ? this.#entries.ofDeal() : this.#firstEntry,
      buyer_base: this.#totalAfter(events, BUYER_GETS),
      buyer_quote: this.#totalAfter(events, BUYER_GIVES),
      seller_base: this.#totalAfter(events, SELLER_GIVES),
      seller_quote: this.#totalAfter(events, SELLER_GETS),
    });
    this.#lastDealId = dealId;
    this.#firstEntry = 0;
    this.#legs.fill(-1);
  }

  settle(): void {
    if (this.#lastDealId === this.#settledDealId) return;
    const since = [this.#settledDealId, this.#lastDealId];
    this.#settleUserDeals(...since, ...since);
    this.#settleOrderDeals(...since, ...since);
    this.#settleSegments(...since);
    this.#settledDealId = this.#lastDealId;
  }

  #noteMarket({ i32, i64 }: WordBuffer, marketId: number, lots: bigint): void {
    const gives = this.#legs[SELLER_GIVES] as number;
    const gets = this.#legs[SELLER_GETS] as number;
    if (gives < 0 || this.#knownMarkets.has(marketId)) return;
    this.#knownMarkets.add(marketId);
    this.#insertMarket({
      market_id: marketId,
      base_asset_id: i32[gives * 2 + 1] as number,
      quote_asset_id: i32[gets * 2 + 1] as number,
      units_per_lot: -((i64[gives + 2] as bigint) + (i64[gives + 3] as bigint)) / lots,
    });
  }

  /** Returns the total of a leg's cell right after it, available and frozen together; 0 where there is none. */
  #totalAfter({ i64 }: WordBuffer, leg: number): bigint {
    const at = this.#legs[leg] as number;
    return at < 0 ? 0n : (i64[at + 4] as bigint) + (i64[at + 5] as bigint);
  }
}
