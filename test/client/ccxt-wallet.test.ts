/** ccxt, unmodified, receives over the simulated chain and withdraws over it. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import ccxt from "ccxt";
import { VenueProcess } from "../support/venue-process.ts";

const OUTSIDE = `sim${"1".repeat(40)}`;

test("ccxt shows an address, deposits and withdrawals, withdraws and knows the fees", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-ccxt-"));
  const venue = await VenueProcess.start(join(dir, "data"), "--makers", "off");
  t.after(async () => {
    await venue.end("SIGTERM");
    rmSync(dir, { recursive: true, force: true });
  });
  const { userId } = await venue.trader("ccxt-saver", { BTC: "1" });
  const permissions = ["read", "trade", "withdraw"];
  const key = (await venue.admin("/admin/api-keys", { user_id: userId, permissions })) as Record<string, string>;
  const saver = new ccxt.coinex({ apiKey: key["access_id"], secret: key["secret_key"], enableRateLimit: false });
  t.after(() => saver.close());
  const api = saver.urls.api as Record<string, string>;
  for (const name of Object.keys(api)) api[name] = (api[name] as string).replace("https://api.coinex.com", venue.url);

  const { address } = await saver.fetchDepositAddress("BTC", { network: "BTC" });
  await venue.admin("/admin/chains/BTC/transactions", { ccy: "BTC", to_address: address, amount: "0.5" });
  await venue.admin("/admin/chains/BTC/blocks", { count: 10 });
  const [deposit] = await saver.fetchDeposits("BTC");
  assert.deepEqual([deposit?.status, deposit?.amount, deposit?.address], ["ok", 0.5, address]);
  await venue.admin("/admin/withdraw-addresses", { user_id: userId, chain: "BTC", address: OUTSIDE });
  const asked = await saver.withdraw("BTC", 0.3, OUTSIDE, undefined, { network: "BTC" });
  // It takes the fee off.
  assert.deepEqual([asked.amount, asked.fee?.cost], [0.2999, 0.0001]);
  const [withdrawal] = await saver.fetchWithdrawals("BTC");
  assert.equal(withdrawal?.id, asked.id);
  const fees = (await saver.fetchDepositWithdrawFees(["BTC"])) as Record<string, { withdraw: { fee: number } }>;
  assert.equal(fees["BTC"]?.withdraw.fee, 0.0001);
});
