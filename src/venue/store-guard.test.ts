import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoreStatus } from "../cluster/store.ts";
import type { SetCancelOnly } from "../engine/trading/command-schemas.ts";
import type { Action } from "../gateway/admin/backend.ts";
import { STORE_BYTES_LOW, StoreGuard } from "./store-guard.ts";

function guardOn(standing: { now: StoreStatus }, isOnDuty = () => true) {
  const state = { cancelOnly: false };
  const submitted: SetCancelOnly[] = [];
  let last: Partial<Action>[] = [];
  const quiet = () => {};
  const guard = new StoreGuard({
    ...{ store: { storeStatus: async () => standing.now }, state, isOnDuty },
    trail: { list: () => last as Action[] },
    submit: (command) => {
      submitted.push(command);
      state.cancelOnly = command.cancelOnly;
      const { actor = "", cancelOnly } = command;
      last = [{ seq: 1, timeMs: 0, actor, action: "set_cancel_only", details: { cancelOnly }, outcome: "accepted" }];
    },
    log: { info: quiet, error: quiet, fatal: quiet },
  });
  const operator = () => {
    state.cancelOnly = true;
    last = [
      {
        seq: 2,
        timeMs: 0,
        actor: "root",
        action: "set_cancel_only",
        details: { cancelOnly: true },
        outcome: "accepted",
      },
    ];
  };
  return { guard, state, submitted, operator };
}

const SERVER = {
  ...{ host: "10.0.0.1:2379", isAnswering: true, isLeader: false, hasLeader: true },
  ...{ fileBytes: 0, alarms: [], version: "3.4.23" },
};

const holding = (usedBytes: number, ...alarms: string[]): StoreStatus => ({
  servers: [
    { ...SERVER, usedBytes: 1 },
    { ...SERVER, usedBytes },
  ],
  alarms,
});

test("a store that fills lets the venue take only cancels, once, and room lets it take everything again", async () => {
  const standing = { now: holding(10) };
  const { guard, submitted, state } = guardOn(standing);
  await guard.look();
  assert.deepEqual(submitted, []);
  standing.now = holding(STORE_BYTES_LOW + 1);
  await guard.look();
  await guard.look();
  assert.deepEqual(
    submitted.map(({ cancelOnly }) => cancelOnly),
    [true],
  );
  // Room that is gone at once again is none.
  standing.now = holding(STORE_BYTES_LOW - 1);
  await guard.look();
  assert.equal(state.cancelOnly, true);
  standing.now = holding(10);
  await guard.look();
  assert.deepEqual(
    submitted.map(({ cancelOnly }) => cancelOnly),
    [true, false],
  );
});

test("an alarm counts whatever room there is, and what an operator wants is not lifted", async () => {
  const standing = { now: holding(10, "NOSPACE") };
  const { guard, submitted, operator, state } = guardOn(standing);
  await guard.look();
  assert.match(submitted[0]?.reason ?? "", /alarm NOSPACE/);
  operator();
  standing.now = holding(10);
  await guard.look();
  assert.equal(state.cancelOnly, true);
});

test("a node that does not lead only looks", async () => {
  const standing = { now: holding(10, "NOSPACE") };
  const { guard, submitted } = guardOn(standing, () => false);
  await guard.look();
  assert.deepEqual(submitted, []);
  assert.deepEqual(guard.standing, standing.now);
});
