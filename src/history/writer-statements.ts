import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { ACCOUNTS, type Account, FLAG } from "../engine/command.ts";
import { DEAL_FLAG } from "../engine/event.ts";
import { ANY_MARKET, type HistoryTables, SEGMENT_SHIFT } from "./schema.ts";

/** Each `settle` statement files the rows after a given one where they are looked for. */
export interface WriterStatements {
  readonly insertDeal: StatementSync;
  readonly insertOrder: StatementSync;
  readonly insertStop: StatementSync;
  /** Keeps what a position was worth before its end. */
  readonly storePosition: StatementSync;
  readonly storeDealPosition: StatementSync;
  readonly insertPositionChange: StatementSync;
  readonly insertFundingRate: StatementSync;
  readonly insertPremium: StatementSync;
  readonly insertLiquidation: StatementSync;
  readonly insertDeleveraging: StatementSync;
  readonly insertTransfer: StatementSync;
  readonly settleUserDeals: StatementSync;
  readonly settleOrderDeals: StatementSync;
  readonly settleDealSegments: StatementSync;
  readonly settleUserOrders: StatementSync;
  readonly settleOrderSegments: StatementSync;
  readonly storeAppliedSeq: StatementSync;
  readonly newestRank: StatementSync;
  readonly newestDeal: StatementSync;
}

/** The new value of a column of `positions`, or the one before when the position has ended. */
function unlessEnded(column: "amount" | "entry_cost" | "settle_cost") {
  return sql<number>`iif(excluded.ended_ms = 0, excluded.${sql.ref(column)}, positions.${sql.ref(column)})`;
}

function accountIn(futures: number, margin: number) {
  const is = (bit: number) => sql<number>`(flags & ${sql.lit(bit)}) <> 0`;
  const place = (account: Account) => sql.lit(ACCOUNTS.indexOf(account));
  return sql<number>`iif(${is(futures)}, ${place("futures")}, iif(${is(margin)}, ${place("margin")}, ${place("spot")}))`;
}

/** Account and side of the taker and the maker of a deal, out of its flags: accounts are places in ACCOUNTS, side 1 is sell. */
const dealSegment = sql<number>`deal_id >> ${sql.lit(SEGMENT_SHIFT)}`;
const takerAccount = accountIn(DEAL_FLAG.futures, DEAL_FLAG.takerMargin);
const makerAccount = accountIn(DEAL_FLAG.futures, DEAL_FLAG.makerMargin);
const takerSide = sql<number>`(flags & ${sql.lit(DEAL_FLAG.sell)}) <> 0`;
const makerSide = sql<number>`(flags & ${sql.lit(DEAL_FLAG.sell)}) = 0`;

const orderSegment = sql<number>`order_id >> ${sql.lit(SEGMENT_SHIFT)}`;
const orderAccount = accountIn(FLAG.futures, FLAG.margin);
const orderSide = sql<number>`(flags & ${sql.lit(FLAG.sell)}) <> 0`;
const anyMarket = sql<number>`${sql.lit(ANY_MARKET)}`;
const itsMarket = sql<number>`market_id`;
const anyClient = sql<string>`''`;
const itsClient = sql<string>`client_id`;
const hasClient = sql<boolean>`client_id <> ''`;

