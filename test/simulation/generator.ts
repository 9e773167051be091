/** Makes up what happens in a simulated venue. Each step hangs on its own number alone, so that any of them can be left out. */
import type { Command, MaintenanceScope, PlaceOrder, PlaceStopOrder, Side } from "../../src/engine/command.ts";
import { OFF_GRID, ORDER_TYPES, STP_MODES, TOO_LARGE } from "../../src/engine/command.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import { Random } from "./random.ts";
import { DEEDS, type Deed, type Settings } from "./settings.ts";
import type { Step } from "./step.ts";

export const ASSETS = ["BTC", "USDT", "AAA", "DSC"] as const;
export const MARKETS = [
  ["BTC", "USDT"],
  ["AAA", "USDT"],
  ["AAA", "BTC"],
  ["DSC", "USDT"],
] as const;
const CLIENT_IDS = ["", "", "", "a", "a-second-client-id-of-32-letters"];
const RATES = ["0", "0.00000001", "0.001", "0.002", "0.3", "0.99999999"];
const LEVELS = ["low", "high"] as const;

/** The steps of a seed: those that make the venue, then `count` that happen in it. */
export function stepsOf(settings: Settings, count: number): Step[] {
  const random = new Random(settings.seed);
  const steps = setup(settings);
  for (let at = 0; at < count; at++) steps.push(stepOf(settings, random.next(), at / count));
  return steps;
}

/** The steps that list and fund. */
export function setup(settings: Settings): Step[] {
  const { scale, users, funds } = settings;
  const commands: Command[] = ASSETS.map((ccy) => ({ kind: "list_asset", ccy, scale }));
  for (let at = 0; at < settings.markets; at++) commands.push(listing(settings, at));
  for (let user = 1; user <= users; user++) {
    commands.push({ kind: "create_user", name: `user ${user}` });
    for (const ccy of ASSETS) {
      commands.push({ kind: "deposit", userId: user, ccy, amount: formatDecimal(funds, scale), note: "" });
    }
  }
  commands.push({ kind: "set_fee_deduction", ccy: settings.deductionCcy });
  for (let user = 1; user <= (users * settings.deducting) / 100; user++) {
    commands.push({ kind: "change_user", userId: user, feeDeduction: true });
  }
  return commands.map((command) => ({ waitMs: 0, command }));
}

function listing(settings: Settings, at: number) {
  const [baseCcy, quoteCcy] = MARKETS[at] as (typeof MARKETS)[number];
  const { amountPrecision, pricePrecision } = settings;
  return {
    kind: "list_market",
    market: baseCcy + quoteCcy,
    baseCcy,
    quoteCcy,
    amountPrecision,
    pricePrecision,
    minAmount: formatDecimal(settings.minAmount, amountPrecision),
    maxAmount: formatDecimal(settings.maxAmount, amountPrecision),
    maxPrice: formatDecimal(settings.maxPrice, pricePrecision),
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  } as const;
}

/** A step from its number; `progress` says how far the run is, from 0 to 1: the middle of the prices wanders with it. */
export function stepOf(settings: Settings, number: number, progress: number): Step {
  const random = new Random(number);
  const waitMs = random.chance(settings.waitPercent) ? random.pick(settings.waits) : 0;
  const maker = new StepMaker(settings, random, progress);
  const deed = random.weighted(settings.mix);
  return { waitMs, ...maker.make(DEEDS.includes(deed) ? deed : "order") };
}

class StepMaker {
  private readonly settings: Settings;
  private readonly random: Random;
  private readonly progress: number;

  constructor(settings: Settings, random: Random, progress: number) {
    this.settings = settings;
    this.random = random;
    this.progress = progress;
  }

  make(deed: Deed): Omit<Step, "waitMs"> {
    const { random } = this;
    switch (deed) {
      case "order":
        return { command: this.place(this.order()) };
      case "market_order":
        return { command: { kind: "place_order", ...this.order(), ...this.market() }, all: random.chance(20) };
      case "modify":
        return this.picking({ kind: "modify_order", userId: 1, marketId: 0, orderId: 0, ...this.changes() });
      case "cancel":
        return this.picking({ kind: "cancel_order", userId: 1, marketId: 0, orderId: 0 });
      case "cancel_many":
        return { command: this.cancelMany() };
      case "stop":
        return { command: this.placeStop(this.order()) };
      case "modify_stop": {
        const trigger = random.chance(60) ? this.price() : undefined;
        return this.picking({
          kind: "modify_stop_order",
          userId: 1,
          marketId: 0,
          stopId: 0,
          ...this.changes(),
          trigger,
        });
      }
      case "cancel_stop":
        return this.picking({ kind: "cancel_stop_order", userId: 1, marketId: 0, stopId: 0 });
      case "tick":
        return { command: { kind: "tick" } };
      case "index":
        return { command: this.indexPrices() };
      case "deposit":
        return { command: this.deposit() };
      case "user":
        return { command: this.changeUser() };
      case "market":
        return { command: this.changeMarket() };
      case "status":
        return { command: this.changeStatus() };
      case "auction":
        return { command: this.auction() };
      case "maintenance":
        return this.maintenance();
      case "blind":
        return { command: this.blind() };
    }
  }

