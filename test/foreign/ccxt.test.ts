/**
 * ccxt, unmodified but for its addresses: every unified method it says it has, held to the rules of its own live tests.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import ccxt from "ccxt";
import { faultsOf, type Ground } from "./ccxt-rules.ts";
import { WATCHES, type Watch } from "./ccxt-streams.ts";
import { MARKETS, type Step, WALK } from "./ccxt-walk.ts";
import { openPlace, type Place } from "./ccxt-world.ts";

interface KnownFault {
  /** Scope and method. */
  readonly request: string;
  readonly fault: string;
  readonly why: string;
}

const { ccxt: faults } = JSON.parse(readFileSync(new URL("known-faults.json", import.meta.url), "utf8")) as {
  readonly ccxt: readonly KnownFault[];
};
const met = new Set<KnownFault>();

/** Whether a fault stands in the ledger. */
function isKnown(request: string, fault: string): boolean {
  const [scope, method] = request.split(" ") as [string, string];
  const known = faults.find((each) => {
    const [scopes, methods] = each.request.split(" ") as [string, string];
    const isOf = (list: string, name: string) => list === "*" || list.split(",").includes(name);
    return isOf(scopes, scope) && isOf(methods, method) && fault.startsWith(each.fault);
  });
  if (known !== undefined) met.add(known);
  return known !== undefined;
}

/** What a record is held to here is what ccxt's tests hold it to: one that is wrong must be found. */
describe("the rules of records", () => {
  const ground = {
    currencies: new Set(["BTC", "USDT"]),
    nowMs: 1_750_000_000_000,
    symbol: "BTC/USDT",
    amountStep: 0.01,
  };
  const time = { timestamp: 1_749_999_999_000, datetime: "2025-06-15T15:06:39.000Z" };
  const trade = { info: {}, id: "1", order: "2", symbol: "BTC/USDT", side: "buy", takerOrMaker: "taker", ...time };
  const whole = { ...trade, price: 2, amount: 3, cost: 6, fees: [], fee: { cost: 0, currency: "BTC" } };
  const faults: readonly (readonly [kind: string, record: unknown, fault: string])[] = [
    ["trade", { ...whole, price: undefined }, "price: is undefined"],
    ["trade", { ...whole, price: "2" }, "price: is no number"],
    ["trade", { ...whole, side: "long" }, "side: is long"],
    ["trade", { ...whole, symbol: "ETH/USDT" }, "symbol: is another"],
    ["trade", { ...whole, fee: { cost: 0, currency: "XYZ" } }, "fee.currency: is no currency"],
    ["trade", { ...whole, datetime: "2025-06-15T15:06:38.000Z" }, "datetime: is not timestamp"],
    ["trade", { ...whole, timestamp: ground.nowMs + 60_000 }, "timestamp: is ahead of the venue"],
    ["ownTrade", { ...whole, order: undefined }, "order: is undefined"],
    ["trade", Object.fromEntries(Object.entries(whole).filter(([name]) => name !== "fees")), "fees: is missing"],
    ["candle", [ground.nowMs, 3, 2, 1, 2, 9], "1: is above the highest"],
    ["balance", { info: {}, free: { BTC: 1 }, used: { BTC: 1 }, total: { BTC: 3 } }, "total.BTC: is not free and used"],
    ["book", { ...time, symbol: "BTC/USDT", nonce: 1, asks: [[2, 1]], bids: [[2, 1]] }, "bids: cross the asks"],
    [
      "book",
      {
        ...time,
        symbol: "BTC/USDT",
        nonce: 1,
        asks: [
          [2, 1],
          [2, 1],
        ],
        bids: [],
      },
      "asks: out of order",
    ],
    ["time", 1.5, "time: is no whole number"],
  ];

  test("a record that is right has no fault", () => assert.deepEqual(faultsOf("trade", whole, ground), []));

  for (const [kind, record, fault] of faults) {
    test(`${kind}: ${fault}`, () => assert.deepEqual(faultsOf(kind, record, ground), [fault]));
  }
});

