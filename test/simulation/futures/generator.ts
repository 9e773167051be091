/** Makes up what happens in a simulated venue of spot and futures. Each step hangs on its own number alone. */
import {
  type Command,
  OFF_GRID,
  ORDER_TYPES,
  type PositionSide,
  type Side,
  STP_MODES,
  TOO_LARGE,
  TRIGGER_TYPES,
} from "../../../src/engine/command.ts";
import type { MaintenanceScope } from "../../../src/engine/maintenance/command-schemas.ts";
import { formatDecimal } from "../../../src/engine/money/decimal.ts";
import type { Leg } from "../../../src/engine/stops/command-schemas.ts";
import { Random } from "../random.ts";
import {
  CCYS,
  FUTURES,
  type FuturesAction,
  futuresListing,
  indexOf,
  SPOT,
  spotListing,
  type World,
  wealthOf,
  worldOf,
} from "./settings.ts";
import type { FuturesStep } from "./step.ts";

type Action = Omit<FuturesStep, "waitMs">;

/** The steps of a seed: those that make the venue, then `count` that happen in it. */
export function futuresSteps(seed: number, count: number): FuturesStep[] {
  const world = worldOf(seed);
  const random = new Random(seed);
  const steps = setup(world);
  for (let at = 0; at < count; at++) steps.push(...fedStep(world, random.next()));
  return steps;
}

const STALE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * A step from its number. When it waits for so long that indexes get stale, they are mostly back by then: each market
 * is told of twice, five seconds apart. After hours there are sometimes minutes of it, enough of which make a premium
 * that funding is paid for.
 */
export function fedStep(world: World, number: number): FuturesStep[] {
  const step = futuresStep(world, number);
  const random = new Random(number ^ 0xfeed);
  if (step.waitMs <= STALE_MS || random.chance(20)) return [step];
  const tellAll = (waitMs: number) =>
    FUTURES.slice(0, world.futures).map((market, at) => {
      const command = indexOf(world, market, random.whole(-world.drift, world.drift));
      return { waitMs: at === 0 ? waitMs : 0, command };
    });
  const minutes = step.waitMs >= HOUR_MS ? random.pick([1, 20, 60]) : 0;
  // A premium is sampled at ticks, of what has rested until then.
  const tick = { waitMs: STALE_MS / 2, command: { kind: "tick" } as const };
  const sampled = Array.from({ length: minutes }, () => [...tellAll(STALE_MS / 2), tick]).flat();
  return [...tellAll(step.waitMs - 5_000), ...tellAll(5_000), ...sampled, { ...step, waitMs: 0 }];
}

/** The steps that list, fund and choose modes. */
export function setup(world: World): FuturesStep[] {
  const { scale, users } = world;
  const random = new Random(world.seed ^ 0xbe9);
  const actions: Action[] = CCYS.map((ccy) => ({ command: { kind: "list_asset", ccy, scale } }));
  const tell = (command: Command) => actions.push({ command });
  tell(spotListing(world));
  for (const market of FUTURES.slice(0, world.futures)) {
    tell(futuresListing(world, market));
    tell(indexOf(world, market, 0));
  }
  for (let userId = 1; userId <= users; userId++) {
    tell({ kind: "create_user", name: `user ${userId}` });
    for (const ccy of ["USDT", "BTC"]) {
      const amount = formatDecimal(wealthOf(world, ccy) + 1n, scale);
      tell({ kind: "deposit", userId, ccy, amount, note: "" });
      tell({ kind: "deposit", userId, ccy, amount, note: "" });
      if (ccy === "USDT" || world.futures > 1) {
        tell({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy, amount });
      }
    }
    const positionMode = random.chance(world.hedge) ? "hedge" : "one_way";
    tell({ kind: "change_futures_settings", userId, positionMode, settleSwitch: !random.chance(world.settleOff) });
    for (let at = 1; at <= world.futures; at++) actions.push({ command: leverage(world, random, userId, at) });
  }
  for (const ccy of ["USDT", "BTC"]) {
    const amount = formatDecimal(wealthOf(world, ccy, world.fund) + 1n, scale);
    tell({ kind: "deposit", cell: "sys:ins_futures", ccy, amount, note: "" });
  }
  return actions.map((action) => ({ waitMs: 0, ...action }));
}

