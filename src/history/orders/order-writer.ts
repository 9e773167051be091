import { type RawBuilder, sql } from "kysely";
import { clientIdAt, FLAG } from "../../engine/command.ts";
import { ORDER_EVENTS, ORDER_FLAG, ORDER_WORDS } from "../../engine/event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { accountIn } from "../account-of-flags.ts";
import type { Parameter, PartWriter, WrittenTables } from "../part.ts";
import { SEGMENT_SHIFT } from "../segments.ts";
import type { TablesOf } from "../table.ts";
import { ANY_MARKET, endedOrders, type ORDER_TABLES } from "./tables.ts";

type Tables = WrittenTables<TablesOf<(typeof ORDER_TABLES)[number]>>;

const FINISH = ORDER_EVENTS.indexOf("finish");

/** Stores orders that end with a fill. */
export class OrderWriter implements PartWriter {
  readonly #insert;
  readonly #settleUserOrders: (...parameters: Parameter[]) => void;
  readonly #settleClientIds: (...parameters: Parameter[]) => void;
  readonly #settleSegments: (...parameters: Parameter[]) => void;
  #lastRank: number;
  #settledRank: number;
  /** Whether an order since then has a client id. */
  #hasClientIds = false;

  static async begin(tables: Tables): Promise<OrderWriter> {
    const newest = await tables.db
      .selectFrom("ended_orders")
      .select(({ fn }) => fn.max("rank").as("rank"))
      .executeTakeFirst();
    return new OrderWriter(tables, Number(newest?.rank ?? 0));
  }

  private constructor({ db, inserter, statement }: Tables, lastRank: number) {
    this.#insert = inserter(endedOrders);
    this.#lastRank = this.#settledRank = lastRank;

    const segment = sql<number>`order_id >> ${sql.lit(SEGMENT_SHIFT)}`;
    const account = accountIn(FLAG.futures, FLAG.margin);
    const side = sql<number>`case when (flags & ${sql.lit(FLAG.sell)}) <> 0 then 1 else 0 end`;
    const anyMarket = sql<number>`${sql.lit(ANY_MARKET)}`;
    const itsMarket = sql<number>`market_id`;
    const anyClient = sql<string>`''`;
    const itsClient = sql<string>`client_id`;
    const hasClient = sql<boolean>`client_id <> ''`;
    const newOrders = db.selectFrom("ended_orders").where("rank", ">", 0n).where("rank", "<=", 0n);
    const entries = (marketId: RawBuilder<number>, clientId: RawBuilder<string>) =>
      newOrders
        .select([segment.as("segment"), "user_id", account.as("account"), marketId.as("market_id")])
        .select([clientId.as("client_id"), side.as("side"), "order_id"]);
    const userOrders = db
      .insertInto("user_orders")
      .columns(["segment", "user_id", "account", "market_id", "client_id", "side", "order_id"]);
    this.#settleUserOrders = statement(
      userOrders.expression(entries(anyMarket, anyClient).unionAll(entries(itsMarket, anyClient))),
    );
    this.#settleClientIds = statement(
      userOrders.expression(
        entries(anyMarket, itsClient).where(hasClient).unionAll(entries(itsMarket, itsClient).where(hasClient)),
      ),
    );
    this.#settleSegments = statement(
      db
        .insertInto("order_segments")
        .columns(["segment"])
        .expression(newOrders.select(segment.as("segment")).distinct())
        .onConflict((conflict) => conflict.doNothing()),
    );
  }

  /** Word positions as in decodeOrder of engine/event.ts; read here without making an object of each order that goes on. */
  order(events: WordBuffer, at: number): void {
    const { i32, f64, i64 } = events;
    const flags = i32[at * 2 + 3] as number;
    if (((flags >> ORDER_FLAG.eventShift) & ORDER_FLAG.eventMask) !== FINISH) return;
    const filledLots = i64[at + 6] as bigint;
    if (filledLots === 0n) return;
    const clientId = clientIdAt(events, at + ORDER_WORDS, flags);
    if (clientId !== "") this.#hasClientIds = true;
    this.#insert({
      rank: ++this.#lastRank,
      order_id: f64[at + 2] as number,
      user_id: i32[at * 2 + 2] as number,
      market_id: i32[at * 2 + 1] as number,
      flags,
      price: i64[at + 3] as bigint,
      amount: i64[at + 4] as bigint,
      unfilled: i64[at + 5] as bigint,
      filled_lots: filledLots,
      filled_value: i64[at + 7] as bigint,
      base_fee: i64[at + 8] as bigint,
      quote_fee: i64[at + 9] as bigint,
      discount_fee: i64[at + 10] as bigint,
      maker_fee_rate_e8: i32[at * 2 + 22] as number,
      taker_fee_rate_e8: i32[at * 2 + 23] as number,
      last_filled_lots: i64[at + 12] as bigint,
      last_filled_price: i64[at + 13] as bigint,
      created_ms: f64[at + 14] as number,
      updated_ms: f64[at + 15] as number,
      client_id: clientId,
    });
  }

  settle(): void {
    if (this.#lastRank === this.#settledRank) return;
    const since = [this.#settledRank, this.#lastRank];
    this.#settleUserOrders(...since, ...since);
    if (this.#hasClientIds) this.#settleClientIds(...since, ...since);
    this.#hasClientIds = false;
    this.#settleSegments(...since);
    this.#settledRank = this.#lastRank;
  }
}
