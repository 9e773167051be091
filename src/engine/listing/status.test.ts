import assert from "node:assert/strict";
import { test } from "node:test";
import { marketOf, Venue } from "../../../test/support/venue.ts";
import type { ChangeMarket } from "./command-schemas.ts";

type Times = Pick<ChangeMarket, "biddingAt" | "noCancelAt" | "onlineAt" | "delistedAt">;

/** A market is listed at 1000 with these times, and changed at `atMs`: what it then is, or what is wrong. */
const TABLE: readonly (readonly [listed: Times, atMs: number, changed: Times | undefined, outcome: string | RegExp])[] =
  [
    [{}, 1_000, undefined, "online"],
    [{ onlineAt: 1_000 }, 1_000, undefined, "online"],
    [{ onlineAt: 1_001 }, 1_000, undefined, "counting_down"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_000, undefined, "counting_down"],
    [{ biddingAt: 1_000, onlineAt: 3_000 }, 1_000, undefined, "bidding"],
    [{ biddingAt: 500, noCancelAt: 600, onlineAt: 3_000 }, 1_000, undefined, "bidding"],
    [{ biddingAt: 2_000, noCancelAt: 2_000, onlineAt: 3_000 }, 1_000, undefined, "counting_down"],
    [{ biddingAt: 2_000, noCancelAt: 3_000, onlineAt: 3_000 }, 1_000, undefined, "counting_down"],
    [{ biddingAt: 2_000 }, 1_000, undefined, /bidding_at must lie before online_at/],
    [{ biddingAt: 2_000, onlineAt: 2_000 }, 1_000, undefined, /bidding_at must lie before online_at/],
    [{ biddingAt: 2_000, noCancelAt: 1_999, onlineAt: 3_000 }, 1_000, undefined, /no_cancel_at must lie from/],
    [{ biddingAt: 2_000, noCancelAt: 3_001, onlineAt: 3_000 }, 1_000, undefined, /no_cancel_at must lie from/],
    [{ noCancelAt: 2_000, onlineAt: 3_000 }, 1_000, undefined, /no_cancel_at needs a bidding_at/],
    [{ biddingAt: 500, onlineAt: 1_000 }, 1_000, undefined, /needs an online_at in the future/],
    [{ biddingAt: -1, onlineAt: 3_000 }, 1_000, undefined, /milliseconds since 1970/],
    [{ onlineAt: -1 }, 1_000, undefined, /milliseconds since 1970/],
    [{ delistedAt: -1 }, 1_000, undefined, /milliseconds since 1970/],

    // Before anything has come everything may be moved.
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_999, { biddingAt: 2_500, noCancelAt: 2_600 }, "counting_down"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_999, { biddingAt: 1_999 }, "bidding"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_999, { biddingAt: 0 }, "counting_down"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_999, { biddingAt: 0, onlineAt: 0 }, "online"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 1_999, { onlineAt: 0 }, /bidding_at must lie before online_at/],
    [{ onlineAt: 3_000 }, 1_999, { biddingAt: 2_000 }, "counting_down"],

    // While bids are taken.
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 2_000, { biddingAt: 2_001 }, /bidding_at cannot be changed/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 2_000, { biddingAt: 0 }, /bidding_at cannot be changed/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 2_000, { biddingAt: 2_000, noCancelAt: 2_100 }, "bidding"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 2_000, { noCancelAt: 2_000 }, "bidding"],
    [{ biddingAt: 2_000, noCancelAt: 2_500, onlineAt: 3_000 }, 2_499, { noCancelAt: 0 }, "bidding"],
    [{ biddingAt: 2_000, noCancelAt: 2_500, onlineAt: 3_000 }, 2_500, { noCancelAt: 0 }, /no_cancel_at cannot be/],
    [{ biddingAt: 2_000, noCancelAt: 2_500, onlineAt: 3_000 }, 2_500, { noCancelAt: 2_500 }, "bidding"],
    [{ biddingAt: 2_000, noCancelAt: 2_500, onlineAt: 3_000 }, 2_999, { onlineAt: 9_000 }, "bidding"],
    [{ biddingAt: 2_000, noCancelAt: 2_500, onlineAt: 3_000 }, 2_999, { onlineAt: 2_999 }, "online"],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 2_999, { onlineAt: 2_001 }, "online"],

    // Once it trades.
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 3_000, { onlineAt: 3_001 }, /cannot go back to counting down/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 3_000, { biddingAt: 3_500, onlineAt: 4_000 }, /cannot go back/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 3_000, { biddingAt: 0 }, /bidding_at cannot be changed/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 3_000, { noCancelAt: 2_500 }, /no_cancel_at cannot be changed/],
    [{ biddingAt: 2_000, onlineAt: 3_000 }, 3_000, { biddingAt: 2_000, onlineAt: 3_000 }, "online"],
  ];

test("the times of a market make its status, and change until they have come", () => {
  for (const [listed, atMs, changed, outcome] of TABLE) {
    const venue = new Venue();
    venue.listAsset("BTC");
    venue.listAsset("USDT");
    let done = venue.execute({ ...marketOf("BTC", "USDT"), ...listed });
    venue.timeMs = atMs;
    if (changed !== undefined) done = venue.execute({ kind: "change_market", market: "BTCUSDT", ...changed });
    const row = JSON.stringify([listed, atMs, changed]);
    if (typeof outcome === "string") assert.equal(venue.marketNamed("BTCUSDT").status, outcome, row);
    else assert.match(`${done.refusal}: ${done.detail}`, new RegExp(`invalid_listing: .*${outcome.source}`), row);
    venue.assertRepeatable();
  }
});
