/**
 * What holds of every page of the console and of every list on it: it is accessible in both themes, keeps to its
 * policy, shows no visible fault on any screen, and each row opens by itself.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFaults, OF_THEMES } from "./axe.ts";
import { openConsole } from "./console-stage.ts";
import { limit, noBrowser, openStage } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";
import { visibleFaults } from "./visible-faults.ts";

const skip = noBrowser();

const SCREENS = [
  { width: 360, height: 740 },
  { width: 820, height: 1180 },
  { width: 1920, height: 1080 },
  { width: 1440, height: 900 },
];
/** Rows of a list that are opened. */
const ROWS_MAX = 4;

test("every page and list of the console is accessible in both themes and whole on every screen", {
  skip,
}, async (t) => {
  const stage = await openStage(t, "--four-eyes", "USDT=1000");
  const { venue } = stage;
  await venue.admin("/admin/deposits", { user_id: "bob", ccy: "USDT", amount: "5000", note: "waits" });
  // What was refused has the longest texts of all.
  await stage.alice.post("/v2/spot/order", limit("buy", "60000", "0.000000001"));
  await stage.alice.post("/v2/futures/order", limit("buy", "60000", "1000", "FUTURES"));
  const { order_id } = await stage.alice.act("/v2/spot/order", limit("buy", "60000", "0.1"));
  const page = await openConsole(stage);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(venue.adminUrl)) complaints.push(`asks ${request.url()}`);
  });
  const links = page.getByRole("navigation", { name: "Areas" }).getByRole("link");
  const areas = await links.all();
  assert.ok(areas.length > 20);
  const found: string[] = [];
  const look = async (what: string, within?: string) => {
    await page.emulateMedia({ colorScheme: "light" });
    found.push(...(await axeFaults(page, within)).map((fault) => `${what}: ${fault}`));
    await page.emulateMedia({ colorScheme: "dark" });
    found.push(...(await axeFaults(page, within, OF_THEMES)).map((fault) => `${what}, dark: ${fault}`));
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      found.push(...(await visibleFaults(page)).map((fault) => `${what}, ${screen.width} wide: ${fault}`));
    }
  };
  /** A row that opens opens alone: rows of one list that share a key would open each other. */
  const openRows = async (what: string) => {
    const rows = page.locator("main table.hoverable tbody tr:not(:has(.empty))");
    for (let at = 0; at < Math.min(ROWS_MAX, await rows.count()); at++) {
      await rows
        .nth(at)
        .locator("td")
        .first()
        .click({ position: { x: 2, y: 2 } });
      await page.getByRole("button", { name: "Close panel" }).waitFor();
      await untilRead(page);
      const open = await page.locator('main tr[aria-current="true"]').count();
      if (open !== 1) found.push(`${what}: row ${at} opens ${open}`);
      found.push(...(await visibleFaults(page, "aside")).map((fault) => `${what}, row ${at}: ${fault}`));
      await page.getByRole("button", { name: "Close panel" }).click();
    }
  };
  const rawLabels = async () =>
    (await page.locator("main :is(dt, th, label, legend), aside :is(dt, th)").allInnerTexts()).filter((label) =>
      /[a-z]_[a-z]|[a-z][A-Z]|^Is /.test(label.replaceAll(/PnL|IDs|IPs/g, "")),
    );
  for (const link of areas) {
    const path = await link.getAttribute("href");
    await link.click();
    await page.waitForURL((url) => url.pathname === path);
    await untilRead(page);
    // What is around the pages is the same on each.
    await look(String(path), path === "/" ? undefined : "main");
    found.push(...(await rawLabels()).map((label) => `${path} shows the field ${label} as a label`));
    await openRows(String(path));
    for (const tab of (await page.locator(".list-tabs [role=tab]").all()).slice(1)) {
      await tab.click();
      await untilRead(page);
      await look(page.url(), "main");
      await openRows(page.url());
    }
  }
  // No link of the rail leads here.
  for (const path of ["user?user_id=1", "search?text=alice", `explain?what=order&id=${order_id}`]) {
    await page.goto(`${venue.adminUrl}/console/${path}`);
    await untilRead(page);
    await look(path, "main");
    found.push(...(await rawLabels()).map((label) => `${path} shows the field ${label} as a label`));
  }
  await page.goto(`${venue.adminUrl}/console/users?row=1`);
  await page.getByRole("heading", { name: "alice, user 1" }).waitFor();
  await untilRead(page);
  await look("the panel of a user");
  found.push(...(await rawLabels()).map((label) => `the panel shows the field ${label} as a label`));
  await page.getByRole("button", { name: "Credit", exact: true }).click();
  await look("a form");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Continue as root" }).waitFor();
  await look("the way in");
  assert.deepEqual(found, []);
  assert.deepEqual(complaints, []);
});
