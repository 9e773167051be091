import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue } from "../support/served-venue.ts";

const DAY_MS = 86_400_000;

test("savings show their balance, and the statement tells of the move and of the interest", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const saver = await venue.addUser("saver", { USDT: "1000", BTC: "1" });
  const other = await venue.addUser("other", { USDT: "1000" });
  await venue.operate({ kind: "deposit", cell: "sys:interest", ccy: "USDT", amount: "5", note: "" });
  await venue.operate({ kind: "set_savings_rate", ccy: "USDT", dailyRate: "0.001" });
  const move = { kind: "move_savings", userId: saver.userId, ccy: "USDT", note: "" } as const;
  await venue.operate({ ...move, to: "FINANCIAL", amount: "400" });
  const midnight = (Math.floor(venue.control.timeMs / DAY_MS) + 1) * DAY_MS;
  venue.control.timeMs = midnight;
  await venue.operate({ ...move, to: "SPOT", amount: "100" });

  const get = async (path: string) => (await saver.client.get(path)).data;
  assert.deepEqual(await get("/v2/assets/financial/balance"), [
    { ccy: "USDT", available: "300.40000000", frozen: "0.00000000" },
  ]);
  assert.deepEqual((await other.client.get("/v2/assets/financial/balance")).data, []);
  const told = async (query: string) =>
    (await get(`/v2/assets/statement?${query}`)).map((line: Record<string, unknown>) =>
      [
        line.created_at === midnight ? "midnight" : "before",
        line.account_type,
        line.market,
        line.type,
        line.change,
        line.balance,
      ].join(" "),
    );
  assert.deepEqual(await told("account_type=FINANCIAL"), [
    "midnight FINANCIAL  transfer -100.00000000 300.40000000",
    "midnight FINANCIAL  investment_interest 0.40000000 400.40000000",
    "before FINANCIAL  transfer 400.00000000 400.00000000",
  ]);
  assert.deepEqual(await told("type=investment_interest"), [
    "midnight FINANCIAL  investment_interest 0.40000000 400.40000000",
  ]);
  assert.deepEqual(await told("account_type=SPOT&type=transfer"), [
    "midnight SPOT  transfer 100.00000000 700.00000000",
    "before SPOT  transfer -400.00000000 600.00000000",
  ]);
  // The contract has no transfer to savings.
  const asked = { from_account_type: "SPOT", to_account_type: "FINANCIAL", ccy: "USDT", amount: "1" };
  assert.equal((await saver.client.post("/v2/assets/transfer", asked)).code, 3639);
});
