import { type RawBuilder, sql } from "kysely";
import { FLAG } from "../../engine/command.ts";
import { decodeOrder, orderEventName } from "../../engine/event.ts";
import type { WordBuffer } from "../../engine/words.ts";
import { flagsAt } from "../../engine/words.ts";
import { accountIn } from "../account-of-flags.ts";
import type { Parameter, PartWriter, WrittenTables } from "../part.ts";
import { SEGMENT_SHIFT } from "../segments.ts";
import type { TablesOf } from "../table.ts";
import { ANY_MARKET, endedOrders, type ORDER_TABLES, orderRows } from "./tables.ts";

type Tables = WrittenTables<TablesOf<(typeof ORDER_TABLES)[number]>>;

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

  order(events: WordBuffer, at: number): void {
    if (orderEventName(events, at) !== "finish") return;
    const order = decodeOrder(events, at);
    if (order.filledLots === 0n) return;
    if (order.clientId !== "") this.#hasClientIds = true;
    const row = orderRows.rowOf(order);
    const flags = flagsAt(events, at);
    // Of a discount and a profit one is 0.
    this.#insert(
      Object.assign(row, { rank: ++this.#lastRank, flags, discount_fee: order.discountFee + order.realizedPnl }),
    );
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