/** The statements of the hot path: written with kysely, compiled once. The zeros only stand for parameters. */
export function prepareWriterStatements(database: DatabaseSync, db: Kysely<HistoryTables>): WriterStatements {
  const insertDeal = db.insertInto("deals").values({
    deal_id: 0,
    market_id: 0,
    time_ms: 0,
    flags: 0,
    price: 0,
    lots: 0,
    value: 0,
    taker_user_id: 0,
    maker_user_id: 0,
    taker_order_id: 0,
    maker_order_id: 0,
    taker_fee: 0,
    maker_fee: 0,
    taker_fee_asset_id: 0,
    maker_fee_asset_id: 0,
    first_entry: 0,
    buyer_base: 0,
    buyer_quote: 0,
    seller_base: 0,
    seller_quote: 0,
  });
  const insertOrder = db.insertInto("ended_orders").values({
    rank: 0,
    order_id: 0,
    user_id: 0,
    market_id: 0,
    flags: 0,
    price: 0,
    amount: 0,
    unfilled: 0,
    filled_lots: 0,
    filled_value: 0,
    base_fee: 0,
    quote_fee: 0,
    discount_fee: 0,
    maker_fee_rate_e8: 0,
    taker_fee_rate_e8: 0,
    last_filled_lots: 0,
    last_filled_price: 0,
    created_ms: 0,
    updated_ms: 0,
    client_id: "",
  });
  const insertStop = db.insertInto("fired_stops").values({
    stop_id: 0,
    user_id: 0,
    account: 0,
    market_id: 0,
    side: 0,
    flags: 0,
    price: 0,
    amount: 0,
    trigger_price: 0,
    created_ms: 0,
    updated_ms: 0,
    order_id: 0,
    refusal: 0,
    client_id: "",
  });

  const storePosition = db
    .insertInto("positions")
    .values({
      position_id: 0,
      user_id: 0,
      market_id: 0,
      flags: 0,
      amount: 0,
      entry_cost: 0,
      settle_cost: 0,
      realized: 0,
      top_amount: 0,
      top_cost: 0,
      top_margin: 0,
      created_ms: 0,
      ended_ms: 0,
    })
    .onConflict((conflict) =>
      conflict.column("position_id").doUpdateSet(({ ref }) => ({
        flags: ref("excluded.flags"),
        amount: unlessEnded("amount"),
        entry_cost: unlessEnded("entry_cost"),
        settle_cost: unlessEnded("settle_cost"),
        realized: ref("excluded.realized"),
        top_amount: ref("excluded.top_amount"),
        top_cost: ref("excluded.top_cost"),
        top_margin: ref("excluded.top_margin"),
        ended_ms: ref("excluded.ended_ms"),
      })),
    );
  const storeDealPosition = db
    .insertInto("deal_positions")
    .values({ deal_id: 0, order_id: 0, position_id: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["deal_id", "order_id"])
        .doUpdateSet(({ ref }) => ({ position_id: ref("excluded.position_id") })),
    );
  const insertPositionChange = db.insertInto("position_changes").values({
    user_id: 0,
    market_id: 0,
    kind: 0,
    position_id: 0,
    time_ms: 0,
    flags: 0,
    amount: 0,
    settle_cost: 0,
    margin: 0,
    change: 0,
    liq_price: 0,
    bkr_price: 0,
    rate_e8: 0,
  });
  const insertFundingRate = db
    .insertInto("funding_rates")
    .values({ market_id: 0, time_ms: 0, rate_e8: 0, actual_rate_e8: 0 });
  const insertPremium = db
    .insertInto("premiums")
    .values({ market_id: 0, time_ms: 0, premium_e8: 0 })
    .onConflict((conflict) => conflict.doNothing());
  const insertLiquidation = db
    .insertInto("liquidations")
    .values({ market_id: 0, time_ms: 0, is_short: 0, lots: 0, liq_price: 0, bkr_price: 0 });
  const insertDeleveraging = db.insertInto("deleveragings").values({
    deal_id: 0,
    position_id: 0,
    user_id: 0,
    market_id: 0,
    time_ms: 0,
    is_short: 0,
    lots: 0,
    price: 0,
  });
  const insertTransfer = db.insertInto("transfers").values({
    transfer_id: 0,
    user_id: 0,
    time_ms: 0,
    from_account: "",
    to_account: "",
    ccy: "",
    amount: "",
  });

  const newDeals = db.selectFrom("deals").where("deal_id", ">", 0n);
  const settleUserDeals = db
    .insertInto("user_deals")
    .columns(["segment", "user_id", "market_id", "account", "side", "deal_id"])
    .expression(
      newDeals
        .select([dealSegment.as("segment"), "taker_user_id as user_id", "market_id", takerAccount.as("account")])
        .select([takerSide.as("side"), "deal_id"])
        .unionAll(
          newDeals
            .select([dealSegment.as("segment"), "maker_user_id as user_id", "market_id", makerAccount.as("account")])
            .select([makerSide.as("side"), "deal_id"]),
        ),
    );
  const settleOrderDeals = db
    .insertInto("order_deals")
    .columns(["order_id", "deal_id"])
    .expression(
      newDeals
        .select(["taker_order_id as order_id", "deal_id"])
        .unionAll(newDeals.select(["maker_order_id as order_id", "deal_id"])),
    );
  const settleDealSegments = db
    .insertInto("deal_segments")
    .columns(["segment"])
    .expression(newDeals.select(dealSegment.as("segment")).distinct())
    .onConflict((conflict) => conflict.doNothing());

  const newOrders = db.selectFrom("ended_orders").where("rank", ">", 0n);
  const orderEntries = (marketId: RawBuilder<number>, clientId: RawBuilder<string>) =>
    newOrders
      .select([orderSegment.as("segment"), "user_id", orderAccount.as("account"), marketId.as("market_id")])
      .select([clientId.as("client_id"), orderSide.as("side"), "order_id"]);
  const settleUserOrders = db
    .insertInto("user_orders")
    .columns(["segment", "user_id", "account", "market_id", "client_id", "side", "order_id"])
    .expression(
      orderEntries(anyMarket, anyClient)
        .unionAll(orderEntries(itsMarket, anyClient))
        .unionAll(orderEntries(anyMarket, itsClient).where(hasClient))
        .unionAll(orderEntries(itsMarket, itsClient).where(hasClient)),
    );
  const settleOrderSegments = db
    .insertInto("order_segments")
    .columns(["segment"])
    .expression(newOrders.select(orderSegment.as("segment")).distinct())
    .onConflict((conflict) => conflict.doNothing());

  const storeAppliedSeq = db.updateTable("meta").set({ applied_seq: 0 });
  const newestRank = db.selectFrom("ended_orders").select(({ fn }) => fn.max("rank").as("newest"));
  const newestDeal = db.selectFrom("deals").select(({ fn }) => fn.max("deal_id").as("newest"));
  const prepare = (query: { compile(): { sql: string } }) => database.prepare(query.compile().sql);
  return {
    insertDeal: prepare(insertDeal),
    insertOrder: prepare(insertOrder),
    insertStop: prepare(insertStop),
    storePosition: prepare(storePosition),
    storeDealPosition: prepare(storeDealPosition),
    insertPositionChange: prepare(insertPositionChange),
    insertFundingRate: prepare(insertFundingRate),
    insertPremium: prepare(insertPremium),
    insertLiquidation: prepare(insertLiquidation),
    insertDeleveraging: prepare(insertDeleveraging),
    insertTransfer: prepare(insertTransfer),
    settleUserDeals: prepare(settleUserDeals),
    settleOrderDeals: prepare(settleOrderDeals),
    settleDealSegments: prepare(settleDealSegments),
    settleUserOrders: prepare(settleUserOrders),
    settleOrderSegments: prepare(settleOrderSegments),
    storeAppliedSeq: prepare(storeAppliedSeq),
    newestRank: prepare(newestRank),
    newestDeal: prepare(newestDeal),
  };
}
