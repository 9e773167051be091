import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { encodeCommand } from "../../src/engine/command.ts";
import { LadderBook } from "../../src/engine/trading/ladder-book.ts";
import { PlainBook } from "../../src/engine/trading/plain-book.ts";
import { WordBuffer } from "../../src/engine/words.ts";
import { runs } from "../support/runs.ts";
import type { Venue } from "../support/venue.ts";
import {
  type Action,
  actionLists,
  doAction,
  EVERYDAY,
  EXTREME,
  type Scene,
  SHORT_OF_COINS,
  sceneVenue,
} from "./actions.ts";
import { fingerprint } from "./fingerprint.ts";

for (const [scene, times] of [
  [EVERYDAY, 1_000],
  [EXTREME, 1_000],
  [SHORT_OF_COINS, 300],
] as const) {
  test(`in ${scene.name} no sequence of commands creates or destroys money, breaks an invariant or tells an untruth`, () => {
    fc.assert(
      fc.property(actionLists(scene, 200), (actions) => {
        const venue = after(scene, actions);
        for (const { id } of venue.state.assets) assert.equal(venue.state.ledger.custody(id), depositsOf(venue, id));
      }),
      runs(times),
    );
  });

  test(`in ${scene.name} the same commands give the same events and state, from the start or from any snapshot, on either book`, () => {
    fc.assert(
      fc.property(actionLists(scene, 100), fc.nat(200), fc.boolean(), (actions, cut, plain) => {
        const venue = after(scene, actions);
        venue.assertRepeatable(cut % venue.log.length, (orders, events, id) =>
          plain ? new PlainBook(orders, events, id) : new LadderBook(orders, events, id),
        );
      }),
      runs(300),
    );
  });
}

test("a market leaves and another opens at one instant, and each fee is taken in the currency that still had a price", () => {
  const order = { hidden: false, stpMode: "none", clientId: "", type: "limit", amountIn: "base" } as const;
  const orders = [1, 0].map(
    (marketId) => ({ ...order, do: "place", userId: 1, marketId, amount: 2n, price: 295n }) as const,
  );
  after(SHORT_OF_COINS, [
    { do: "delist", marketId: 0, inMs: 61_000 },
    ...orders.map((action) => ({ ...action, side: "buy" }) as const),
    ...orders.map((action) => ({ ...action, side: "sell" }) as const),
    { do: "wait", ms: 61_000 },
  ]).assertRepeatable(0);
});

test("another process comes to the same events and the same state", () => {
  const { numRuns, seed } = runs(20);
  const lists = [EVERYDAY, EXTREME].flatMap((scene) =>
    fc.sample(actionLists(scene, 120), { numRuns, seed }).map((actions) => recordsOf(after(scene, actions))),
  );
  const child = spawnSync(process.execPath, [fileURLToPath(new URL("fingerprint-process.ts", import.meta.url))], {
    input: JSON.stringify(lists),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.equal(child.status, 0, child.stderr);
  assert.deepEqual(JSON.parse(child.stdout), lists.map(fingerprint), `The seed was ${seed}.`);
});

/** A venue after these actions, each of which it has been checked after. */
function after(scene: Scene, actions: readonly Action[]): Venue {
  const venue = sceneVenue(scene);
  for (const action of actions) doAction(venue, scene, action);
  return venue;
}

function depositsOf(venue: Venue, assetId: number): bigint {
  return venue.deposited.get(assetId) ?? 0n;
}

/** The venue's commands as records in base64, each with its stamp. */
function recordsOf(venue: Venue): { record: string; seq: number; timeMs: number }[] {
  return venue.log.map(({ command, stamp }) => {
    const buffer = new WordBuffer(8);
    encodeCommand(buffer, command);
    return { record: Buffer.from(buffer.copy()).toString("base64"), ...stamp };
  });
}
