/**
 * Markets on which much happens, for benches of what their watchers are sent: one account quotes 200 levels a side and
 * moves its orders, another deals with the best of them. Seeded: the same seed gives the same orders.
 */
import type { Command, Side } from "../src/engine/command.ts";
import { Engine } from "../src/engine/engine.ts";
import { refusalOf } from "../src/engine/refusal.ts";
import { Feeds } from "../src/feeds/feeds.ts";
import { NO_BACKFILL } from "../test/support/no-backfill.ts";
import { xorshift } from "../test/support/xorshift.ts";

export const MARKETS = ["BTCUSDT", "ETHUSDT", "LTCUSDT"] as const;

const MAKER = 1;
const TAKER = 2;
const LEVELS = 200;
const MID = 3_000_000;
/** How far from the middle orders may stand. */
const REACH = 400;
/** So large that no deal of a bench uses an order up. */
const LOTS = 1_000_000;
const DEAL_LOTS_MAX = 100;

/** An engine whose events go to feeds group by group, as in a venue, without a log and without history. */
export class BusyVenue {
  readonly engine: Engine;
  readonly feeds: Feeds;
  readonly #random: () => number;
  /** Orders of the maker by market. */
  readonly #orders: { readonly id: number; readonly side: Side }[][] = [];

  static async start(seed: number): Promise<BusyVenue> {
    const engine = new Engine();
    const apply = (command: Command) => execute(engine, command);
    apply({ kind: "list_asset", ccy: "USDT", scale: 8 });
    apply({ kind: "create_user", name: "maker" });
    apply({ kind: "create_user", name: "taker" });
    for (const userId of [MAKER, TAKER]) apply(deposit(userId, "USDT"));
    for (const market of MARKETS) {
      const ccy = market.slice(0, 3);
      apply({ kind: "list_asset", ccy, scale: 8 });
      for (const userId of [MAKER, TAKER]) apply(deposit(userId, ccy));
      apply(listing(market, ccy));
    }
    engine.events.clear();
    const feeds = await Feeds.start(engine.state, NO_BACKFILL, 0);
    return new BusyVenue(engine, feeds, seed);
  }

  private constructor(engine: Engine, feeds: Feeds, seed: number) {
    this.engine = engine;
    this.feeds = feeds;
    this.#random = xorshift(seed);
    MARKETS.forEach((_, marketId) => {
      const orders = Array.from({ length: 2 * LEVELS }, (_, index) => {
        const side = index % 2 === 0 ? "buy" : "sell";
        const id = engine.state.nextOrderId;
        this.#place(MAKER, marketId, side, "limit", LOTS + this.#below(LOTS), priceAt(side, 1 + this.#below(REACH)));
        return { id, side } as const;
      });
      this.#orders.push(orders);
    });
    this.apply();
  }

  /** Hands what has happened to the feeds, as one group of commands. */
  apply(): void {
    const { events } = this.engine;
    this.feeds.apply(events, 0, events.length);
    events.clear();
  }

  /** An order of the maker goes to another price of its side. */
  move(marketId: number): void {
    const orders = this.#orders[marketId] as { id: number; side: Side }[];
    const { id, side } = orders[this.#below(orders.length)] as { id: number; side: Side };
    const price = BigInt(priceAt(side, 1 + this.#below(REACH)));
    execute(this.engine, { kind: "modify_order", userId: MAKER, marketId, orderId: id, price });
  }

  /** The taker deals with the best order of a side, which changes the best quote. */
  deal(marketId: number): void {
    const side = this.#random() < 0.5 ? "buy" : "sell";
    this.#place(TAKER, marketId, side, "ioc", 1 + this.#below(DEAL_LOTS_MAX), priceAt(side, -REACH));
  }

  #place(userId: number, marketId: number, side: Side, type: "limit" | "ioc", lots: number, price: number): void {
    execute(this.engine, {
      kind: "place_order",
      userId,
      marketId,
      account: "spot",
      side,
      type,
      amountIn: "base",
      amount: BigInt(lots),
      price: BigInt(price),
      hidden: false,
      stpMode: "none",
      clientId: "",
    });
  }

  #below(end: number): number {
    return Math.floor(this.#random() * end);
  }
}

/** A price so many ticks on a side's own side of the middle. */
function priceAt(side: Side, ticks: number): number {
  return side === "buy" ? MID - ticks : MID + ticks;
}

function deposit(userId: number, ccy: string): Command {
  return { kind: "deposit", userId, ccy, amount: ccy === "USDT" ? "1000000000" : "1000000", note: "bench" };
}

function listing(market: string, baseCcy: string): Command {
  return {
    kind: "list_market",
    market,
    baseCcy,
    quoteCcy: "USDT",
    amountPrecision: 6,
    pricePrecision: 2,
    minAmount: "0.000001",
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  };
}

function execute(engine: Engine, command: Command): void {
  const { refusal } = engine.execute(command, { seq: engine.state.seq + 1, timeMs: Date.now() });
  if (refusal !== 0) throw new Error(`The command ${command.kind} was refused: ${refusalOf(refusal)}.`);
}
