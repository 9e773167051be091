import assert from "node:assert/strict";
import type { PositionSide, TriggerType } from "../../src/engine/command.ts";
import type { OrderRecord, RareEvent } from "../../src/engine/event.ts";
import { readExit } from "../../src/engine/futures/exits/exit-event.ts";
import { accountSumsOf, atMark, cashOf, marginOf } from "../../src/engine/futures/positions/account-sums.ts";
import { isolatedMargin } from "../../src/engine/futures/positions/figures.ts";
import { rowOf } from "../../src/engine/futures/positions/futures-seat.ts";
import type { PositionEvent } from "../../src/engine/futures/positions/position-event.ts";
import { CELL } from "../../src/engine/ledger/cell.ts";
import type { ListMarket } from "../../src/engine/listing/command-schemas.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { formatDecimal, parseDecimal } from "../../src/engine/money/decimal.ts";
import type { BookMaker } from "../../src/engine/state.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import { parseModify, parseOrder } from "./order-text.ts";
import { type Done, Venue } from "./venue.ts";

export const LEVELS = [
  { amount: "10", leverage: 100, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" },
  { amount: "50", leverage: 20, maintenanceMarginRate: "0.01", minInitialMarginRate: "0.05" },
  { amount: "100", leverage: 10, maintenanceMarginRate: "0.05", minInitialMarginRate: "0.1" },
];

/**
 * BTCUSDT of the worked examples: prices of 2, amounts of 6 decimals, a maintenance rate of 0.5 %, a taker fee of 0.05
 * %.
 */
export const LINEAR: ListMarket = {
  kind: "list_market",
  market: "BTCUSDT",
  marketType: "FUTURES",
  contractType: "linear",
  baseCcy: "BTC",
  quoteCcy: "USDT",
  amountPrecision: 6,
  pricePrecision: 2,
  minAmount: "0.0001",
  makerFeeRate: "0.0003",
  takerFeeRate: "0.0005",
  tickSize: "0.01",
  leverages: [1, 5, 10, 20, 50, 100],
  levels: LEVELS,
};

/** BTCUSD: prices of 1 decimal, contracts of one dollar, settled in bitcoin. */
export const INVERSE: ListMarket = {
  ...LINEAR,
  market: "BTCUSD",
  contractType: "inverse",
  quoteCcy: "USD",
  amountPrecision: 0,
  pricePrecision: 1,
  minAmount: "10",
  tickSize: "0.1",
  levels: LEVELS.map((level) => ({ ...level, amount: `${level.amount}00000` })),
};

/** A venue with futures markets that people can talk to in decimals. */
export class FuturesVenue extends Venue {
  constructor(makeBook?: BookMaker, rulesVersion?: number) {
    super(makeBook, rulesVersion);
    for (const ccy of ["BTC", "USDT", "USD"]) this.listAsset(ccy);
    this.accept(LINEAR);
    this.accept(INVERSE);
    this.index("30000");
    this.index("30000", "BTCUSD");
  }

  futuresNamed(name: string): Market {
    const market = this.state.futuresByName.get(name);
    assert.ok(market, `There is no futures market ${name}.`);
    return market;
  }

  /** Sets the index, and with it the mark. */
  index(price: string, market = "BTCUSDT"): Done {
    const sources = [{ exchange: "one", price }];
    return this.accept({ kind: "set_index_prices", market, marketType: "FUTURES", sources });
  }

  /** Brings a stale index back: two updates, five seconds apart. Returns what the second came to. */
  indexBack(price: string, market = "BTCUSDT"): Done {
    this.index(price, market);
    this.timeMs += 5_000;
    return this.index(price, market);
  }

  /** Makes a user who has the given amounts in the futures account. */
  addTrader(name: string, funds: Readonly<Record<string, string>>): number {
    const userId = this.addUser(name, funds);
    for (const [ccy, amount] of Object.entries(funds)) this.transfer(userId, "SPOT", "FUTURES", ccy, amount);
    return userId;
  }

  transfer(userId: number, from: string, to: string, ccy: string, amount: string): Done {
    return this.execute({ kind: "transfer", userId, from, to, ccy, amount });
  }

  setLeverage(userId: number, leverage: number, marginMode = "cross", market = "BTCUSDT"): Done {
    const marketId = this.futuresNamed(market).id;
    return this.execute({ kind: "set_leverage", userId, marketId, marginMode, leverage });
  }

  /** As `place` of a spot venue; a last word long or short names the position. */
  trade(userId: number, text: string, market = "BTCUSDT"): Done {
    const side = / (long|short)$/.exec(text)?.[1] as PositionSide | undefined;
    const words = side === undefined ? text : text.slice(0, -side.length - 1);
    const order = parseOrder(this.futuresNamed(market), this.state.assets, userId, words);
    return this.execute({ ...order, account: "futures", ...(side === undefined ? {} : { positionSide: side }) });
  }

  /** A stop order for what `trade` would place. */
  stop(userId: number, text: string, trigger: string, triggerType?: TriggerType, market = "BTCUSDT"): Done {
    const { id: marketId, pricePrecision } = this.futuresNamed(market);
    const order = parseOrder(this.futuresNamed(market), this.state.assets, userId, text);
    const ticks = parseDecimal(trigger, pricePrecision) as bigint;
    const traits = { marketId, account: "futures", triggerType } as const;
    return this.execute({ ...order, ...traits, kind: "place_stop_order", trigger: ticks });
  }

  /**
   * Sets an exit by "take_profit 31000", "stop_loss 29000 0.5 mark" and the like; a last word long or short names the
   * position.
   */
  exit(userId: number, text: string, market = "BTCUSDT"): Done {
    const words = text.split(" ");
    const last = words.at(-1);
    const positionSide = last === "long" || last === "short" ? words.pop() : undefined;
    const triggerType = words.at(-1) === "mark" && words.pop() ? "mark_price" : "latest_price";
    const [exit, price, amount] = words as [string, string, string | undefined];
    const named = { userId, marketId: this.futuresNamed(market).id, positionSide };
    return this.execute({ kind: "set_exit", ...named, exit, triggerType, price, amount });
  }

  /** Exits of a market as "1 take_profit 31000.00 0.5", whole ones without an amount, in ascending id. */
  exits(market = "BTCUSDT"): string[] {
    const { id, amountPrecision, pricePrecision } = this.futuresNamed(market);
    return this.state.futures.exits.ofMarket(id).map((slot) => {
      const { exitId, exit, trigger, amount } = readExit(this.state, slot);
      const lots = formatDecimal(BigInt(amount), amountPrecision).replace(/\.?0+$/, "");
      const price = formatDecimal(BigInt(trigger), pricePrecision);
      return [exitId, exit, price, ...(amount === "0" ? [] : [lots])].join(" ");
    });
  }

  /** As `trade`, for an order that must be accepted; returns it. */
  rest(userId: number, text: string, market = "BTCUSDT"): OrderRecord {
    const done = this.trade(userId, text, market);
    assert.equal(done.refusal, undefined, text);
    assert.ok(done.order);
    return done.order;
  }

  change(userId: number, orderId: number, text: string, market = "BTCUSDT"): Done {
    const { id } = this.futuresNamed(market);
    return this.execute({ ...parseModify(this.futuresNamed(market), text), userId, marketId: id, orderId });
  }

  drop(userId: number, orderId: number, market = "BTCUSDT"): Done {
    return this.execute({ kind: "cancel_order", userId, marketId: this.futuresNamed(market).id, orderId });
  }

  /**
   * Closes by "market", "limit 30000.00 0.2" and the like: type, price unless market, amount if not all, position side.
   */
  close(userId: number, text: string, market = "BTCUSDT"): Done {
    const { id: marketId, amountPrecision, pricePrecision } = this.futuresNamed(market);
    const words = text.split(" ");
    const type = words.shift() as "market" | "limit";
    const side = words.at(-1) === "long" || words.at(-1) === "short" ? (words.pop() as PositionSide) : undefined;
    const price = type === "market" ? 0n : (parseDecimal(words.shift() ?? "", pricePrecision) as bigint);
    const amount = words.length === 0 ? undefined : (parseDecimal(words.shift() as string, amountPrecision) as bigint);
    return this.execute({
      kind: "close_position",
      userId,
      marketId,
      type,
      price,
      hidden: false,
      stpMode: "none",
      clientId: "",
      ...(amount === undefined ? {} : { amount }),
      ...(side === undefined ? {} : { positionSide: side }),
    });
  }

  adjustMargin(userId: number, amount: string, market = "BTCUSDT", positionSide?: string): Done {
    return this.execute({
      kind: "adjust_margin",
      userId,
      marketId: this.futuresNamed(market).id,
      amount,
      positionSide,
    });
  }

  /** A position as "long 0.5 @ 15000.00000000 margin 750.00000000 realized -7.50000000", or "none". */
  position(userId: number, isShort = false, market = "BTCUSDT"): string {
    const { id, amountPrecision, futures } = this.futuresNamed(market);
    const slot = this.positionSlot(userId, isShort, market);
    if (slot === NONE) return "none";
    const { positions } = this.state.futures;
    const show = (units: bigint) => formatDecimal(units, this.scaleOf(futures?.settleAssetId ?? 0));
    const margin = positions.isIsolated(slot) ? ` margin ${show(marginOf(this.state, slot))}` : "";
    assert.equal(positions.marketId(slot), id);
    const amount = formatDecimal(positions.amount(slot), amountPrecision).replace(/\.?0+$/, "");
    return (
      `${isShort ? "short" : "long"} ${amountPrecision === 0 ? positions.amount(slot) : amount} ` +
      `worth ${show(positions.settleCost(slot))}${margin} realized ${show(positions.realized(slot))}`
    );
  }

  positionSlot(userId: number, isShort = false, market = "BTCUSDT"): number {
    const row = rowOf(this.state, userId, this.futuresNamed(market).id);
    return row === NONE ? NONE : this.state.futures.seats.position(row, isShort);
  }

  /** Cash of a futures account. */
  cash(userId: number, ccy = "USDT"): string {
    return formatDecimal(cashOf(this.state, this.account(userId, ccy)), this.assetNamed(ccy).scale);
  }

  frozen(userId: number, ccy = "USDT"): string {
    return formatDecimal(this.state.futures.accounts.frozen(this.account(userId, ccy)), this.assetNamed(ccy).scale);
  }

  transferable(userId: number, ccy = "USDT"): string {
    return formatDecimal(
      isolatedMargin(accountSumsOf(this.state, this.account(userId, ccy))),
      this.assetNamed(ccy).scale,
    );
  }

  unrealized(userId: number, isShort = false, market = "BTCUSDT"): string {
    const { futures } = this.futuresNamed(market);
    const slot = this.positionSlot(userId, isShort, market);
    return formatDecimal(atMark(this.state, slot).unrealized, this.scaleOf(futures?.settleAssetId ?? 0));
  }

  /** The displayed levels of a side of a futures market, as `levels` of a spot venue. */
  levelsOf(side: "buy" | "sell", market = "BTCUSDT"): string[] {
    const { id, amountPrecision, pricePrecision } = this.futuresNamed(market);
    const show = (lots: bigint) => formatDecimal(lots, amountPrecision).replace(/\.?0+$/, "");
    return [...(this.state.books[id]?.levels(side === "buy" ? 0 : 1) ?? [])].map(
      ({ price, lots }) => `${show(lots)} @ ${formatDecimal(price, pricePrecision)}`,
    );
  }

  /** The insurance fund. */
  fund(ccy = "USDT"): string {
    const { id, scale } = this.assetNamed(ccy);
    const { ledger } = this.state;
    return formatDecimal(ledger.available(ledger.venueCell(CELL.insurance_futures, id)), scale);
  }

  mark(market = "BTCUSDT"): string {
    const { id, pricePrecision } = this.futuresNamed(market);
    return formatDecimal(this.state.futures.live.mark(id), pricePrecision);
  }

  account(userId: number, ccy = "USDT"): number {
    return this.state.futures.accounts.find(userId, this.assetNamed(ccy).id);
  }

  private scaleOf(assetId: number): number {
    return this.state.assets[assetId]?.scale ?? 0;
  }
}

/** The position events of a command. */
export function positionEvents(done: Done): PositionEvent[] {
  return done.events.filter((event) => event.kind === "position");
}

/** The rare events of one kind of a command. */
export function rareEvents<Type extends RareEvent["type"]>(
  { events }: Done,
  type: Type,
): Extract<RareEvent, { type: Type }>[] {
  return events.flatMap((event) =>
    event.kind === "json" && event.event.type === type ? [event.event] : [],
  ) as Extract<RareEvent, { type: Type }>[];
}