function leverage(world: World, random: Random, userId: number, marketId: number): Command {
  const marginMode = random.chance(world.isolated) ? "isolated" : "cross";
  return { kind: "set_leverage", userId, marketId, marginMode, leverage: random.pick(world.leverages) };
}

/** A step from its number. */
export function futuresStep(world: World, number: number): FuturesStep {
  const random = new Random(number);
  const waitMs = random.chance(world.waitPercent) ? random.pick(world.waits) : 0;
  return { waitMs, ...new Maker(world, random).make(random.weighted(world.mix)) };
}

class Maker {
  private readonly world: World;
  private readonly random: Random;

  constructor(world: World, random: Random) {
    this.world = world;
    this.random = random;
  }

  make(action: FuturesAction): Action {
    const { random, world } = this;
    switch (action) {
      case "order":
        return this.order();
      case "market_order":
        return this.order("market");
      case "close":
        return this.close();
      case "modify":
        return this.picked({ kind: "modify_order", userId: 0, marketId: 0, orderId: 0, ...this.changes() }, true);
      case "cancel":
        return this.picked({ kind: "cancel_order", userId: 0, marketId: 0, orderId: 0 });
      case "cancel_many":
        return this.cancelMany();
      case "stop":
        return this.stop();
      case "modify_stop": {
        const trigger = random.chance(60) ? this.away() : undefined;
        const changes = { ...this.changes(), trigger };
        return this.picked({ kind: "modify_stop_order", userId: 0, marketId: 0, stopId: 0, ...changes }, true);
      }
      case "cancel_stop":
        return this.picked({ kind: "cancel_stop_order", userId: 0, marketId: 0, stopId: 0 });
      case "conditional":
        return this.conditional();
      case "cancel_group":
        return { command: { kind: "cancel_group", userId: this.userId(), groupId: random.whole(1, 30) } };
      case "protection":
        return this.protection();
      case "mass_quote":
        return this.massQuote();
      case "index": {
        const reach = random.chance(25) ? world.jump : world.drift;
        return { command: indexOf(world, this.name(), random.whole(-reach, reach), random.pick([1, 1, 2, 3])) };
      }
      case "stale":
        return { command: { kind: "tick" }, passMs: random.pick([66_000, 90_000]) };
      case "tick":
        return { command: { kind: "tick" }, passMs: random.pick([0, 1_000, 2_000]) };
      case "exit":
        return this.exit();
      case "transfer":
        return this.transfer();
      case "leverage":
        return { command: leverage(world, random, this.userId(), this.marketId()) };
      case "margin":
        return this.margin();
      case "mode":
        return this.mode();
      case "fund":
        return this.fund();
      case "spot_order":
        return this.spotOrder();
      case "deposit":
        return this.deposit();
      case "user":
        return this.user();
      case "market":
        return this.market();
      case "status":
        return this.status();
      case "maintenance":
        return this.maintenance();
    }
  }

  private picked(command: Command, near = false): Action {
    return { command, pick: this.random.whole(0, 9_999), ...(near ? { near } : {}) };
  }

  private userId(): number {
    return this.random.whole(1, this.world.users);
  }

  /** Place in the list of markets, of which the first is spot. */
  private marketId(): number {
    return this.random.chance(50) ? 1 : this.random.whole(1, this.world.futures);
  }

  private name(): string {
    return FUTURES[this.marketId() - 1] as string;
  }

  private side(): PositionSide {
    return this.random.pick(["long", "short"] as const);
  }

  /** Ticks from the index. */
  private away(): bigint {
    const { random, world } = this;
    if (random.chance(world.odd)) return random.pick([-1_000_000n, 1_000_000n, BigInt(-world.middle >> 3), 1n]);
    return BigInt(random.whole(-world.reach, world.reach) + world.lean) * BigInt(random.chance(5) ? 3 : 1);
  }

  private lots(): bigint {
    const { random, world } = this;
    if (random.chance(world.odd)) return random.pick([OFF_GRID, 0n, 1n, BigInt(world.bounds[2]) + 1n, TOO_LARGE]);
    return BigInt(random.chance(5) ? random.whole(1, world.bounds[1]) : random.whole(2, world.lots));
  }

