/**
 * A node that cannot prove that it is current shows nobody what is his: on every door, found in the contracts and not
 * listed here.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { loadLegacySocketContract } from "../../src/gateway/legacy/sockets/contract.ts";
import { WEB_CALLS } from "../../src/gateway/web/calls.ts";
import { isOn, loadSocketContract } from "../../src/gateway/ws/contract.ts";
import type { ApiKeyPair } from "../support/api-client.ts";
import { EtcdServers, withoutEtcd } from "../support/etcd-servers.ts";
import { LegacySocketClient } from "../support/legacy-socket-client.ts";
import { SocketClient } from "../support/socket-client.ts";
import { VenueProcess } from "../support/venue-process.ts";

const BUSY = 3008;
/** Of sockets: their number for a service that is not there. */
const UNAVAILABLE = { spot: 24_002, futures: 34_002, legacy: 3 } as const;
/** What follows names, in both generations of the sockets. */
interface Following {
  readonly signed: boolean;
  readonly markets: "spot" | "futures" | "both";
  readonly subscribe: { readonly method: string };
}

/** What a door shows, and the code with which it refuses to. */
interface Door {
  readonly name: string;
  readonly refused: number;
  ask(): Promise<number>;
}

async function nodeOnEtcd(t: TestContext): Promise<{ servers: EtcdServers; node: VenueProcess }> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-doors-"));
  const servers = await EtcdServers.start(1);
  t.after(async () => {
    await servers.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const key = join(folder, "secret.key");
  writeFileSync(key, randomBytes(32).toString("hex"), { mode: 0o600 });
  const node = await VenueProcess.start(
    join(folder, "data"),
    ...["--log", servers.addresses().join(","), "--node", "a", "--secret-key", key],
    ...["--makers", "off", "--limits", "off", "--legacy", "on"],
  );
  t.after(() => node.end("SIGKILL"));
  return { servers, node };
}

/** A request to an address of the contract, whose segments in braces stand for something. */
async function codeOf(url: string, method: string, path: string, headers: Record<string, string>): Promise<number> {
  const body = method === "GET" ? {} : { body: "{}" };
  const target = url + path.replace(/\{[^}]*\}/g, "1");
  const response = await fetch(target, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...body,
  });
  return ((await response.json()) as { code: number }).code;
}

function httpDoors({ url }: VenueProcess, key: ApiKeyPair): Door[] {
  const contract = loadContract();
  const headers = { "x-svc-key": key.accessId, "x-svc-sign": "0", "x-svc-timestamp": String(Date.now()) };
  const current = contract.endpoints.filter(({ signed }) => signed);
  const legacy = (["spot", "futures"] as const).flatMap((area) =>
    loadLegacyContract(area, contract).endpoints.filter(({ signed }) => signed),
  );
  return [...current, ...legacy, ...WEB_CALLS].map(({ method, path }) => ({
    name: `${method} ${path}`,
    refused: BUSY,
    ask: () => codeOf(url, method, path, headers),
  }));
}

async function socketDoors(t: TestContext, { url }: VenueProcess): Promise<Door[]> {
  const contract = loadSocketContract();
  const doors: Door[] = [];
  const add = (name: string, refused: number, ask: () => Promise<number>) => doors.push({ name, refused, ask });
  for (const { path, markets } of contract.endpoints) {
    const socket = await SocketClient.connect(url, path);
    t.after(() => socket.close());
    const signed = contract.channels.filter((each: Following) => each.signed && isOn(markets, each));
    const calls = contract.calls.filter(
      (each) => (each.signed || each.method === "server.sign") && isOn(markets, each),
    );
    for (const method of [...signed.map(({ subscribe }) => subscribe.method), ...calls.map(({ method: name }) => name)])
      add(`${path} ${method}`, UNAVAILABLE[markets], async () => (await socket.ask(method, {})).code);
  }
  const legacy = loadLegacySocketContract(contract, loadLegacyContract("spot", loadContract()));
  for (const { path, markets } of legacy.endpoints) {
    const socket = await LegacySocketClient.connect(url, path);
    t.after(() => socket.close());
    const signed = legacy.channels.filter((each: Following) => each.signed && isOn(markets, each));
    const calls = legacy.calls.filter((each) => (each.signed || each.method === "server.sign") && isOn(markets, each));
    for (const method of [...signed.map(({ subscribe }) => subscribe.method), ...calls.map(({ method: name }) => name)])
      add(`legacy ${path} ${method}`, UNAVAILABLE.legacy, async () => (await socket.ask(method, [])).error?.code ?? 0);
  }
  return doors;
}

/** What a load balancer is told in the end. */
async function until({ url }: VenueProcess, status: number): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== status) await pause(50);
}

test("while the store does not answer every door refuses what is an account's own, and the public doors go on", {
  skip: withoutEtcd(),
}, async (t) => {
  const { servers, node } = await nodeOnEtcd(t);
  const { key } = await node.trader("nina", { USDT: "1000" });
  const doors = [...httpDoors(node, key), ...(await socketDoors(t, node))];
  t.diagnostic(`${doors.length} doors`);
  for (const part of ["/v2/", "/v1/", "/web/", "/v2/spot ", "/v2/futures ", "legacy "])
    assert.ok(
      doors.some(({ name }) => name.includes(part)),
      part,
    );

  servers.signal(0, "SIGSTOP");
  const refusals = await Promise.all(doors.map(async (door) => ({ ...door, code: await door.ask() })));
  assert.deepEqual(
    refusals.filter(({ code, refused }) => code !== refused).map(({ name, code }) => `${name} ${code}`),
    [],
  );
  assert.equal(await codeOf(node.url, "GET", "/v2/spot/market", {}), 0);

  await until(node, 503);

  servers.signal(0, "SIGCONT");
  await until(node, 200);
  const client = node.client(key);
  for (let code = BUSY; code === BUSY; ) ({ code } = await client.get("/v2/assets/spot/balance"));
  const answers = await Promise.all(doors.map(async (door) => ({ ...door, code: await door.ask() })));
  assert.deepEqual(
    answers.filter(({ code, refused }) => code === refused).map(({ name, code }) => `${name} ${code}`),
    [],
  );
});
