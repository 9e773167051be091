/** An operator lists an asset and its market step by step; what would be refused is said before anything is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFaults } from "./axe.ts";
import { openArea, openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();

test("a market of a new asset is listed from the asset to the check, and is what was typed", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue } = stage;
  const page = await openConsole(stage);
  const actions: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") actions.push(new URL(request.url()).pathname);
  });
  await openArea(page, "List a market");
  const next = () => page.getByRole("button", { name: /^Next: / }).click();
  const fill = async (texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) await page.locator(`[data-field="${name}"] input`).fill(text);
  };

  await next();
  await page.getByText("Currency is required.").waitFor();
  await page.getByText("Scale is required.").waitFor();
  await fill({ ccy: "SOL", scale: "8" });
  await next();
  await next();
  await fill({ quote_ccy: "USDT", base_ccy_precision: "9", quote_ccy_precision: "2", min_amount: "0.01" });
  await fill({ maker_fee_rate: "0.001" });
  assert.equal(await page.locator('[data-field="market"] input').inputValue(), "SOLUSDT");
  await next();
  await page.getByText("Taker fee rate is required.").waitFor();
  await fill({ taker_fee_rate: "0.002" });
  await next();

  const checks = page.getByRole("list", { name: "Checks" });
  await checks.getByText("L1: decimals of amounts (9) must not exceed those of SOL (8)").waitFor();
  const list = page.getByRole("button", { name: "List SOLUSDT" });
  assert.equal(await list.isDisabled(), true);
  assert.deepEqual(actions, []);

  await page.getByRole("button", { name: "Back" }).click();
  await fill({ base_ccy_precision: "4" });
  await page.keyboard.press("Enter");
  await checks.getByText("Every value of a trade is a whole number of units (L1).").waitFor();
  assert.deepEqual(await axeFaults(page, "main"), []);
  await list.click();
  await page.getByText("SOLUSDT is listed.").waitFor();
  assert.deepEqual(actions, ["/admin/assets", "/admin/markets"]);
  const market = await venue.admin("/admin/markets/SOLUSDT?market_type=SPOT");
  assert.deepEqual(
    [market.base_ccy, market.quote_ccy, market.min_amount, market.maker_fee_rate, market.taker_fee_rate],
    ["SOL", "USDT", "0.0100", "0.001", "0.002"],
  );
});

test("notes on a user and the lines of the log are read and written in the console", { skip }, async (t) => {
  const stage = await openStage(t);
  const { venue } = stage;
  const page = await openConsole(stage);
  await page.goto(`${venue.adminUrl}/console/user?user_id=1`);
  await page.getByRole("button", { name: "Write a note" }).click();
  const form = page.getByRole("dialog", { name: "Write a note" });
  await form.getByLabel("Text").fill("Called: lost the phone.");
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Notes" }).getByText("Called: lost the phone.").waitFor();
  await page.getByRole("list", { name: "Timeline" }).getByText("root notes: Called: lost the phone.").waitFor();
  assert.deepEqual(await axeFaults(page, "main"), []);

  await openArea(page, "Log lines");
  const lines = page.getByRole("table", { name: "Log lines" });
  await lines.locator("tbody td").first().waitFor();
  await page.getByRole("searchbox", { name: "Text" }).fill("nothing says this");
  await page.keyboard.press("Enter");
  await lines.getByText("The process has written nothing that fits.").waitFor();
  assert.deepEqual(await axeFaults(page, "main"), []);
});
