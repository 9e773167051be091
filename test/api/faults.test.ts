/** What goes wrong on purpose: requests, sockets, and what is told of it. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, afterEach, before, describe, test } from "node:test";
import { type FaultSpec, refuseTerms } from "../../src/gateway/faults/terms.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ORDER = "/v2/spot/order";
const BALANCE = "/v2/assets/spot/balance";

describe("faults", () => {
  let venue: ApiVenue;
  let alice: ApiUser;
  let bob: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    alice = await venue.addUser("alice", { USDT: "1000000" });
    bob = await venue.addUser("bob", { USDT: "1000000" });
  });
  afterEach(() => {
    venue.faults.end();
    venue.notes.length = 0;
  });
  after(() => venue.close());

  const codeOf = async ({ client }: ApiUser, path = BALANCE) => (await client.get(path)).code;
  const openOrders = async () =>
    (await alice.client.get("/v2/spot/pending-order", { market_type: "SPOT" })).data.length;

  test("a busy, an unavailable and a limiting venue say so, as often as was asked for, and to whom", async () => {
    for (const [fault, code] of [
      ["busy", 3008],
      ["unavailable", 4001],
      ["limited", 4213],
    ] as const) {
      const { faultId } = venue.fault({ fault, match: `user_id=${alice.userId}`, count: 2 });
      assert.equal(await codeOf(bob), 0);
      const answer = await alice.client.fetch("GET", BALANCE);
      assert.match(answer.headers.get("x-bourse-reason") ?? "", new RegExp(`; fault_id=${faultId}$`));
      assert.deepEqual(
        [((await answer.json()) as { code: number }).code, await codeOf(alice), await codeOf(alice)],
        [code, code, 0],
        fault,
      );
      assert.deepEqual(venue.faults.list(), []);
    }
    assert.equal(venue.notes.length, 6);
    assert.match(venue.notes[0] ?? "", /^fault \d+ strikes: busy, GET \/v2\/assets\/spot\/balance of user \d+$/);
  });

  test("a path is meant with and without the version, and is that of a legacy call too", async () => {
    venue.fault({ fault: "busy", match: "/assets/spot/balance" });
    assert.deepEqual(
      [await codeOf(alice), await codeOf(alice, "/assets/spot/balance"), await codeOf(alice, "/v2/time")],
      [3008, 3008, 0],
    );
    venue.faults.end();
    venue.fault({ fault: "busy", match: "/v1/market/list" });
    const legacy = async (path: string) => ((await (await fetch(venue.base + path)).json()) as { code: number }).code;
    assert.deepEqual([await legacy("/v1/market/list"), await legacy("/v1/market/ticker/all")], [3008, 0]);
  });

  test("a connection is cut before a command took effect, or after it", async () => {
    const place = () => alice.client.fetch("POST", ORDER, JSON.stringify(limitOrder("buy", "1", "100")));
    const held = await openOrders();
    venue.fault({ fault: "drop", match: ORDER, when: "before", count: 1 });
    await assert.rejects(place());
    assert.equal(await openOrders(), held);
    venue.fault({ fault: "drop", match: ORDER, when: "after", count: 1 });
    await assert.rejects(place());
    assert.equal(await openOrders(), held + 1);
  });

  test("a delayed request is answered later, and then as ever", async () => {
    venue.fault({ fault: "delay", match: BALANCE, ms: 60 });
    const begin = performance.now();
    assert.equal(await codeOf(alice), 0);
    assert.ok(performance.now() - begin >= 55);
  });

  test("a share is drawn from the seed: the same requests are struck in the same world", async () => {
    const struck = async () => {
      venue.fault({ fault: "busy", share: 0.5 }, 1_000_000);
      const codes: number[] = [];
      for (let request = 0; request < 40; request++) codes.push(await codeOf(alice));
      venue.faults.end();
      return codes.map((code) => (code === 0 ? "." : "x")).join("");
    };
    const first = await struck();
    assert.match(first, /x.*\..*x/);
    assert.equal(await struck(), first);
  });

  test("sockets that follow a channel, or are somebody's, are closed or stand still", async () => {
    const [all, hers] = [await venue.socket(), await venue.socket(alice.client)];
    await all.must("state.subscribe", { market_list: ["BTCUSDT"] });
    const gone = once(hers.webSocket, "close");
    assert.equal(venue.fault({ fault: "close_sockets", match: `user_id=${alice.userId}` }).struck, 1);
    assert.deepEqual(await gone, [1001, Buffer.alloc(0)]);
    assert.equal(venue.fault({ fault: "stall_sockets", match: "depth", ms: 50 }).struck, 0);
    assert.equal(venue.fault({ fault: "stall_sockets", match: "state", ms: 80 }).struck, 1);
    const begin = performance.now();
    await all.ask("server.ping");
    assert.ok(performance.now() - begin >= 70);
    assert.equal(venue.fault({ fault: "close_sockets" }).struck, 1);
    assert.deepEqual(venue.faults.list(), []);
  });

  test("index sources fall silent for a time of the venue, of one market or of all", () => {
    venue.fault({ fault: "stale_index", match: "BTCUSDT", ms: 1_000 });
    assert.deepEqual([venue.faults.silences("BTCUSDT"), venue.faults.silences("ETHUSDT")], [true, false]);
    venue.control.timeMs += 1_000;
    assert.equal(venue.faults.silences("BTCUSDT"), false);
    assert.match(venue.notes.at(-1) ?? "", /is over/);
    venue.fault({ fault: "stale_index" });
    assert.equal(venue.faults.silences("ETHUSDT"), true);
  });

  test("terms that mean nothing are refused", () => {
    assert.deepEqual(
      [
        { fault: "busy", match: "no name" },
        { fault: "delay" },
        { fault: "stall_sockets", match: "depth" },
        { fault: "close_sockets", match: "depth.subscribe" },
        { fault: "close_sockets", match: "/v2/time" },
        { fault: "stale_index", match: "user_id=1" },
        { fault: "busy", match: "user_id=0" },
        { fault: "busy", when: "after" },
        { fault: "busy", match: "/v2/time" },
        { fault: "busy", match: "depth.subscribe" },
        { fault: "close_sockets", match: "depth" },
      ].map((terms) => refuseTerms(terms as FaultSpec) === undefined),
      [false, false, false, false, false, false, false, false, true, true, true],
    );
  });

  test("who has not proved who he is hears what he would hear without", async () => {
    venue.fault({ fault: "busy" });
    assert.equal((await venue.anybody.get(BALANCE)).code, 4005);
  });
});
