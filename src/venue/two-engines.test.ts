import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import type { Command } from "../engine/command.ts";
import { Engine } from "../engine/engine.ts";
import { loadSnapshot, takeSnapshot } from "../engine/snapshot.ts";
import { MemoryLog } from "../log/memory-log.ts";
import { hashOf } from "./machine.ts";
import { Sequencer } from "./sequencer.ts";

const clock = { ms: 1_000, now: () => clock.ms++ };

function followerOf(log: MemoryLog, engine = new Engine()) {
  const onFault = (fault: Error) => {
    throw fault;
  };
  const sequencer = new Sequencer(engine, log.open(), { onEvents: () => {}, onFault, isBehind: () => false });
  return { engine, sequencer };
}

const LISTED: readonly Command[] = [
  { kind: "list_asset", ccy: "BTC", scale: 8 },
  { kind: "list_asset", ccy: "USDT", scale: 8 },
  {
    kind: "list_market",
    market: "BTCUSDT",
    baseCcy: "BTC",
    quoteCcy: "USDT",
    amountPrecision: 4,
    pricePrecision: 2,
    minAmount: "0.0001",
    makerFeeRate: "0.001",
    takerFeeRate: "0.002",
  },
  { kind: "create_user", name: "ann" },
  { kind: "deposit", userId: 1, ccy: "BTC", amount: "100", note: "" },
  { kind: "deposit", userId: 1, ccy: "USDT", amount: "1000000", note: "" },
];

function order(at: number): Command {
  const side = at % 2 === 0 ? "sell" : "buy";
  const rest = { account: "spot", type: "limit", amountIn: "base", hidden: false, stpMode: "none" } as const;
  const price = 300_000n + BigInt((at * 7_919) % 40);
  return { kind: "place_order", userId: 1, marketId: 0, ...rest, side, amount: 10n, price, clientId: "" };
}

test("engines that follow one log come to the same state, whoever proposed what, also one that joins late from a snapshot", async () => {
  const log = new MemoryLog(clock);
  const [first, second] = [followerOf(log), followerOf(log)];
  for (const command of LISTED) first.sequencer.submit(command);
  const bring = async (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      const { sequencer } = at % 3 === 0 ? second : first;
      sequencer.submit(order(at));
      if (at % 5 === 0) await turn();
    }
  };
  await bring(0, 200);
  await Promise.all([first.sequencer.close(), second.sequencer.close()]);
  assert.equal(hashOf(first.engine), hashOf(second.engine));

  // A third takes a snapshot of the second while a fourth proposes, and reads the rest.
  const { state } = second.engine;
  const { seq, timeMs } = state;
  const chunks = takeSnapshot(state);
  const fourth = followerOf(log);
  for (let at = 200; at < 300; at++) fourth.sequencer.submit(order(at));
  await turn();
  await turn();
  const late = new Engine();
  loadSnapshot(late.state, chunks, seq, timeMs);
  const third = followerOf(log, late);
  for (let at = 300; at < 330; at++) (at % 2 === 0 ? third : fourth).sequencer.submit(order(at));
  await Promise.all([third.sequencer.close(), fourth.sequencer.close()]);
  const engines = [first, second, third, fourth].map(({ engine }) => engine);
  assert.deepEqual(
    engines.map((engine) => engine.state.seq),
    engines.map(() => LISTED.length + 330),
  );
  assert.ok(engines[0] && engines[0].state.nextDealId > 50, "they traded");
  assert.equal(new Set(engines.map(hashOf)).size, 1);
});
