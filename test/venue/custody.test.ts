/** What operators are told of money on chains, and what a venue does by itself that finds some of it missing. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { AdminRefused, type StartedVenue, startVenue } from "../../src/lab/library/index.ts";

const FIXED = { startTime: "2026-01-01T00:00:00Z", frozen: true, limits: false, makers: false } as const;

async function open(t: TestContext, settings: Record<string, string> = {}): Promise<StartedVenue> {
  const venue = await startVenue({ ...FIXED, settings });
  t.after(() => venue.stop());
  return venue;
}

interface Reconciled {
  readonly ok: boolean;
  readonly troubles: readonly string[];
}

async function hotAddressOf({ admin }: StartedVenue, chain: string): Promise<string> {
  const { chains } = await admin.get<{ chains: { chain: string; hot_address: string }[] }>("/admin/chains");
  return chains.find((one) => one.chain === chain)?.hot_address ?? "";
}

test("a shortfall halts withdrawals by itself, and an operator resumes them", async (t) => {
  const venue = await open(t, { "on-shortfall": "halt" });
  const { admin } = venue;
  const reconciled = () => admin.get<Reconciled>("/admin/audit/chains");
  const halted = async () => (await admin.status()).withdrawals_halted;
  assert.deepEqual((await reconciled()).troubles, []);
  assert.equal(await halted(), null);
  await admin.credit(1, { BTC: "3" });
  assert.match((await reconciled()).troubles.join(), /^The ledger has 3\.0+ BTC more than all that holds it/);
  assert.match((await halted())?.reason ?? "", /^The ledger has 3\.0+ BTC more than all that holds it\.$/);
  const { chains } = await admin.get<{ chains: { trouble: string }[] }>("/admin/chains");
  assert.ok(chains.every(({ trouble }) => trouble.startsWith("Withdrawals are halted until an operator resumes them")));
  await admin.post("/admin/withdrawal-halt", { halted: false, reason: "BTC comes tomorrow." });
  await reconciled();
  assert.equal(await halted(), null, "what was missing then is known");
  await admin.credit(1, { BTC: "0.1" });
  await reconciled();
  assert.match((await halted())?.reason ?? "", /3\.1/);
  await admin.post("/admin/withdrawal-halt", { halted: false, reason: "BTC comes tomorrow." });
  const again = admin.post("/admin/withdrawal-halt", { halted: false, reason: "BTC comes tomorrow." });
  await assert.rejects(again, AdminRefused);
});

test("a venue that is to tell only goes on with withdrawals", async (t) => {
  const { admin } = await open(t);
  await admin.credit(1, { BTC: "3" });
  assert.equal((await admin.get<Reconciled>("/admin/audit/chains")).ok, false);
  assert.equal((await admin.status()).withdrawals_halted, null);
});

test("risks of the chains in the settings are told to operators", async (t) => {
  const chains = { ERC20: { rpc: "http://10.255.255.1:8545/key", chain_id: 1, coin: "ETH", poll_ms: 86_400_000 } };
  const { admin } = await open(t, { chains: JSON.stringify(chains) });
  const { risks } = await admin.status();
  assert.equal(risks.length, 2);
  assert.match(risks[0] ?? "", /^ERC20 has a single node/);
  assert.match(risks[1] ?? "", /^ERC20 reaches its node 10\.255\.255\.1:8545 over plain http/);
});

test("transactions of a simulated chain are found by every spelling of an address", async (t) => {
  const venue = await open(t);
  const { admin } = venue;
  const { chains } = await admin.get<{ chains: { chain: string }[] }>("/admin/chains");
  let tried = 0;
  for (const { chain } of chains) {
    const address = await hotAddressOf(venue, chain);
    const found = async (spelling: string) => {
      const path = `/admin/chains/${chain}/transactions`;
      return (await admin.get<{ transactions: unknown[] }>(path, { address: spelling })).transactions.length;
    };
    const count = await found(address);
    assert.ok(count > 0, chain);
    for (const spelling of spellingsOf(address)) {
      tried++;
      assert.equal(await found(spelling), count, spelling);
    }
    assert.equal(await found("nobody"), 0);
  }
  assert.ok(tried > 0);
});

/** Others that mean the same: of hexadecimal forms without a checksum, of forms in small letters in capitals. */
function spellingsOf(address: string): readonly string[] {
  if (address.startsWith("0x")) return [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`];
  return address === address.toLowerCase() ? [address.toUpperCase()] : [];
}

test("an address of a chain that was listed just now is taken, and a chain that is not at work is named as that", async (t) => {
  const address = "0x52908400098527886E0F7030069857D2E4169EE7";
  const listing = { ccy: "FRESH", scale: 8, chains: [{ chain: "BSC" }] };
  const allow = ({ admin }: StartedVenue, given: string, chain = "BSC") =>
    admin.post("/admin/withdraw-addresses", { user_id: "alice", chain, address: given }).then(
      () => "taken",
      (error: Error) => error.message,
    );
  const venue = await open(t);
  assert.match(await allow(venue, address), /No asset moves on a chain BSC/);
  await venue.admin.post("/admin/assets", listing);
  assert.match(await allow(venue, "nowhere at all"), /address is no address of a chain BSC/);
  assert.equal(await allow(venue, address), "taken");
  const without = await open(t, { "simulated-chains": "off" });
  await without.admin.post("/admin/assets", listing);
  assert.match(await allow(without, address), /The chain BSC is not at work.*name its nodes in the setting chains/);
});
