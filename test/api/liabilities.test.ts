import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type LiabilityProof, verifyProof } from "../../client/liability-proof.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const ROOTS = "/v2/ext/liabilities";
const PROOF = "/v2/ext/liability-proof";

describe("proof of liabilities", () => {
  let venue: ApiVenue;
  let user: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    user = await venue.addUser("user", { USDT: "100000", BTC: "2.5" });
    other = await venue.addUser("other", { USDT: "250.25" });
  });
  after(() => venue.close());

  /** Counts, and waits until the roots are published. */
  async function count(): Promise<void> {
    const { countSeq } = (await venue.operate({ kind: "count_liabilities" })) as { countSeq: number };
    for (;;) {
      const [newest] = await venue.anybody.read(ROOTS);
      if (newest?.seq === countSeq) return;
      await pause(5);
    }
  }

  test("before the first count there is none, and whoever asks for his part is told so", async () => {
    assert.deepEqual(await venue.anybody.read(ROOTS), []);
    const { code, message } = await user.client.get(PROOF);
    assert.notEqual(code, 0);
    assert.match(message, /ask again after the first count/);
  });

  test("everybody gets the same roots, and each account a way to them that holds", async () => {
    await user.client.act("/v2/spot/order", limitOrder("buy", "0.1", "20000"));
    await count();
    const [roots] = await venue.anybody.read(ROOTS);
    assert.deepEqual(
      roots.currencies.map(({ ccy, total, leaf_count }: Record<string, unknown>) => [ccy, total, leaf_count]),
      [
        ["USDT", "100250.25000000", 4],
        ["BTC", "2.50000000", 2],
      ],
    );
    for (const [{ client, userId }, owed] of [
      [user, ["100000.00000000 USDT", "2.50000000 BTC"]],
      [other, ["250.25000000 USDT"]],
    ] as const) {
      const proof = (await client.read(PROOF)) as unknown as LiabilityProof;
      const verified = await verifyProof(proof);
      assert.deepEqual([verified.accountId, verified.head], [String(userId), roots.head]);
      assert.equal(proof.account_id, (await client.read("/v2/account/info")).user_id);
      assert.deepEqual(
        verified.owed.map(({ ccy, amount }) => `${amount} ${ccy}`),
        owed,
      );
    }
  });

  test("a sub-account and a new account have what is theirs; what is done later changes no count", async () => {
    venue.control.timeMs += 600_000;
    const sub = await venue.addUser("user-bot", { USDT: "7" }, user.userId);
    const stranger = await venue.addUser("stranger");
    await count();
    await venue.operate({ kind: "deposit", userId: sub.userId, ccy: "USDT", amount: "1", note: "" });
    assert.deepEqual(
      (await verifyProof(await sub.client.read(PROOF))).owed.map(({ amount }) => amount),
      ["7.00000000"],
    );
    assert.deepEqual((await verifyProof(await stranger.client.read(PROOF))).owed, []);
    assert.equal((await venue.anybody.read(ROOTS, { limit: 31 })).length, 2);
  });

  test("nobody gets a way without a key, and no way has the account or the salt of another in it", async () => {
    assert.notEqual((await venue.anybody.get(PROOF)).code, 0);
    const reader = await venue.addKey(user.userId, ["read"]);
    const [mine, others] = [await reader.read(PROOF), await other.client.read(PROOF)] as unknown as LiabilityProof[];
    const secrets = (others as LiabilityProof).leaves.map(({ salt }) => salt);
    const text = JSON.stringify(mine);
    for (const salt of secrets) assert.ok(!text.includes(salt));
  });

  test("counts come ten minutes apart, whoever asks", async () => {
    await assert.rejects(venue.operate({ kind: "count_liabilities" }), /count again in/);
  });
});

test("with the concessions to existing clients a proof keeps the texts that its hashes are taken over", async () => {
  const venue = await bitcoinApiVenue({ compat: true });
  const { client } = await venue.addUser("user", { USDT: "100000", BTC: "2.5" });
  await venue.operate({ kind: "count_liabilities" });
  const newest = async () => (await venue.anybody.read(ROOTS))[0];
  while ((await newest()) === undefined) await pause(5);
  const { owed, head } = await verifyProof(await client.read(PROOF));
  assert.deepEqual(
    owed.map(({ amount }) => amount),
    ["100000.00000000", "2.50000000"],
  );
  const { head: published, currencies } = await newest();
  assert.deepEqual([head, currencies[0].total], [published, "100000.00000000"]);
  await venue.close();
});
