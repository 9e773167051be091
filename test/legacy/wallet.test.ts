import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ApiClient } from "../support/api-client.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { ApiVenue } from "../support/served-venue.ts";
import { LegacyClient, type LegacyRequest } from "./client.ts";

const ADDRESS = "/balance/deposit/address/BTC";
const WITHDRAW = "/balance/coin/withdraw";
const ON_TEST = { coin_type: "BTC", smart_contract_name: "TEST" };

/** Deposits and withdrawals as old clients meet them: one venue, one story. */
describe("the wallet of the legacy generation", () => {
  let venue: ApiVenue;
  let current: ApiClient;
  let ann: LegacyClient;
  let ben: LegacyClient;
  let trader: LegacyClient;
  let sub: LegacyClient;
  const now = () => Math.floor(venue.control.timeMs / 1_000);
  const head = (height: number) => venue.operate({ kind: "chain_head", chain: "TEST", height });
  const allow = (address: string, chain = "TEST", memo = "") =>
    venue.operate({ kind: "allow_withdraw_address", userId: 1, chain, address, memo, remark: "" });

  before(async () => {
    venue = await ApiVenue.open({ reviewBound: new Map([["BTC", "3"]]) });
    const chains = ["TEST", "MEMO"].map((chain) => ({ ...CHAIN, chain, isMemoRequiredForDeposit: chain === "MEMO" }));
    await venue.operate({ kind: "list_asset", ccy: "BTC", scale: 8, chains });
    await venue.operate({ kind: "list_asset", ccy: "ETH", scale: 8, chains: [{ ...CHAIN, chain: "BCH" }] });
    await venue.listAssets("USDT");
    await venue.addUser("ann");
    const { userId: benId } = await venue.addUser("ben");
    current = await venue.addKey(1, ["read", "trade", "withdraw"]);
    ann = new LegacyClient(venue, current);
    ben = new LegacyClient(venue, await venue.addKey(benId, ["read", "trade", "withdraw"]));
    trader = new LegacyClient(venue, await venue.addKey(1, ["read", "trade"]));
    const { userId: subId } = await venue.addUser("ann-1", { BTC: "1" }, 1);
    sub = new LegacyClient(venue, await venue.addKey(subId, ["read", "trade", "withdraw"]));
    await head(100);
  });
  after(() => venue.close());

  test("how assets move on chains is told to everybody", async () => {
    const all = await ann.get("/v1/common/asset/config");
    assert.deepEqual([all.code, all.message, Object.keys(all.data)], [0, "Ok", ["BTC-TEST", "BTC-MEMO", "ETH-BCH"]]);
    assert.deepEqual((await ann.get("/v1/common/asset/config?coin_type=ETH")).data, {
      "ETH-BCH": {
        asset: "ETH",
        chain: "BCH",
        can_deposit: true,
        can_withdraw: true,
        deposit_least_amount: CHAIN.minDepositAmount,
        withdraw_least_amount: CHAIN.minWithdrawAmount,
        withdraw_tx_fee: CHAIN.withdrawalFee,
        withdrawal_precision: String(CHAIN.withdrawalPrecision),
        explorer_asset_url: CHAIN.explorerAssetUrl,
      },
    });
    assert.deepEqual((await ann.get("/v1/common/asset/config?coin_type=USDT")).data, {});
    assert.equal((await ann.get("/v1/common/asset/config?coin_type=XYZ")).code, 2);
  });

  test("an address is the one that the current generation shows, with a memo behind a colon", async () => {
    const own = await ann.spot("GET", ADDRESS, { smart_contract_name: "TEST" });
    assert.deepEqual(own.data, { coin_address: "A1-0", is_bitcoin_cash: false });
    assert.deepEqual(await current.read("/v2/assets/deposit-address", { ccy: "BTC", chain: "TEST" }), {
      address: "A1-0",
      memo: "",
    });
    const shared = await ben.spot("GET", ADDRESS, { smart_contract_name: "MEMO" });
    assert.equal(shared.data.coin_address, "A0-0:200");
    // A currency of one chain needs no name of it.
    const only = await ann.spot("GET", "/balance/deposit/address/ETH");
    assert.deepEqual(only.data, { coin_address: "A1-0", is_bitcoin_cash: true });
    for (const [path, name] of [
      [ADDRESS, ""],
      [ADDRESS, "NONE"],
      ["/balance/deposit/address/USDT", ""],
      ["/balance/deposit/address/XYZ", "TEST"],
    ] as const) {
      const { code } = await ann.spot("GET", path, name === "" ? {} : { smart_contract_name: name });
      assert.equal(code, 2, `${path} ${name}`);
    }
    // The present one has not been used.
    assert.equal((await ann.spot("PUT", ADDRESS, { smart_contract_name: "TEST" })).code, 2);
  });

  test("a deposit is told from when it is seen until it is credited", async () => {
    const payment = { ccy: "BTC", chain: "TEST", txId: "t1", output: 0, toAddress: "A1-0", memo: "", amount: "10" };
    await venue.operate({ kind: "deposit_seen", ...payment, height: 101 });
    await head(101);
    const list = async (query: LegacyRequest = {}) => (await ann.spot("GET", "/balance/coin/deposit", query)).data;
    const seen = await list({ coin_type: "BTC", tx_id: "t1" });
    assert.deepEqual(seen, {
      has_next: false,
      curr_page: 1,
      count: 1,
      data: [
        {
          coin_deposit_id: 2,
          create_time: now(),
          amount: "10.00000000",
          amount_display: "10",
          diff_amount: "10.00000000",
          min_amount: CHAIN.minDepositAmount,
          actual_amount: "0.00000000",
          actual_amount_display: "0",
          confirmations: 1,
          tx_id: "t1",
          tx_id_display: "t1",
          coin_address: "A1-0",
          coin_address_display: "A1-0",
          add_explorer: "",
          coin_type: "BTC",
          smart_contract_name: "TEST",
          transfer_method: "onchain",
          status: "confirming",
          status_display: "confirming",
          remark: "",
          explorer: "",
        },
      ],
      total: 1,
      total_page: 1,
    });
    await head(110);
    const [credited] = (await list({ status: "finish" })).data;
    assert.deepEqual(
      [credited.status, credited.actual_amount, credited.diff_amount, credited.confirmations],
      ["finish", "10.00000000", "0.00000000", 10],
    );
    for (const status of ["processing", "confirming", "cancel", "too_small", "to_hot"]) {
      assert.equal((await list({ status })).total, 0, status);
    }
    assert.equal((await ann.spot("GET", "/balance/coin/deposit", { status: "lost" })).code, 2);
    assert.equal((await ann.spot("GET", "/balance/coin/deposit", { coin_type: "XYZ" })).code, 2);
    assert.equal((await ben.spot("GET", "/balance/coin/deposit")).data.total, 0);
    const next = await ann.spot("PUT", ADDRESS, { smart_contract_name: "TEST" });
    assert.equal(next.data.coin_address, "A1-1");
    assert.equal((await ann.spot("GET", "/balance/info")).data.BTC.available, "10.00000000");
  });

  const WISH = { ...ON_TEST, coin_address: "x1", actual_amount: "1.5" };
  const ask = (change: LegacyRequest = {}, client = ann) => client.spot("POST", WITHDRAW, { ...WISH, ...change });

  test("a withdrawal lets arrive what was asked for, the fee on top; both generations tell of it", async () => {
    await allow("X1");
    const { data, code, message } = await ask();
    assert.equal(code, 0, message);
    assert.deepEqual(data, {
      coin_withdraw_id: 1,
      create_time: now(),
      coin_type: "BTC",
      smart_contract_name: "TEST",
      coin_address: "X1",
      transfer_method: "onchain",
      amount: "1.50050000",
      actual_amount: "1.50000000",
      tx_fee: "0.00050000",
      fee_asset: "BTC",
      tx_id: "",
      confirmations: 0,
      status: "pass",
      remark: "",
    });
    const [seen] = await current.read("/v2/assets/withdraw", { withdraw_id: 1 });
    assert.deepEqual([seen.amount, seen.actual_amount, seen.status], ["1.50050000", "1.50000000", "audited"]);
    assert.equal((await ann.spot("GET", "/balance/info")).data.BTC.frozen, "1.50050000");
    await venue.operate({ kind: "withdrawal_started", withdrawId: 1 });
    await venue.operate({ kind: "withdrawal_broadcast", withdrawId: 1, txId: "w1" });
    const list = async (query: LegacyRequest) => (await ann.spot("GET", WITHDRAW, query)).data;
    // Clients send Limit as well as limit.
    const { data: rows, ...page } = await list({ Coin_Withdraw_Id: 1, Limit: 5 });
    assert.deepEqual(page, { has_next: false, curr_page: 1, count: 1, total: 1, total_page: 1 });
    assert.deepEqual(rows, [
      {
        ...data,
        tx_id: "w1",
        status: "confirming",
        amount_display: "1.5005",
        actual_amount_display: "1.5",
        coin_address_display: "X1",
        app_coin_address_display: "X1",
        add_explorer: "",
        explorer: "",
        status_display: "confirming",
        fee: "0",
      },
    ]);
    await venue.operate({ kind: "withdrawal_mined", withdrawId: 1, txId: "w1", height: 111 });
    await head(120);
    assert.deepEqual((await list({ coin_withdraw_id: 1 })).data[0].status, "finish");
    assert.equal((await ben.spot("GET", WITHDRAW, { coin_withdraw_id: 1 })).data.total, 0);
  });

  test("one that waits is taken back by its owner in either generation, and by nobody else", async () => {
    const asked = await ask({ actual_amount: 3 });
    assert.equal(asked.data.status, "audit");
    const id = asked.data.coin_withdraw_id;
    assert.equal((await ben.spot("DELETE", WITHDRAW, { coin_withdraw_id: id })).code, 2);
    assert.equal((await trader.spot("DELETE", WITHDRAW, { coin_withdraw_id: id })).code, 158);
    assert.deepEqual((await ann.spot("DELETE", WITHDRAW, { coin_withdraw_id: id })).data, {});
    assert.equal((await ann.spot("DELETE", WITHDRAW, { coin_withdraw_id: id })).code, 2);
    const [seen] = await current.read("/v2/assets/withdraw", { withdraw_id: id });
    assert.equal(seen.status, "cancelled");

    const { withdraw_id: other } = await current.act("/v2/assets/withdraw", {
      ...{ ccy: "BTC", chain: "TEST", to_address: "x1", amount: "1" },
    });
    assert.deepEqual((await ann.spot("DELETE", WITHDRAW, { coin_withdraw_id: other })).data, {});
    const statuses = async () =>
      (await ann.spot("GET", WITHDRAW)).data.data.map(({ status }: { status: string }) => status);
    assert.deepEqual(await statuses(), ["cancel", "cancel", "finish"]);

    const turnedDown = (await ask({ actual_amount: "4" })).data.coin_withdraw_id;
    await venue.operate({ kind: "review_withdrawal", withdrawId: turnedDown, approve: false, note: "no", actor: "" });
    const failing = (await ask()).data.coin_withdraw_id;
    await venue.operate({ kind: "withdrawal_started", withdrawId: failing });
    await venue.operate({ kind: "withdrawal_broadcast", withdrawId: failing, txId: "w9" });
    await venue.operate({ kind: "withdrawal_failed", withdrawId: failing, reason: "nothing moved" });
    assert.deepEqual(await statuses(), ["fail", "not_pass", "cancel", "cancel", "finish"]);
  });

  test("one between users is there at once, without a fee", async () => {
    await allow("2", "");
    const sent = await ask({ transfer_method: "local", coin_address: "ben", actual_amount: "0.5" });
    assert.deepEqual(
      [sent.data.status, sent.data.amount, sent.data.actual_amount, sent.data.tx_fee, sent.data.smart_contract_name],
      ["finish", "0.50000000", "0.50000000", "0.00000000", ""],
    );
    const { data: got } = await ben.spot("GET", "/balance/coin/deposit");
    assert.deepEqual(
      [got.data[0].transfer_method, got.data[0].actual_amount, got.data[0].tx_id, got.data[0].status],
      ["local", "0.50000000", "", "finish"],
    );
  });

  test("one to an address with a memo needs both", async () => {
    await allow("Y1", "MEMO", "77");
    const toMemo = { smart_contract_name: "MEMO", actual_amount: "0.1" };
    assert.equal((await ask({ ...toMemo, coin_address: "y1:78" })).code, 2);
    assert.equal((await ask({ ...toMemo, coin_address: "y1" })).code, 2);
    const sent = await ask({ ...toMemo, coin_address: "y1:77" });
    assert.equal(sent.data.coin_address, "Y1:77");
  });

  test("is refused for what is wrong with it", async () => {
    const cases: readonly (readonly [LegacyRequest, number])[] = [
      [{ coin_type: "XYZ" }, 2],
      [{ smart_contract_name: "" }, 2],
      [{ smart_contract_name: "NONE" }, 2],
      [{ coin_address: "X2" }, 2],
      [{ coin_address: "no address" }, 2],
      [{ coin_address: "x1:77" }, 2],
      [{ actual_amount: "0" }, 2],
      [{ actual_amount: "-1" }, 2],
      [{ actual_amount: "0.000000001" }, 2],
      [{ actual_amount: "100" }, 107],
      [{ actual_amount: "9999999999999999999" }, 107],
      [{ actual_amount: "0.0000001" }, 2],
      [{ actual_amount: "0.001" }, 602],
      [{ fee_asset: "XYZ" }, 2],
      [{ fee_asset: "USDT" }, 2],
      [{ transfer_method: "pigeon" }, 2],
      [{ transfer_method: "local", coin_address: "nobody" }, 2],
    ];
    for (const [change, code] of cases) {
      const answer = await ask(change);
      assert.equal(answer.code, code, `${JSON.stringify(change)} ${answer.message}`);
    }
    assert.equal((await ask({}, trader)).code, 158);
    assert.equal((await ask({}, sub)).code, 158);
    assert.equal((await ann.spot("DELETE", WITHDRAW, { coin_withdraw_id: 0 })).code, 2);
  });
});