  private picking(command: Command): Omit<Step, "waitMs"> {
    return { command, pick: this.random.whole(0, 9_999) };
  }

  private userId(): number {
    const { users, first } = this.settings;
    return this.random.chance(first) ? 1 : this.random.whole(1, users);
  }

  private marketId(): number {
    return this.random.chance(60) ? 0 : this.random.whole(0, this.settings.markets - 1);
  }

  private marketName(): string {
    const [base, quote] = MARKETS[this.marketId()] as (typeof MARKETS)[number];
    return base + quote;
  }

  private order() {
    const { random, settings } = this;
    return {
      userId: this.userId(),
      marketId: this.marketId(),
      account: "spot",
      side: random.pick(["buy", "sell"] as const),
      hidden: random.chance(settings.hidden),
      stpMode: random.chance(settings.stp) ? random.pick(STP_MODES) : "none",
      clientId: random.pick(CLIENT_IDS),
    } as const;
  }

  private limit(side: Side) {
    const type = this.random.chance(60) ? "limit" : this.random.pick(ORDER_TYPES.filter((name) => name !== "market"));
    return { type, amountIn: "base", amount: this.amount(), price: this.price(side) } as const;
  }

  private market() {
    const { random, settings } = this;
    const lots = this.amount();
    if (random.chance(50)) return { type: "market", amountIn: "base", amount: lots, price: 0n } as const;
    const { scale, amountPrecision, pricePrecision } = settings;
    const units = lots * BigInt(settings.middle) * 10n ** BigInt(scale - amountPrecision - pricePrecision);
    const budget = lots < 0n ? lots : units + BigInt(random.whole(0, 20));
    const amount = budget > TOO_LARGE ? TOO_LARGE : budget;
    return { type: "market", amountIn: "quote", amount, price: 0n } as const;
  }

  private stopWish(side: Side) {
    const wish = this.random.chance(30) ? this.market() : this.limit(side);
    return { ...wish, trigger: this.price() };
  }

  private changes() {
    const { random } = this;
    return {
      amount: random.chance(55) ? this.amount() : undefined,
      price: random.chance(55) ? this.price() : undefined,
    };
  }

  private place(order: ReturnType<StepMaker["order"]>): PlaceOrder {
    return { kind: "place_order", ...order, ...this.limit(order.side) };
  }

  private placeStop(order: ReturnType<StepMaker["order"]>): PlaceStopOrder {
    return { kind: "place_stop_order", ...order, ...this.stopWish(order.side) };
  }

  private price(side?: Side): bigint {
    const { random, settings } = this;
    if (random.chance(settings.odd)) return this.oddNumber();
    // There and back again, so that prices rise and fall in every run.
    const swing = this.progress < 0.5 ? this.progress * 2 : 2 - this.progress * 2;
    const middle = settings.middle + Math.round(settings.wander * swing);
    const away = random.whole(-settings.reach, settings.reach);
    const isApart = side !== undefined && random.chance(settings.apart);
    const price = BigInt(middle + (isApart ? (side === "buy" ? -Math.abs(away) - 1 : Math.abs(away)) : away));
    return price > 0n ? price : 1n;
  }

  private amount(): bigint {
    const { random, settings } = this;
    if (random.chance(settings.odd)) return this.oddNumber();
    const [from, to] = settings.amounts;
    return from + (((BigInt(random.next()) << 20n) + BigInt(random.whole(0, 2 ** 20 - 1))) % (to - from + 1n));
  }

  private oddNumber(): bigint {
    const { minAmount, maxAmount, maxPrice } = this.settings;
    return this.random.pick([
      OFF_GRID,
      0n,
      1n,
      minAmount - 1n,
      maxAmount,
      maxAmount + 1n,
      maxPrice,
      maxPrice + 1n,
      TOO_LARGE,
    ]);
  }

  private cancelMany(): Command {
    const { random } = this;
    const userId = this.userId();
    const marketId = random.chance(70) ? this.marketId() : undefined;
    const clientId = random.pick(["", "a", "a", "a-second-client-id-of-32-letters"]);
    if (random.chance(40)) {
      const side = random.pick([undefined, "buy", "sell"] as const);
      return { kind: "cancel_all_orders", userId, marketId: marketId ?? 0, account: "spot", side };
    }
    const kind = random.pick(["cancel_by_client_id", "cancel_stop_by_client_id"] as const);
    return { kind, userId, marketId, account: "spot", clientId };
  }