  /** A trail, an iceberg, a pair or a bracket; prices as ticks from the index, amounts as lots. */
  private conditional(): Action {
    const { random } = this;
    const { marketId, userId, ...traits } = this.terms();
    const price = () => String(this.away());
    const amount = String(this.lots());
    const market = (side: Side): Leg => ({ ...traits, side, type: "market", amount, reduces: random.chance(70) });
    const triggerType = random.pick(TRIGGER_TYPES);
    const stop = (side: Side): Leg => ({ ...market(side), trigger: price(), triggerType });
    const trail = (side: Side): Leg => ({
      ...market(side),
      triggerType,
      ...(random.chance(50) ? { trail: String(random.whole(1, 40)) } : { trailRate: random.pick(["0.001", "0.02"]) }),
      ...(random.chance(30) ? { activation: price() } : {}),
    });
    const limit = (side: Side): Leg => {
      const lots = this.lots();
      const part = lots / BigInt(random.whole(2, 21));
      const isIceberg = random.chance(60) && lots > 1n;
      const type = random.pick(["limit", "limit", "maker_only", "ioc"]);
      const shown = isIceberg ? { display: String(part), hidden: random.chance(5) } : {};
      return { ...traits, side, type, amount: String(lots), price: price(), reduces: random.chance(20), ...shown };
    };
    const side = random.pick(["buy", "sell"] as const);
    const other = side === "buy" ? "sell" : "buy";
    const [shape, legs] = random.pick([
      ["single", [trail(side)]],
      ["single", [limit(side)]],
      ["single", [{ ...limit(side), trigger: price() }]],
      ["oco", [limit(side), random.chance(50) ? stop(side) : trail(side)]],
      ["oco", [stop(side), trail(other)]],
      ["bracket", [random.chance(30) ? market(side) : limit(side), stop(other), random.pick([stop, trail])(other)]],
    ] as const);
    const command = {
      kind: "place_conditional",
      userId,
      marketId,
      account: "futures",
      shape,
      legs: [...legs],
    } as const;
    return { command, near: true, side: this.side() };
  }

  private protection(): Action {
    const { random } = this;
    const of = { userId: this.userId(), marketId: this.marketId() };
    if (random.chance(40)) return { command: { kind: "reset_protection", ...of } };
    const windowMs = random.pick([0, 100, 5_000, 60_000]);
    const limits = random.pick([{ fills: 1 }, { fills: 3 }, { amount: "20" }, { delta: "9", fills: 50 }]);
    return { command: { kind: "set_protection", ...of, windowMs, ...limits }, near: true };
  }

  private massQuote(): Action {
    const { random, world } = this;
    const markets = Array.from({ length: random.pick([1, 1, 2]) }, () => this.marketId());
    const quotes = markets.flatMap((marketId) =>
      Array.from({ length: random.pick([0, 1, 2, 5]) + 1 }, (_, level) => {
        const away = () => BigInt(random.whole(1, world.reach) + level);
        const amount = () => String(this.lots());
        const bid = { bidPrice: String(-away()), bidAmount: amount() };
        const ask = { askPrice: String(away()), askAmount: amount() };
        return { marketId, ...random.pick([bid, ask, { ...bid, ...ask }, { ...bid, ...ask }]) };
      }),
    );
    const named = random.chance(10) ? markets.map((marketId) => ({ marketId })) : quotes;
    return { command: { kind: "mass_quote", userId: this.userId(), quotes: named }, near: true };
  }

  private changes() {
    const { random } = this;
    return {
      amount: random.chance(55) ? this.lots() : undefined,
      price: random.chance(55) ? this.away() : undefined,
    };
  }

  private terms() {
    const { random, world } = this;
    return {
      userId: this.userId(),
      marketId: this.marketId(),
      hidden: random.chance(world.hidden),
      stpMode: random.chance(world.stp) ? random.pick(STP_MODES) : "none",
      clientId: random.pick(["", "", "a"]),
    } as const;
  }

