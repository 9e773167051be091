/**
 * Workload W1: one book with 1,000 resting orders, then commands of which 9 % are new limit orders, 3 % ioc, 6 %
 * cancels and 82 % moves to a new price, from 1,000 users around a price that stays put. About 992 orders live on about
 * 736 levels, and about one command in nineteen trades. Seeded: the same seed gives the same list.
 */
import { type Command, encodeCommand } from "../src/engine/command.ts";
import { Engine } from "../src/engine/engine.ts";
import { decodeOrder } from "../src/engine/event.ts";
import { WordBuffer } from "../src/engine/words.ts";
import { xorshift } from "../test/support/xorshift.ts";

export const USERS = 1_000;
export const PRELOADED = 1_000;
/** New orders and cancels take turns so that about this many live; that makes 9 % of the one and 6 % of the other. */
const LIVE = 992;
const MID = 3_000_000;
/** How far from the middle prices reach to its own side, and how far beyond it: a few cross. */
const REACH = 720;
const BEYOND = 14;

/** The same action for books of other makers, which know neither users nor records. */
export interface BookAction {
  readonly kind: "limit" | "ioc" | "cancel" | "move";
  readonly id: number;
  readonly side: "buy" | "sell";
  readonly price: number;
  readonly lots: number;
}

export interface Workload {
  /** Records for the engine: first the preloaded orders, then the rest; `starts[i]` is the word of command i. */
  readonly records: WordBuffer;
  readonly starts: Int32Array;
  readonly actions: readonly BookAction[];
}

/** The commands that make a venue with one market and users that never run out of funds. */
export function setupCommands(users = USERS): Command[] {
  const setup: Command[] = [
    { kind: "list_asset", ccy: "BTC", scale: 8 },
    { kind: "list_asset", ccy: "USDT", scale: 8 },
    {
      kind: "list_market",
      market: "BTCUSDT",
      baseCcy: "BTC",
      quoteCcy: "USDT",
      amountPrecision: 6,
      pricePrecision: 2,
      minAmount: "0.000001",
      makerFeeRate: "0.001",
      takerFeeRate: "0.002",
    },
  ];
  for (let user = 1; user <= users; user++) {
    setup.push({ kind: "create_user", name: `user-${user}` });
    setup.push({ kind: "deposit", userId: user, ccy: "BTC", amount: "1000000", note: "bench" });
    setup.push({ kind: "deposit", userId: user, ccy: "USDT", amount: "10000000", note: "bench" });
  }
  return setup;
}

/** An engine after those commands, or after others that must be accepted. */
export function newVenue(setup: readonly Command[] = setupCommands()): Engine {
  const engine = new Engine();
  for (const command of setup) {
    const outcome = engine.execute(command, { seq: engine.state.seq + 1, timeMs: 1 });
    if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
  }
  engine.events.clear();
  return engine;
}

/** What a list of commands is made for; W1 unless told otherwise. */
export interface WorkloadShape {
  /** Makes the venue, with users 1 .. USERS and these many markets, of ids from 0. */
  readonly setup: readonly Command[];
  readonly markets: number;
  readonly account: "spot" | "futures";
  /** After so many commands the index of a market moves by a little; 0 = never. */
  readonly indexEvery: number;
}

/**
 * Lets this many stop orders of each user wait, half for a rise and half for a fall, a tick apart and all out of the
 * reach of the workload's prices. Nothing of them fires.
 */
export function placeStops(engine: Engine, stopsEach: number): void {
  for (let n = 0; n < USERS * stopsEach; n++) {
    const isRise = n % 2 === 0;
    const beyond = 10 * REACH + (n >> 1);
    const trigger = BigInt(isRise ? MID + beyond : MID - beyond);
    const outcome = engine.execute(
      {
        kind: "place_stop_order",
        userId: 1 + (n % USERS),
        marketId: 0,
        account: "spot",
        side: isRise ? "buy" : "sell",
        type: "limit",
        amountIn: "base",
        amount: 1n,
        price: trigger,
        trigger,
        hidden: false,
        stpMode: "none",
        clientId: "",
      },
      { seq: engine.state.seq + 1, timeMs: 1 },
    );
    if (outcome.refusal !== 0) throw new Error(`Stop order ${n} was refused.`);
    engine.events.clear();
  }
}

