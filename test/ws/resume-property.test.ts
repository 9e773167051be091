/**
 * Connections that are cut at random, with what was on its way: who resumes has every push once and in its order. Over
 * engine, feeds and channels, with the bytes left out. RESUME_MESSAGES and RESUME_SEED set how many and which.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../../src/engine/command.ts";
import { Engine } from "../../src/engine/engine.ts";
import { Feeds } from "../../src/feeds/feeds.ts";
import type { ReadBarrier } from "../../src/gateway/http/read-barrier.ts";
import { CHANNELS } from "../../src/gateway/parts.ts";
import { Client } from "../../src/gateway/ws/client.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { currentGeneration } from "../../src/gateway/ws/current-generation.ts";
import type { SocketAuthenticator } from "../../src/gateway/ws/generation.ts";
import type { Hub } from "../../src/gateway/ws/hub.ts";
import { openHubs } from "../../src/gateway/ws/hubs.ts";
import { socketLimits } from "../../src/gateway/ws/limits.ts";
import { Random } from "../../src/lab/market/random.ts";
import { NO_BACKFILL } from "../support/no-backfill.ts";
import { readOnlyBackend } from "../support/socket-backend.ts";
import type { Message } from "../support/socket-client.ts";
import { marketOf } from "../support/venue.ts";

const MESSAGES = Number(process.env.RESUME_MESSAGES ?? 10_000);
const SEED = Number(process.env.RESUME_SEED ?? 1);
const FOLLOWED = [
  ["order", { market_list: [] }],
  ["user_deals", { market_list: [] }],
  ["balance", { ccy_list: [] }],
  ["deals", { market_list: ["BTCUSDT"] }],
  ["bbo", { market_list: ["BTCUSDT"] }],
  ["depth", { market_list: [["BTCUSDT", 10, "0", false]] }],
] as const;

test(`a client that is cut at random over ${MESSAGES} messages misses nothing and hears nothing twice (seed ${SEED})`, async () => {
  const random = new Random(SEED);
  const engine = new Engine();
  const feeds = await Feeds.start(engine.state, NO_BACKFILL, 0);
  let timeMs = 1_750_000_000_000;
  let evenMs = 0;
  const hub = hubOver(engine, feeds, () => timeMs);
  const apply = (commands: readonly Command[]) => {
    for (const command of commands) engine.execute(command, { seq: engine.state.seq + 1, timeMs });
    feeds.apply(engine.events, 0, engine.events.length);
    engine.events.clear();
  };
  apply([
    ...["USDT", "BTC"].map((ccy): Command => ({ kind: "list_asset", ccy, scale: 8 })),
    marketOf("BTC", "USDT"),
    { kind: "create_user", name: "user" },
    ...["USDT", "BTC"].map((ccy): Command => ({ kind: "deposit", userId: 1, ccy, amount: "1000000", note: "" })),
  ]);
  const steady = new Program(hub);
  const cut = new Program(hub);
  for (const program of [steady, cut]) program.begin();
  let cuts = 0;
  while (steady.heard.length < MESSAGES) {
    timeMs += random.below(50);
    apply(Array.from({ length: 1 + random.below(6) }, () => order(random)));
    if (random.below(4) === 0) {
      evenMs += 200;
      hub.beat(evenMs);
    }
    steady.deliver();
    // Some of what was sent is still on its way.
    cut.deliver(random.below(3) === 0 ? random.below(5) : 0);
    const chance = random.below(30);
    if (chance === 0) {
      cut.lose();
      cuts++;
    }
    if (!cut.isConnected && random.below(5) === 0) cut.resume();
    // A line that broke may not have been noticed by the venue.
    if (chance === 1 && cut.isConnected) cut.resume();
    if (random.below(20) === 0) cut.stall(random.below(2) === 0);
  }
  cut.stall(false);
  if (!cut.isConnected) cut.resume();
  for (let beat = 0; beat < 100; beat++) {
    evenMs += 200;
    hub.beat(evenMs);
    for (const program of [steady, cut]) program.deliver();
  }
  assert.ok(cuts > MESSAGES / 500, `only ${cuts} cuts`);
  assert.equal(cut.heard.length, steady.heard.length);
  assert.deepEqual(cut.heard, steady.heard);
});

test("what is asked in one go behind a resume is about the session that goes on, where requests wait for their node", async () => {
  const engine = new Engine();
  const feeds = await Feeds.start(engine.state, NO_BACKFILL, 0);
  const hub = hubOver(
    engine,
    feeds,
    () => 1_000,
    () => Promise.resolve(),
  );
  const told: Message[] = [];
  const connected = () => {
    const at: { client?: Client } = {};
    const link = {
      ...{ remoteAddress: "", hasRoom: true, cut: () => hub.leave(at.client as Client) },
      send: ({ json }: { json: string }) => void told.push(JSON.parse(json)),
      become: (client: Client) => {
        at.client = client;
      },
    };
    at.client = new Client(link);
    return (id: number, method: string, params: object) =>
      hub.receive(at.client as Client, Buffer.from(JSON.stringify({ id, method, params })), false);
  };
  const login = { access_id: "1", signed_str: "", timestamp: 0 };
  const answerTo = async (id: number) => {
    for (;;) {
      const answer = told.find((message) => message.id === id);
      if (answer !== undefined) return answer;
      await new Promise(setImmediate);
    }
  };
  const first = connected();
  first(1, "server.sign", login);
  first(2, "session.open", {});
  const { session } = (await answerTo(2)).data;
  const second = connected();
  second(3, "server.sign", login);
  second(4, "session.resume", { session, last_seq: 0 });
  second(5, "notice.subscribe", { channels: [101] });
  second(6, "session.open", {});
  assert.equal((await answerTo(4)).data.resumed, true);
  assert.equal((await answerTo(6)).data.session, session, "the client that goes on is asked");
  assert.equal((await answerTo(5)).code, 0);
  assert.deepEqual(
    told.map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
  );
  second(7, "server.ping", {});
  assert.equal((await answerTo(7)).code, 0);
});

/** A client's program: what it has heard, numbered, over one connection after the other. */
class Program {
  readonly heard: Message[] = [];
  isConnected = true;
  readonly #hub: Hub;
  /** Sent, and not there yet. */
  #onItsWay: Message[] = [];
  #client: Client;
  #isStalled = false;
  #session = "";
  #answer: Message;