  private indexPrices(): Command {
    const { random, settings } = this;
    const count = random.whole(1, 4);
    const sources = Array.from({ length: count }, (_, at) => {
      const price = random.chance(15) ? this.price() * 2n : this.price();
      const ticks = price <= 0n || price > settings.maxPrice ? BigInt(settings.middle) : price;
      const text = `${formatDecimal(ticks, settings.pricePrecision)}${settings.pricePrecision > 0 ? "5" : ""}`;
      const weight = random.pick([undefined, undefined, "0.3", "0.00000001"]);
      return { exchange: `s${at}`, price: text, weight };
    });
    return { kind: "set_index_prices", market: this.marketName(), sources };
  }

  private deposit(): Command {
    const { random, settings } = this;
    const few = formatDecimal(settings.funds / 10n, settings.scale);
    const amount = random.pick([few, few, "0", "9223372036854775807", "0.0000000000001"]);
    const ccy = random.pick(ASSETS);
    if (random.chance(30)) {
      const cell = random.pick([undefined, undefined, "sys:fee", "sys:ins_futures", "sys:interest"]);
      const signed = random.chance(60) ? `-${amount}` : amount;
      return {
        kind: "adjust_balance",
        userId: this.userId(),
        cell,
        ccy,
        amount: signed,
        note: random.pick(["why", ""]),
      };
    }
    if (random.chance(20))
      return { kind: "deposit", cell: random.pick(["sys:ins_futures", "sys:fee"]), ccy, amount, note: "" };
    return { kind: "deposit", userId: this.userId(), ccy, amount, note: "" };
  }

  private changeUser(): Command {
    const { random } = this;
    if (random.chance(10))
      return { kind: "create_user", name: `user ${random.whole(1, 20)}`, mainUserId: random.pick([undefined, 1, 99]) };
    if (random.chance(20)) return this.feeLevel();
    if (random.chance(15)) return this.feeDeduction();
    const rate = () => random.pick([undefined, undefined, null, ...RATES, "1", "x"]);
    const tradeBarred = random.pick([undefined, false, false, random.chance(20)]);
    const frozen = random.pick([undefined, false, false, random.chance(20)]);
    return {
      kind: "change_user",
      userId: this.userId(),
      frozen,
      tradeBarred,
      makerFeeRate: rate(),
      takerFeeRate: rate(),
      feeLevel: random.pick([undefined, undefined, null, ...LEVELS]),
      feeDeduction: random.pick([undefined, true, random.chance(60)]),
    };
  }

  private feeLevel(): Command {
    const { random } = this;
    const level = random.pick(LEVELS);
    if (random.chance(20)) return { kind: "delete_fee_level", level };
    const rate = () => random.pick([...RATES, "1"]);
    return { kind: "set_fee_level", level, makerFeeRate: rate(), takerFeeRate: rate() };
  }

  private feeDeduction(): Command {
    const { random } = this;
    const ccy = random.pick([undefined, ...ASSETS, null, "NONE"]);
    return { kind: "set_fee_deduction", ccy, discountRate: random.pick([undefined, "0.2", ...RATES, "1"]) };
  }

  private changeMarket(): Command {
    const { random, settings } = this;
    const market = this.marketName();
    const rate = () => random.pick([undefined, undefined, ...RATES, "1"]);
    switch (random.whole(0, 3)) {
      case 0:
        return { kind: "change_market", market, makerFeeRate: rate(), takerFeeRate: rate() };
      case 1: {
        const bound = (lots: bigint) => formatDecimal(lots, settings.amountPrecision);
        const maxAmount = random.pick([
          settings.maxAmount,
          settings.maxAmount,
          settings.amounts[1],
          settings.minAmount,
          0n,
        ]);
        const minAmount = random.pick([settings.minAmount, 1n]);
        return { kind: "change_market", market, minAmount: bound(minAmount), maxAmount: bound(maxAmount) };
      }
      case 2: {
        const maxPrice = random.pick([settings.maxPrice, settings.maxPrice, BigInt(settings.middle), 1n]);
        return { kind: "change_market", market, maxPrice: formatDecimal(maxPrice, settings.pricePrecision) };
      }
      default: {
        const names = random.pick([[], ["s0"], ["s0", "s1"], ["s0", "s0"], ["s1", "s2", "s3"]]);
        const indexSources = names.map((exchange) => ({ exchange, weight: random.pick(["1", "0.5", "0.00000001"]) }));
        return { kind: "change_market", market, indexSources };
      }
    }
  }

