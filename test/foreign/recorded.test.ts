/**
 * Answers and pushes that public clients recorded from the exchange (recorded.json), held against those of a venue:
 * their fields, types and nesting.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { EXAMPLES, openStage, type Params, type Stage } from "../conformance/examples.ts";
import { LEGACY_EXAMPLES } from "../conformance/legacy-examples.ts";
import { LegacyClient } from "../legacy/client.ts";
import type { Envelope } from "../support/api-client.ts";
import { limitOrder } from "../support/served-venue.ts";

/** Text, int, number and flag; the shape of items; tuple; fields, or * for every name. */
type Shape = string | readonly [] | readonly [Shape] | { readonly [field: string]: Shape };

interface Difference {
  /** Endpoint or method, and the place in its answer. */
  readonly at: string;
  readonly fault: string;
  readonly why: string;
}

const read = <Data>(name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as Data;
const recorded = read<{
  readonly current: readonly { readonly endpoint: string; readonly data: Shape }[];
  readonly legacy: readonly { readonly endpoint: string; readonly data: Shape }[];
  readonly current_pushes: readonly { readonly method: string; readonly data: Shape }[];
  readonly legacy_pushes: readonly {
    readonly method: string;
    readonly product: "spot" | "futures";
    readonly params: Shape;
  }[];
}>("recorded.json");
const { recorded: differences } = read<{ readonly recorded: readonly Difference[] }>("known-faults.json");
const met = new Set<Difference>();

/** What an answer lacks of what was recorded, as "place: what". */
function faultsOf(shape: Shape, value: unknown, at: string): string[] {
  if (value === null || value === undefined) return [];
  if (typeof shape === "string") return isOf(shape, value) ? [] : [`${at}: is no ${shape}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${at}: is no list`];
    const [item] = shape;
    return item === undefined || value.length === 0 ? [] : faultsOf(item, joined(value), `${at}[]`);
  }
  if (typeof value !== "object" || (Array.isArray(value) && shape["tuple"] === undefined))
    return [`${at}: is no object`];
  const { tuple, "*": each } = shape;
  if (tuple !== undefined) {
    return (tuple as unknown as Shape[]).flatMap((item, index) => {
      const given = (value as unknown[])[index];
      return given === undefined ? [`${at}[${index}]: is missing`] : faultsOf(item, given, `${at}[${index}]`);
    });
  }
  if (each !== undefined) return faultsOf(each, joined(Object.values(value)), `${at}.*`);
  return Object.entries(shape).flatMap(([name, inner]) => {
    const place = `${at}.${name}`;
    return name in value ? faultsOf(inner, (value as Record<string, unknown>)[name], place) : [`${place}: is missing`];
  });
}

function isList(shape: Shape): shape is readonly [] | readonly [Shape] {
  return Array.isArray(shape);
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    default:
      return typeof value === "number";
  }
}

/** One record with the fields of all: what one leaves empty another may have. */
function joined(values: readonly unknown[]): unknown {
  const [first] = values;
  if (typeof first !== "object" || first === null) return first;
  if (Array.isArray(first)) return first;
  const all: Record<string, unknown> = {};
  for (const each of values) {
    for (const [name, value] of Object.entries(each as object)) {
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
      if (!(name in all) || !isEmpty) all[name] = value;
    }
  }
  return all;
}

/** Those that stand in no row of known-faults.json. */
function unknownOf(name: string, faults: readonly string[]): string[] {
  return faults
    .map((fault) => `${name} ${fault}`)
    .filter((text) => {
      const known = differences.filter(({ at, fault }) => text === `${at}: ${fault}`);
      for (const each of known) met.add(each);
      return known.length === 0;
    });
}

