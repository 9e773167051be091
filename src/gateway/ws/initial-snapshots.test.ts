import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { WebSocket } from "ws";
import { NO_BACKFILL } from "../../../test/support/no-backfill.ts";
import { readOnlyBackend } from "../../../test/support/socket-backend.ts";
import type { Command } from "../../engine/command.ts";
import { Engine } from "../../engine/engine.ts";
import { Feeds } from "../../feeds/feeds.ts";
import { CHANNELS } from "../parts.ts";
import { Budget } from "./budget.ts";
import { Client } from "./client.ts";
import { SocketConnection, type SocketEvent } from "./connection.ts";
import { loadSocketContract } from "./contract.ts";
import { currentGeneration } from "./current-generation.ts";
import type { Hub } from "./hub.ts";
import { openHubs } from "./hubs.ts";
import { InitialSnapshots } from "./initial-snapshots.ts";
import { socketLimits } from "./limits.ts";
import { Outbox } from "./outbox.ts";
import { Turns } from "./turns.ts";

const MARKETS = 120;
const BACKLOG_MAX = 8_000;
const contract = loadSocketContract();
const limits = { ...socketLimits(contract), backlogBytesMax: BACKLOG_MAX };
const nameOf = (market: number) => `A${market}USDT`;

/** A socket whose reader takes so many bytes when it is told to. */
class SlowSocket extends Duplex {
  readonly received: Buffer[] = [];
  #held: { left: number; taken: () => void } | undefined;

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.received.push(chunk);
    this.#held = { left: chunk.length, taken };
  }

  override _read(): void {}

  async takeBytes(bytes: number): Promise<void> {
    let left = bytes;
    while (this.#held !== undefined && left > 0) {
      const now = Math.min(left, this.#held.left);
      left -= now;
      this.#held.left -= now;
      if (this.#held.left > 0) break;
      const { taken } = this.#held;
      this.#held = undefined;
      taken();
      await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
  }

  /** What the reader has been sent, frame by frame. */
  get messages() {
    const all = Buffer.concat(this.received);
    const messages: { method?: string; data: Record<string, unknown> }[] = [];
    for (let at = 0; at < all.length; ) {
      const short = (all[at + 1] as number) & 127;
      const start = at + (short === 126 ? 4 : 2);
      const length = short === 126 ? all.readUInt16BE(at + 2) : short;
      messages.push(JSON.parse(gunzipSync(all.subarray(start, start + length)).toString()));
      at = start + length;
    }
    return messages;
  }
}

/** A venue of many markets, each with a deal and a bid, and one connection to it. */
async function connected() {
  const engine = new Engine();
  const feeds = await Feeds.start(engine.state, NO_BACKFILL, 0);
  const backend = readOnlyBackend(engine.state, feeds);
  const authenticator = {
    login: () => assert.fail("nobody logs in"),
    goodUntil: (timestamp: number) => timestamp,
    loginBySession: () => assert.fail(),
    barredNow: () => undefined,
    renewed: () => undefined,
  };
  const log = { error: (details: object) => assert.fail(JSON.stringify(details)) };
  const generations = [
    { generation: currentGeneration(contract, CHANNELS), authenticator, endpoints: contract.endpoints },
  ];
  const hub = openHubs({ generations, limits, backend, log })[0]?.get("spot") as Hub;
  const execute = (command: Command) => {
    const { refusal } = engine.execute(command, { seq: engine.state.seq + 1, timeMs: 1_000 });
    assert.equal(refusal, 0, command.kind);
    feeds.apply(engine.events, 0, engine.events.length);
    engine.events.clear();
  };
  const order = (marketId: number, side: "buy" | "sell", amount: bigint) =>
    execute({
      kind: "place_order",
      userId: side === "buy" ? 1 : 2,
      marketId,
      account: "spot",
      side,
      type: "limit",
      amount,
      price: 1n,
      amountIn: "base",
      hidden: false,
      stpMode: "none",
      clientId: "",
    });
  execute({ kind: "list_asset", ccy: "USDT", scale: 4 });
  for (const name of ["buyer", "seller"]) execute({ kind: "create_user", name });
  execute({ kind: "deposit", userId: 1, ccy: "USDT", amount: "100000", note: "" });
  for (let at = 0; at < MARKETS; at++) {
    execute({ kind: "list_asset", ccy: `A${at}`, scale: 4 });
    const pair = { market: nameOf(at), baseCcy: `A${at}`, quoteCcy: "USDT", amountPrecision: 2, pricePrecision: 2 };
    execute({ kind: "list_market", ...pair, minAmount: "0.01", makerFeeRate: "0", takerFeeRate: "0" });
    execute({ kind: "deposit", userId: 2, ccy: `A${at}`, amount: "1000", note: "" });
    order(at, "buy", 1_000n);
    order(at, "sell", 1n);
  }
  const events: SocketEvent[] = [];
  const socket = new SlowSocket();
  const webSocket = Object.assign(new EventEmitter(), { readyState: 1, OPEN: 1, terminate() {}, close() {} });
  let nowMs = 0;
  new SocketConnection({
    webSocket: webSocket as unknown as WebSocket,
    socket,
    remoteAddress: "192.0.2.1",
    hub,
    budget: new Budget(limits),
    outbox: new Outbox(),
    turns: new Turns(),
    limits,
    now: () => nowMs,
    admit: () => true,
    onEvent: (event) => void events.push(event),
  });
  const request = (method: string, market_list: readonly unknown[]) =>
    webSocket.emit("message", Buffer.from(JSON.stringify({ id: 1, method, params: { market_list } })), false);
  /** Lets time go by in which the reader takes some bytes. */
  const beat = async (bytes: number) => {
    nowMs += 200;
    hub.beat(nowMs);
    await new Promise(setImmediate);
    await socket.takeBytes(bytes);
  };
  return { socket, webSocket, events, order, request, beat };
}

test("a reader that is slow but steady gets the first pushes of everything, and is not cut for having asked", async () => {
  const { socket, events, order, request, beat } = await connected();
  request("bbo.subscribe", []);
  request("deals.subscribe", []);
  request(
    "depth.subscribe",
    Array.from({ length: MARKETS }, (_, at) => [nameOf(at), 5, "0", false]),
  );
  await new Promise(setImmediate);
  for (let beats = 0; beats < 200; beats++) {
    // Meanwhile the market that comes last goes on trading.
    if (beats % 10 === 0) order(MARKETS - 1, "sell", 1n);
    await beat(1_500);
  }
  assert.deepEqual(events, ["opened"], "it was cut");
  const { messages } = socket;
  const of = (method: string) => messages.filter((message) => message.method === method).map(({ data }) => data);
  assert.equal(new Set(of("bbo.update").map(({ market }) => market)).size, MARKETS);
  const deals = of("deals.update").flatMap(({ market, deal_list }) =>
    (deal_list as { deal_id: number }[]).map(({ deal_id }) => `${market} ${deal_id}`),
  );
  assert.equal(new Set(deals).size, deals.length, "a deal was told twice");
  assert.equal(deals.length, MARKETS + 20, "every deal was told");
  for (let at = 0; at < MARKETS; at++) {
    const pushes = of("depth.update").filter(({ market }) => market === nameOf(at));
    assert.equal(pushes[0]?.is_full, true, "the first push of a book is whole");
    assert.equal(pushes.filter(({ is_full }) => is_full).length, 1);
  }
});

test("what waited is not sent to whoever has left it meanwhile", async () => {
  const { socket, request, beat } = await connected();
  request("deals.subscribe", []);
  request("deals.unsubscribe", []);
  const entries = Array.from({ length: MARKETS }, (_, at) => [nameOf(at), 5, "0", false]);
  request("depth.subscribe", entries);
  request("depth.unsubscribe", []);
  const before = socket.messages.length;
  for (let beats = 0; beats < 50; beats++) await beat(100_000);
  const later = socket.messages.slice(before).map(({ method }) => method);
  assert.ok(later.length < MARKETS, `${later.length} came`);
});

test("asking for the same again and again, without reading, does not make more wait", () => {
  let sent = 0;
  let hasRoom = false;
  const client = new Client({
    remoteAddress: "",
    cut: () => {},
    get hasRoom() {
      return hasRoom;
    },
    send: () => {},
  });
  const initialSnapshots = new InitialSnapshots<number>(() => void sent++);
  for (let times = 0; times < 100; times++) {
    initialSnapshots.add(client, 1);
    initialSnapshots.add(client, times + 2);
    initialSnapshots.drop(client, times + 2);
  }
  hasRoom = true;
  client.sendWaiting();
  assert.deepEqual([sent, client.isWaiting, initialSnapshots.awaits(client, 1)], [1, false, false]);
});

test("a reader that has stopped is cut by the news, not by what waits for room", async () => {
  const { events, order, request, beat } = await connected();
  request("bbo.subscribe", []);
  request("deals.subscribe", []);
  for (let beats = 0; beats < 50; beats++) await beat(0);
  assert.deepEqual(events, ["opened"]);
  for (let deals = 0; deals < 200; deals++) {
    order(0, "sell", 1n);
    await beat(0);
  }
  assert.deepEqual(events, ["opened", "cut_slow"]);
});

test("a flood of PINGs closes the connection, a PING now and then never does", async () => {
  const { webSocket, beat } = await connected();
  let status: number | undefined;
  webSocket.close = ((code: number) => {
    status = code;
  }) as never;
  for (let pings = 0; pings < 1_000; pings++) {
    webSocket.emit("ping");
    await beat(1_000);
  }
  assert.equal(status, undefined);
  for (let pings = 0; pings < limits.requestsMax + limits.requestsRefusedMax; pings++) webSocket.emit("ping");
  assert.equal(status, undefined);
  webSocket.emit("ping");
  assert.equal(status, 1_008);
});
