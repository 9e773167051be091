/**
 * Every code that the seed's table of the legacy generation lists is produced here by a request over HTTP; so are those
 * of the current generation that the contract marks as seed. A code of either table without a row below fails.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, mock, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { ApiVenue, listFutures } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";
import { LegacyClient } from "./client.ts";

const MARKET = { market: "BTCUSDT" };
const LIMIT = { ...MARKET, type: "buy", amount: "0.5", price: "20000" };
const [BUY, SELL] = [2, 1];

interface Coded {
  readonly code: number;
}

/** Who asks, and what they have. */
interface Stage {
  readonly venue: ApiVenue;
  readonly ann: LegacyClient;
  readonly ben: LegacyClient;
  readonly current: ApiClient;
  readonly annId: number;
  /** An order of ben's that rests, one that was filled, and a stop order of his that waits. */
  readonly restingId: number;
  readonly filledId: number;
  readonly stopId: number;
}

type Row = (stage: Stage) => Promise<Coded>;

const fileOf = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../contract/${path}`, import.meta.url), "utf8")) as {
    readonly envelope: readonly { readonly code: number; readonly origin: string }[];
    readonly codes: readonly { readonly code: number; readonly source: string }[];
  };

const keyed = async ({ venue, annId }: Stage, more: { expiredAt?: number; ipWhitelist?: string[] }) =>
  new LegacyClient(venue, await venue.addKey(annId, ["read"], more));

/** By code: requests that are answered with it. */
const LEGACY: Readonly<Record<number, Row | readonly Row[]>> = {
  0: [({ ann }) => ann.get("/v1/market/list"), ({ ann }) => ann.spot("GET", "/balance/info")],
  1: ({ ann }) => ann.spot("POST", "/order/market", { market: "ETHUSDT", type: "buy", amount: "10" }),
  2: [
    ({ ann }) => ann.get("/v1/market/depth?market=BTCUSDT&merge=0&limit=7"),
    ({ ann }) => ann.spot("POST", "/order/limit", { ...LIMIT, type: "hold" }),
  ],
  3: async ({ venue, ann }) => {
    const planted = mock.method(venue.engine.state.ledger, "find", () => {
      throw new Error("planted");
    });
    const answer = await ann.spot("GET", "/balance/info");
    planted.mock.restore();
    assert.equal(venue.control.failures.length, 1, "the failure is logged");
    venue.control.failures.length = 0;
    return answer;
  },
  23: async (stage) => (await keyed(stage, { ipWhitelist: ["192.0.2.1"] })).spot("GET", "/balance/info"),
  24: ({ ann }) => ann.spot("GET", "/balance/info", {}, { access_id: "NOBODY" }),
  25: ({ ann }) => ann.signed("GET", "/v1/balance/info", {}, { authorization: (digest) => digest.replace(/./g, "0") }),
  34: async (stage) => (await keyed(stage, { expiredAt: 1 })).spot("GET", "/balance/info"),
  35: async ({ venue, ann }) => {
    const { timeMs: startedAt } = venue.control;
    const times = { startedAt, endedAt: startedAt + 1_000, protectDurationStart: 0, protectDurationEnd: 0 };
    const said = { announceUrl: "", announceEnabled: false };
    await venue.operate({ kind: "plan_maintenance", scope: ["SPOT"], ...times, ...said });
    const answer = await ann.spot("POST", "/order/limit", LIMIT);
    await venue.wait(2_000);
    return answer;
  },
  36: async ({ venue, ann }) => {
    venue.fault({ fault: "timeout", match: "/v1/order/limit", when: "after", count: 1 });
    const answer = await ann.spot("POST", "/order/limit", { ...LIMIT, client_id: "unknown-outcome" });
    // Anyone who asks finds that it was placed.
    const pending = await ann.spot("GET", "/order/pending", { ...MARKET, client_id: "unknown-outcome" });
    assert.equal(pending.data.count, 1);
    return answer;
  },
  40: ({ ann }) => ann.spot("POST", "/sub_account/transfer", giving("nobodys")),
  49: async ({ venue, ann, annId }) => {
    await venue.operate({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "400000", note: "" });
    await venue.operate({
      kind: "grant_credit",
      userId: annId,
      ccy: "USDT",
      amount: "400000",
      note: "a line",
      dailyRate: "0",
    });
    await venue.operate({ kind: "set_credit_terms", withdrawalRisk: "1000", tradeRisk: "1.1" });
    const answer = await ann.spot("POST", "/sub_account/transfer", giving("ann-sub"));
    await venue.operate({ kind: "repay_credit", userId: annId, ccy: "USDT", amount: "400000", note: "" });
    return answer;
  },
  107: ({ ben }) => ben.spot("POST", "/order/limit", { ...LIMIT, amount: "1000" }),
  158: async (stage) => (await keyed(stage, {})).spot("POST", "/order/limit", LIMIT),
  213: async ({ venue, ann }) => {
    // Time stands still: the group is empty in the end.
    for (let asked = 0; asked < 1_000; asked++) {
      const answer = await ann.spot("POST", "/order/limit", { ...LIMIT, amount: "-" });
      if (answer.code !== 2) {
        await venue.wait(2_000);
        return answer;
      }
    }
    return { code: 2 };
  },
  227: ({ venue, ann }) => ann.spot("GET", "/balance/info", {}, { tonce: venue.control.timeMs - 60_001 }),
  600: [
    ({ ann }) => ann.spot("DELETE", "/order/pending", { ...MARKET, id: 999_999 }),
    ({ ann }) => ann.spot("GET", "/order/status", { ...MARKET, id: 999_999 }),
    ({ ann }) => ann.futures("GET", "/order/status", { ...MARKET, order_id: 999_999 }),
  ],
  601: [
    ({ ann, restingId }) => ann.spot("DELETE", "/order/pending", { ...MARKET, id: restingId }),
    ({ ann, restingId }) => ann.spot("POST", "/order/modify", { ...MARKET, id: restingId, price: "20001" }),
    ({ ann, restingId }) => ann.spot("GET", "/order/status", { ...MARKET, id: restingId }),
    ({ ann, filledId }) => ann.spot("GET", "/order/status", { ...MARKET, id: filledId }),
    ({ ann, filledId }) => ann.spot("DELETE", "/order/pending", { ...MARKET, id: filledId }),
    ({ ann, restingId }) =>
      second(ann.spot("GET", "/order/status/batch", { ...MARKET, batch_ids: `999999,${restingId}` })),
    ({ ann, restingId }) =>
      second(ann.spot("DELETE", "/order/pending/batch", { ...MARKET, batch_ids: `999999,${restingId}` })),
    ({ ann, stopId }) => ann.spot("DELETE", `/order/stop/pending/${stopId}`, MARKET),
    ({ ann, stopId }) => ann.spot("POST", "/order/stop/modify", { ...MARKET, id: stopId, amount: "0.4" }),
    ({ ann, restingId }) => ann.futures("POST", "/order/cancel", { ...MARKET, order_id: restingId }),
    ({ ann, restingId }) => ann.futures("GET", "/order/status", { ...MARKET, order_id: restingId }),
    ({ ann, restingId }) => ann.futures("POST", "/order/modify", { ...MARKET, order_id: restingId, price: "20001" }),
    ({ ann, restingId }) =>
      second(ann.futures("POST", "/order/cancel_batch", { ...MARKET, order_ids: `999999,${restingId}` })),
    ({ ann, stopId }) => ann.futures("POST", "/order/cancel_stop", { ...MARKET, order_id: stopId }),
    ({ ann, stopId }) => ann.futures("GET", "/order/stop_status", { ...MARKET, order_id: stopId }),
  ],
  602: ({ ann }) => ann.spot("POST", "/order/limit", { ...LIMIT, amount: "0.000001" }),
  606: ({ ann }) => ann.spot("POST", "/order/limit", { ...LIMIT, type: "sell", amount: "0.01", price: "1" }),
  651: [
    ({ ann }) => ann.get("/v1/market/depth?market=BTCUSDT&merge=3&limit=5"),
    ({ ann }) => ann.get("/v1/market/depth?market=BTCUSDT&merge=10&limit=5"),
  ],
  3008: async ({ venue, ann }) => {
    venue.control.busy = true;
    const answer = await ann.spot("POST", "/order/limit", LIMIT);
    venue.control.busy = false;
    return answer;
  },
};

/** On futures paths, what the contract names beside the seed's table. */
const FUTURES: Readonly<Record<number, Row>> = {
  3101: ({ ann }) => ann.futures("GET", "/order/pending", { market: "NOSUCHMARKET" }),
  3110: ({ ann }) => ann.futures("POST", "/order/put_market", { ...MARKET, side: BUY, amount: "0.1" }),
  3116: ({ ann }) => ann.futures("POST", "/order/put_limit", onFutures({ effect_type: 3 })),
  3128: ({ ann }) => ann.futures("POST", "/order/put_limit", onFutures({ price: "29000.0000001" })),
  3129: async ({ ann, ben }) => {
    const rests = await ben.futures("POST", "/order/put_limit", onFutures({ side: SELL, price: "30000" }));
    assert.equal(rests.code, 0, rests.message);
    return ann.futures("POST", "/order/put_limit", onFutures({ price: "30000", option: 1 }));
  },
};

const CURRENT: Readonly<Record<number, Row>> = {
  0: ({ current }) => current.get("/v2/ping"),
  3008: async ({ venue, current }) => {
    venue.control.busy = true;
    const answer = await current.post("/v2/spot/cancel-all-order", { ...MARKET, market_type: "SPOT" });
    venue.control.busy = false;
    return answer;
  },
  4001: ({ venue, current }) => {
    venue.fault({ fault: "unavailable", count: 1 });
    return current.get("/v2/assets/spot/balance");
  },
  4002: ({ venue, current }) => {
    venue.fault({ fault: "timeout", count: 1 });
    return current.get("/v2/assets/spot/balance");
  },
  4213: async ({ venue, current }) => {
    for (let asked = 0; asked < 1_000; asked++) {
      const answer = await current.post("/v2/spot/order", {});
      if (answer.code !== 3639) {
        await venue.wait(2_000);
        return answer;
      }
    }
    return { code: 3639 };
  },
};

function onFutures(more: object) {
  return { ...MARKET, side: BUY, amount: "0.1", price: "29000", effect_type: 1, option: 0, ...more };
}

function giving(name: string) {
  return { coin_type: "USDT", amount: "1", transfer_side: "in", transfer_account: name };
}

/** The second of the elements that an answer lists. */
async function second(asked: Promise<{ readonly code: number; readonly data: readonly Coded[] }>): Promise<Coded> {
  const { code, data } = await asked;
  assert.deepEqual([code, data[0]?.code], [0, 600]);
  return data[1] as Coded;
}

describe("the codes of the seed", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.venue.close());

  test("each has a row here, and each row is of one", () => {
    const seeded = fileOf("legacy/errors.json").envelope.filter(({ origin }) => origin === "seed");
    assert.deepEqual(
      Object.keys(LEGACY),
      seeded.map(({ code }) => String(code)),
    );
    const current = fileOf("current/errors.json").codes.filter(({ source }) => source.split(",").includes("seed"));
    for (const { code } of current) assert.ok(code in CURRENT, `${code} of the current generation has no row`);
  });

  for (const [title, table] of [
    ["", LEGACY],
    [" on futures paths", FUTURES],
    [" of the current generation", CURRENT],
  ] as const) {
    for (const [code, rows] of Object.entries(table)) {
      test(`${code}${title} is answered`, async () => {
        for (const row of [rows].flat()) assert.equal((await (row as Row)(stage)).code, Number(code), String(row));
      });
    }
  }
});

async function openStage(): Promise<Stage> {
  const venue = await ApiVenue.open({ rates: {} });
  await venue.operate({ kind: "list_asset", ccy: "BTC", scale: 8, chains: [CHAIN] });
  await venue.listAssets("USDT", "ETH", "USD");
  await venue.operate(marketOf("BTC", "USDT"));
  await venue.operate({ ...marketOf("ETH", "USDT"), minAmount: "0.001" });
  await listFutures(venue);
  const funds = { USDT: "100000", BTC: "10" };
  const { userId: annId, client } = await venue.addUser("ann", funds);
  await venue.addUser("ann-sub", {}, annId);
  const { client: bens, userId: benId } = await venue.addUser("ben", funds);
  for (const userId of [annId, benId]) {
    await venue.operate({ kind: "transfer", userId, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "50000" });
  }
  const ben = new LegacyClient(venue, bens);
  const place = async (params: object) => (await ben.spot("POST", "/order/limit", { ...LIMIT, ...params })).data.id;
  const ann = new LegacyClient(venue, client);
  const filledId = await place({ price: "30000", amount: "0.1" });
  const taken = await ann.spot("POST", "/order/limit", { ...LIMIT, type: "sell", price: "30000", amount: "0.1" });
  assert.equal(taken.code, 0, taken.message);
  const restingId = await place({ price: "29000", amount: "0.1" });
  const stop = { ...LIMIT, price: "31000", stop_price: "31000" };
  const stopId = (await ben.spot("POST", "/order/stop/limit", stop)).data.order_id;
  return { venue, ann, ben, current: client, annId, restingId, filledId, stopId };
}
