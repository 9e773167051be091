/** The terminal checks a proof of liabilities in the browser, and says what the check came to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { axeFaults } from "./axe.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

test("the page shows what the venue owes, and whether it was verified in the browser", {
  skip: noBrowser(),
}, async (t) => {
  const { venue, page, alice, bob, continueAs, complaints } = await openStage(t);
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

  const answerWith = async (data: unknown) => {
    await page.unroute("**/ext/liability-proof");
    await page.route("**/ext/liability-proof", (route) => route.fulfill({ json: { code: 0, data, message: "OK" } }));
    await page.reload();
  };
  const proof = (await alice.read("/v2/ext/liability-proof")) as { currencies: { total: string }[] };
  await answerWith({ ...proof, currencies: proof.currencies.map((root) => ({ ...root, total: `1${root.total}` })) });
  await page.getByText("The proof does not hold. The head is not the hash of the roots beside it.").waitFor();
  assert.equal(await page.getByText("Verified in this browser.").count(), 0);
  assert.equal(await page.getByRole("row", { name: /USDT/ }).count(), 0, "nothing of it is shown as owed");
  assert.deepEqual(await axeFaults(page, "main"), []);

  await answerWith(await bob.read("/v2/ext/liability-proof"));
  await page.getByText("The proof does not hold. The proof is of account 2, and not of yours.").waitFor();
  assert.deepEqual(complaints, []);
});
