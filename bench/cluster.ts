/**
 * Signed `POST /v2/spot/order`, resting and trading in turn, over 64 kept connections: into a venue of one process, into one node on NATS,
 * and into three nodes on three NATS servers, a third of the connections each. In one run, in turns; all share the machine.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NatsServers } from "../test/support/nats-servers.ts";
import { load } from "./http-load.ts";
import { type Figure, median, report } from "./report.ts";
import { makeTraders, signOrders, startVenue, stopAll, UNLIMITED, type Venue } from "./venue.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 6);
const TRADERS = 32;
const REQUESTS = 20_000;
const NAMES = ["a", "b", "c"];

interface Contender {
  readonly name: string;
  readonly nodes: readonly Venue[];
  readonly requests: readonly Buffer[];
  readonly rates: number[];
  readonly p50s: number[];
  readonly p99s: number[];
  at: number;
}

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
const secretKey = join(dir, "secret.key");
writeFileSync(secretKey, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
const servers = [await NatsServers.start(1), await NatsServers.start(NAMES.length)] as const;
try {
  const contenders = [
    await contender("one_process", [await startVenue(join(dir, "alone"), [...UNLIMITED, "--past", "0"])]),
    await contender("one_node", await nodesOn(servers[0], ["a"])),
    await contender("three_nodes", await nodesOn(servers[1], NAMES)),
  ];
  for (const each of contenders) await lap(each, 2);
  for (const { rates, p50s, p99s } of contenders) for (const list of [rates, p50s, p99s]) list.length = 0;
  for (let round = 0; round < ROUNDS; round++) for (const each of contenders) await lap(each, SECONDS);
  report("cluster", contenders.flatMap(figuresOf));
} finally {
  stopAll();
  for (const each of servers) await each.close();
  rmSync(dir, { recursive: true, force: true });
}

async function nodesOn(nats: NatsServers, names: readonly string[]): Promise<Venue[]> {
  return await Promise.all(
    names.map((name, index) =>
      startVenue(join(dir, `${names.length}-${name}`), [
        ...UNLIMITED,
        ...["--log", nats.addresses(index).join(","), "--node", name, "--nodes", names.join(",")],
        ...["--secret-key", secretKey],
      ]),
    ),
  );
}

async function contender(name: string, nodes: readonly Venue[]): Promise<Contender> {
  const traders = await makeTraders(nodes[0] as Venue, TRADERS);
  return { name, nodes, requests: signOrders(traders, REQUESTS), rates: [], p50s: [], p99s: [], at: 0 };
}

async function lap(each: Contender, seconds: number): Promise<void> {
  const { nodes, requests } = each;
  const connections = Math.floor(CONNECTIONS / nodes.length);
  const next = () => requests[each.at++ % requests.length] as Buffer;
  const results = await Promise.all(nodes.map(({ port }) => load({ port, connections, seconds, next })));
  const failed = results.find(({ firstFailure }) => firstFailure !== undefined);
  if (failed !== undefined) throw new Error(`${each.name}: ${failed.firstFailure}`);
  each.rates.push(results.reduce((sum, { perSecond }) => sum + perSecond, 0));
  each.p50s.push(median(results.map(({ p50Ms }) => p50Ms)));
  each.p99s.push(Math.max(...results.map(({ p99Ms }) => p99Ms)));
}

function figuresOf({ name, rates, p50s, p99s }: Contender): Figure[] {
  return [
    { name: `${name}_orders`, value: median(rates), unit: "orders/s" },
    { name: `${name}_p50`, value: median(p50s), unit: "ms" },
    { name: `${name}_p99`, value: median(p99s), unit: "ms" },
  ];
}
