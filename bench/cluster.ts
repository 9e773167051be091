/**
 * Signed `POST /v2/spot/order`, resting and trading in turn, over 64 kept connections: into a venue of one process,
 * into one node on etcd, and into three nodes on three etcd servers, a third of the connections each. Then what sockets
 * that follow the market are sent of a few orders, all by one node or by each a third, and what the busiest of the
 * nodes works for it. In one run, in turns; all share the machine.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { EtcdServers } from "../test/support/etcd-servers.ts";
import { FrameReader } from "./frame-reader.ts";
import { load } from "./http-load.ts";
import { type Figure, median, report } from "./report.ts";
import {
  makeTraders,
  processorSeconds,
  signOrders,
  startVenue,
  stopAll,
  type Trader,
  UNLIMITED,
  type Venue,
} from "./venue.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 6);
const TRADERS = 32;
const REQUESTS = 20_000;
const SOCKETS = 300;
const SUBSCRIPTIONS = {
  "deals.subscribe": ["BTCUSDT"],
  "bbo.subscribe": ["BTCUSDT"],
  "depth.subscribe": [["BTCUSDT", 20, "0", false]],
};
const NAMES = ["a", "b", "c"];

interface Contender {
  readonly name: string;
  readonly nodes: readonly Venue[];
  readonly traders: readonly Trader[];
  readonly rates: number[];
  readonly p50s: number[];
  readonly p99s: number[];
  /** Of each round: frames a second, and the busiest node's µs of processor for a frame of all. */
  readonly frames: number[];
  readonly busiest: number[];
}

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
const secretKey = join(dir, "secret.key");
writeFileSync(secretKey, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
const servers = [await EtcdServers.start(1), await EtcdServers.start(NAMES.length)] as const;
try {
  const contenders = [
    await contender("one_process", [await startVenue(join(dir, "alone"), [...UNLIMITED, "--past", "0"])]),
    await contender("one_node", await nodesOn(servers[0], ["a"])),
    await contender("three_nodes", await nodesOn(servers[1], NAMES)),
  ];
  for (const each of contenders) await lap(each, 2);
  for (const { rates, p50s, p99s } of contenders) for (const list of [rates, p50s, p99s]) list.length = 0;
  for (let round = 0; round < ROUNDS; round++) for (const each of contenders) await lap(each, SECONDS);
  for (let round = 0; round < ROUNDS; round++) for (const each of contenders) await push(each);
  report("cluster", contenders.flatMap(figuresOf));
} finally {
  stopAll();
  for (const each of servers) await each.close();
  rmSync(dir, { recursive: true, force: true });
}

async function nodesOn(etcd: EtcdServers, names: readonly string[]): Promise<Venue[]> {
  return await Promise.all(
    names.map((name, index) =>
      startVenue(join(dir, `${names.length}-${name}`), [
        ...UNLIMITED,
        ...["--log", etcd.addresses(index).join(","), "--node", name],
        ...["--secret-key", secretKey],
      ]),
    ),
  );
}

async function contender(name: string, nodes: readonly Venue[]): Promise<Contender> {
  const traders = await makeTraders(nodes[0] as Venue, TRADERS);
  return { name, nodes, traders, rates: [], p50s: [], p99s: [], frames: [], busiest: [] };
}

async function lap(each: Contender, seconds: number): Promise<void> {
  const { nodes } = each;
  const connections = Math.floor(CONNECTIONS / nodes.length);
  const next = signedOrders(each);
  const results = await Promise.all(nodes.map(({ port }) => load({ port, connections, seconds, next })));
  const failed = results.find(({ firstFailure }) => firstFailure !== undefined);
  if (failed !== undefined) throw new Error(`${each.name}: ${failed.firstFailure}`);
  each.rates.push(results.reduce((sum, { perSecond }) => sum + perSecond, 0));
  each.p50s.push(median(results.map(({ p50Ms }) => p50Ms)));
  each.p99s.push(Math.max(...results.map(({ p99Ms }) => p99Ms)));
}

/** Signed anew, since a signature serves for a minute only. */
function signedOrders({ traders }: Contender): () => Buffer {
  const requests = signOrders(traders, REQUESTS);
  let at = 0;
  return () => requests[at++ % requests.length] as Buffer;
}

/** One connection places orders, one after the other, while all sockets are told of what comes of them. */
async function push(each: Contender): Promise<void> {
  const { nodes, frames, busiest } = each;
  const readers = await Promise.all(
    Array.from({ length: SOCKETS }, (_, at) =>
      FrameReader.connect((nodes[at % nodes.length] as Venue).port, "/v2/spot"),
    ),
  );
  for (const reader of readers) {
    for (const [method, market_list] of Object.entries(SUBSCRIPTIONS))
      reader.send(JSON.stringify({ id: 1, method, params: { market_list } }));
  }
  await pause(1_000);
  const told = () => readers.reduce((sum, reader) => sum + reader.frames, 0);
  const used = () => nodes.map(({ pid }) => processorSeconds(pid));
  const next = signedOrders(each);
  const [framesBefore, usedBefore] = [told(), used()];
  const { port } = nodes[0] as Venue;
  const { firstFailure } = await load({ port, connections: 1, seconds: SECONDS, next });
  if (firstFailure !== undefined) throw new Error(firstFailure);
  const count = told() - framesBefore;
  const most = Math.max(...used().map((seconds, node) => seconds - (usedBefore[node] as number)));
  for (const reader of readers) reader.socket.destroy();
  frames.push(count / SECONDS);
  busiest.push((most * 1e6) / count);
}

function figuresOf({ name, rates, p50s, p99s, frames, busiest }: Contender): Figure[] {
  return [
    { name: `${name}_orders`, value: median(rates), unit: "orders/s" },
    { name: `${name}_p50`, value: median(p50s), unit: "ms" },
    { name: `${name}_p99`, value: median(p99s), unit: "ms" },
    { name: `${name}_pushes`, value: median(frames), unit: "frames/s" },
    { name: `${name}_busiest`, value: median(busiest), unit: "µs of one node/frame" },
  ];
}
