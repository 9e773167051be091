/** The terminal checks a proof of liabilities by code of its own: it must say what bourse verify-liability says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gather, OwedRows } from "../../src/liabilities/gather.ts";
import { decimalOf, headOf, type LiabilityProof, verifyProof } from "../../src/liabilities/proof.ts";
import { leavesFor, makeSumTree } from "../../src/liabilities/sum-tree.ts";
import { verifiedOwed } from "../../web/src/account/verify-proof.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

const ACCOUNT = 5;

/** Account 5 of nine that are owed two currencies. */
function proof(): LiabilityProof {
  const rows = new OwedRows();
  for (let account = 1; account <= 9; account++) {
    for (const assetId of [0, 1]) rows.add(account, assetId, BigInt(account * 1_000_003 + assetId));
  }
  const trees = [...gather(rows)].map(([assetId, owed]) => {
    const tree = makeSumTree(owed, new Uint8Array(32).fill(assetId + 1));
    const [ccy, precision] = [["BTC", 8] as const, ["JPY", 0] as const][assetId] ?? ["", 0];
    return { tree, ccy, precision };
  });
  const currencies = trees.map(({ tree, ccy, precision }) => ({
    ...{ ccy, precision, root: Buffer.from(tree.hash).toString("hex") },
    ...{ total: decimalOf(tree.total, precision), leaf_count: tree.places.length },
  }));
  const leaves = trees.flatMap(({ tree, ccy, precision }) =>
    leavesFor(tree, ACCOUNT, precision).map((leaf) => ({ ccy, ...leaf })),
  );
  const count = { seq: 3, counted_at: 1_750_000_000_000, currencies };
  return { ...count, head: headOf(count), account_id: String(ACCOUNT), leaves };
}

test("a sound proof says the same in the page and on the command line", async () => {
  const sound = proof();
  assert.deepEqual(await verifiedOwed(sound, ACCOUNT), verifyProof(sound).owed);
  await assert.rejects(verifiedOwed(sound, ACCOUNT + 1), /not of yours/);
});

test("whatever is changed in a proof, neither of them takes it", async () => {
  const sound = proof();
  const texts = new Set<string>();
  // Every number and every text of it, one at a time.
  const places: (readonly (string | number)[])[] = [];
  const walk = (value: unknown, at: readonly (string | number)[]) => {
    if (typeof value !== "object" || value === null) places.push(at);
    else for (const [name, part] of Object.entries(value)) walk(part, [...at, name]);
  };
  walk(sound, []);
  for (const at of places) {
    const spoilt = structuredClone(sound) as unknown as Record<string, unknown>;
    const owner = at.slice(0, -1).reduce<Record<string, unknown>>((part, name) => part[name] as never, spoilt);
    const last = at.at(-1) as string;
    const before = owner[last] as string | number;
    owner[last] = typeof before === "number" ? before + 1 : changed(before);
    texts.add(at.join("."));
    assert.throws(() => verifyProof(spoilt), `bourse verify-liability takes another ${at.join(".")}`);
    await assert.rejects(verifiedOwed(spoilt as never, ACCOUNT), `the page takes another ${at.join(".")}`);
  }
  assert.ok(texts.size > 60);
});

/** Another text of the same kind. */
function changed(text: string): string {
  const last = text.at(-1) ?? "";
  return text.slice(0, -1) + (last === "1" ? "2" : "1");
}

test("the page shows what the venue owes, and that it was verified in the browser", {
  skip: noBrowser(),
}, async (t) => {
  const { venue, page, continueAs, complaints } = await openStage(t);
  await venue.admin("/admin/liabilities", {});
  const newest = async () => {
    const answer = (await (await fetch(`${venue.url}/v2/ext/liabilities`)).json()) as { data: { head: string }[] };
    return answer.data[0];
  };
  while ((await newest()) === undefined) await pause(50);
  await page.goto(`${venue.url}/my/liabilities`);
  await continueAs("alice");
  await page.getByText("Verified in this browser.").waitFor();
  await page.getByRole("row", { name: /USDT/ }).waitFor();
  await page.getByText((await newest())?.head ?? "no head").waitFor();
  assert.deepEqual(complaints, []);
});
