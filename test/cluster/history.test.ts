/**
 * Lists of what happened, after each fault: every node answers with the same rows, what deals say comes to what orders
 * say, statements come to balances, everything acknowledged is there once, and pages neither skip nor repeat a row
 * while others trade.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ApiKeyPair, Envelope } from "../support/api-client.ts";
import { Cluster } from "../support/cluster.ts";
import { withoutEtcd } from "../support/etcd-servers.ts";
import { ImpatientClient } from "../support/impatient-client.ts";
import { NO_POSTGRESQL, PostgresServer } from "../support/postgresql.ts";

const MARKET = { market: "BTCUSDT", market_type: "SPOT" };
const FUNDS = { BTC: "1000", USDT: "100000000" };
/** Of 50 ms: generous, because test machines are slow and shared. */
const TRIES = 2_400;
/** Rows of a page while others trade: few, so that a list has many. */
const SMALL_PAGE = 7;
const WHOLE_PAGE = 1_000;
/** Refused, and nothing has happened: the node cannot say, is busy or away, or the request came to it too late. */
const NOT_NOW: ReadonlySet<number> = new Set([3008, 4001, 4010]);
/** Amounts and values in hundred-millionths of a unit: what deals add up to is exact. */
const SCALE = 8;

type Row = Readonly<Record<string, string | number | null>>;

interface List {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What tells one row from every other. */
  keyOf(row: Row): string;
}

const LISTS: readonly List[] = [
  { name: "orders", path: "/v2/spot/finished-order", query: MARKET, keyOf: ({ order_id }) => `${order_id}` },
  // Who deals with himself has two rows of one deal.
  { name: "deals", path: "/v2/spot/user-deals", query: MARKET, keyOf: ({ deal_id, side }) => `${deal_id} ${side}` },
  { name: "statement", path: "/v2/assets/statement", query: {}, keyOf: ({ id }) => `${id}` },
];

interface Stage {
  readonly cluster: Cluster;
  readonly database: PostgresServer | undefined;
  /** Settles when orders, and lists of what happened, are answered by the nodes but one. */
  goOn(but?: number): Promise<void>;
}

interface Fault {
  readonly name: string;
  /** Whether history has to be in PostgreSQL. */
  readonly isShared?: true;
  strike(stage: Stage): Promise<void>;
}

const FAULTS: readonly Fault[] = [
  {
    name: "the leader is killed",
    async strike({ cluster, goOn }) {
      const leader = await cluster.leader();
      await cluster.kill(leader);
      await goOn(leader);
      await cluster.run(leader);
    },
  },
  { name: "the leader sleeps", strike: async (stage) => await sleep(stage, await stage.cluster.leader()) },
  {
    name: "who writes history sleeps",
    isShared: true,
    strike: async (stage) => await sleep(stage, await writer(stage)),
  },
  {
    name: "who writes history is killed",
    isShared: true,
    async strike(stage) {
      const { cluster, goOn } = stage;
      const index = await writer(stage);
      await cluster.kill(index);
      await goOn(index);
      await cluster.run(index);
    },
  },
  {
    name: "PostgreSQL is killed",
    isShared: true,
    async strike({ database }) {
      await database?.kill();
      // Time itself: the database is away for a while.
      await pause(1_000);
      await database?.run();
    },
  },
  {
    name: "a follower is away and comes back",
    async strike({ cluster, goOn }) {
      const follower = ((await cluster.leader()) + 1) % cluster.count;
      await cluster.kill(follower);
      for (let times = 0; times < 3; times++) await goOn(follower);
      await cluster.run(follower);
    },
  },
  {
    name: "a follower loses its disk",
    async strike({ cluster, goOn }) {
      const follower = ((await cluster.leader()) + 2) % cluster.count;
      await cluster.kill(follower);
      rmSync(cluster.dataOf(follower), { recursive: true });
      await goOn(follower);
      await cluster.run(follower);
    },
  },
];

