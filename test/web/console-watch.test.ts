/**
 * What an operator watches: figures over time, alerts, refused requests, and the search; compared with what the venue
 * answers.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openArea, openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";

const skip = noBrowser();

test("an operator finds what is wrong, whom it hurts and why", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue, alice, bob } = stage;
  const order = { market: "BTCUSDT", market_type: "SPOT", type: "limit", price: "60000" };
  await assert.rejects(alice.act("/v2/spot/order", { ...order, side: "buy", amount: "100000" }));
  const { order_id } = await alice.act("/v2/spot/order", { ...order, side: "sell", amount: "0.01" });
  await bob.act("/v2/spot/order", { ...order, side: "buy", amount: "0.01" });
  const { refusals } = await venue.admin("/admin/refusals");
  const [refused] = refusals;
  assert.equal(refused.user, "alice");
  const page = await openConsole(stage);

  await t.test("the reason of a refused order is three clicks from the overview", async () => {
    await page.getByRole("link", { name: "Refused requests" }).click();
    await page.getByRole("cell", { name: refused.because }).click();
    await page.getByRole("heading", { name: `Request ${refused.request_id}` }).waitFor();
    await untilRead(page);
    // Numbers are grouped for the eye.
    const shown = (await page.locator("aside, [role=dialog]").last().innerText()).replaceAll(/(?<=\d)\s(?=\d)/g, "");
    for (const [name, value] of Object.entries(refused.reasons[0].figures)) {
      assert.ok(shown.includes(String(value)), `${name} ${value} in ${shown}`);
    }
    await page.getByRole("button", { name: "Close panel" }).click();
  });

  await t.test("and as near by the keyboard", async () => {
    await page.getByRole("link", { name: "Overview", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Refused requests" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: refused.because }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `Request ${refused.request_id}` }).waitFor();
    await page.getByRole("button", { name: "Close panel" }).click();
  });

  await t.test("a number typed into the search leads to the order, and a name to the user", async () => {
    await searchFor(page, String(order_id));
    await page.getByRole("link", { name: `order ${order_id}` }).click();
    await page.getByRole("heading", { name: "Explain" }).waitFor();
    await page.getByText("filled", { exact: true }).first().waitFor();
    await searchFor(page, "alice");
    await page.getByRole("link", { name: "user 1" }).click();
    await page.getByRole("heading", { name: /^alice user 1/ }).waitFor();
    const user = await venue.admin("/admin/users/1");
    const worth = (await page.locator(".user-worth").innerText()).replaceAll(/(?<=\d)\s(?=\d)/g, "");
    assert.equal(worth, `${user.worth_usd} USD`);
    await page.getByRole("table", { name: "Refused requests" }).getByText(refused.because).click();
    await page.getByRole("heading", { name: `Request ${refused.request_id}` }).waitFor();
    await page.getByRole("button", { name: "Close panel" }).click();
    await searchFor(page, "nobody of this name");
    await page.getByText("Nothing has this name or number.").waitFor();
  });

  await t.test("the deals of a user are listed and exported as they were", async () => {
    await openArea(page, "Deals and ended orders");
    await page.getByRole("tab", { name: "Deals" }).click();
    await page.getByText("Give a user: by name or number.").waitFor();
    await page.getByRole("searchbox", { name: "User" }).fill("bob");
    await page.keyboard.press("Enter");
    const { deals } = await venue.admin("/admin/deals?user_id=bob");
    await page.getByRole("cell", { name: String(deals[0].deal_id), exact: true }).waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const lines = readFileSync(await (await saved).path(), "utf8")
      .trimEnd()
      .split("\r\n");
    assert.equal(lines.length, 1 + deals.length);
    const columns = lines[0]?.split(",") ?? [];
    const cells = lines[1]?.split(",") ?? [];
    for (const [at, name] of columns.entries()) assert.equal(cells[at], String(deals[0][name] ?? ""), name);
  });

  await t.test("an alert stands on the overview until it is over, with who looks after it", async () => {
    await venue.admin("/admin/withdrawal-halt", { halted: true, reason: "The hot wallet is moved." });
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Withdrawals over chains are halted").first().waitFor();
    await page.getByRole("button", { name: "Open alerts" }).click();
    await page.getByRole("cell", { name: /^Withdrawals over chains are halted/ }).click();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Acknowledge" });
    await form.getByLabel("Note").fill("I move it.");
    await form.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await page.getByRole("row", { name: /halted.*root/ }).waitFor();
    const { alerts } = await venue.admin("/admin/alerts?firing=true");
    assert.deepEqual([alerts[0].acknowledged_by, alerts[0].note], ["root", "I move it."]);
  });

  await t.test("figures of an hour, a day and a week are those of the venue", async () => {
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    for (const [word, span] of [
      ["Day", "day"],
      ["Week", "week"],
      ["Hour", "hour"],
    ]) {
      await page.getByRole("button", { name: word, exact: true }).click();
      const { series } = await venue.admin(`/admin/series?span=${span}`);
      const users = series.find(({ name }: { name: string }) => name === "users");
      const shown = page.locator(".tile", { has: page.getByText("Users", { exact: true }) }).locator(".tile-value");
      await page.locator(".tile").first().waitFor();
      assert.equal(await shown.textContent(), String(users.values.findLast((value: number | null) => value !== null)));
    }
    assert.deepEqual(stage.complaints, []);
  });
});

async function searchFor(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Search the venue" }).fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Search", exact: true }).waitFor();
}
