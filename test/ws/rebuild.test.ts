/**
 * What clients keep from pushes is what the venue has: books, checked by checksum and against GET /spot/depth, orders
 * and balances. Over the whole of engine, feeds and channels, with the connections left out;
 * own-sockets.test.ts has these. REBUILD_COMMANDS and REBUILD_SEED set how long and which.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, ORDER_TYPES, SIDES } from "../../src/engine/command.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { OrderRecord } from "../../src/engine/event.ts";
import type { State } from "../../src/engine/state.ts";
import { readOrder } from "../../src/engine/trading/emit.ts";
import { NONE } from "../../src/engine/trading/order.ts";
import { Feeds } from "../../src/feeds/feeds.ts";
import { OwnHiddenOrders } from "../../src/feeds/own-hidden.ts";
import { spotBalances } from "../../src/gateway/current/records/spot-balances.ts";
import { CHANNELS } from "../../src/gateway/parts.ts";
import { Client } from "../../src/gateway/ws/client.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { currentGeneration } from "../../src/gateway/ws/current-generation.ts";
import type { SocketAuthenticator } from "../../src/gateway/ws/generation.ts";
import type { Hub } from "../../src/gateway/ws/hub.ts";
import { openHubs } from "../../src/gateway/ws/hubs.ts";
import { socketLimits } from "../../src/gateway/ws/limits.ts";
import { Random } from "../../src/lab/market/random.ts";
import { LocalBook } from "../support/local-book.ts";
import { NO_BACKFILL } from "../support/no-backfill.ts";
import { readOnlyBackend } from "../support/socket-backend.ts";
import type { Message } from "../support/socket-client.ts";
import { marketOf } from "../support/venue.ts";

const COMMANDS = Number(process.env.REBUILD_COMMANDS ?? 100_000);
const SEED = Number(process.env.REBUILD_SEED ?? 1);
const USERS = 6;
const MARKETS = ["BTCUSDT", "ETHUSDT"];
const WAYS: readonly (readonly [limit: number, interval: string])[] = [
  [5, "0"],
  [10, "0.1"],
  [20, "1"],
  [50, "0.01"],
  [50, "100"],
];

test(`clients agree with the venue after ${COMMANDS} random commands (seed ${SEED})`, async () => {
  const floor = await Floor.open(new Random(SEED));
  for (let user = 1; user <= USERS; user++) floor.enter(user);
  floor.enter(undefined);
  for (let done = 0; done < COMMANDS; ) {
    done += floor.group();
    if (floor.random.below(8) === 0) floor.beat();
    if (floor.random.below(400) === 0) floor.enter(floor.random.below(USERS + 1) || undefined);
  }
  floor.beat();
  const { books, orders, balances } = floor.compared;
  assert.ok(books > COMMANDS / 100 && orders > COMMANDS / 10 && balances > COMMANDS / 10, "much was compared");
  assert.ok(floor.withHidden > COMMANDS / 1_000, "books with hidden orders of their owner among it");
});

/** A venue without a listener, and clients that keep what they are told. */
class Floor {
  readonly random: Random;
  readonly compared = { books: 0, orders: 0, balances: 0 };
  withHidden = 0;
  readonly #engine: Engine;
  readonly #feeds: Feeds;
  readonly #hub: Hub;
  readonly #keepers: Keeper[] = [];
  #timeMs = 1_750_000_000_000;
  #evenMs = 0;

  static async open(random: Random): Promise<Floor> {
    const engine = new Engine();
    return new Floor(random, engine, await Feeds.start(engine.state, NO_BACKFILL, 0));
  }

