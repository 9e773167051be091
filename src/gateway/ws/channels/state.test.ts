import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { NO_BACKFILL } from "../../../../test/support/no-backfill.ts";
import { runs } from "../../../../test/support/runs.ts";
import { readOnlyBackend } from "../../../../test/support/socket-backend.ts";
import type { Command } from "../../../engine/command.ts";
import { Engine } from "../../../engine/engine.ts";
import { Feeds } from "../../../feeds/feeds.ts";
import { CHANNELS } from "../../parts.ts";
import { Client } from "../client.ts";
import { loadSocketContract } from "../contract.ts";
import { currentGeneration } from "../current-generation.ts";
import type { Hub } from "../hub.ts";
import { openHubs } from "../hubs.ts";
import { socketLimits } from "../limits.ts";

const contract = loadSocketContract();
const BEAT_MS = 200;
const FOLLOWERS = 3;
const authenticator = {
  login: () => assert.fail("nobody logs in"),
  goodUntil: (timestamp: number) => timestamp,
  loginBySession: () => assert.fail(),
  barredNow: () => undefined,
  renewed: () => undefined,
};

async function futuresHub() {
  const engine = new Engine();
  const { state, events } = engine;
  const feeds = await Feeds.start(state, NO_BACKFILL, 0);
  const execute = (command: Command) => {
    const { refusal } = engine.execute(command, { seq: state.seq + 1, timeMs: 1_000 });
    assert.equal(refusal, 0);
    feeds.apply(events, 0, events.length);
    events.clear();
  };
  const backend = readOnlyBackend(state, feeds);
  const generations = [
    { generation: currentGeneration(contract, CHANNELS), authenticator, endpoints: contract.endpoints },
  ];
  const log = { error: (details: object) => assert.fail(JSON.stringify(details)) };
  const hub = openHubs({ generations, limits: socketLimits(contract), backend, log })[0]?.get("futures") as Hub;
  for (const ccy of ["BTC", "USDT"]) execute({ kind: "list_asset", ccy, scale: 8 });
  execute({
    kind: "list_market",
    market: "BTCUSDT",
    marketType: "FUTURES",
    contractType: "linear",
    baseCcy: "BTC",
    quoteCcy: "USDT",
    amountPrecision: 4,
    pricePrecision: 2,
    minAmount: "0.0001",
    makerFeeRate: "0.0003",
    takerFeeRate: "0.0005",
    tickSize: "0.01",
    leverages: [1, 10],
    levels: [{ amount: "10", leverage: 10, maintenanceMarginRate: "0.005", minInitialMarginRate: "0.01" }],
  });
  return { hub, execute, state };
}

/** A connection, and the index prices that it was told on each channel. */
function follower(hub: Hub) {
  const told: Record<"state" | "price", string[]> = { state: [], price: [] };
  const client = new Client({
    remoteAddress: "",
    cut: () => {},
    hasRoom: true,
    send: ({ json }) => {
      const { method, data } = JSON.parse(json) as { method?: string; data: Record<string, unknown> };
      if (method === "state.update") {
        for (const { index_price } of data.state_list as { index_price: string }[]) told.state.push(index_price);
      } else if (method === "price.update") told.price.push(data.index_price as string);
    },
  });
  const ask = (action: "subscribe" | "unsubscribe", marketList: readonly string[]) => {
    for (const channel of ["state", "price"]) {
      const request = { id: 1, method: `${channel}.${action}`, params: { market_list: marketList } };
      hub.receive(client, Buffer.from(JSON.stringify(request)), false);
    }
  };
  return { told, ask };
}

type Step = { readonly price: string } | { readonly beat: true } | { readonly who: number; readonly follows: boolean };

test("whoever follows has been told the present figures after each beat, whoever came and went meanwhile, and not twice", async () => {
  const step = fc.oneof<fc.Arbitrary<Step>[]>(
    fc.constantFrom({ price: "100" }, { price: "101" }),
    fc.constant({ beat: true as const }),
    fc.record({ who: fc.nat(FOLLOWERS - 1), follows: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { hub, execute, state } = await futuresHub();
      const followers = Array.from({ length: FOLLOWERS }, () => follower(hub));
      const following = new Set<number>();
      let nowMs = 0;
      for (const action of steps) {
        if ("price" in action) {
          const sources = [{ exchange: "one", price: action.price }];
          execute({ kind: "set_index_prices", market: "BTCUSDT", marketType: "FUTURES", sources });
        } else if ("who" in action) {
          followers[action.who]?.ask(action.follows ? "subscribe" : "unsubscribe", []);
          if (action.follows) following.add(action.who);
          else following.delete(action.who);
        } else {
          nowMs += BEAT_MS;
          hub.beat(nowMs);
          const price = state.markets[0]?.index.price ?? 0n;
          const shown = price === 0n ? "0" : `${price / 100n}.00`;
          for (const who of following) {
            assert.deepEqual([followers[who]?.told.state.at(-1), followers[who]?.told.price.at(-1)], [shown, shown]);
          }
          const before = followers.map(({ told }) => told.state.length);
          nowMs += BEAT_MS;
          hub.beat(nowMs);
          assert.deepEqual(
            followers.map(({ told }) => told.state.length),
            before,
          );
        }
      }
    }),
    runs(60),
  );
});