describe("what public clients recorded from the exchange", () => {
  let stage: Stage;
  let caller: LegacyClient;
  before(async () => {
    stage = await openStage({ compat: true });
    caller = new LegacyClient(stage.venue, stage.caller.client);
  });
  after(() => stage.venue.close());

  for (const { endpoint, data } of recorded.current) {
    test(endpoint, async () => {
      const params = (await EXAMPLES[endpoint as keyof typeof EXAMPLES]?.(stage)) ?? {};
      const [method, path] = endpoint.split(" ");
      const answer = await (method === "POST"
        ? stage.caller.client.post(`/v2${path}`, params)
        : stage.caller.client.get(`/v2${path}`, textsOf(params)));
      assert.equal(answer.code, 0, answer.message);
      assert.deepEqual(unknownOf(endpoint, faultsOf(data, (answer as Envelope).data, "data")), []);
    });
  }

  for (const { endpoint, data } of recorded.legacy) {
    test(endpoint, async () => {
      const params = { ...(await LEGACY_EXAMPLES[endpoint as keyof typeof LEGACY_EXAMPLES]?.(stage)) } as Params;
      const [method = "", pattern = ""] = endpoint.split(" ");
      const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
      const given = Object.entries(params).filter(
        ([name, value]) => value !== undefined && !pattern.includes(`{${name}}`),
      );
      const answer = await caller.signed(method as "GET", path, Object.fromEntries(given) as never);
      assert.equal(answer.code, 0, answer.message);
      assert.deepEqual(unknownOf(endpoint, faultsOf(data, answer.data, "data")), []);
    });
  }

  test(`current sockets: ${recorded.current_pushes.length} pushes`, async () => {
    const { venue, caller: user } = stage;
    const socket = await venue.socket(user.client);
    for (const [method, params] of [
      ["state.subscribe", { market_list: [] }],
      ["bbo.subscribe", { market_list: ["BTCUSDT"] }],
      ["deals.subscribe", { market_list: [] }],
      ["depth.subscribe", { market_list: [["BTCUSDT", 10, "0", true]] }],
      ["balance.subscribe", { ccy_list: [] }],
      ["order.subscribe", { market_list: [] }],
      ["stop.subscribe", { market_list: [] }],
      ["user_deals.subscribe", { market_list: [] }],
    ] as const) {
      await socket.must(method, params);
    }
    const act = async () => {
      await user.client.act("/v2/spot/order", limitOrder("buy", "0.01", "30000"));
      await stage.wait();
    };
    const found: string[] = [];
    for (const { method, data } of recorded.current_pushes) {
      await act();
      venue.control.beat();
      const push = await socket.push(method);
      found.push(...unknownOf(method, faultsOf(data, push.data, "data")));
    }
    assert.deepEqual(found, []);
  });

  for (const product of ["spot", "futures"] as const) {
    const pushes = recorded.legacy_pushes.filter((push) => push.product === product);
    test(`legacy sockets of ${product}: ${pushes.length} pushes`, async () => {
      const { venue, caller: user } = stage;
      const socket = await venue.legacySocket(user.client, product === "spot" ? "/" : "/perpetual");
      await socket.must("depth.subscribe", ["BTCUSDT", 5, "0"]);
      for (const channel of ["state", "deals", "order"]) await socket.must(`${channel}.subscribe`, ["BTCUSDT"]);
      await socket.must("asset.subscribe");
      const found: string[] = [];
      for (const { method, params } of pushes) {
        const order = (await EXAMPLES[`POST /${product}/order`]?.(stage)) as object;
        await user.client.act(`/v2/${product}/order`, order);
        if (product === "spot") await user.client.act("/v2/spot/order", limitOrder("buy", "0.01", "30000"));
        venue.control.beat();
        const push = await socket.take((message) => message.method === method);
        found.push(...unknownOf(`${product} ${method}`, faultsOf(params, push.params, "params")));
      }
      assert.deepEqual(found, []);
    });
  }

  test("a recorded field that an answer lacks, and one of another type, are found", () => {
    const shape = { list: [{ a: "text", b: "int" }], flag: "flag", by: { "*": { x: "text" } } } as const;
    assert.deepEqual(faultsOf(shape, { list: [{ a: "1" }, { b: 2 }], flag: true, by: { BTC: { x: "" } } }, "data"), []);
    assert.deepEqual(faultsOf(shape, { list: [{ a: 1 }], by: { BTC: {} } }, "data"), [
      "data.list[].a: is no text",
      "data.list[].b: is missing",
      "data.flag: is missing",
      "data.by.*.x: is missing",
    ]);
  });

  test("every known difference is still met", () => {
    assert.deepEqual(
      differences.filter((each) => !met.has(each)),
      [],
    );
  });
});

function textsOf(params: Params): Record<string, string> {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