/** Makes the list by letting an engine run it, so that cancels and moves name orders that live. */
export function makeWorkload(commands: number, seed: number, shape: Partial<WorkloadShape> = {}): Workload {
  const { setup = setupCommands(), markets = 1, account = "spot", indexEvery = 0 } = shape;
  const random = xorshift(seed);
  const engine = newVenue(setup);
  const records = new WordBuffer((commands + PRELOADED) * 5);
  const starts = new Int32Array(commands + PRELOADED);
  const actions: BookAction[] = [];
  const live = new LiveOrders();

  for (let index = 0; index < commands + PRELOADED; index++) {
    const draw = random();
    const kind =
      index < PRELOADED
        ? "limit"
        : draw < 0.03
          ? "ioc"
          : draw < 0.18
            ? live.below(LIVE)
              ? "limit"
              : "cancel"
            : "move";
    const side = random() < 0.5 ? "buy" : "sell";
    const target = live.pick(random());
    const at = records.length;
    starts[index] = at;
    const marketId = markets === 1 ? 0 : Math.floor(random() * markets);
    if (indexEvery > 0 && index % indexEvery === indexEvery - 1) {
      const { name } = engine.state.markets[marketId] as { name: string };
      encodeCommand(records, indexPrice(name, account, MID + Math.floor(random() * REACH)));
    } else if (kind === "cancel" || kind === "move") {
      const order = target as LiveOrder;
      const price = priceFor(order.side, random(), false);
      encodeCommand(
        records,
        kind === "cancel"
          ? { kind: "cancel_order", userId: order.userId, marketId: order.marketId, orderId: order.id }
          : {
              kind: "modify_order",
              userId: order.userId,
              marketId: order.marketId,
              orderId: order.id,
              price: BigInt(price),
            },
      );
      actions.push({ kind, id: order.id, side: order.side, price, lots: 0 });
    } else {
      const lots = 1 + Math.floor(random() * 100);
      const price = priceFor(side, random(), kind === "ioc");
      encodeCommand(records, {
        kind: "place_order",
        userId: 1 + Math.floor(random() * USERS),
        marketId,
        account,
        side,
        type: kind,
        amountIn: "base",
        amount: BigInt(lots),
        price: BigInt(price),
        hidden: false,
        stpMode: "none",
        clientId: "",
      });
      actions.push({ kind, id: engine.state.nextOrderId, side, price, lots });
    }
    const outcome = engine.apply(records, at, engine.state.seq + 1, 1);
    if (outcome.refusal !== 0) throw new Error(`The workload's command ${index} was refused.`);
    live.follow(engine, outcome.from, outcome.to);
    engine.events.clear();
  }
  return { records, starts, actions };
}

/** The one of many orders that rest spread over 20,000 prices on each side of the middle: an even `index` buys. */
export function spreadOrder(userId: number, index: number): Command {
  const side = index % 2 === 0 ? "buy" : "sell";
  const offset = 1 + ((index * 7_919) % 20_000);
  return {
    kind: "place_order",
    userId,
    marketId: 0,
    account: "spot",
    side,
    type: "limit",
    amountIn: "base",
    amount: BigInt(1 + (index % 100)),
    price: BigInt(side === "buy" ? 3_000_000 - offset : 3_000_000 + offset),
    hidden: false,
    stpMode: "none",
    clientId: "",
  };
}

/** The index of a market, in ticks of two decimals, as one source says it. */
export function indexPrice(market: string, account: "spot" | "futures", ticks: number): Command {
  const price = `${Math.floor(ticks / 100)}.${String(ticks % 100).padStart(2, "0")}`;
  const marketType = account === "spot" ? "SPOT" : "FUTURES";
  return { kind: "set_index_prices", market, marketType, sources: [{ exchange: "one", price }] };
}

function priceFor(side: "buy" | "sell", draw: number, crossing: boolean): number {
  const offset = crossing ? -REACH : Math.floor(draw * (REACH + BEYOND)) - BEYOND + 1;
  return side === "buy" ? MID - offset : MID + offset;
}

interface LiveOrder {
  readonly id: number;
  readonly userId: number;
  readonly marketId: number;
  readonly side: "buy" | "sell";
}

/** The orders that rest, to pick from at random. */
class LiveOrders {
  private readonly list: LiveOrder[] = [];
  private readonly at = new Map<number, number>();

  below(count: number): boolean {
    return this.list.length < count;
  }

  pick(draw: number): LiveOrder | undefined {
    return this.list[Math.floor(draw * this.list.length)];
  }

  /** Reads order events: 2 is their kind, see event.ts. */
  follow(engine: Engine, from: number, to: number): void {
    const { events } = engine;
    for (let at = from; at < to; at += (events.i32[at * 2] as number) >>> 8) {
      if (((events.i32[at * 2] as number) & 255) !== 2) continue;
      const order = decodeOrder(events, at);
      if (order.status === "open" || order.status === "part_filled") this.enter(order);
      else this.leave(order.orderId);
    }
  }

  private enter(order: Omit<LiveOrder, "id"> & { readonly orderId: number }): void {
    if (this.at.has(order.orderId)) return;
    this.at.set(order.orderId, this.list.length);
    const { orderId: id, userId, marketId, side } = order;
    this.list.push({ id, userId, marketId, side });
  }

  private leave(id: number): void {
    const at = this.at.get(id);
    if (at === undefined) return;
    const last = this.list.pop() as LiveOrder;
    if (last.id !== id) {
      this.list[at] = last;
      this.at.set(last.id, at);
    }
    this.at.delete(id);
  }
}
