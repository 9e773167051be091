import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { runs } from "../../test/support/runs.ts";
import { Venue } from "../../test/support/venue.ts";
import { xorshift } from "../../test/support/xorshift.ts";
import type { Command } from "../engine/command.ts";
import { Engine } from "../engine/engine.ts";
import { copyState, takeSnapshot } from "../engine/snapshot.ts";
import { CopyMemory } from "../engine/store/copy-memory.ts";
import { PlainBook } from "../engine/trading/plain-book.ts";
import { copyOfState } from "./state-copy.ts";

const USERS = 4;

test("a copy that is put into form step by step is the snapshot of the seq at which it was made, whatever comes between", () => {
  const share = fc.integer({ min: 0, max: 120 });
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.boolean(), share, share, (seed, isPlain, ready, atOnce) => {
      const random = xorshift(seed);
      const engine = newVenue(isPlain);
      for (let n = 0; n < 150; n++) action(engine, random);
      const memory = new CopyMemory();
      // Too little memory is ready, or just enough, or more: the state goes on while it is made.
      const touches = memory.prepare(ready * 300);
      while (touches.next().done !== true) action(engine, random);
      const expected = takeSnapshot(engine.state);
      const steps = copyState(engine.state, memory);
      for (let n = 0; n < atOnce; n++) action(engine, random);
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) action(engine, random);
      assert.deepEqual(step.value, expected);
    }),
    runs(60),
  );
});

test("a large state is copied in turns with commands, as the state of one seq", async () => {
  const venue = new Venue();
  venue.listAsset("BTC");
  venue.listAsset("USDT");
  const { state } = venue;
  // Two megabytes of users alone, which are cheap to make.
  for (let n = 0; n < 140_000; n++) state.users.add(`user-${n}`, 0, n);
  const first = copyOfState(state);
  let isDone = false;
  void first.then(() => {
    isDone = true;
  });
  const before = new Map<number, Uint8Array[]>();
  for (let n = 0; !isDone; n++) {
    await turn();
    before.set(state.seq, takeSnapshot(state));
    venue.accept({ kind: "create_user", name: `later-${n}` });
  }
  const { seq, chunks, rulesVersion } = await first;
  assert.ok(before.size > 0);
  assert.equal(rulesVersion, state.rulesVersion);
  assert.deepEqual(chunks, before.get(seq) ?? takeSnapshot(state));
});

/** A command at random: most of it orders near one price, placed, moved, cancelled and filled, some with client ids. */
function action(engine: Engine, random: () => number): void {
  const below = (bound: number) => Math.floor(random() * bound);
  const { state } = engine;
  const userId = 1 + below(USERS);
  const price = BigInt(90 + below(20));
  const commands: (() => Command)[] = [
    () => ({
      kind: "place_order",
      ...{ userId, marketId: 0, account: "spot", side: below(2) === 0 ? "buy" : "sell", type: "limit" },
      ...{ amountIn: "base", amount: BigInt(1 + below(50)), price, hidden: below(4) === 0, stpMode: "none" },
      clientId: below(3) === 0 ? `ünique-"${state.seq}"` : "",
    }),
    () => ({ kind: "modify_order", userId, marketId: 0, orderId: 1 + below(state.nextOrderId), price }),
    () => ({ kind: "cancel_order", userId, marketId: 0, orderId: 1 + below(state.nextOrderId) }),
    () => ({ kind: "deposit", userId, ccy: "USDT", amount: "1", note: "" }),
    () => ({ kind: "create_user", name: `user-"é"-${state.seq}` }),
  ];
  const pick = [0, 0, 0, 0, 1, 1, 2, 3, 4][below(9)] as number;
  engine.execute((commands[pick] as () => Command)(), { seq: state.seq + 1, timeMs: state.timeMs + 1 });
  engine.events.clear();
}

function newVenue(isPlain: boolean): Engine {
  const engine = isPlain ? new Engine((...args) => new PlainBook(...args)) : new Engine();
  const setup: Command[] = [
    { kind: "list_asset", ccy: "BTC", scale: 8 },
    { kind: "list_asset", ccy: "USDT", scale: 6 },
    {
      kind: "list_market",
      ...{ market: "BTCUSDT", baseCcy: "BTC", quoteCcy: "USDT", amountPrecision: 2, pricePrecision: 2 },
      ...{ minAmount: "0.01", makerFeeRate: "0.001", takerFeeRate: "0.002" },
    },
  ];
  for (let user = 1; user <= USERS; user++) {
    setup.push({ kind: "create_user", name: `user-${user}` });
    for (const ccy of ["BTC", "USDT"]) setup.push({ kind: "deposit", userId: user, ccy, amount: "1000", note: "" });
  }
  for (const command of setup) engine.execute(command, { seq: engine.state.seq + 1, timeMs: 1 });
  engine.events.clear();
  return engine;
}
