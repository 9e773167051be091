import assert from "node:assert/strict";
import { test } from "node:test";
import { bourse } from "./command-line.ts";
import { openAdminVenue } from "./venue.ts";

test("an operator sets what savings earn, funds the interest, moves a user's money and sees it", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/assets", { ccy: "USDT", scale: 8 });
  await venue.post("/admin/users", { name: "ann" });
  await venue.post("/admin/deposits", { user_id: "ann", ccy: "USDT", amount: "100" });
  await venue.post("/admin/deposits", { cell: "sys:interest", ccy: "USDT", amount: "7" });
  const rate = { ccy: "USDT", daily_interest_rate: 0.0001 };
  assert.deepEqual((await venue.post("/admin/savings-rates", rate)).data, {
    ccy: "USDT",
    daily_interest_rate: "0.00010000",
  });
  const move = { user_id: "ann", to: "FINANCIAL", ccy: "USDT", amount: "40" };
  assert.deepEqual((await venue.post("/admin/savings", move)).data, { transfer_id: 1 });
  assert.deepEqual((await venue.get("/admin/savings?user_id=ann")).data, {
    savings: [{ user_id: 1, ccy: "USDT", available: "40.00000000", owed: "0.00000000" }],
    has_next: false,
  });
  assert.deepEqual((await venue.get("/admin/savings-rates")).data.savings_rates, [
    {
      ccy: "USDT",
      daily_interest_rate: "0.0001",
      saved: "40.00000000",
      owed: "0.00000000",
      interest_cell: "7.00000000",
    },
  ]);
  for (const [change, sentence] of [
    [{ to: "FUTURES" }, /to must be one of FINANCIAL, SPOT/],
    [{ amount: "60.00000001" }, /The user has 60\.00000000 USDT available in SPOT/],
    [{ to: "SPOT", amount: "41" }, /The user has 40\.00000000 USDT available in FINANCIAL/],
    [{ user_id: "ben" }, /There is no user named ben/],
  ] as const) {
    assert.match((await venue.post("/admin/savings", { ...move, ...change })).message, sentence);
  }
  const where = ["--admin", venue.url, "--token", venue.token];
  const args = ["savings", "move", "--user-id", "ann", "--to", "SPOT", "--ccy", "USDT", "--amount", "1.5", ...where];
  assert.equal((await bourse(...args)).stdout, "transfer_id  2\n");
  assert.match((await bourse("savings", "rates", ...where)).stdout, /USDT +0\.0001 +38\.50000000/);
});
