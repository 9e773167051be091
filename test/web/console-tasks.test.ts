/**
 * What operators do most, each by its form: what it says before is what the venue then does, by mouse and by keyboard.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { openArea, openConsole } from "./console-stage.ts";
import { limit, noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();

test("the tasks of operators are found, say what they will do, and do it", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue, alice } = stage;
  const page = await openConsole(stage);
  const broken: string[] = [];
  page.on("pageerror", (error) => broken.push(error.message));
  const begin = async (task: string) => {
    await openArea(page, "Tasks");
    await page.getByRole("button", { name: task }).click();
    return page.getByRole("dialog", { name: task });
  };
  const market = () => venue.admin("/admin/markets/ETHUSDT?market_type=SPOT");

  await t.test("a market is halted with the keyboard alone, asks for nothing else, and is resumed", async () => {
    await openArea(page, "Tasks");
    await page.getByRole("button", { name: "Halt or resume a market" }).focus();
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Halt or resume a market" });
    await form.getByRole("searchbox").focus();
    await form
      .getByRole("button", { name: /^BTCUSDT/ })
      .first()
      .waitFor();
    await page.keyboard.type("ethusdt (spot)");
    await page.keyboard.press("Enter");
    await form.getByText("ETHUSDT (spot) refuses new orders at once.").waitFor();
    assert.equal(await form.locator("input, select").count(), 0, "a halt asks for no fields");
    await form.getByRole("button", { name: "Halt trading" }).focus();
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    assert.equal((await market()).suspended, true);
    const order = { ...limit("buy", "2000", "0.1"), market: "ETHUSDT" };
    await assert.rejects(alice.act("/v2/spot/order", order), /3157/);
    const again = await begin("Halt or resume a market");
    await again.getByRole("button", { name: "ETHUSDT (spot), halted" }).click();
    await again.getByRole("button", { name: "Resume trading" }).click();
    await again.waitFor({ state: "detached" });
    assert.equal((await market()).suspended, false);
  });

  await t.test("Enter that comes before the list takes the first that fits once the list is there", async () => {
    let bringList = () => {};
    const held = new Promise<void>((resolve) => {
      bringList = resolve;
    });
    await page.route("**/admin/markets*", async (route) => {
      await held;
      await route.continue();
    });
    const form = await begin("Halt or resume a market");
    await form.getByRole("searchbox").focus();
    await page.keyboard.type("btcusdt (spot)");
    await page.keyboard.press("Enter");
    bringList();
    await form.getByText("BTCUSDT (spot) refuses new orders at once.").waitFor();
    await page.unroute("**/admin/markets*");
    await form.getByRole("button", { name: "Back" }).click();
    await form.waitFor({ state: "detached" });
  });

  await t.test(
    "fees are changed with what they come to told before, and a rate that is none is refused at its field",
    async () => {
      const before = await market();
      const form = await begin("Change fees");
      await form.getByRole("button", { name: /^ETHUSDT \(spot\)/ }).click();
      const maker = form.getByLabel("Maker fee rate");
      assert.equal(await maker.inputValue(), before.maker_fee_rate);
      await maker.fill("0.0005");
      await form.getByText(/A maker pays 0\.0500.%, 5 USDT of 10.000, instead of /).waitFor();
      await maker.fill("a little");
      await form.getByRole("button", { name: "Change fees" }).click();
      await form
        .locator('[data-field="maker_fee_rate"]')
        .getByText(/Maker fee rate must be/)
        .waitFor();
      await maker.fill("0.0005");
      await form.getByRole("button", { name: "Change fees" }).click();
      await form.waitFor({ state: "detached" });
      const after = await market();
      assert.deepEqual([after.maker_fee_rate, after.taker_fee_rate], ["0.0005", before.taker_fee_rate]);
    },
  );

  await t.test("a credit adds what the form said", async () => {
    const availableOf = async () =>
      (await venue.admin("/admin/users/alice")).balances.find(({ ccy }: { ccy: string }) => ccy === "USDT").available;
    const before = Number(await availableOf());
    const form = await begin("Credit a user");
    await form.getByRole("searchbox").fill("alice");
    await form.getByRole("button", { name: /^alice, user/ }).click();
    await form.getByLabel("Currency").fill("USDT");
    await form.getByLabel("Amount").fill("250.5");
    await form.getByText("alice has 250.5 USDT more available").waitFor();
    const says = (await form.locator(".effects li").first().innerText()).replaceAll(/(?<=\d)\s(?=\d)/g, "");
    assert.equal(says, `alice has 250.5 USDT more available: ${before + 250.5} USDT instead of ${before}.`);
    await form.getByLabel("Note").fill("wire 12");
    await form.getByRole("button", { name: "Credit", exact: true }).click();
    await form.waitFor({ state: "detached" });
    assert.equal(Number(await availableOf()), before + 250.5);
  });

  await t.test("a window of maintenance is told in words before it is planned", async () => {
    const form = await begin("Plan maintenance");
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await form.getByRole("checkbox", { name: "SPOT" }).check();
    await form.getByLabel("Started at").fill(`${day}T10:00`);
    await form.getByLabel("Ended at").fill(`${day}T12:30`);
    await form.getByText(/Spot markets take no orders, changes or cancels from .* for 2 h 30 min\./).waitFor();
    await form.getByText("without a protection period nobody can cancel first").waitFor();
    await form.getByRole("button", { name: "Plan a window" }).click();
    await form.waitFor({ state: "detached" });
    const { maintenance } = await venue.admin("/admin/maintenance");
    assert.equal(maintenance[0].ended_at - maintenance[0].started_at, 2.5 * 3_600_000);
  });

  await t.test("a backup is made and verified, and one that was altered is called so in the form", async () => {
    const making = await begin("Create backup");
    await making.getByText("Trading goes on meanwhile.").waitFor();
    await making.getByRole("button", { name: "Create backup" }).click();
    await making.waitFor({ state: "detached" });
    const [{ file }] = (await venue.admin("/admin/backups")).backups;
    const verify = async () => {
      const form = await begin("Verify a backup");
      await form.getByRole("button", { name: /^backup-/ }).click();
      await form.getByRole("button", { name: "Verify", exact: true }).click();
      return form;
    };
    await (await verify()).waitFor({ state: "detached" });
    await page.getByText(/is sound: \d+ commands up to/).waitFor();
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const form = await verify();
    await form.getByText(/cannot be used: .* is not what was written/).waitFor();
    await page.keyboard.press("Escape");
  });

  await t.test("an order is explained from its number, and its labels are words", async () => {
    const { order_id } = await alice.act("/v2/spot/order", { ...limit("buy", "50000", "0.01"), stp_mode: "both" });
    await openArea(page, "Tasks");
    await page.getByRole("button", { name: "Explain an order" }).click();
    await page.getByRole("heading", { name: "Explain", exact: true }).waitFor();
    await page.getByRole("searchbox", { name: /^Which one/ }).fill(String(order_id));
    await page.keyboard.press("Enter");
    await page.getByText("Self-trade protection", { exact: true }).waitFor();
    await page.getByText("cancels both", { exact: true }).waitFor();
    const labels = await page.locator("main :is(dt, th)").allInnerTexts();
    assert.ok(labels.length > 10);
    assert.deepEqual(
      labels.filter((label) => /_|^Is |\b(?:stp|ccy|liq|avg)\b/i.test(label)),
      [],
    );
  });

  await t.test("on a phone the forms keep to the screen", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${venue.adminUrl}/console/tasks`);
    await page.getByRole("button", { name: "Credit a user" }).click();
    const form = page.getByRole("dialog", { name: "Credit a user" });
    await form.getByRole("button", { name: /^alice, user/ }).click();
    await form.getByLabel("Amount").fill("1");
    const beyond =
      `[...document.querySelectorAll("dialog, dialog *")].filter((each) => each.getBoundingClientRect().right > ` +
      "innerWidth + 1).length";
    assert.equal(await page.evaluate(beyond), 0);
  });
  assert.deepEqual(broken, []);
});
