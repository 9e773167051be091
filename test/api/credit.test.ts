import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const NO_CREDIT = { equity: "0", repaid: "0", risk_rate: "", withdrawal_risk: "0", withdrawal_value: "0" };

test("a user sees what is owed, how the account stands, and is held to it", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const user = await venue.addUser("borrower", { USDT: "1000" });
  const get = async (path: string) => (await user.client.get(path)).data;
  assert.deepEqual(await get("/v2/assets/credit/info"), NO_CREDIT);
  assert.deepEqual(await get("/v2/assets/credit/balance"), []);

  await venue.operate({ kind: "deposit", cell: "sys:credit_pool", ccy: "USDT", amount: "5000", note: "" });
  const loan = { kind: "grant_credit", userId: user.userId, ccy: "USDT", amount: "500", note: "a line" } as const;
  await venue.operate({ ...loan, dailyRate: "0.0024" });
  assert.deepEqual(await get("/v2/assets/credit/info"), {
    equity: "1500.00000000",
    repaid: "500.05000000",
    risk_rate: "2.99970002",
    withdrawal_risk: "1.35000000",
    withdrawal_value: "999.95000000",
  });
  assert.deepEqual(await get("/v2/assets/credit/balance"), [
    { ccy: "USDT", repaid: "500.00000000", interest: "0.05000000" },
  ]);
  venue.control.timeMs += 2 * 3_600_000;
  await venue.operate({ kind: "tick" });
  assert.deepEqual(await get("/v2/assets/credit/balance"), [
    { ccy: "USDT", repaid: "500.00000000", interest: "0.15000000" },
  ]);
  const order = limitOrder("buy", "0.01", "20000");
  assert.equal((await user.client.post("/v2/spot/order", order)).code, 0);
  await venue.operate({ kind: "set_credit_terms", withdrawalRisk: "4", tradeRisk: "3" });
  assert.equal((await get("/v2/assets/credit/info")).withdrawal_value, "0.00000000");
  assert.equal((await user.client.post("/v2/spot/order", order)).code, 4115);

  await venue.operate({ kind: "repay_credit", userId: user.userId, ccy: "USDT", amount: "1000", note: "" });
  assert.deepEqual(await get("/v2/assets/credit/info"), NO_CREDIT);
  const lines = (await get("/v2/assets/statement?account_type=SPOT&limit=4")) as Record<string, string>[];
  assert.deepEqual(
    lines.map(({ type, change }) => `${type} ${change}`),
    [
      "margin_repay -500.00000000",
      "margin_interest -0.15000000",
      "margin_borrow 500.00000000",
      "deposit 1000.00000000",
    ],
  );
  assert.equal((await user.client.post("/v2/spot/order", order)).code, 0);
});
