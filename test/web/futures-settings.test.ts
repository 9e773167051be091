/**
 * The futures settings of an account as a page reads them: what the venue will use, before there is a position, too.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type StartedVenue, startVenue } from "../../src/lab/library/index.ts";
import { WebClient } from "./web-client.ts";

describe("the futures settings of a session", () => {
  let venue: StartedVenue;
  const signedIn = async (account: string): Promise<WebClient> => {
    const client = new WebClient(venue.url);
    await client.act("/web/demo", { account });
    return client;
  };
  before(async () => {
    venue = await startVenue({ makers: false });
  });
  after(() => venue.stop());

  test("are the defaults of the venue for an account that has set nothing, and follow every change", async () => {
    const alice = await signedIn("alice");
    const read = () => alice.read("/web/futures-settings/BTCUSDT");
    assert.deepEqual(await read(), {
      ...{ market: "BTCUSDT", margin_mode: "cross", leverage: 10, position_mode: "one_way" },
    });
    const wanted = { market: "BTCUSDT", market_type: "FUTURES", margin_mode: "isolated", leverage: 20 };
    await alice.act("/v2/futures/adjust-position-leverage", wanted);
    await alice.act("/v2/account/futures-market-settings", { position_mode: "hedge" });
    assert.deepEqual(await read(), {
      ...{ market: "BTCUSDT", margin_mode: "isolated", leverage: 20, position_mode: "hedge" },
    });
    assert.equal((await alice.read("/web/futures-settings/ETHUSDT")).margin_mode, "cross");
    assert.equal((await (await signedIn("bob")).read("/web/futures-settings/BTCUSDT")).position_mode, "one_way");
  });

  test("are refused to strangers and for markets without futures", async () => {
    const stranger = await new WebClient(venue.url).get("/web/futures-settings/BTCUSDT");
    assert.equal(stranger.data.reason, "session_unknown");
    const alice = await signedIn("alice");
    for (const market of ["NOSUCH", "CETUSDT", "%00", "x".repeat(41)]) {
      const { status, code } = await alice.get(`/web/futures-settings/${market}`);
      assert.ok(code !== 0 && status < 500, market);
    }
  });
});
