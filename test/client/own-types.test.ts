/**
 * What the client's types let pass and what they do not: the compiler is the judge, and a wrong line that passes is its
 * error.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Client, Pushes, SpotOrder } from "../../client/index.ts";

const ORDER = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "1", price: "2" } as const;

async function typed(client: Client): Promise<void> {
  const order: Answer<SpotOrder> = await client.post("/spot/order", ORDER);
  if (order.ok) order.data.order_id.toFixed();
  else order.outcome.padEnd(1);
  await client.get("/assets/spot/balance");
  await client.get("/spot/market", { market: ["BTCUSDT"] });
  await client.socket("futures").follow("position", [], ({ position }: Pushes.PositionUpdate) => position.market);
  const placed: Answer<SpotOrder> = await client.socket("spot").call("order.place", ORDER);
  if (placed.ok) placed.data.order_id.toFixed();
  // @ts-expect-error decimals are texts, also over sockets
  await client.socket("spot").call("order.place", { ...ORDER, amount: 1 });
  // @ts-expect-error there is no such method
  await client.socket("spot").call("order.nothing", ORDER);
  // @ts-expect-error decimals are texts
  await client.post("/spot/order", { ...ORDER, amount: 1 });
  // @ts-expect-error there is no such side
  await client.post("/spot/order", { ...ORDER, side: "hold" });
  // @ts-expect-error the market is required
  await client.get("/spot/depth", { limit: 5, interval: "0" });
  // @ts-expect-error there is no such path
  await client.get("/spot/nothing");
  // @ts-expect-error it is no query
  await client.get("/spot/order");
  // @ts-expect-error this socket has no such channel
  await client.socket("spot").follow("position", [], () => {});
}

test("calls and channels are typed; the compiler looks at this file, too", () => {
  assert.equal(typed.length, 1);
});
