/**
 * From an order to those who are told of it: ms from the HTTP request to its answer, to the owner's `order.update`, and
 * to the `bbo.update` and `depth.update` of a stranger, in a whole venue with a synced log. Depth is pushed on a beat
 * of 200 ms, so a change waits for half of that on average. Clients gunzip and parse as any would.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { quantile, report } from "./report.ts";
import { makeTraders, signedPost, signParams, startVenue, stopAll, type Trader, type Venue } from "./venue.ts";

const ORDERS = Number(process.env.BENCH_ORDERS ?? 600);
/** Orders before those that are measured. */
const WARM_UP = 100;
/** No divisor of the beat, so that orders come at all of its times. */
const PAUSE_MS = 17;
const MARKET = "BTCUSDT";
/** Prices and amounts rise with each order, so that it is the best bid and can be told from all others. */
const FIRST_CENTS = 5_000_000;
const FIRST_LOTS = 1_000;
const LOTS_PER_UNIT = 1_000_000;
const AMOUNT_DECIMALS = 6;
const CANCEL_AFTER = 20;
const LAST_PUSH_MS = 5_000;

const CHANNELS = ["http_answer", "order_update", "bbo_update", "depth_update"] as const;
type Channel = (typeof CHANNELS)[number];

const sentAt: number[] = [];
const latencies = new Map<Channel, Map<number, number>>(CHANNELS.map((channel) => [channel, new Map()]));

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  const venue = await startVenue(join(dir, "data"), ["--limits", "off"]);
  const [owner] = (await makeTraders(venue, 1)) as [Trader];
  await watchAsOwner(venue, owner);
  await watchAsStranger(venue);
  await placeOrders(venue, owner);
  await sleep(LAST_PUSH_MS);
  report("push", [
    ...CHANNELS.flatMap((channel) => {
      const values = [...(latencies.get(channel) as Map<number, number>)]
        .filter(([order]) => order >= WARM_UP)
        .map(([, ms]) => ms)
        .sort((left, right) => left - right);
      return [
        { name: `${channel}_p50`, value: quantile(values, 0.5), unit: "ms" },
        { name: `${channel}_p99`, value: quantile(values, 0.99), unit: "ms" },
        { name: `${channel}_missing`, value: ORDERS - values.length, gate: 0, atMost: true },
      ];
    }),
  ]);
} finally {
  stopAll();
  rmSync(dir, { recursive: true, force: true });
}
process.exit();

/** Only the first time counts: depth shows an order until it leaves. */
function arrived(channel: Channel, order: number): void {
  const from = sentAt[order];
  const seen = latencies.get(channel) as Map<number, number>;
  if (from !== undefined && !seen.has(order)) seen.set(order, performance.now() - from);
}

/** The order that an amount stands for. */
function orderOf(amount: string): number {
  return Math.round(Number(amount) * LOTS_PER_UNIT) - FIRST_LOTS;
}

async function watchAsOwner(venue: Venue, owner: Trader): Promise<void> {
  await follow(
    venue,
    [
      ["server.sign", signParams(owner)],
      ["order.subscribe", { market_list: [MARKET] }],
    ],
    (push) => {
      const { event, order } = push.data as { event: string; order: { amount: string } };
      if (push.method === "order.update" && event === "put") arrived("order_update", orderOf(order.amount));
    },
  );
}

async function watchAsStranger(venue: Venue): Promise<void> {
  const subscriptions: [string, object][] = [
    ["bbo.subscribe", { market_list: [MARKET] }],
    ["depth.subscribe", { market_list: [[MARKET, 50, "0", false]] }],
  ];
  await follow(venue, subscriptions, ({ method, data }) => {
    if (method === "bbo.update") arrived("bbo_update", orderOf((data as { best_bid_size: string }).best_bid_size));
    if (method !== "depth.update") return;
    const { bids } = (data as { depth: { bids: [string, string][] } }).depth;
    for (const [, amount] of bids) arrived("depth_update", orderOf(amount));
  });
}

interface Message {
  readonly method?: string;
  readonly code?: number;
  readonly data: unknown;
}

/** Makes requests one after the other, then hands over pushes. */
async function follow(venue: Venue, requests: readonly [string, object][], push: (message: Message) => void) {
  const webSocket = new WebSocket(`ws://127.0.0.1:${venue.port}/v2/spot`);
  await once(webSocket, "open");
  let answered = (_: Message) => {};
  webSocket.on("message", (frame: Buffer) => {
    const message = JSON.parse(gunzipSync(frame).toString()) as Message;
    if (message.method === undefined) answered(message);
    else push(message);
  });
  for (const [method, params] of requests) {
    const answer = new Promise<Message>((resolve) => {
      answered = resolve;
    });
    webSocket.send(JSON.stringify({ id: 1, method, params }));
    const { code } = await answer;
    if (code !== 0) throw new Error(`${method} was refused with ${code}.`);
  }
}

/** One order at a time, each the new best bid; those long placed are cancelled by what they are called. */
async function placeOrders(venue: Venue, owner: Trader): Promise<void> {
  const socket = connect({ host: "127.0.0.1", port: venue.port, noDelay: true });
  await once(socket, "connect");
  const post = async (target: string, content: object) => {
    socket.write(signedPost(owner, target, content));
    const [answer] = (await once(socket, "data")) as [Buffer];
    if (!answer.includes('{"code":0')) throw new Error(answer.toString());
  };
  for (let order = 0; order < WARM_UP + ORDERS; order++) {
    const request = {
      ...{ market: MARKET, market_type: "SPOT", side: "buy", type: "limit", client_id: `push-${order}` },
      amount: ((FIRST_LOTS + order) / LOTS_PER_UNIT).toFixed(AMOUNT_DECIMALS),
      price: ((FIRST_CENTS + order) / 100).toFixed(2),
    };
    sentAt[order] = performance.now();
    await post("/v2/spot/order", request);
    arrived("http_answer", order);
    if (order >= CANCEL_AFTER) {
      const clientId = `push-${order - CANCEL_AFTER}`;
      await post("/v2/spot/cancel-order-by-client-id", { market: MARKET, market_type: "SPOT", client_id: clientId });
    }
    await sleep(PAUSE_MS);
  }
}
