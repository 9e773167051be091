import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { ApiVenue } from "../support/served-venue.ts";

const BTC = { ccy: "BTC", chain: "TEST" };

/** Deposits and withdrawals as a client meets them: one venue, one story. */
describe("deposits and withdrawals over the API", () => {
  let venue: ApiVenue;
  let ann: ApiClient;
  let ben: ApiClient;

  before(async () => {
    venue = await ApiVenue.open({ reviewBound: new Map([["BTC", "3"]]) });
    const chains = ["TEST", "MEMO", "DARK"].map((chain) => ({
      ...CHAIN,
      chain,
      isMemoRequiredForDeposit: chain === "MEMO",
    }));
    await venue.operate({ kind: "list_asset", ccy: "BTC", scale: 8, chains });
    await venue.listAssets("USDT");
    await venue.addUser("ann");
    await venue.addUser("ben");
    ann = await venue.addKey(1, ["read", "trade", "withdraw"]);
    ben = await venue.addKey(2, ["read", "trade", "withdraw"]);
    await venue.operate({ kind: "chain_head", chain: "TEST", height: 100 });
  });
  after(() => venue.close());

  const refusal = async (client: ApiClient, path: string, body: object) => {
    const { code, message } = await client.post(path, body);
    return [code, message];
  };

  test("an address is given at the first request and shown from then on; users of a chain with memos share one", async () => {
    const address = { address: "A1-0", memo: "" };
    const asked = await Promise.all([1, 2, 3].map(() => ann.read("/v2/assets/deposit-address", BTC)));
    assert.deepEqual(asked, [address, address, address]);
    assert.deepEqual(await ann.read("/v2/assets/deposit-address", { ...BTC, chain: "MEMO" }), {
      address: "A0-0",
      memo: "100",
    });
    assert.deepEqual(await ben.read("/v2/assets/deposit-address", { ...BTC, chain: "MEMO" }), {
      address: "A0-0",
      memo: "200",
    });
    for (const [query, code] of [
      [{ ...BTC, ccy: "ETH" }, 3639],
      [{ ...BTC, chain: "NONE" }, 3639],
      [{ ...BTC, chain: "DARK" }, 4001],
    ] as const) {
      assert.equal((await ann.get("/v2/assets/deposit-address", query)).code, code);
    }
    assert.deepEqual(await refusal(ann, "/v2/assets/renewal-deposit-address", BTC), [
      3639,
      "Invalid Parameter: the present address has not received anything yet: go on using it.",
    ]);
  });

  test("a deposit shows how far it is, and is in the balance, the statement and the older list when it is credited", async () => {
    const payment = { ...BTC, txId: "t1", output: 0, toAddress: "A1-0", memo: "", amount: "10", height: 101 };
    await venue.operate({ kind: "deposit_seen", ...payment });
    await venue.operate({ kind: "chain_head", chain: "TEST", height: 101 });
    const list = async () => (await ann.get("/v2/assets/deposit-history", { ccy: "BTC", tx_id: "t1" })).data;
    const [{ created_at, ...confirming }] = await list();
    assert.equal(created_at, venue.control.timeMs);
    assert.deepEqual(confirming, {
      deposit_id: 1,
      tx_id: "t1",
      tx_id_display: "t1",
      ccy: "BTC",
      chain: "TEST",
      deposit_method: "on_chain",
      amount: "10.00000000",
      actual_amount: "",
      to_address: "A1-0",
      confirmations: 1,
      status: "confirming",
      tx_explorer_url: "",
      to_addr_explorer_url: "",
      remark: "",
    });
    await venue.operate({ kind: "chain_head", chain: "TEST", height: 103 });
    const [finished] = await list();
    assert.deepEqual([finished.status, finished.actual_amount, finished.confirmations], ["finished", "10.00000000", 3]);
    // Credited, and its chain could still take it back.
    assert.deepEqual(await ann.read("/v2/assets/spot/balance"), [
      { ccy: "BTC", available: "10.00000000", frozen: "0.00000000" },
    ]);
    await venue.operate({
      kind: "allow_withdraw_address",
      userId: 1,
      chain: "TEST",
      address: "X1",
      memo: "",
      remark: "",
    });
    assert.equal((await ann.post("/v2/assets/withdraw", { ...BTC, to_address: "x1", amount: "1" })).code, 3109);
    await venue.operate({ kind: "chain_head", chain: "TEST", height: 110 });
    const [line] = await ann.read("/v2/assets/statement", { type: "deposit" });
    assert.deepEqual([line.change, line.balance], ["10.00000000", "10.00000000"]);
    assert.deepEqual(await ann.act("/v2/assets/renewal-deposit-address", BTC), { address: "A1-1", memo: "" });
    assert.deepEqual(await ben.read("/v2/assets/deposit-history"), []);
  });

  test("a withdrawal goes its way, and its record tells of it", async () => {
    const wish = { ...BTC, to_address: "x1", amount: "1.5", remark: "rent" };
    const { created_at, ...record } = await ann.act("/v2/assets/withdraw", wish);
    assert.equal(created_at, venue.control.timeMs);
    assert.deepEqual(record, {
      withdraw_id: 1,
      ccy: "BTC",
      chain: "TEST",
      withdraw_method: "on_chain",
      memo: "",
      amount: "1.50000000",
      fee_ccy: "BTC",
      actual_amount: "1.49950000",
      tx_fee: "0.00050000",
      tx_id: "",
      to_address: "X1",
      confirmations: 0,
      explorer_address_url: "",
      explorer_tx_url: "",
      status: "audited",
      remark: "rent",
    });
    assert.deepEqual(await ann.read("/v2/assets/spot/balance"), [
      { ccy: "BTC", available: "8.50000000", frozen: "1.50000000" },
    ]);
    await venue.operate({ kind: "withdrawal_started", withdrawId: 1 });
    assert.equal((await ann.post("/v2/assets/cancel-withdraw", { withdraw_id: 1 })).code, 3639);
    await venue.operate({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1", height: 110 });
    await venue.operate({ kind: "chain_head", chain: "TEST", height: 112 });
    const { data, pagination } = await ann.get("/v2/assets/withdraw", { withdraw_id: 1 });
    assert.deepEqual([data[0].status, data[0].tx_id, data[0].confirmations], ["finished", "w1", 3]);
    assert.deepEqual(pagination, { has_next: false, total: 1 });
    const [line] = await ann.read("/v2/assets/statement", { type: "withdraw" });
    assert.deepEqual([line.change, line.balance, line.account_type], ["-1.50000000", "8.50000000", "SPOT"]);
    const [older] = await ann.read("/v2/assets/spot/transcation-history", { ccy: "BTC", type: "withdraw" });
    assert.equal(older.change, "-1.50000000");
  });

  test("above the review bound a withdrawal waits; it can be cancelled meanwhile", async () => {
    const wish = { ...BTC, to_address: "X1", amount: "3.000001" };
    const { withdraw_id, status } = await ann.act("/v2/assets/withdraw", wish);
    assert.equal(status, "audit_required");
    await ann.act("/v2/assets/cancel-withdraw", { withdraw_id });
    const [record] = await ann.read("/v2/assets/withdraw", { status: "cancelled" });
    assert.equal(record.withdraw_id, withdraw_id);
    assert.deepEqual(await ann.read("/v2/assets/withdraw", { status: "audit_required" }), []);
  });

  test("between users nothing is confirmed and nothing is paid for", async () => {
    const wish = { ccy: "BTC", withdraw_method: "inter_user", to_address: "ben", amount: "0.12345678" };
    assert.deepEqual(await refusal(ann, "/v2/assets/withdraw", wish), [
      3639,
      "Invalid Parameter: the address is not among those that keys of the user may withdraw to.",
    ]);
    await venue.operate({ kind: "allow_withdraw_address", userId: 1, chain: "", address: "2", memo: "", remark: "" });
    const record = await ann.act("/v2/assets/withdraw", wish);
    assert.deepEqual(
      [record.status, record.tx_fee, record.chain, record.to_address],
      ["finished", "0.00000000", "", "2"],
    );
    const [deposit] = await ben.read("/v2/assets/deposit-history");
    assert.deepEqual(
      [deposit.status, deposit.deposit_method, deposit.tx_id, deposit.amount],
      ["finished", "inter_user", "", "0.12345678"],
    );
  });

  test("what cannot be withdrawn says why", async () => {
    const wish = { ...BTC, to_address: "X1", amount: "1" };
    for (const [more, code, sentence] of [
      [{ chain: undefined }, 3639, "chain is required for a withdrawal on_chain."],
      [{ to_address: "no address!" }, 3639, "to_address is no address of the chain TEST."],
      [{ amount: "0.009" }, 3127, "The amount is below the minimum."],
      [{ amount: "0.0100001" }, 3639, "amount must be a decimal above 0 with at most 6 decimals."],
      [{ fee_ccy: "USDT" }, 3639, "what BTC is worth in USDT is not known at present."],
      [{ to_address: "A1-0" }, 3639, "that is an address of this venue: withdraw to the user instead (inter_user)."],
      [{ chain: "MEMO" }, 3639, "a payment on MEMO needs a memo."],
      [{ amount: "1000" }, 3109, "The balance is not enough."],
    ] as const) {
      const [given, text] = await refusal(ann, "/v2/assets/withdraw", { ...wish, ...more });
      assert.equal(given, code, JSON.stringify(more));
      assert.ok(String(text).includes(sentence), `${text}`);
    }
  });

  test("a key without the permission, and a sub-account, withdraw nothing", async () => {
    const reader = await venue.addKey(1, ["read", "trade"]);
    assert.equal((await reader.post("/v2/assets/withdraw", { ...BTC, to_address: "X1", amount: "1" })).code, 4158);
    await venue.addUser("sub", {}, 1);
    const sub = await venue.addKey(3, ["read", "trade", "withdraw"]);
    assert.equal((await sub.post("/v2/assets/withdraw", { ...BTC, to_address: "X1", amount: "1" })).code, 4512);
    // It may be paid, though.
    assert.deepEqual(await sub.read("/v2/assets/deposit-address", BTC), { address: "A3-0", memo: "" });
  });

  test("the settings of one currency are what all of them show", async () => {
    const one = await venue.anybody.read("/v2/assets/deposit-withdraw-config", { ccy: "BTC" });
    const all = await venue.anybody.read("/v2/assets/all-deposit-withdraw-config");
    assert.deepEqual(one, all[0]);
    assert.equal((await venue.anybody.get("/v2/assets/deposit-withdraw-config", { ccy: "ETH" })).code, 3639);
  });
});
