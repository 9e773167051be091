import assert from "node:assert/strict";
import { test } from "node:test";
import { FuturesVenue } from "../../../../test/support/futures-venue.ts";
import type { Command } from "../../command.ts";

/** What users ask of their futures accounts beside orders; market 0 is BTCUSDT. */
function wishesOf(userId: number): readonly Command[] {
  const position = { userId, marketId: 0, exit: "stop_loss" } as const;
  return [
    { kind: "transfer", userId, from: "FUTURES", to: "SPOT", ccy: "USDT", amount: "1" },
    { kind: "change_futures_settings", userId, settleSwitch: false },
    { kind: "set_leverage", userId, marketId: 0, marginMode: "cross", leverage: 20 },
    { kind: "adjust_margin", userId, marketId: 0, amount: "1" },
    { kind: "set_exit", ...position, triggerType: "latest_price", price: "29000" },
    { kind: "modify_exit", ...position, exitId: 1, price: "28000" },
    { kind: "cancel_exits", ...position },
    { kind: "change_user", userId, byUser: true, feeDeduction: true },
  ];
}

test("what a user still had on its way when it was frozen is refused, whatever it is", () => {
  const venue = new FuturesVenue();
  const user = venue.addTrader("user", { USDT: "1000" });
  venue.accept({ kind: "change_user", userId: user, frozen: true });
  for (const wish of wishesOf(user)) assert.equal(venue.execute(wish).refusal, "account_frozen", wish.kind);
  venue.accept({ kind: "change_user", userId: user, frozen: false });
  for (const wish of wishesOf(user)) assert.notEqual(venue.execute(wish).refusal, "account_frozen", wish.kind);
  venue.assertRepeatable();
});

test("settings of an account stand still while the whole site is under maintenance", () => {
  const venue = new FuturesVenue();
  const user = venue.addTrader("user", { USDT: "1000" });
  const settings = { kind: "change_futures_settings", userId: user, positionMode: "hedge" } as const;
  const times = { startedAt: venue.timeMs + 1_000, endedAt: venue.timeMs + 2_000 };
  const bare = { protectDurationStart: 0, protectDurationEnd: 0, announceUrl: "", announceEnabled: false };
  venue.accept({ kind: "plan_maintenance", scope: ["ALL_SITE"], ...times, ...bare });
  venue.wait(1_000);
  assert.equal(venue.execute(settings).refusal, "maintenance");
  venue.wait(1_000);
  assert.equal(venue.execute(settings).refusal, undefined);
  venue.assertRepeatable();
});
