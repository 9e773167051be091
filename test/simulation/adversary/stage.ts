import type { Command } from "../../../src/engine/command.ts";
import { positionsIn } from "../../../src/engine/futures/positions/account-sums.ts";
import { heldLots, rowOf } from "../../../src/engine/futures/positions/futures-seat.ts";
import type { Market } from "../../../src/engine/listing/market.ts";
import { figuresOf, loanLimit } from "../../../src/engine/margin/risk.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import { loadSnapshot, takeSnapshot } from "../../../src/engine/snapshot.ts";
import type { Leg } from "../../../src/engine/stops/command-schemas.ts";
import { NONE } from "../../../src/engine/trading/order.ts";
import { transferable } from "../../../src/engine/wallet/transfer.ts";
import { checkedEngine } from "../../support/checked-scratch.ts";
import type { Action, LegAction, Lots, OrderAction, Price, Prices } from "./step.ts";
import {
  MARKET_KEYS,
  MARKETS,
  type MarketKey,
  PRICE_PRECISION,
  SCALE,
  startTicks,
  UNDERLYING,
  type Underlying,
} from "./terms.ts";

const MILLION = 1_000_000n;
/** Fields of commands that say who. */
const USER_FIELDS = ["userId", "mainUserId", "fromUserId", "toUserId", "subUserId", "ofUserId"] as const;
export const SOURCES = ["one", "two"];

/** Where a play takes place: the engine, and the fair prices, which are the sources' and nobody else's. */
export class Stage {
  engine = checkedEngine();
  /** Rules other than the present ones, for plays that show what those were for. */
  constructor(rulesVersion?: number) {
    if (rulesVersion !== undefined) this.engine.state.rulesVersion = rulesVersion;
  }

  /** Parts per million of the prices at the start. */
  private moved: Prices = { BTC: 0, ETH: 0, DSC: 0 };
  /** By market, ticks that sources have said last, also of one that has left. */
  private readonly told = new Map<MarketKey, bigint>();
  /** How often sources have said another price than before. */
  tellings = 0;
  /** By market, ticks of the fair price. */
  private readonly fairs = new Map<MarketKey, bigint>();
  private usesTold = false;

  get state() {
    return this.engine.state;
  }

  /** Lets `read` value everything by what sources have said last instead: they may have fallen silent. */
  asTold<Read>(read: () => Read): Read {
    this.usesTold = true;
    const found = read();
    this.usesTold = false;
    return found;
  }

  /** Ticks of a market at which its underlying is valued. */
  fair(market: MarketKey): bigint {
    const told = this.usesTold ? this.told.get(market) : undefined;
    if (told !== undefined) return told;
    let fair = this.fairs.get(market);
    if (fair === undefined) {
      fair = (startTicks(market) * (MILLION + BigInt(this.moved[UNDERLYING[market]]))) / MILLION;
      this.fairs.set(market, fair);
    }
    return fair;
  }

  /** Whether sources have said the fair prices everywhere. */
  isToldFair(): boolean {
    for (const [key, ticks] of this.told) if (ticks !== this.fair(key)) return false;
    return true;
  }

  /** What sources have said last of the deduction coin. */
  toldCoin(): bigint {
    return this.market("coin")?.index.price ?? 0n;
  }

  movePrices(moved: Prices): void {
    this.fairs.clear();
    this.moved = moved;
  }

  restart(): void {
    const { state } = this.engine;
    this.engine = checkedEngine();
    loadSnapshot(this.engine.state, takeSnapshot(state), state.seq, state.timeMs);
  }

  market(key: MarketKey): Market | undefined {
    const { name, isFutures } = MARKETS[key];
    return this.state.marketNamed(name, isFutures);
  }

  keyOf(marketId: number): MarketKey {
    const { name, futures } = this.state.markets[marketId] as Market;
    const key = MARKET_KEYS.find(
      (one) => MARKETS[one].name === name && MARKETS[one].isFutures === (futures !== undefined),
    );
    if (key === undefined) throw new Error(`No market of the play is called ${name}.`);
    return key;
  }

  /**
   * The commands that an action is now, each to be carried out before the next is asked for; what is not there any more
   * makes none.
   */
  commandsOf(action: Action): Iterable<Command> {
    switch (action.do) {
      case "command":
        return [this.named(action.command)];
      case "prices":
        return this.feed(action.silent ?? []);
      case "restart":
        return [];
      case "transfer":
        return this.transfer(action);
      default:
        return this.inMarket(action);
    }
  }