async function sleep({ cluster, goOn }: Stage, index: number): Promise<void> {
  process.kill(cluster.node(index).pid, "SIGSTOP");
  try {
    await goOn(index);
  } finally {
    process.kill(cluster.node(index).pid, "SIGCONT");
  }
}

/** The node that writes the history of all. */
async function writer({ cluster }: Stage): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    for (let index = 0; index < cluster.count; index++) {
      if (/^bourse_history_standing\{standing="writing"\} 1$/m.test(await cluster.node(index).metrics())) return index;
    }
    await pause(50);
  }
  return assert.fail("No node writes the history.");
}

/** A call that is made until it is answered; no answer counts as none. */
async function answered(ask: () => Promise<Envelope>): Promise<Envelope> {
  for (let tries = 0, last = ""; ; tries++) {
    try {
      const envelope = await ask();
      if (envelope.code === 0) return envelope;
      last = `${envelope.code} ${envelope.message}`;
      if (!NOT_NOW.has(envelope.code)) throw new Refusal(last);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      last = String(error);
    }
    assert.ok(tries < TRIES, `There is no answer: ${last}`);
    await pause(50);
  }
}

class Refusal extends Error {}

class User {
  readonly key: ApiKeyPair;
  /** Client ids of orders that were acknowledged, and of those whose answer nobody got. */
  readonly acknowledged = new Set<string>();
  readonly unknown = new Set<string>();
  readonly #name: string;
  #orders = 0;

  constructor(name: string, key: ApiKeyPair) {
    this.#name = name;
    this.key = key;
  }

  client(cluster: Cluster, index: number): ImpatientClient {
    return new ImpatientClient(cluster.node(index).url, Date.now, this.key);
  }

  /** What became of it instead, where it was not taken. */
  async place(cluster: Cluster, index: number, side: string, price: number): Promise<string | undefined> {
    const nth = this.#orders++;
    const clientId = `${this.#name}-${nth}`;
    const order = { ...MARKET, side, type: "limit", amount: `0.0${1 + ((nth >> 1) % 9)}`, price: `${price}` };
    try {
      const { code, message } = await this.client(cluster, index).post("/v2/spot/order", {
        ...order,
        client_id: clientId,
      });
      assert.ok(code === 0 || NOT_NOW.has(code), `${code} ${message}`);
      if (code !== 0) return `${code} ${message}`;
      this.acknowledged.add(clientId);
      return undefined;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      this.unknown.add(clientId);
      return String(error);
    }
  }

  /** All rows of a list, page by page, each page of the node that `nodeOf` says. */
  async all(cluster: Cluster, list: List, limit: number, nodeOf: (page: number) => number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; ; page++) {
      const { data, pagination } = await answered(() =>
        this.client(cluster, nodeOf(page)).get(list.path, { ...list.query, page, limit }),
      );
      rows.push(...data);
      if (pagination?.has_next !== true) return rows;
    }
  }
}