  /** What stops trading is undone more often than it is done. */
  private changeStatus(): Command {
    const { random, settings } = this;
    const market = this.marketName();
    switch (random.whole(0, 5)) {
      case 0:
        return { kind: "change_market", market, suspended: random.chance(30), apiTradingAvailable: !random.chance(20) };
      case 1:
        return { kind: "set_cancel_only", cancelOnly: random.chance(15), reason: "" };
      case 2:
        return { kind: "change_market", market, delistedAt: random.chance(30) ? random.pick(settings.waits) : 0 };
      case 3:
        return { kind: "change_market", market, onlineAt: random.pick([0, 1_000, 5_000]) };
      default: {
        const at = this.marketId();
        return { ...listing(settings, at), onlineAt: random.pick([undefined, ...settings.waits]) };
      }
    }
  }

  /** A market leaves and comes back with an auction, the times of which change now and then. */
  private auction(): Command {
    const { random, settings } = this;
    const at = this.marketId();
    const market = this.marketName();
    const long = random.pick([1, settings.auctionMs >> 1, settings.auctionMs]);
    const what = random.whole(1, 12);
    if (what < 2) return { kind: "change_market", market, delistedAt: random.pick([-1, long]) };
    if (what === 2) return { kind: "change_market", market, onlineAt: random.pick([-1, 1, long]) };
    if (what === 3) return { kind: "change_market", market, noCancelAt: random.pick([0, -1, 1, long]) };
    if (what === 4) return { kind: "change_market", market, biddingAt: random.pick([0, 1, long]) };
    const biddingAt = random.pick([-5, 1, long]);
    const onlineAt = biddingAt + random.pick([1, settings.auctionMs, 2 * settings.auctionMs]);
    const noCancelAt = random.pick([0, 0, biddingAt, (biddingAt + onlineAt) >> 1, onlineAt]);
    return { ...listing(settings, at), biddingAt, noCancelAt, onlineAt };
  }

  private maintenance(): Omit<Step, "waitMs"> {
    const { random, settings } = this;
    if (random.chance(50)) return this.picking({ kind: "cancel_maintenance", maintenanceId: 0 });
    const scope = random.pick<MaintenanceScope[]>([["SPOT"], ["ALL_SITE"], ["FUTURES"], ["SPOT", "FUTURES"], []]);
    const long = random.pick(settings.waits);
    const startedAt = random.pick([0, 1, -1_000, long]);
    const endedAt = startedAt + random.pick([1, long, 2 * long]);
    const protects = random.chance(50);
    const protectDurationStart = protects ? random.pick([endedAt, startedAt, -500]) || 1 : 0;
    const protectDurationEnd = protects ? protectDurationStart + random.pick([long, 2_000]) || 1 : 0;
    const rest = { announceUrl: "", announceEnabled: random.chance(5) };
    const window = { scope, startedAt, endedAt, protectDurationStart, protectDurationEnd, ...rest };
    return { command: { kind: "plan_maintenance", ...window } };
  }

  /** Commands that name what may not be theirs or not be there at all. */
  private blind(): Command {
    const { random } = this;
    const userId = this.userId();
    const marketId = random.pick([this.marketId(), 99]);
    const id = random.whole(0, 60);
    const account = random.pick([undefined, "spot", "margin"] as const);
    switch (random.whole(0, 9)) {
      case 0:
        return { kind: "cancel_order", userId, marketId, orderId: id, account };
      case 8:
        return { kind: "list_asset", ccy: random.pick(["BTC", "btc", "NEW"]), scale: random.pick([8, 18, 19]) };
      case 9:
        return this.oddListing();
      case 1:
        return { kind: "modify_order", userId, marketId, orderId: id, account, ...this.changes() };
      case 2:
        return { kind: "cancel_stop_order", userId, marketId, stopId: id, account };
      case 3:
        return { kind: "modify_stop_order", userId, marketId, stopId: id, account, ...this.changes() };
      case 4:
        return { ...this.place(this.order()), account: account ?? "margin", marketId };
      case 5:
        return { ...this.placeStop(this.order()), account: account ?? "margin", marketId };
      case 6:
        return { kind: "cancel_all_orders", userId, marketId, account: account ?? "spot" };
      default:
        return { kind: "cancel_by_client_id", userId, marketId, account: account ?? "spot", clientId: "a" };
    }
  }

  /** A listing of which one thing or another may be wrong. */
  private oddListing(): Command {
    const { random, settings } = this;
    return {
      ...listing(settings, this.marketId()),
      market: random.pick(["NEWUSDT", "newusdt", "BTCUSDT"]),
      quoteCcy: random.pick(["USDT", "BTC", "NONE"]),
      amountPrecision: random.pick([settings.amountPrecision, settings.amountPrecision, settings.scale + 1, 19]),
      minAmount: random.pick(["1", "0", "1000000000000", "x"]),
      maxPrice: random.pick([undefined, "1", "9007199254740992", "0"]),
      takerFeeRate: random.pick(["0.002", "0.002", "1"]),
    };
  }
}
