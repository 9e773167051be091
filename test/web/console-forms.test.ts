/**
 * Forms of the console in a real browser: whatever is left out or wrong is said at its field, and nothing is sent half.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { openArea, openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();

/** Requests that would change something. */
function actionsOf(page: Page): string[] {
  const actions: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET")
      actions.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`);
  });
  return actions;
}

async function openForm(page: Page, name: string) {
  await page.getByRole("button", { name, exact: true }).first().click();
  const form = page.getByRole("dialog", { name });
  return { form, send: () => form.getByRole("button", { name, exact: true }).click() };
}

test("what is left out, half given or beyond all bounds is said at its field, and nothing is sent half", {
  skip,
}, async (t) => {
  const stage = await openStage(t);
  const { venue } = stage;
  const page = await openConsole(stage);
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  const actions = actionsOf(page);
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

  await t.test("a window without a scope and with half a time", async () => {
    await openArea(page, "Maintenance");
    const { form, send } = await openForm(page, "Plan a window");
    await send();
    for (const field of ["Scope", "Started at", "Ended at"]) await form.getByText(`${field} is required.`).waitFor();
    assert.equal(await form.getByText("Protect duration start is required.").count(), 0);
    await form.getByRole("checkbox", { name: "SPOT" }).check();
    await form.getByText("Scope is required.").waitFor({ state: "detached" });
    await form.getByLabel("Started at").fill(`${day}T10:00`);
    // A day without an hour: to the browser it is nothing, to anyone who typed it a time.
    await form.getByLabel("Ended at").focus();
    await page.keyboard.type("01012030");
    await send();
    await form.getByText("Ended at needs a whole time: a day with its year, an hour and a minute.").waitFor();
    assert.equal(await form.getByLabel("Ended at").getAttribute("aria-invalid"), "true");
    assert.deepEqual(actions, []);

    await form.getByLabel("Ended at").fill(`${day}T09:00`);
    await send();
    await form.locator('[data-field="started_at"]').getByText("Started at must lie before ended at.").waitFor();
    await form.getByLabel("Ended at").fill(`${day}T11:00`);
    await form.locator('[data-field="protect_duration_start"]').getByRole("checkbox", { name: "none" }).check();
    await form.locator('[data-field="protect_duration_end"]').getByRole("checkbox", { name: "none" }).check();
    await send();
    await page.getByRole("cell", { name: "SPOT" }).waitFor();
    const { maintenance } = await venue.admin("/admin/maintenance");
    assert.deepEqual(
      [maintenance.length, maintenance[0].ended_at - maintenance[0].started_at, maintenance[0].protect_duration_end],
      [1, 3_600_000, 0],
    );
  });

  await t.test("times of a market are set, shown, and taken back with none", async () => {
    await openArea(page, "Markets");
    await page.getByRole("row", { name: /^ETHUSDT Spot/ }).click();
    actions.length = 0;
    const first = await openForm(page, "Set times");
    await first.send();
    await first.form.getByText("Give at least one of the fields: nothing would change.").waitFor();
    assert.deepEqual(actions, []);
    await first.form
      .getByLabel("Delisted at")
      .fill("275760-01-01T00:00")
      .catch(() => {});
    await first.form.getByLabel("Delisted at").fill(`${day}T10:00`);
    await first.send();
    await first.form.waitFor({ state: "detached" });
    const told = page.locator(".side-panel .record > div").filter({ hasText: "Delisted at" });
    await told.getByText(/\d\d:\d\d/).waitFor();
    const second = await openForm(page, "Set times");
    await second.form
      .locator('[data-field="delisted_at"]')
      .getByText(/^now \d\d\/\d\d \d\d:\d\d/)
      .waitFor();
    await second.form.locator('[data-field="delisted_at"]').getByRole("checkbox", { name: "none" }).check();
    await second.send();
    await second.form.waitFor({ state: "detached" });
    assert.equal((await venue.admin("/admin/markets/ETHUSDT?market_type=SPOT")).delisted_at, 0);
    await page.getByRole("button", { name: "Close panel" }).click();
  });

  await t.test("amounts that are none, and a key for somebody who is not there", async () => {
    await openArea(page, "Deposits");
    const { form, send } = await openForm(page, "Credit");
    await form.getByLabel("Currency").fill("USDT");
    await form.getByLabel("Amount").fill("99999999999999999999999999");
    await form.getByLabel("Note").fill("too much");
    await form.getByLabel("User ID").fill("alice");
    await send();
    const amount = form.locator('[data-field="amount"]');
    await amount.getByText(/Amount must be a/).waitFor();
    assert.equal(
      await form.getByLabel("Amount").evaluate((field) => field === field.ownerDocument.activeElement),
      true,
    );
    await form.getByLabel("Amount").fill("1e3");
    await amount.getByText(/Amount must be a/).waitFor({ state: "detached" });
    await send();
    await amount.getByText(/without sign or exponent/).waitFor();
    await form.getByLabel("Amount").fill("0");
    await send();
    await amount.getByText(/must be a decimal above 0/).waitFor();
    await page.keyboard.press("Escape");

    await openArea(page, "API keys");
    const key = await openForm(page, "Create API key");
    await key.form.getByLabel("User ID").fill("nobody");
    await key.send();
    await key.form.getByText("There is no user named nobody.").waitFor();
    await page.keyboard.press("Escape");
    assert.equal((await venue.admin("/admin/api-keys")).api_keys.length, 2);
  });

  await t.test("every form opens, and sent empty it says what is missing or does what needs nothing", async () => {
    await openArea(page, "All actions");
    const buttons = page.getByRole("main").getByRole("button", { name: /^Open / });
    const rows = await buttons.count();
    assert.ok(rows > 50);
    actions.length = 0;
    for (let at = 0; at < rows; at++) {
      await buttons.nth(at).click();
      const form = page.getByRole("dialog").locator("form");
      await form.waitFor();
      const needed = await form.locator("[required]").count();
      if (needed > 0) {
        await form.locator("button[type=submit]").click();
        await form
          .getByText(/ is required\.$/)
          .first()
          .waitFor();
      }
      await page.keyboard.press("Escape");
      await form.waitFor({ state: "detached" });
    }
    assert.deepEqual(actions, []);
  });

  await t.test("half a time filters nothing, and an address with nonsense shows a list all the same", async () => {
    await openArea(page, "Audit trail");
    await page.getByLabel("From", { exact: true }).focus();
    await page.keyboard.type("01012030");
    await page.keyboard.press("Tab");
    await page.getByLabel("To", { exact: true }).focus();
    await page.getByText("Give a day with its year, an hour and a minute.").waitFor();
    await page.goto(`${venue.adminUrl}/console/audit-trail?from=0&to=9999999999999999&page=-3`);
    await page.getByText(/to must be ms, or a time with its zone/i).waitFor();
    await page.goto(`${venue.adminUrl}/console/audit-trail?from=0`);
    await page.getByRole("cell", { name: "root" }).first().waitFor();
  });
  assert.deepEqual(broken, []);
});
