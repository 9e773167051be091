/**
 * ccxt 4.2.38, unmodified, receives over the simulated chain and withdraws over it, and reads everything else of an
 * account.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";
import { isError, isPlanned, type OldExchange, oldExchange } from "./old-ccxt.ts";

const OUTSIDE = `sim${"1".repeat(40)}`;
const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-legacy-wallet-"));
let venue: VenueProcess;
let saver: OldExchange;
let userId: number;

before(async () => {
  venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  ({ userId } = await venue.trader("old-saver", { BTC: "1", USDT: "1000" }));
  const permissions = ["read", "trade", "withdraw"];
  const key = (await venue.admin("/admin/api-keys", { user_id: userId, permissions })) as Record<string, string>;
  saver = oldExchange(venue, { accessId: key["access_id"] as string, secret: key["secret_key"] as string });
});

after(async () => {
  await venue?.end("SIGTERM");
  rmSync(dir, { recursive: true, force: true });
});

const OVER_CHAINS = [
  "GET /v1/common/asset/config",
  "GET /v1/balance/deposit/address/{coin_type}",
  "PUT /v1/balance/deposit/address/{coin_type}",
  "GET /v1/balance/coin/deposit",
  "GET /v1/balance/coin/withdraw",
  "POST /v1/balance/coin/withdraw",
  "DELETE /v1/balance/coin/withdraw",
];

test("currencies, addresses, deposits, withdrawals and fees", { skip: isPlanned(...OVER_CHAINS) }, async () => {
  const currencies = (await saver.fetchCurrencies()) as Record<string, Record<string, unknown>>;
  assert.deepEqual([currencies["BTC"]?.["active"], currencies["BTC"]?.["fee"]], [true, 0.0001]);
  const { address } = (await saver.fetchDepositAddress("BTC", { network: "BTC" })) as { address: string };
  await venue.admin("/admin/chains/BTC/transactions", { ccy: "BTC", to_address: address, amount: "0.5" });
  await venue.admin("/admin/chains/BTC/blocks", { count: 10 });
  const renewed = (await saver.createDepositAddress("BTC", { network: "BTC" })) as { address: string };
  assert.notEqual(renewed.address, address);
  const [deposit] = await saver.fetchDeposits("BTC", undefined, 5);
  assert.deepEqual(
    [deposit?.status, deposit?.amount, deposit?.address, deposit?.type],
    ["ok", 0.5, address, "deposit"],
  );
  assert.ok(Math.abs((deposit?.timestamp as number) - Date.now()) < 600_000);
  await venue.admin("/admin/withdraw-addresses", { user_id: userId, chain: "BTC", address: OUTSIDE });
  // What arrives is asked for; the fee comes on top.
  const asked = await saver.withdraw("BTC", 0.3, OUTSIDE, undefined, { network: "BTC" });
  assert.deepEqual([asked.amount, asked.fee?.cost, asked.type, asked.address], [0.3, 0.0001, "withdrawal", OUTSIDE]);
  const [withdrawal] = await saver.fetchWithdrawals("BTC", undefined, 5);
  assert.deepEqual([withdrawal?.id, withdrawal?.amount, withdrawal?.fee?.cost], [asked.id, 0.3, 0.0001]);
  const fees = (await saver.fetchDepositWithdrawFees(["BTC"])) as Record<string, { withdraw: { fee: unknown } }>;
  assert.equal(Number(fees["BTC"]?.withdraw.fee), 0.0001);
  const balance = await saver.fetchBalance();
  assert.equal(balance["BTC"]?.free, 1.1999);
});

const OF_ACCOUNTS = [
  "GET /v1/amm/market",
  "GET /v1/account/amm/balance",
  "GET /v1/account/investment/balance",
  "GET /v1/credit/info",
  "GET /v1/credit/balance",
  "GET /v1/investment/transfer/history",
];

test("what else the implicit methods of it call", { skip: isPlanned(...OF_ACCOUNTS) }, async () => {
  const financial = await saver.fetchBalance({ type: "financial" });
  assert.deepEqual(financial["free"], {});
  const page = { page: 1, limit: 10 };
  for (const answer of [
    await saver.publicGetCommonCurrencyRate(),
    await saver.publicGetCommonMaintainInfo(),
    await saver.publicGetCommonTempMaintainInfo(),
    await saver.publicGetAmmMarket(),
    await saver.publicGetMarketList(),
    await saver.perpetualPublicGetPing(),
    await saver.privateGetAccountAmmBalance(),
    await saver.privateGetCreditInfo(),
    await saver.privateGetCreditBalance(),
    await saver.privateGetInvestmentTransferHistory(page),
    await saver.privateGetAccountBalanceHistory(page),
    await saver.privateGetAccountMarketFee({ market: "BTCUSDT" }),
  ]) {
    assert.equal(answer.code, "0");
  }
});

test("sub-accounts are made, given keys and money, frozen and let go", async () => {
  const sub_user_name = "old-sub";
  await saver.privatePostSubAccountRegister({ sub_user_name, password: "Nobody4sks" });
  await saver.privatePostSubAccountTransfer({
    coin_type: "USDT",
    amount: "100",
    transfer_side: "in",
    transfer_account: sub_user_name,
  });
  const balance = await saver.privateGetSubAccountBalance({ sub_user_name });
  assert.equal(Number(balance.data[sub_user_name].USDT.available), 100);
  const made = await saver.privatePostSubAccountAuthApi({
    sub_user_name,
    allow_trade: true,
    allowed_ips: ["127.0.0.1", "192.0.2.1"],
  });
  const { access_id: accessId, secret_key: secret, user_auth_id } = made.data;
  const sub = oldExchange(venue, { accessId, secret });
  assert.equal((await sub.fetchBalance())["USDT"]?.free, 100);
  const listed = await saver.privateGetSubAccountAuthApi({ sub_user_name, page: 1, limit: 10 });
  assert.equal(listed.data.data[0].user_auth_id, user_auth_id);
  const one = await saver.privateGetSubAccountAuthApiUserAuthId({ user_auth_id });
  assert.deepEqual([one.data.access_id, one.data.secret_key], [accessId, undefined]);
  // Here a list goes into the query, a member at a time.
  const ips = ["192.0.2.7", "192.0.2.8"];
  const bound = await saver.privatePutSubAccountAuthApiUserAuthId({ user_auth_id, allowed_ips: ips });
  assert.deepEqual([bound.data.allowed_ips, bound.data.allow_trade], [ips, true]);
  await assert.rejects(sub.fetchBalance(), isError("PermissionDenied"));
  await saver.privatePutSubAccountFrozen({ sub_user_name });
  await assert.rejects(sub.fetchBalance());
  await saver.privatePutSubAccountUnfrozen({ sub_user_name });
  await saver.privateDeleteSubAccountAuthApiUserAuthId({ user_auth_id });
  const [moved] = (await saver.privateGetSubAccountTransferHistory({ page: 1, limit: 10 })).data.data;
  assert.deepEqual([moved.transfer_from, moved.transfer_to, Number(moved.amount)], ["", sub_user_name, 100]);
});