  /** Steps name users; ids follow the order in which they came. */
  private named(command: Command): Command {
    const named = command as unknown as Readonly<Record<string, unknown>>;
    const ids = Object.fromEntries(
      USER_FIELDS.flatMap((field) => {
        const name = named[field];
        return typeof name === "string" ? [[field, this.userId(name)]] : [];
      }),
    );
    return { ...command, ...ids } as Command;
  }

  /**
   * Sources of one market speak after those of another: what a market has not been told yet its actions cannot know.
   */
  private *feed(silent: readonly Underlying[]): Generator<Command> {
    const told = MARKET_KEYS.filter((key) => !silent.includes(UNDERLYING[key]) && this.market(key) !== undefined);
    if (told.length === 0) yield { kind: "tick" };
    for (const key of told) {
      if (this.told.get(key) !== this.fair(key)) this.tellings++;
      this.told.set(key, this.fair(key));
      const price = formatDecimal(this.fair(key), PRICE_PRECISION[key]);
      const { name, isFutures } = MARKETS[key];
      const sources = SOURCES.map((exchange) => ({ exchange, price }));
      yield { kind: "set_index_prices", market: name, marketType: isFutures ? "FUTURES" : "SPOT", sources };
    }
  }

  private transfer({ user, ccy, out, percent }: Extract<Action, { do: "transfer" }>): Command[] {
    const userId = this.userId(user);
    const asset = this.state.assetByCcy.get(ccy);
    if (asset === undefined || userId === 0) return [];
    const free = out ? transferable(this.state, userId, asset) : this.spot(userId, asset.id);
    const amount = (free * BigInt(percent)) / 100n;
    const [from, to] = out ? ["FUTURES", "SPOT"] : ["SPOT", "FUTURES"];
    if (amount <= 0n) return [];
    return [{ kind: "transfer", userId, ccy, from, to, amount: formatDecimal(amount, SCALE) } as Command];
  }

  private inMarket(action: Exclude<Action, { do: "command" | "prices" | "restart" | "transfer" }>): Command[] {
    const market = this.market(action.market);
    const userId = this.userId(action.user);
    if (market === undefined || userId === 0) return [];
    const marketId = market.id;
    const account = market.futures === undefined ? "spot" : "futures";
    switch (action.do) {
      case "order": {
        const order = this.order(action, market, userId);
        return order === undefined ? [] : [{ kind: "place_order", ...order }];
      }
      case "stop": {
        const order = this.order(action, market, userId);
        if (order === undefined) return [];
        const stop = { ...order, trigger: this.price(action.trigger, action.market, market), triggerType: action.by };
        return [{ kind: "place_stop_order", ...stop } as Command];
      }
      case "cancel":
        return [{ kind: "cancel_all_orders", userId, marketId, account: action.margin === true ? "margin" : account }];
      case "borrow": {
        const { isQuote, percent } = action;
        const asset = this.state.assets[isQuote ? market.quoteAssetId : market.baseAssetId];
        const amount = (this.loanLimit(userId, market, isQuote) * BigInt(percent)) / 100n;
        if (asset === undefined || amount <= 0n) return [];
        const words = { userId, market: market.name, ccy: asset.ccy, amount: formatDecimal(amount, asset.scale) };
        return [{ kind: "borrow", ...words, isAutoRenew: false }];
      }
      case "together": {
        const legs = action.legs.flatMap((leg) => this.leg(leg, action, market, userId) ?? []);
        if (legs.length < action.legs.length) return [];
        return [{ kind: "place_conditional", userId, marketId, account, shape: action.shape, legs }];
      }
      case "quotes":
        return [this.quotes(action, market, userId)];
      case "protect": {
        const { windowMs, fills, lots } = action;
        const amount = lots === undefined ? undefined : formatDecimal(BigInt(lots), market.amountPrecision);
        return [{ kind: "set_protection", userId, marketId, windowMs, fills, amount }];
      }
      case "reset":
        return [{ kind: "reset_protection", userId, marketId }];
      case "modify":
        return this.modify(action, market, userId);
      case "close": {
        const lots = (this.held(userId, market) * BigInt(action.percent)) / 100n;
        const price = action.price === undefined ? 0n : this.price(action.price, action.market, market);
        const type = action.price === undefined ? "market" : "limit";
        const amount = action.percent >= 100 ? undefined : lots;
        const rest = { hidden: false, stpMode: "none", clientId: "" } as const;
        return lots === 0n
          ? []
          : [{ kind: "close_position", userId, marketId, type, price, amount, ...rest } as Command];
      }
      case "exit": {
        const price = formatDecimal(this.price(action.trigger, action.market, market), market.pricePrecision);
        return [{ kind: "set_exit", userId, marketId, exit: action.exit, triggerType: action.by, price }];
      }
      case "margin": {
        const units = (this.margin(userId, market) * BigInt(Math.abs(action.percent))) / 100n;
        if (units === 0n) return [];
        const amount = `${action.percent < 0 ? "-" : ""}${formatDecimal(units, SCALE)}`;
        return [{ kind: "adjust_margin", userId, marketId, amount }];
      }
      case "leverage":
        return [{ kind: "set_leverage", userId, marketId, marginMode: action.mode, leverage: action.leverage }];
    }
  }

