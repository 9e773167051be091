/** A page that stays open through much trading: what it keeps must not grow with what came and went. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CDPSession } from "playwright-core";
import type { ApiClient } from "../support/api-client.ts";
import { limit, noBrowser, openStage, setIndex } from "./terminal-stage.ts";

const skip = noBrowser();

/** As fast as the machine can. */
const GROUPS = [
  "spot:Place and edit orders",
  "spot:Cancel orders",
  "futures:Place, edit, adjust position",
  "futures:Cancel orders",
];
const UNLIMITED = [
  ...["--ip-rate", "1000000", "--long-effective-min", "0"],
  ...["--group-rates", JSON.stringify(Object.fromEntries(GROUPS.map((group) => [group, 1_000_000])))],
];

const BATCH = 20;
/** Until the page has compiled what it needs and its lists are full, */
const FIRST_ORDERS = 1_000;
/** and then counted. */
const COUNTED_ORDERS = 4_000;
/** Of the smallest push that could be kept; a page that kept them all took four times as much. */
const BYTES_PER_ORDER_MAX = 400;

test("the page keeps nothing of orders, deals and levels that came and went", { skip }, async (t) => {
  const { venue, page, alice, bob, complaints, continueAs } = await openStage(t, ...UNLIMITED);
  for (const market_type of ["SPOT", "FUTURES"]) await setIndex(venue, "BTCUSDT", "60000", market_type);
  await page.goto(`${venue.url}/trade/spot/BTCUSDT`);
  await continueAs("alice");
  const inspector = await page.context().newCDPSession(page);
  const trade = async (orders: number) => {
    for (let round = 0; round < orders / BATCH / 4; round++)
      for (const product of ["spot", "futures"] as const) {
        await comeAndGo(alice, product);
        await meet(alice, bob, product);
      }
    // One that is pushed last and stays: what came before it has been taken in.
    await alice.act("/v2/spot/order", limit("buy", "41000", "0.001"));
    const open = page.getByRole("tab", { name: /^Open orders/ });
    await open.getByText(String(++marks)).waitFor({ timeout: TAKEN_IN_MS });
  };
  let marks = 0;
  await trade(FIRST_ORDERS);
  const before = await heapOf(inspector);
  await trade(COUNTED_ORDERS);
  const perOrder = ((await heapOf(inspector)) - before) / COUNTED_ORDERS;
  assert.ok(perOrder < BYTES_PER_ORDER_MAX, `the page keeps ${Math.round(perOrder)} bytes of each order`);
  assert.deepEqual(complaints, []);
});

/** A busy machine takes its time; what takes longer hangs. */
const TAKEN_IN_MS = 120_000;

/** A batch that rests and is cancelled. */
async function comeAndGo(of: ApiClient, product: "spot" | "futures"): Promise<void> {
  const market_type = product.toUpperCase();
  const orders = Array.from({ length: BATCH }, (_, at) => limit("buy", `${40_000 + at}`, "0.001", market_type));
  const placed = await of.act(`/v2/${product}/batch-order`, { orders });
  for (const { code, message } of placed as { code: number; message: string }[]) assert.equal(code, 0, message);
  // The mark stays: only these are cancelled.
  const order_ids = (placed as { data: { order_id: number } }[]).map(({ data }) => data.order_id);
  await of.act(`/v2/${product}/cancel-batch-order`, { market: "BTCUSDT", market_type, order_ids });
}

/**
 * A batch that is filled by one order, as long as there are funds: one buys what the other sells, and the other way
 * round.
 */
async function meet(one: ApiClient, other: ApiClient, product: "spot" | "futures"): Promise<void> {
  const market_type = product.toUpperCase();
  meetings++;
  const [side, opposite] = meetings % 4 < 2 ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
  const orders = Array.from({ length: BATCH }, () => limit(side, "60000", "0.001", market_type));
  await one.act(`/v2/${product}/batch-order`, { orders });
  await other.act(`/v2/${product}/order`, limit(opposite, "60000", String(BATCH / 1_000), market_type));
}
let meetings = 0;

/** Bytes that the page's scripts hold once what nobody needs is collected. */
async function heapOf(inspector: CDPSession): Promise<number> {
  await inspector.send("HeapProfiler.collectGarbage");
  return (await inspector.send("Runtime.getHeapUsage")).usedSize;
}