describe("ccxt on the listing of the exchange itself", () => {
  let place: Place;
  before(async () => {
    place = await openPlace(
      ({ accessId, secret }, defaultType) =>
        new ccxt.pro.coinex({ apiKey: accessId, secret, enableRateLimit: false, options: { defaultType } }),
    );
    await place.world.client.loadMarkets();
  });
  after(() => place?.close());

  for (const [scope, steps] of Object.entries(WALK)) {
    test(`${scope}: ${steps.length} calls`, async () => {
      const found: string[] = [];
      for (const [at, step] of steps.entries()) {
        const request = `${scope} ${step.method}`;
        for (const fault of await faultsOfStep(step)) {
          if (!isKnown(request, fault)) found.push(`${request} (${at}): ${fault}`);
        }
      }
      assert.deepEqual(found, []);
    });
  }

  for (const [scope, watches] of Object.entries(WATCHES)) {
    test(`${scope} sockets: ${watches.length} calls`, async () => {
      const found: string[] = [];
      for (const watch of watches) {
        const request = `${scope} ${watch.method}`;
        const answer = await told(watch, scope as keyof typeof WATCHES);
        for (const fault of new Set(await faultsIn(watch, answer))) {
          if (!isKnown(request, fault)) found.push(`${request}: ${fault}`);
        }
      }
      assert.deepEqual(found, []);
    });
  }

  /** What a watch tells while the two traders trade, since ccxt does not say when its subscription stands. */
  async function told({ method, args }: Watch, scope: keyof typeof WATCHES): Promise<unknown> {
    const client = place.streams[scope];
    const { symbol, amount } = MARKETS[scope];
    let isTold = false;
    const watched = client[method as "watchTicker"] as unknown as (...given: unknown[]) => Promise<unknown>;
    const answer = watched.apply(client, [...args]).finally(() => {
      isTold = true;
    });
    const end = answer.catch(() => undefined);
    for (let at = 0; !isTold; at++) {
      const [side, price] = at % 2 === 0 ? ["buy", 60_000] : ["sell", 59_900];
      await client.createOrder(symbol, "limit", side as "buy", amount, price as number);
      await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    return await answer;
  }

  async function faultsOfStep(step: Step): Promise<readonly string[]> {
    const { world } = place;
    await step.first?.(world);
    let answer: unknown;
    try {
      const call = world.client[step.method as "fetchTicker"] as unknown as (...args: unknown[]) => Promise<unknown>;
      answer = await call.apply(world.client, [...step.args(world)]);
    } catch (error) {
      return [`call: ${(error as Error).message}`];
    }
    if (step.keep !== undefined) {
      const [first] = [answer].flat() as { id: string }[];
      world.kept[step.keep] = first?.id as string;
    }
    return [...new Set(await faultsIn(step, answer))];
  }

  async function faultsIn(step: Pick<Step, "gives" | "symbol">, answer: unknown): Promise<string[]> {
    const { client } = place.world;
    const market = step.symbol === undefined ? undefined : client.market(step.symbol);
    const ground: Ground = {
      currencies: new Set(Object.keys(client.currencies)),
      nowMs: await place.nowMs(),
      symbol: step.symbol,
      amountStep: market?.precision.amount,
    };
    const [kind = "", ...nests] = step.gives.split(/(?=\[\]|\{\})/);
    let records: readonly unknown[] = [answer];
    for (const nest of nests.reverse()) {
      records = records.flatMap((each) => (nest === "[]" ? (each as unknown[]) : Object.values(each as object)));
    }
    if (records.length === 0) return ["answer: is empty"];
    return records.flatMap((record) => faultsOf(kind, record, ground));
  }

  test("the walk calls every method that ccxt says it has", () => {
    const calls = [...Object.values(WALK), ...Object.values(WATCHES)].flat();
    const called = new Set(calls.map(({ method }) => method));
    const client = place.world.client;
    const has = Object.entries(client.has as Record<string, unknown>)
      .filter(([name, value]) => value === true && typeof client[name as "fetchTicker"] === "function")
      .map(([name]) => name);
    assert.deepEqual(
      has.filter((name) => !called.has(name)),
      [],
    );
  });

  test("every known fault of ccxt is still met", () => {
    assert.deepEqual(
      faults.filter((fault) => !met.has(fault)),
      [],
    );
  });
});