  private constructor(random: Random, engine: Engine, feeds: Feeds) {
    this.random = random;
    this.#engine = engine;
    this.#feeds = feeds;
    const contract = loadSocketContract();
    const authenticator: SocketAuthenticator = {
      login: ({ accessId }) => ({
        accessId,
        userId: Number(accessId),
        secretCipher: "",
        permissions: ["read"],
        ipWhitelist: [],
        expiredAt: 0,
      }),
      goodUntil: (timestamp: number) => timestamp,
      barredNow: () => undefined,
      renewed: () => undefined,
    };
    const [hubs] = openHubs({
      generations: [
        { generation: currentGeneration(contract, CHANNELS), authenticator, endpoints: contract.endpoints },
      ],
      limits: socketLimits(contract),
      backend: readOnlyBackend(engine.state, feeds, () => this.#timeMs),
      log: { error: (details) => assert.fail(JSON.stringify(details)) },
    });
    this.#hub = hubs?.get("spot") as Hub;
    const commands: Command[] = ["USDT", "BTC", "ETH"].map((ccy) => ({ kind: "list_asset", ccy, scale: 8 }));
    commands.push(marketOf("BTC", "USDT"), marketOf("ETH", "USDT"));
    for (let user = 1; user <= USERS; user++) {
      commands.push({ kind: "create_user", name: `user ${user}` });
      for (const ccy of ["USDT", "BTC", "ETH"]) {
        commands.push({ kind: "deposit", userId: user, ccy, amount: "100000", note: "" });
      }
    }
    for (const command of commands) assert.equal(this.#execute(command), 0);
    this.#apply();
  }

  /** A client comes, follows everything in ways of its own, and is looked at from then on. */
  enter(userId: number | undefined): void {
    const keeper = new Keeper(this.#engine.state, userId);
    const ask = (method: string, params: object) =>
      this.#hub.receive(keeper.client, Buffer.from(JSON.stringify({ id: 1, method, params })), false);
    if (userId !== undefined) {
      ask("server.sign", { access_id: String(userId), signed_str: "", timestamp: 0 });
      keeper.begin();
      ask("order.subscribe", { market_list: [] });
      ask("balance.subscribe", { ccy_list: [] });
      ask("user_deals.subscribe", { market_list: [] });
    }
    const entries = MARKETS.map((market) => {
      const [limit, interval] = WAYS[this.random.below(WAYS.length)] as (typeof WAYS)[number];
      keeper.ways.set(market, [limit, interval]);
      return [market, limit, interval, this.random.below(4) === 0];
    });
    ask("depth.subscribe", { market_list: entries });
    this.#keepers.push(keeper);
    if (this.#keepers.length <= 20) return;
    this.#hub.leave((this.#keepers.splice(this.random.below(12), 1)[0] as Keeper).client);
  }

  /** Some commands, applied and told of together; gives how many. */
  group(): number {
    const { random } = this;
    this.#timeMs += random.below(50);
    const count = 1 + random.below(12);
    for (let at = 0; at < count; at++) this.#execute(this.#command());
    this.#apply();
    for (const keeper of this.#keepers) keeper.compare(this.compared);
    return count;
  }

  /** Collected pushes go out; then every book is that of the venue. */
  beat(): void {
    this.#evenMs += 200 + this.random.below(3) * 100;
    this.#hub.beat(this.#evenMs);
    for (const { userId, books, ways } of this.#keepers) {
      for (const [name, [limit, interval]] of ways) {
        const { id } = this.#engine.state.marketByName.get(name) as { id: number };
        const hidden = userId === undefined ? undefined : hiddenOf(this.#engine.state, userId, id);
        const { asks, bids } = this.#feeds.depth(id, limit, interval, hidden);
        const book = books.get(name) as LocalBook;
        assert.deepEqual([book.asks, book.bids], [asks, bids]);
        this.compared.books++;
        if (hidden !== undefined) this.withHidden++;
      }
    }
  }

  #apply(): void {
    const { events } = this.#engine;
    this.#feeds.apply(events, 0, events.length);
    events.clear();
  }

  #execute(command: Command): number {
    const { state } = this.#engine;
    return this.#engine.execute(command, { seq: state.seq + 1, timeMs: this.#timeMs }).refusal;
  }

  #command(): Command {
    const { random } = this;
    const userId = 1 + random.below(USERS);
    const marketId = random.below(MARKETS.length);
    const price = BigInt(300_000 + random.below(120) * 5);
    const amount = BigInt(1_000 + random.below(40) * 500);
    const orderId = this.#someOrder(userId, marketId);
    const choice = random.below(10);
    if (orderId !== undefined && choice < 3) return { kind: "cancel_order", userId, marketId, orderId };
    if (orderId !== undefined && choice < 6) {
      const changes = [{ price }, { amount }, { price, amount }][random.below(3)] as object;
      return { kind: "modify_order", userId, marketId, orderId, ...changes };
    }
    if (choice === 9 && random.below(50) === 0) {
      return { kind: "deposit", userId, ccy: "USDT", amount: "1.5", note: "" };
    }
    const type = random.below(3) === 0 ? (ORDER_TYPES[random.below(ORDER_TYPES.length)] as "limit") : "limit";
    const isMarket = (type as string) === "market";
    const inQuote = isMarket && random.below(2) === 0;
    return {
      kind: "place_order",
      userId,
      marketId,
      account: "spot",
      side: SIDES[random.below(2)] as "buy",
      type,
      amountIn: inQuote ? "quote" : "base",
      amount: inQuote ? 10_000_000_000n + amount : amount,
      price: isMarket ? 0n : price,
      hidden: random.below(5) === 0 && !isMarket,
      stpMode: (["none", "ct", "cm", "both"] as const)[random.below(4)] as "none",
      clientId: random.below(3) === 0 ? `c${random.below(1_000)}` : "",
    };
  }

  #someOrder(userId: number, marketId: number): number | undefined {
    const { seats, orders } = this.#engine.state;
    const seat = seats.find(userId, marketId, 0);
    if (seat === NONE) return undefined;
    let slot = seats.tail(seat);
    for (let back = this.random.below(20); back > 0 && slot !== NONE; back--) {
      const before = orders.seatPrev(slot);
      if (before === NONE) break;
      slot = before;
    }
    return slot === NONE ? undefined : orders.orderId(slot);
  }
}

/** What one client has been told. */
class Keeper {
  readonly client: Client;
  readonly userId: number | undefined;
  readonly books = new Map(MARKETS.map((market) => [market, new LocalBook()]));
  readonly ways = new Map<string, readonly [limit: number, interval: string]>();
  readonly #state: State;
  /** Open orders by id, as they were pushed last; undefined while they stand as they were asked for at first. */
  readonly #orders = new Map<number, Message>();
  readonly #balances = new Map<string, string>();
  readonly #lastDeal = new Map<string, number>();

  constructor(state: State, userId: number | undefined) {
    this.#state = state;
    this.userId = userId;
    this.client = new Client({
      remoteAddress: "",
      hasRoom: true,
      cut: () => {},
      send: ({ json }) => this.#take(JSON.parse(json)),
    });
  }

  /** As a client does: asks for what there is before it follows what changes. */
  begin(): void {
    for (const { orderId } of this.#openOrders()) this.#orders.set(orderId, undefined);
    for (const { ccy, available, frozen } of spotBalances(this.#state, this.userId as number)) {
      this.#balances.set(ccy, `${available} ${frozen}`);
    }
  }

  compare(compared: { orders: number; balances: number }): void {
    if (this.userId === undefined) return;
    const open = this.#openOrders();
    assert.equal(this.#orders.size, open.length);
    for (const { orderId, marketId, price, left, filledLots, clientId, type } of open) {
      assert.ok(this.#orders.has(orderId), `order ${orderId} was not told of`);
      const told = this.#orders.get(orderId);
      if (told === undefined) continue;
      assert.equal(told.market, MARKETS[marketId]);
      assert.deepEqual(
        [told.price, told.unfilled_amount, told.filled_amount, told.client_id, told.type],
        [decimal(price, 2), decimal(left, 6), decimal(filledLots, 6), clientId, type],
      );
      compared.orders++;
    }
    for (const { ccy, available, frozen } of spotBalances(this.#state, this.userId)) {
      assert.equal(this.#balances.get(ccy), `${available} ${frozen}`, ccy);
      compared.balances++;
    }
  }

  #take({ code, method, data }: Message): void {
    if (method === undefined) assert.equal(code, 0);
    else if (method === "depth.update") (this.books.get(data.market) as LocalBook).apply(data);
    else if (method === "order.update") this.#takeOrder(data);
    else if (method === "balance.update") {
      for (const { ccy, available, frozen } of data.balance_list) this.#balances.set(ccy, `${available} ${frozen}`);
    } else if (method === "user_deals.update") {
      assert.ok(data.deal_id > (this.#lastDeal.get(data.role) ?? 0), "deals come in their order");
      this.#lastDeal.set(data.role, data.deal_id);
    } else assert.fail(`nobody follows ${method}`);
  }

  #takeOrder({ event, order }: Message): void {
    const isKnown = this.#orders.has(order.order_id);
    assert.equal(isKnown, event !== "put", `${event} of order ${order.order_id}`);
    if (event === "finish") this.#orders.delete(order.order_id);
    else this.#orders.set(order.order_id, order);
  }

  #openOrders() {
    const { seats, orders } = this.#state;
    return [...seats.ofUser(this.userId as number)].flatMap((seat) => {
      const open: OrderRecord[] = [];
      for (let slot = seats.tail(seat); slot !== NONE; slot = orders.seatPrev(slot))
        open.push(readOrder(this.#state, slot));
      return open;
    });
  }
}

/** The hidden orders as the state has them, however feeds have followed them. */
function hiddenOf(state: State, userId: number, marketId: number) {
  const hidden = new OwnHiddenOrders();
  hidden.begin(state, userId);
  return hidden.of(userId, marketId);
}

function decimal(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, "0");
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
