import assert from "node:assert/strict";
import { test } from "node:test";
import type { Envelope } from "../support/api-client.ts";
import { contract, futuresApiVenue } from "../support/served-venue.ts";

const STOP = "/v2/futures/stop-order";
const BY_CLIENT_ID = "/v2/futures/cancel-stop-order-by-client-id";
const stop = (more: object) =>
  contract("buy", "0.1", undefined, { trigger_price: "31000", client_id: "mine", ...more });

test("stop orders name a position side in hedge mode and there only, and are cancelled by it", async (t) => {
  const venue = await futuresApiVenue();
  t.after(() => venue.close());
  const { client } = await venue.addTrader("trader", { USDT: "10000" });
  assert.equal((await client.post(STOP, stop({ position_side: "long" }))).code, 3639);
  await client.act("/v2/account/futures-market-settings", { position_mode: "hedge" });
  const refused = await client.post(STOP, stop({}));
  assert.deepEqual(
    [refused.code, refused.message],
    [3639, "Invalid Parameter: position_side is given in hedge mode, and there only."],
  );

  const ids: Record<string, number> = {};
  for (const side of ["long", "short"]) ids[side] = (await client.act(STOP, stop({ position_side: side }))).stop_id;
  const cancel = async (more: object) => {
    const elements = (await client.act(BY_CLIENT_ID, {
      market_type: "FUTURES",
      client_id: "mine",
      ...more,
    })) as Envelope[];
    return elements.map(({ data }) => data.stop_id);
  };
  assert.deepEqual(await cancel({ position_side: "short" }), [ids["short"]]);
  const none = { market_type: "FUTURES", client_id: "mine", position_side: "short" };
  assert.equal((await client.post(BY_CLIENT_ID, none)).code, 3600);
  assert.deepEqual(await cancel({}), [ids["long"]]);
});