  private type(type?: "market") {
    return type ?? (this.random.chance(70) ? "limit" : this.random.pick(ORDER_TYPES));
  }

  private order(wanted?: "market"): Action {
    const { random } = this;
    const type = this.type(wanted);
    const side = random.pick(["buy", "sell"] as const);
    const rest = { side, type, amountIn: "base", amount: this.lots(), price: this.away() } as const;
    const command = { kind: "place_order", account: "futures", ...this.terms(), ...rest } as const;
    return { command, near: true, side: this.side() };
  }

  private close(): Action {
    const { random } = this;
    const type = this.type(random.chance(60) ? "market" : undefined);
    const amount = random.chance(50) ? undefined : this.lots();
    const command = { kind: "close_position", ...this.terms(), type, price: this.away(), amount } as const;
    return { command, near: true, side: this.side(), pick: random.whole(0, 9_999) };
  }

  private stop(): Action {
    const { random } = this;
    const { command, ...rest } = this.order(random.chance(50) ? "market" : undefined);
    const stop = {
      ...command,
      kind: "place_stop_order",
      trigger: this.away(),
      triggerType: random.pick(TRIGGER_TYPES),
    };
    return { command: stop as unknown as Command, ...rest };
  }

  /** Prices count from the index and become decimals, as amounts do, when the step's turn comes. */
  private exit(): Action {
    const { random } = this;
    const exit = random.pick(["take_profit", "stop_loss"] as const);
    const named = { userId: 0, marketId: 0, exit } as const;
    const triggerType = random.pick(["latest_price", "mark_price"] as const);
    const price = this.away() * 2n;
    const amount = random.chance(50) ? undefined : this.lots();
    const kind = random.pick(["set_exit", "set_exit", "set_exit", "modify_exit", "cancel_exits"] as const);
    const exitId = kind === "cancel_exits" && random.chance(30) ? undefined : 0;
    const command = kind === "set_exit" ? { triggerType, price, amount } : { exitId, price, amount };
    return this.picked({ kind, ...named, ...command } as unknown as Command, true);
  }

  private cancelMany(): Action {
    const { random } = this;
    const userId = this.userId();
    const marketId = this.marketId();
    if (random.chance(50)) return { command: { kind: "cancel_all_orders", userId, marketId, account: "futures" } };
    const kind = random.pick(["cancel_by_client_id", "cancel_stop_by_client_id"] as const);
    return { command: { kind, userId, marketId, account: "futures", clientId: "a" } };
  }

  /** A share of what somebody begins with, in units. */
  private units(ccy: string): bigint {
    return (wealthOf(this.world, ccy) * BigInt(this.random.pick([1, 10, 50, 100, 150]))) / 100n + 1n;
  }

  private transfer(): Action {
    const { random, world } = this;
    const ccy = random.pick(["USDT", "USDT", "BTC"]);
    const [from, to] = random.chance(50) ? ["SPOT", "FUTURES"] : ["FUTURES", "SPOT"];
    const amount = formatDecimal(this.units(ccy), world.scale);
    const command = { kind: "transfer", userId: this.userId(), from: from as string, to: to as string, ccy, amount };
    return random.chance(30) ? { command: command as Command, all: true } : { command: command as Command };
  }

  private margin(): Action {
    const { random, world } = this;
    const marketId = this.marketId();
    const units = this.units(marketId === 2 ? "BTC" : "USDT") / BigInt(random.pick([5, 20, 100])) + 1n;
    const amount = `${random.chance(50) ? "-" : ""}${formatDecimal(units, world.scale)}`;
    const command = { kind: "adjust_margin", userId: this.userId(), marketId, amount } as const;
    return { command, side: this.side(), pick: random.whole(0, 9_999) };
  }

  private mode(): Action {
    const { random, world } = this;
    const positionMode = random.chance(world.hedge) ? "hedge" : "one_way";
    if (random.chance(50)) {
      return { command: { kind: "change_futures_settings", userId: this.userId(), positionMode } };
    }
    const settleSwitch = !random.chance(world.settleOff);
    return { command: { kind: "change_futures_settings", userId: this.userId(), settleSwitch } };
  }

