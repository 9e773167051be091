/**
 * What the compiler cannot see of the parts of the gateway: that nothing of the contract is forgotten, and no part of
 * the parts.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { REFUSALS } from "../../src/engine/refusal.ts";
import { State } from "../../src/engine/state.ts";
import type { Backend } from "../../src/gateway/backend.ts";
import { servedEndpoints } from "../../src/gateway/current/api.ts";
import { endpointName, loadContract } from "../../src/gateway/current/contract.ts";
import { legacyName, loadLegacyContract } from "../../src/gateway/legacy/contract.ts";
import { loadLegacySocketContract } from "../../src/gateway/legacy/sockets/contract.ts";
import {
  ADMIN_CALLS,
  CHANNELS,
  currentHandlers,
  LEGACY_CHANNELS,
  LEGACY_SOCKET_CALLS,
  legacyHandlers,
  NOUNS,
  PARTS,
  REFUSAL_ROWS,
} from "../../src/gateway/parts.ts";
import { Printers } from "../../src/gateway/reading/market-printer.ts";
import type { ChannelContext } from "../../src/gateway/ws/channel.ts";
import { isOn, loadSocketContract, type MarketKind } from "../../src/gateway/ws/contract.ts";
import { repositoryRoot } from "./program.ts";

const contract = loadContract();

/** Asked for its handlers only. */
const backend = { state: new State() } as Backend;

test("every folder of src/gateway/parts is a part with a line in parts.ts", () => {
  const folders = readdirSync(join(repositoryRoot, "src/gateway/parts"), { withFileTypes: true });
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(PARTS.map(({ name }) => name).sort(), names.sort());
});

test("every endpoint of the contract is served by a part or listed as planned, and none is both", () => {
  const path = join(repositoryRoot, "contract/current/planned.json");
  const { planned } = JSON.parse(readFileSync(path, "utf8")) as { planned: string[] };
  const served = servedEndpoints(contract, currentHandlers(backend)).map(endpointName);
  assert.deepEqual([...served, ...planned].sort(), contract.endpoints.map(endpointName).sort());
});

test("the same of the legacy generation", () => {
  const path = join(repositoryRoot, "contract/legacy/planned.json");
  const { planned } = JSON.parse(readFileSync(path, "utf8")) as { planned: string[] };
  const described = (["spot", "futures"] as const).flatMap((area) => loadLegacyContract(area, contract).endpoints);
  assert.deepEqual([...Object.keys(legacyHandlers(backend)), ...planned].sort(), described.map(legacyName).sort());
});

test("every refusal of the engine has a row, and every row is of a refusal that there is", () => {
  const names = REFUSALS.all();
  assert.deepEqual(
    names.filter((name) => !Object.hasOwn(REFUSAL_ROWS, name)),
    [],
  );
  const own = PARTS.flatMap(({ refusals }) => Object.keys(refusals));
  assert.deepEqual(
    own.filter((name) => !names.includes(name)),
    [],
  );
});

test("every channel of the contract is brought by one part for each kind of socket, and no part brings another", () => {
  const { endpoints, channels } = loadSocketContract(contract);
  for (const { markets: kind } of endpoints) {
    const brought = CHANNELS.filter((channel) => isOn(kind, channel)).map(({ name }) => name);
    const described = channels.filter((channel) => isOn(kind, channel)).map(({ name }) => name);
    assert.deepEqual(brought.sort(), described.sort(), kind);
  }
});

test("the same of the legacy sockets, and of their methods with answers of their own", () => {
  const { endpoints, channels, calls } = loadLegacySocketContract(
    loadSocketContract(),
    loadLegacyContract("spot", contract),
  );
  for (const { markets: kind } of endpoints) {
    const on = <Described extends { readonly markets: MarketKind | "both" }>(all: readonly Described[]) =>
      all.filter((each) => isOn(kind, each));
    const described = on(channels).filter(({ serves }) => serves === undefined);
    assert.deepEqual(
      on(LEGACY_CHANNELS)
        .map(({ name }) => name)
        .sort(),
      described.map(({ name }) => name).sort(),
      kind,
    );
    const context = { kind, backend, printers: new Printers(backend.state) } as unknown as ChannelContext;
    const brought = LEGACY_SOCKET_CALLS.flatMap((calls) => Object.keys(calls(context)));
    assert.deepEqual(new Set(brought).size, brought.length, "no method twice");
    const known = new Set(calls.map(({ method }) => method));
    assert.deepEqual(
      brought.filter((method) => !known.has(method)),
      [],
    );
  }
});

test("every noun of the operators' verbs is described, and no other", () => {
  const verbs = ADMIN_CALLS.flatMap((call) => Object.keys(call.verbs)).map((verb) => verb.split(" "));
  const nouns = verbs.filter((words) => words.length > 1 && !words[1]?.startsWith("--")).map(([noun]) => noun);
  assert.deepEqual(Object.keys(NOUNS).sort(), [...new Set(nouns)].sort());
});
