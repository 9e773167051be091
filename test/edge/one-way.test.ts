/**
 * The way of a request from its bytes to its handler: short, in one direction, and with one look at the venue's clock.
 */
import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import type { Command } from "../../src/engine/command.ts";
import { Sequencer } from "../../src/venue/sequencer.ts";
import { LegacyClient } from "../legacy/client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

/** From what reads the connection to the handler, both included. */
const FILES_MAX = 6;
const FRAMES_MAX = 100;
const FRAME = /\/src\/(gateway\/[\w/.-]+\.ts):\d+/;

describe("the way of a request", () => {
  let venue: ApiVenue;
  let ann: ApiUser;
  /** Where the command of each kind came from. */
  const stacks = new Map<Command["kind"], string>();
  let looks = 0;
  before(async () => {
    venue = await bitcoinApiVenue({ rates: {} });
    ann = await venue.addUser("ann", { USDT: "10000", BTC: "10" });
    const { submit, now } = Sequencer.prototype;
    mock.method(Sequencer.prototype, "submit", function (this: Sequencer, ...given: Parameters<typeof submit>) {
      const framesBefore = Error.stackTraceLimit;
      Error.stackTraceLimit = FRAMES_MAX;
      stacks.set(given[0].kind, new Error("the way here").stack ?? "");
      Error.stackTraceLimit = framesBefore;
      return submit.apply(this, given);
    });
    mock.method(Sequencer.prototype, "now", function (this: Sequencer) {
      looks++;
      return now.apply(this);
    });
  });
  after(async () => {
    mock.restoreAll();
    await venue.close();
  });

  const order = limitOrder("buy", "0.01", "20000");
  const legacyOrder = { market: "BTCUSDT", type: "buy", amount: "0.01", price: "20000" };
  const CALLS: readonly (readonly [what: string, kind: Command["kind"], call: () => Promise<unknown>])[] = [
    ["a spot order", "place_order", () => ann.client.act("/v2/spot/order", order)],
    [
      "a cancel of all orders",
      "cancel_all_orders",
      () => ann.client.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" }),
    ],
    [
      "a legacy order",
      "place_order",
      () => new LegacyClient(venue, ann.client).spot("POST", "/order/limit", legacyOrder),
    ],
  ];
  for (const [what, kind, call] of CALLS) {
    test(`${what} passes through no file twice`, async () => {
      stacks.clear();
      await call();
      const files = filesTo(stacks.get(kind) ?? "");
      assert.match(files.at(-1) ?? "", /^gateway\/parts\//, "it ends at a handler");
      assert.equal(new Set(files).size, files.length, files.join(" → "));
      assert.ok(files.length <= FILES_MAX, files.join(" → "));
    });
  }

  test("an order costs one look at the venue's clock", async () => {
    const { client } = ann;
    const target = "/v2/spot/order";
    const body = JSON.stringify(order);
    // Anyone who signs looks at it, too.
    const headers = client.headersFor("POST", target, body);
    looks = 0;
    const response = await fetch(client.base + target, { method: "POST", headers, body });
    assert.equal(looks, 1);
    assert.equal(((await response.json()) as { code: number }).code, 0);
  });
});

/** The files of the gateway up to the first handler, in the order of the calls, each run of frames of one file once. */
function filesTo(stack: string): string[] {
  const calls = stack
    .split("\n")
    .flatMap((line) => FRAME.exec(line)?.[1] ?? [])
    .reverse();
  const files = calls.filter((file, at) => file !== calls[at - 1]);
  const handler = files.findIndex((file) => file.startsWith("gateway/parts/"));
  return files.slice(0, handler + 1);
}