  private fund(): Action {
    const { random, world } = this;
    const ccy = random.pick(["USDT", "BTC"]);
    const amount = formatDecimal(wealthOf(world, ccy, random.pick([1, 10])) + 1n, world.scale);
    return { command: { kind: "deposit", cell: "sys:ins_futures", ccy, amount, note: "" } };
  }

  private spotOrder(): Action {
    const { random } = this;
    const type = random.chance(70) ? "limit" : random.pick(["maker_only", "ioc"] as const);
    const side = random.pick(["buy", "sell"] as const);
    const rest = { side, type, amountIn: "base", amount: this.lots(), price: this.away() } as const;
    const command = { kind: "place_order", account: "spot", ...this.terms(), marketId: 0, ...rest } as const;
    return { command, near: true };
  }

  private deposit(): Action {
    const { random, world } = this;
    const ccy = random.pick(["USDT", "BTC"]);
    const amount = formatDecimal(this.units(ccy), world.scale);
    const userId = this.userId();
    if (random.chance(60)) return { command: { kind: "deposit", userId, ccy, amount, note: "" } };
    const cell = random.pick([undefined, "sys:ins_futures", "sys:fee"]);
    const signed = random.chance(50) ? `-${amount}` : amount;
    return { command: { kind: "adjust_balance", userId, cell, ccy, amount: signed, note: "why" } };
  }

  private user(): Action {
    const { random } = this;
    const rate = () => random.pick([undefined, null, "0", "0.0004", "0.00000001", "0.01"]);
    const userId = this.userId();
    const kind = "change_user";
    if (random.chance(60)) return { command: { kind, userId, makerFeeRate: rate(), takerFeeRate: rate() } };
    return { command: { kind, userId, tradeBarred: random.chance(20), frozen: random.chance(10) } };
  }

  private market(): Action {
    const { random, world } = this;
    const market = this.name();
    const kind = "change_market";
    const marketType = "FUTURES";
    if (random.chance(20)) {
      const [hourRate, dayRate] = [random.pick(["0", "0.02", "0.5", "0.99"]), random.pick([undefined, "0.1", "0.99"])];
      return { command: { kind: "set_fund_budget", hourRate, dayRate } };
    }
    if (random.chance(50)) {
      const takerFeeRate = random.pick(["0.0005", "0.002", "0"]);
      return { command: { kind, market, marketType, makerFeeRate: "0.0003", takerFeeRate } };
    }
    const { levels = [] } = futuresListing(world, market);
    const maintenance = random.pick(["0.005", "0.01", "0.015"]);
    const changed = levels.map((level, at) => (at > 0 ? level : { ...level, maintenanceMarginRate: maintenance }));
    return { command: { kind, market, marketType, levels: changed } };
  }

  private status(): Action {
    const { random, world } = this;
    const market = this.name();
    const marketType = "FUTURES";
    switch (random.whole(0, 5)) {
      case 0:
        return { command: { kind: "change_market", market, marketType, suspended: random.chance(30) } };
      case 1:
        return { command: { kind: "set_cancel_only", cancelOnly: random.chance(10), reason: "" } };
      case 2: {
        const delistedAt = random.chance(30) ? random.pick(world.waits) : 0;
        return { command: { kind: "change_market", market, marketType, delistedAt } };
      }
      default:
        return { command: random.chance(50) ? futuresListing(world, market) : indexOf(world, market, 0) };
    }
  }

  private maintenance(): Action {
    const { random, world } = this;
    if (random.chance(50)) return { command: { kind: "cancel_maintenance", maintenanceId: 0 }, pick: 0 };
    const scope = random.pick<MaintenanceScope[]>([["FUTURES"], ["ALL_SITE"], ["SPOT"]]);
    const long = random.pick(world.waits);
    const startedAt = random.pick([1, long]);
    const endedAt = startedAt + long;
    const protects = random.chance(50);
    const protectDurationStart = protects ? endedAt : 0;
    const protectDurationEnd = protects ? endedAt + 2_000 : 0;
    const window = { scope, startedAt, endedAt, protectDurationStart, protectDurationEnd };
    return { command: { kind: "plan_maintenance", ...window, announceUrl: "", announceEnabled: false } };
  }
}

export { SPOT };
