import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { strictRows } from "../../src/gateway/current/strict.ts";
import { LegacyClient } from "../legacy/client.ts";
import { type ApiVenue, bitcoinApiVenue, limitOrder, listFutures } from "../support/served-venue.ts";

const SPOT = { market: "BTCUSDT", market_type: "SPOT" };

/** By row: requests that the row refuses, and what they are answered without it. */
const TRIES: Readonly<Record<string, (venue: ApiVenue) => Promise<readonly { readonly code: number }[]>>> = {
  S1: async (venue) => {
    const { client } = await venue.addUser("ann", { USDT: "1000" });
    const paths = strictRows().find(({ id }) => id === "S1")?.params ?? [];
    return Promise.all(
      paths.map(({ endpoint, param }) => {
        const [, path = ""] = endpoint.split(" ");
        const market_type = path.startsWith("/futures") ? "FUTURES" : "SPOT";
        return client.post(`/v2${path}`, { market: "BTCUSDT", market_type, [param]: ["1", "2"] });
      }),
    );
  },
  S2: async (venue) => {
    const { client } = await venue.addUser("ben", { USDT: "1000" });
    const { order_id: id } = await client.act("/v2/spot/order", limitOrder("buy", "0.01", "20000"));
    const params = { market: "BTCUSDT", id };
    return [await new LegacyClient(venue, client).signed("DELETE", "/v1/order/pending", params, { place: "json" })];
  },
  S3: async (venue) => {
    const { client } = await venue.addUser("cat", { USDT: "1000" });
    const { order_id: id } = await client.act("/v2/spot/order", limitOrder("buy", "0.01", "20000"));
    const change = (value: number | string) => ({ market: "BTCUSDT", id: value, price: "20001" });
    const legacy = new LegacyClient(venue, client);
    assert.equal((await legacy.signed("POST", "/v1/order/modify", change(id), { place: "json" })).code, 0);
    return [await legacy.signed("POST", "/v1/order/modify", change(String(id)), { place: "json" })];
  },
};

async function venueThatIs(strict: boolean): Promise<ApiVenue> {
  const venue = await bitcoinApiVenue({ strict });
  await venue.listAssets("USD");
  await listFutures(venue);
  return venue;
}

test("every row of contract/strict.json has its evidence, stands in docs/reference/compat.md and is tried here", () => {
  const document = readFileSync(new URL("../../docs/reference/compat.md", import.meta.url), "utf8");
  const rows = strictRows();
  assert.deepEqual(
    Object.keys(TRIES),
    rows.map(({ id }) => id),
  );
  for (const { id, evidence, code } of rows) {
    assert.ok(evidence.length > 40, id);
    assert.match(document, new RegExp(`\\| ${id} \\| [^|]*: ${code} \\|`), id);
  }
});

for (const { id, code, meaning } of strictRows()) {
  test(`${id}: ${meaning}; without strict they are taken`, async (t) => {
    const [strict, liberal] = [await venueThatIs(true), await venueThatIs(false)];
    t.after(() => Promise.all([strict.close(), liberal.close()]));
    for (const answer of (await (TRIES[id] as (typeof TRIES)["S1"])?.(strict)) ?? []) assert.equal(answer.code, code);
    for (const answer of (await (TRIES[id] as (typeof TRIES)["S1"])?.(liberal)) ?? []) assert.equal(answer.code, 0);
  });
}

test("what clients are known to send that is right is taken by a strict venue as well", async (t) => {
  const venue = await venueThatIs(true);
  t.after(() => venue.close());
  const { client } = await venue.addUser("ann", { USDT: "1000" });
  const { order_id: first } = await client.act("/v2/spot/order", limitOrder("buy", "0.01", "20000"));
  const batch = await client.post("/v2/spot/cancel-batch-order", { ...SPOT, order_ids: [first] });
  assert.deepEqual([batch.code, batch.data[0].code], [0, 0]);
  // A single id may be a text: nobody was seen to be refused for that.
  const { order_id: second } = await client.act("/v2/spot/order", limitOrder("buy", "0.01", "20000"));
  assert.equal((await client.post("/v2/spot/cancel-order", { ...SPOT, order_id: String(second) })).code, 0);
});
