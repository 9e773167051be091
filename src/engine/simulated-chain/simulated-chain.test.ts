import assert from "node:assert/strict";
import { test } from "node:test";
import { Venue } from "../../../test/support/venue.ts";
import type { Refusal } from "../refusal.ts";
import type { BroadcastSimulated } from "./command-schemas.ts";
import { balanceOn, blockHash, findSimulatedChain, heightAt, transactionsBetween } from "./ledger.ts";

const SETTINGS = {
  chain: "SIM",
  minDepositAmount: "1",
  minWithdrawAmount: "1",
  depositEnabled: true,
  withdrawEnabled: true,
  depositDelayMinutes: 0,
  safeConfirmations: 2,
  irreversibleConfirmations: 4,
  deflationRate: "0",
  withdrawalFee: "1",
  withdrawalPrecision: 8,
  memo: "",
  isMemoRequiredForDeposit: false,
  explorerAssetUrl: "",
  identity: "",
};

/** USDT moves on the chain SIM, which has a block every second, from the second of its start on. */
function chainVenue(seed = 1): Venue {
  const venue = new Venue();
  venue.accept({ kind: "list_asset", ccy: "USDT", scale: 8, chains: [SETTINGS] });
  venue.listAsset("BTC");
  venue.accept({ kind: "start_simulated_chain", chain: "SIM", seed, blockMs: 1_000 });
  return venue;
}

function chainOf(venue: Venue) {
  const chain = findSimulatedChain(venue.state, "SIM");
  assert.ok(chain !== undefined);
  return { chain, head: heightAt(chain, venue.state.timeMs) };
}

function pay(venue: Venue, toAddress: string, amount: string): string {
  const done = venue.accept({ kind: "simulate_transaction", chain: "SIM", ccy: "USDT", toAddress, amount });
  return (done.result as { txId: string }).txId;
}

const PAYMENT: BroadcastSimulated = {
  kind: "broadcast_simulated",
  chain: "SIM",
  txId: "ours",
  fromAddress: "hot",
  nonce: 0,
  ccy: "USDT",
  toAddress: "user",
  memo: "",
  amount: "4",
};

test("a transaction is in the block after it, and blocks come with the venue's time or on demand", () => {
  const venue = chainVenue();
  const txId = pay(venue, "hot", "10");
  assert.deepEqual([chainOf(venue).head, transactionsBetween(chainOf(venue).chain, 0, 0).length], [0, 0]);
  venue.wait(1_000);
  const { chain, head } = chainOf(venue);
  assert.deepEqual([head, transactionsBetween(chain, 1, 1).map((found) => found.txId)], [1, [txId]]);
  assert.deepEqual(venue.accept({ kind: "mine_blocks", chain: "SIM", count: 5 }).result, { height: 6 });
  venue.wait(2_500);
  assert.equal(chainOf(venue).head, 8);
  assert.equal(balanceOn(chain, "hot", "USDT"), 10_00000000n);
  venue.assertRepeatable();
});

test("the same seed and the same commands make the same chain, another seed another", () => {
  const made = (seed: number) => {
    const venue = chainVenue(seed);
    return [pay(venue, "a", "1"), pay(venue, "a", "1"), blockHash(chainOf(venue).chain, 0)];
  };
  assert.deepEqual(made(1), made(1));
  assert.equal(new Set([...made(1), ...made(2)]).size, 6);
  for (const id of made(1)) assert.match(id, /^[0-9a-f]{64}$/);
});

test("a signed transaction is carried out once, and its fee is the sender's", () => {
  const venue = chainVenue();
  pay(venue, "hot", "10");
  const rows: readonly (readonly [Partial<BroadcastSimulated>, Refusal | undefined])[] = [
    [{ amount: "9.6" }, "chain_funds_short"],
    [{}, undefined],
    [{}, undefined],
    [{ txId: "another" }, "nonce_taken"],
    [{ txId: "another", nonce: 1, amount: "5.50000001" }, "chain_funds_short"],
    [{ txId: "another", nonce: 1, ccy: "BTC" }, "asset_not_found"],
    [{ txId: "another", nonce: 1, chain: "NONE" }, "chain_not_simulated"],
    [{ txId: "another", nonce: 1, amount: "5" }, undefined],
  ];
  for (const [change, refusal] of rows) {
    assert.equal(venue.execute({ ...PAYMENT, ...change }).refusal, refusal, JSON.stringify(change));
  }
  const { chain } = chainOf(venue);
  assert.deepEqual([balanceOn(chain, "hot", "USDT"), balanceOn(chain, "user", "USDT")], [0n, 9_00000000n]);
  venue.assertRepeatable();
});

test("a reorganisation puts other blocks there, which forget what is dropped and take up the rest", () => {
  const venue = chainVenue();
  pay(venue, "hot", "10");
  venue.wait(1_000);
  const dropped = pay(venue, "hot", "5");
  const kept = pay(venue, "hot", "3");
  venue.wait(1_000);
  const hashes = [1, 2].map((height) => blockHash(chainOf(venue).chain, height));
  const reorganise = { kind: "reorganise_chain", chain: "SIM", depth: 1, drop: [dropped] } as const;
  assert.equal(venue.execute({ ...reorganise, drop: ["nobody"] }).refusal, "invalid_command");
  assert.equal(venue.execute({ ...reorganise, depth: 3 }).refusal, "invalid_command");
  assert.deepEqual(venue.accept(reorganise).result, { height: 3 });
  const { chain } = chainOf(venue);
  assert.deepEqual(
    [1, 2].map((height) => blockHash(chain, height) === hashes[height - 1]),
    [true, false],
  );
  assert.deepEqual(
    transactionsBetween(chain, 2, 3).map(({ txId }) => txId),
    [kept],
  );
  assert.equal(balanceOn(chain, "hot", "USDT"), 13_00000000n);
  venue.assertRepeatable();
});

test("what the venue paid can be dropped and handed over again, and is paid once", () => {
  const venue = chainVenue();
  pay(venue, "hot", "10");
  venue.wait(1_000);
  venue.accept(PAYMENT);
  venue.wait(1_000);
  venue.accept({ kind: "reorganise_chain", chain: "SIM", depth: 1, drop: ["ours"] });
  assert.equal(balanceOn(chainOf(venue).chain, "user", "USDT"), 0n);
  venue.accept(PAYMENT);
  venue.accept(PAYMENT);
  venue.wait(2_000);
  assert.equal(balanceOn(chainOf(venue).chain, "user", "USDT"), 4_00000000n);
  venue.assertRepeatable();
});
