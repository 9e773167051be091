import assert from "node:assert/strict";
import { test } from "node:test";
import { CHAIN } from "../support/payments-venue.ts";
import { openAdminVenue } from "./venue.ts";

test("operators keep addresses, limits of the day and settings of chains, and see what waits for them", async (t) => {
  const venue = await openAdminVenue(t);
  const { post, get } = venue;
  await post("/admin/assets", { ccy: "BTC", scale: 8 });
  await post("/admin/asset-chains", {
    ccy: "BTC",
    chain: "MEMO",
    deposit_enabled: true,
    withdraw_enabled: true,
    is_memo_required_for_deposit: true,
  });
  // What is not given stays.
  await post("/admin/asset-chains", { ccy: "BTC", chain: "MEMO", withdrawal_fee: "0.1" });
  const [asset] = venue.engine.state.assets;
  assert.deepEqual(asset?.chains, [
    {
      ...CHAIN,
      chain: "MEMO",
      minDepositAmount: "0",
      minWithdrawAmount: "0",
      safeConfirmations: 1,
      irreversibleConfirmations: 1,
      withdrawalFee: "0.1",
      withdrawalPrecision: 8,
      isMemoRequiredForDeposit: true,
    },
  ]);
  await post("/admin/users", { name: "ann" });
  await post("/admin/withdraw-addresses", { user_id: "ann", chain: "MEMO", address: "x" });
  const { data } = await get("/admin/withdraw-addresses?user_id=ann");
  assert.deepEqual([data.withdraw_addresses[0].address_id, data.withdraw_addresses[0].address], [1, "x"]);
  assert.equal((await post("/admin/withdraw-limits", { ccy: "BTC", amount: "2", user_id: "ann" })).code, 0);
  const limits = (await get("/admin/withdraw-limits")).data.withdraw_limits;
  assert.deepEqual(limits, [{ user_id: 1, ccy: "BTC", amount: "2.00000000" }]);
  assert.equal((await post("/admin/withdraw-limits", { ccy: "BTC", amount: "none", user_id: "ann" })).code, 0);
  assert.deepEqual((await get("/admin/withdraw-limits")).data.withdraw_limits, []);
  assert.deepEqual((await get("/admin/deposits?status=exception")).data, { deposits: [], has_next: false });
  assert.equal((await post("/admin/deposits/7", { assign_to: "ann", note: "hers" })).code, 3639);
  assert.equal((await post("/admin/withdrawals/7", { approve: true, note: "fine" })).code, 3639);
  assert.deepEqual((await get("/admin/withdrawals?status=audit_required")).data, { withdrawals: [], has_next: false });
  assert.equal((await venue.send("DELETE", "/admin/withdraw-addresses/1")).code, 0);
  assert.deepEqual((await get("/admin/withdraw-addresses")).data.withdraw_addresses, []);
});