/** Two users who trade at all nodes in turn, until they are stopped. */
class Traffic {
  readonly #cluster: Cluster;
  readonly #users: readonly User[];
  /** Of each node: orders that it has answered. */
  readonly answers: number[];
  /** What became of the last order that was not taken. */
  last = "";
  #isOver = false;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(cluster: Cluster, users: readonly User[]) {
    this.#cluster = cluster;
    this.#users = users;
    this.answers = Array.from({ length: cluster.count }, () => 0);
  }

  start(): void {
    this.#isOver = false;
    const loops = Promise.all(Array.from({ length: this.#cluster.count }, (_, index) => this.#loop(index)));
    // The one who stops it hears of it, and one who waits for it to go on sees it before.
    loops.catch((error) => {
      this.last = String(error);
    });
    this.#loops = loops;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#loops;
  }

  async #loop(index: number): Promise<void> {
    for (let nth = 0; !this.#isOver; nth++) {
      const user = this.#users[nth % this.#users.length] as User;
      const price = 50_000 + ((nth * 7) % 11);
      const side = nth % 4 < 2 ? "sell" : "buy";
      // A node that does not run has nobody to ask.
      const refusal = this.#cluster.isRunning(index)
        ? await user.place(this.#cluster, index, side, price)
        : "it is down";
      if (refusal === undefined) this.answers[index] = (this.answers[index] as number) + 1;
      else this.last = `node ${index}: ${refusal}`;
      if (nth % 10 === 9) await this.#cancelRest(user, index);
      await pause(10);
    }
  }

  /** An order that has dealt and is cancelled stays on the list; one that has not is on none. */
  async #cancelRest(user: User, index: number): Promise<void> {
    if (!this.#cluster.isRunning(index)) return;
    const client = user.client(this.#cluster, index);
    try {
      const { data } = await client.get("/v2/spot/pending-order", { ...MARKET, limit: WHOLE_PAGE });
      const partly = (data as Row[])?.find?.(({ filled_amount }) => Number(filled_amount) > 0);
      if (partly !== undefined) await client.post("/v2/spot/cancel-order", { ...MARKET, order_id: partly["order_id"] });
    } catch {
      // Its node has died, or says nothing.
    }
  }
}

const unitsOf = (text: string | number | null | undefined): bigint => {
  const [whole = "0", rest = ""] = String(text ?? "0").split(".");
  const sign = whole.startsWith("-") ? -1n : 1n;
  return BigInt(whole) * 10n ** BigInt(SCALE) + sign * BigInt(rest.slice(0, SCALE).padEnd(SCALE, "0"));
};

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** What one user's lists and balances say of each other, and of what he was told. */
function assertSound(
  user: User,
  rows: ReadonlyMap<string, readonly Row[]>,
  open: readonly Row[],
  balances: readonly Row[],
): void {
  const finished = rows.get("orders") as readonly Row[];
  const deals = rows.get("deals") as readonly Row[];
  const orders = [...finished, ...open];
  const dealsOf = Map.groupBy(deals, ({ order_id }) => order_id as number);
  for (const order of orders) {
    const own = dealsOf.get(order["order_id"] as number) ?? [];
    const told = `order ${order["client_id"]}`;
    assert.equal(sum(own.map(({ amount }) => unitsOf(amount))), unitsOf(order["filled_amount"]), `amounts of ${told}`);
    const values = own.map(({ amount, price }) => (unitsOf(amount) * unitsOf(price)) / 10n ** BigInt(SCALE));
    assert.equal(sum(values), unitsOf(order["filled_value"]), `values of ${told}`);
    const feesIn = (ccy: string) => sum(own.filter(({ fee_ccy }) => fee_ccy === ccy).map(({ fee }) => unitsOf(fee)));
    assert.equal(feesIn("BTC"), unitsOf(order["base_fee"]), `base fee of ${told}`);
    assert.equal(feesIn("USDT"), unitsOf(order["quote_fee"]), `quote fee of ${told}`);
  }
  const ids = new Set(orders.map(({ order_id }) => order_id));
  assert.equal(ids.size, orders.length, "an order is there twice");
  for (const { deal_id, order_id } of deals)
    assert.ok(ids.has(order_id as number), `deal ${deal_id} of an order that is on no list`);
  const clientIds = orders.map(({ client_id }) => client_id as string);
  const names = new Set(clientIds);
  assert.equal(names.size, clientIds.length, "what was sent once is there twice");
  for (const id of user.acknowledged) assert.ok(names.has(id), `the acknowledged order ${id} is on no list`);
  for (const id of names) assert.ok(user.acknowledged.has(id) || user.unknown.has(id), `nobody sent order ${id}`);
  const lines = rows.get("statement") as readonly Row[];
  for (const { ccy, available, frozen } of balances) {
    const changes = lines.filter((line) => line["ccy"] === ccy).map(({ change }) => unitsOf(change));
    assert.equal(sum(changes), unitsOf(available) + unitsOf(frozen), `the statement of ${ccy}`);
  }
}

for (const kind of ["SQLite at each node", "one PostgreSQL"] as const) {
  const isShared = kind === "one PostgreSQL";
  const skip = withoutEtcd() || (isShared && NO_POSTGRESQL);
  test(`with history in ${kind} all nodes tell the same of it after each fault, and page through it while others trade`, {
    skip,
  }, async (t) => {
    const database = isShared ? await PostgresServer.start() : undefined;
    t.after(() => database?.remove());
    const history = database === undefined ? [] : ["--history", await database.newDatabase()];
    const cluster = await Cluster.start({ options: ["--makers", "off", "--snapshot-every", "1000", ...history] });
    t.after(() => cluster.close());
    const user = async (name: string) => new User(name, (await cluster.node(0).trader(name, FUNDS)).key);
    const [quiet, ...busy] = [await user("quiet"), await user("first"), await user("second")] as const;
    // The list of one who trades no more stands still, whatever the others do.
    for (let nth = 0; nth < 40; nth++)
      await quiet.place(cluster, nth % cluster.count, nth % 2 === 0 ? "sell" : "buy", 40_000);
    const known = new Map<string, readonly Row[]>();
    for (const list of LISTS) known.set(list.name, await quiet.all(cluster, list, WHOLE_PAGE, () => 0));
    for (const [name, rows] of known) assert.ok(rows.length > SMALL_PAGE * 3, `only ${rows.length} ${name}`);

    const traffic = new Traffic(cluster, busy);
    const goOn = async (but?: number): Promise<void> => {
      const before = [...traffic.answers];
      const isEnough = () =>
        before.every((count, index) => index === but || (traffic.answers[index] as number) > count + 5);
      for (let tries = 0; !isEnough(); tries++) {
        assert.ok(tries < TRIES, `the venue does not go on: ${traffic.answers}, before ${before}; ${traffic.last}`);
        await pause(50);
      }
      for (let index = 0; index < cluster.count; index++) {
        if (index !== but) await answered(() => quiet.client(cluster, index).get("/v2/spot/user-deals", MARKET));
      }
    };
    for (const fault of FAULTS.filter((each) => isShared || each.isShared === undefined)) {
      traffic.start();
      await goOn();
      await fault.strike({ cluster, database, goOn });
      await goOn();
      for (const list of LISTS) {
        const rows = await quiet.all(cluster, list, SMALL_PAGE, (page) => page % cluster.count);
        assert.deepEqual(rows, known.get(list.name), `pages of ${list.name} while others trade, after "${fault.name}"`);
      }
      await traffic.stop();
      for (const each of [quiet, ...busy]) await assertAlike(cluster, each, fault.name);
      await cluster.agreed();
      t.diagnostic(`${fault.name}: ${sum(traffic.answers.map(BigInt))} orders so far`);
    }
  });
}

/** All nodes tell the same of a user who does nothing meanwhile. */
async function assertAlike(cluster: Cluster, user: User, fault: string): Promise<void> {
  let first: string | undefined;
  for (let index = 0; index < cluster.count; index++) {
    const rows = new Map<string, readonly Row[]>();
    for (const list of LISTS) {
      const found = await user.all(cluster, list, WHOLE_PAGE, () => index);
      assert.equal(new Set(found.map(list.keyOf)).size, found.length, `a row of ${list.name} is there twice`);
      rows.set(list.name, found);
    }
    const client = user.client(cluster, index);
    const open = (await answered(() => client.get("/v2/spot/pending-order", { ...MARKET, limit: WHOLE_PAGE }))).data;
    const balances = (await answered(() => client.get("/v2/assets/spot/balance"))).data;
    assertSound(user, rows, open, balances);
    const told = JSON.stringify([[...rows], open, balances]);
    first ??= told;
    assert.equal(told, first, `node ${index} tells another history than node 0 after "${fault}"`);
  }
}