  private leg(
    leg: LegAction,
    { user, market: key }: Pick<OrderAction, "user" | "market">,
    market: Market,
    userId: number,
  ): Leg | undefined {
    const order = this.order({ ...leg, user, market: key }, market, userId);
    if (order === undefined) return undefined;
    const { side, type, amount, price, hidden, stpMode } = order;
    const { trigger, trailPpm, by, reduces, parts } = leg;
    const { amountPrecision, pricePrecision } = market;
    const ofMarket = (of: Price) => formatDecimal(this.price(of, key, market), pricePrecision);
    return {
      ...{ side, type, hidden, stpMode, reduces, triggerType: by },
      amount: formatDecimal(amount, amountPrecision),
      price: type === "market" ? undefined : formatDecimal(price, pricePrecision),
      trigger: trigger && ofMarket(trigger),
      trailRate: trailPpm === undefined ? undefined : formatDecimal(BigInt(trailPpm), 6),
      display:
        parts === undefined ? undefined : formatDecimal((amount + BigInt(parts) - 1n) / BigInt(parts), amountPrecision),
    };
  }

  private quotes(action: Extract<Action, { do: "quotes" }>, market: Market, userId: number): Command {
    const { pairs, around, awayPpm, market: key } = action;
    const priceOf = (level: number) =>
      formatDecimal(
        this.price({ of: around.of, ppm: around.ppm + level * awayPpm }, key, market),
        market.pricePrecision,
      );
    const amountOf = (side: number) => {
      const whole = this.lots(action.lots, market, userId, side, this.fair(key));
      const share = whole / BigInt(Math.max(1, pairs));
      return formatDecimal(share > 0n ? share : 0n, market.amountPrecision);
    };
    const [bidAmount, askAmount] = [amountOf(0), amountOf(1)];
    const levels = Array.from({ length: pairs }, (_, at) => at + 1);
    const quotes = levels.map((level) => ({
      marketId: market.id,
      ...{ bidPrice: priceOf(-level), bidAmount },
      ...{ askPrice: priceOf(level), askAmount },
    }));
    return { kind: "mass_quote", userId, quotes: pairs === 0 ? [{ marketId: market.id }] : quotes };
  }

  private modify(
    { price, percent, market: key }: Extract<Action, { do: "modify" }>,
    market: Market,
    userId: number,
  ): Command[] {
    const { orders, seats, fills } = this.state;
    const seat = seats.find(userId, market.id, 0);
    let slot = NONE;
    for (let next = seat === NONE ? NONE : seats.head(seat); next !== NONE; next = orders.seatNext(next)) slot = next;
    if (slot === NONE) return [];
    const filled = fills.filledLots(orders.fillRow(slot));
    const amount = percent === undefined ? undefined : filled + (orders.left(slot) * BigInt(percent)) / 100n;
    const to = price && this.price(price, key, market);
    const account = market.futures === undefined ? "spot" : "futures";
    const orderId = orders.orderId(slot);
    return [{ kind: "modify_order", userId, marketId: market.id, account, orderId, amount, price: to }];
  }

  private order(action: OrderAction, market: Market, userId: number) {
    const { side, type } = action;
    const price =
      action.price === undefined || type === "market" ? 0n : this.price(action.price, action.market, market);
    const key = action.market;
    const amount = this.lots(
      action.lots,
      market,
      userId,
      side === "buy" ? 0 : 1,
      price || this.fair(key),
      action.margin,
    );
    if (amount <= 0n || (type !== "market" && price <= 0n)) return undefined;
    return {
      userId,
      marketId: market.id,
      account: market.futures !== undefined ? "futures" : action.margin === true ? "margin" : "spot",
      side,
      type,
      amountIn: "base",
      amount,
      price,
      hidden: action.hidden === true,
      stpMode: action.stp ?? "none",
      clientId: "",
      positionSide: action.for,
    } as const;
  }