  constructor(hub: Hub) {
    this.#hub = hub;
    this.#client = this.#connect();
  }

  begin(): void {
    this.#login();
    this.#session = this.#ask("session.open", {}).data.session;
    for (const [channel, params] of FOLLOWED) this.#ask(`${channel}.subscribe`, params);
  }

  /** What was sent arrives, but for the last so many. */
  deliver(left = 0): void {
    const arrived = this.#onItsWay.splice(0, Math.max(0, this.#onItsWay.length - left));
    for (const message of arrived) {
      assert.equal(message.seq, this.heard.length + 1, "pushes have no gap");
      this.heard.push({ method: message.method, data: message.data });
    }
  }

  /** The connection ends, and what is on its way is lost. */
  lose(): void {
    if (!this.isConnected) return;
    this.isConnected = false;
    this.#onItsWay = [];
    this.#hub.leave(this.#client);
  }

  /** A new connection goes on behind what has arrived. */
  resume(): void {
    this.#onItsWay = [];
    const { heard } = this;
    this.#client = this.#connect();
    this.#login();
    const { data } = this.#ask("session.resume", { session: this.#session, last_seq: heard.length });
    assert.equal(data.resumed, true);
    this.isConnected = true;
  }

  stall(isStalled: boolean): void {
    this.#isStalled = isStalled;
  }

  #connect(): Client {
    const connection: { client?: Client } = {};
    const isOurs = () => connection.client === this.#client;
    const own = this;
    const client: Client = new Client({
      remoteAddress: "127.0.0.1",
      get hasRoom() {
        return !own.#isStalled;
      },
      send: ({ json }) => {
        const message = JSON.parse(json);
        if (message.id !== null) this.#answer = message;
        else if (isOurs()) this.#onItsWay.push(message);
      },
      cut: () => this.#hub.leave(connection.client as Client),
      become: (other) => {
        connection.client = other;
        this.#client = other;
      },
    });
    connection.client = client;
    return client;
  }

  #login(): void {
    this.#ask("server.sign", { access_id: "1", signed_str: "", timestamp: 0 });
  }

  #ask(method: string, params: object): Message {
    this.#hub.receive(this.#client, Buffer.from(JSON.stringify({ id: 1, method, params })), false);
    assert.equal(this.#answer.code, 0, `${method}: ${this.#answer.message}`);
    return this.#answer;
  }
}

function hubOver(engine: Engine, feeds: Feeds, now: () => number, readBarrier?: ReadBarrier): Hub {
  const contract = loadSocketContract();
  const authenticator: SocketAuthenticator = {
    login: () => ({
      ...{ accessId: "1", userId: 1, secretCipher: "", permissions: ["read"], ipWhitelist: [], expiredAt: 0 },
    }),
    goodUntil: (timestamp) => timestamp,
    barredNow: () => undefined,
    renewed: () => undefined,
  };
  const generations = [
    { generation: currentGeneration(contract, CHANNELS), authenticator, endpoints: contract.endpoints },
  ];
  const log = { error: (details: object) => assert.fail(JSON.stringify(details)) };
  const backend = readOnlyBackend(engine.state, feeds, now);
  return openHubs({ generations, limits: socketLimits(contract), backend, readBarrier, log })[0]?.get("spot") as Hub;
}

function order(random: Random): Command {
  const price = BigInt(300_000 + random.below(40) * 5);
  const side = random.below(2) === 0 ? "buy" : "sell";
  return {
    ...({ kind: "place_order", userId: 1, marketId: 0, account: "spot", type: "limit", amountIn: "base" } as const),
    ...{ side, amount: BigInt(1_000 + random.below(40) * 500), price, hidden: false, stpMode: "none", clientId: "" },
  };
}
