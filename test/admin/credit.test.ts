import assert from "node:assert/strict";
import { test } from "node:test";
import { bourse } from "./command-line.ts";
import { openAdminVenue } from "./venue.ts";

test("an operator grants credit, sees it, sets its terms and takes it back", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/assets", { ccy: "USDT", scale: 8 });
  await venue.post("/admin/assets", { ccy: "BTC", scale: 8 });
  await venue.post("/admin/users", { name: "ann" });
  await venue.post("/admin/deposits", { cell: "sys:credit_pool", ccy: "USDT", amount: "100" });
  const loan = { user_id: "ann", ccy: "USDT", amount: "40", daily_interest_rate: "0.0024", note: "a line" };
  assert.deepEqual((await venue.post("/admin/credit-loans", { ...loan, reference: "one" })).data, { loan_id: 1 });
  assert.deepEqual((await venue.post("/admin/credit-loans", { ...loan, reference: "one" })).data, { loan_id: 1 });
  for (const [change, sentence] of [
    [{ amount: "61" }, /The credit pool has 60\.00000000 USDT/],
    [{ ccy: "BTC" }, /Without a fresh index of BTC in USDT/],
    [{ daily_interest_rate: "1" }, /A daily rate is a decimal from 0 to below 1/],
    [{ user_id: "ben" }, /There is no user named ben/],
  ] as const) {
    assert.match((await venue.post("/admin/credit-loans", { ...loan, ...change })).message, sentence);
  }
  const { loans } = (await venue.get("/admin/credit-loans?user_id=1")).data;
  assert.equal(loans.length, 1);
  assert.deepEqual([loans[0].principal, loans[0].interest], ["40.00000000", "0.00400000"]);
  const terms = { user_id: 1, withdrawal_risk: "1.5", trade_risk: "0.9" };
  assert.equal((await venue.post("/admin/credit-terms", terms)).code, 0);
  assert.deepEqual((await venue.get("/admin/credit-accounts/1")).data, {
    equity: "40.00000000",
    repaid: "40.00400000",
    risk_rate: "0.99990000",
    withdrawal_risk: "1.50000000",
    withdrawal_value: "0.00000000",
    trade_risk: "0.90000000",
  });
  const where = ["--admin", venue.url, "--token", venue.token];
  const args = ["credit", "repay", "--user-id", "ann", "--ccy", "USDT", "--amount", "10.004", ...where];
  assert.equal((await bourse(...args)).stdout, "repaid  10.00400000\n");
  assert.match((await bourse("credit", "list", ...where)).stdout, /30\.00000000/);
});