  /** Ticks; 0 where there is nothing to count from. */
  private price({ of, ppm }: Price, key: MarketKey, market: Market): bigint {
    const from = this.reference(of, key, market);
    return (from * (MILLION + BigInt(ppm))) / MILLION;
  }

  private reference(of: Price["of"], key: MarketKey, market: Market): bigint {
    const { state } = this;
    const book = state.books[market.id];
    switch (of) {
      case "fair":
        return this.fair(key);
      case "index":
        return market.index.price;
      case "mark":
        return market.futures === undefined ? market.index.price : state.futures.live.mark(market.id);
      case "last":
        return state.lastPrice[market.id] as bigint;
      default: {
        const first = book?.first(of === "bid" ? 0 : 1) ?? NONE;
        return first === NONE ? 0n : state.orders.price(first);
      }
    }
  }

  private lots(lots: Lots, market: Market, userId: number, side: number, price: bigint, margin = false): bigint {
    if ("is" in lots) return BigInt(lots.is);
    const whole = this.whole(lots.of, market, userId, side, price, margin);
    return (whole * BigInt(lots.percent)) / 100n;
  }

  private whole(
    of: "power" | "position" | "inventory" | "depth",
    market: Market,
    userId: number,
    side: number,
    price: bigint,
    margin: boolean,
  ): bigint {
    const { state } = this;
    const { futures } = state;
    if (of === "position") return this.held(userId, market);
    if (of === "inventory") return this.held(0, market);
    if (of === "depth") {
      let sum = 0n;
      const book = state.books[market.id];
      for (let slot = book?.first(1 - side) ?? NONE; book !== undefined && slot !== NONE; slot = book.next(slot))
        sum += state.orders.left(slot);
      return sum;
    }
    if (market.futures === undefined) {
      const assetId = side === 0 ? market.quoteAssetId : market.baseAssetId;
      const free = margin ? this.lent(userId, market, side === 0) : this.spot(userId, assetId);
      return side === 0 ? free / (price * market.unitsPerLotTick) : free / market.unitsPerLot;
    }
    const account = futures.accounts.find(userId, market.futures.settleAssetId);
    if (account < 0) return 0n;
    const row = rowOf(state, userId, market.id);
    const leverage = BigInt(row === NONE ? 1 : futures.seats.leverage(row));
    const cash = state.ledger.available(futures.accounts.cell(account));
    const { unit, contractType } = market.futures;
    return contractType === "linear" ? (cash * leverage) / (price * unit) : (cash * leverage * price) / unit;
  }

  /** Lots of the user's position, of whichever side. */
  private held(userId: number, market: Market): bigint {
    const row = rowOf(this.state, userId, market.id);
    if (row === NONE) return 0n;
    return heldLots(this.state, row, false) + heldLots(this.state, row, true);
  }

  private margin(userId: number, market: Market): bigint {
    const { positions } = this.state.futures;
    for (const slot of positionsIn(this.state, market.id)) {
      if (positions.userId(slot) === userId && positions.isIsolated(slot)) {
        return this.state.ledger.available(positions.marginCell(slot));
      }
    }
    return 0n;
  }

  /** What may still be borrowed there, by its worth. */
  private loanLimit(userId: number, market: Market, isQuote: boolean): bigint {
    const { accounts, terms } = this.state.margin;
    const row = accounts.find(userId, market.id);
    const { leverage } = terms.get(market.id) ?? { leverage: 1 };
    if (row === NONE || market.index.price === 0n) return 0n;
    return loanLimit(market, market.index.price, figuresOf(this.state, row), leverage, isQuote);
  }

  /** What is available in a margin account, of the quote or the base asset. */
  private lent(userId: number, market: Market, isQuote: boolean): bigint {
    const { accounts } = this.state.margin;
    const row = accounts.find(userId, market.id);
    return row === NONE ? 0n : this.state.ledger.available(accounts.cell(row, isQuote));
  }

  private spot(userId: number, assetId: number): bigint {
    const cell = this.state.ledger.findSpotCell(userId, assetId);
    return cell < 0 ? 0n : this.state.ledger.available(cell);
  }

  /** 0 = nobody. */
  userId(name: string): number {
    return this.state.users.byName.get(name) ?? 0;
  }
}
