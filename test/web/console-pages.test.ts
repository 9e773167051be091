/**
 * What holds of every page of the console: it is accessible in both themes, keeps to its policy, and fits on a phone.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFaults } from "./axe.ts";
import { openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";

const skip = noBrowser();

const DARK_TOO = ["/", "/console/approvals", "/console/calls", "/console/index", "/console/markets", "/console/clock"];

test("axe finds nothing serious on any page of the console, and none is wider than a phone", { skip }, async (t) => {
  const stage = await openStage(t, "--four-eyes", "USDT=1000");
  const { venue } = stage;
  await venue.admin("/admin/deposits", { user_id: "bob", ccy: "USDT", amount: "5000", note: "waits" });
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
    await page.getByText("Loading…").waitFor({ state: "hidden" });
    found.push(...(await axeFaults(page, within)).map((fault) => `${what}: ${fault}`));
  };
  const rawLabels = async () =>
    (await page.locator("main :is(dt, th, label, legend), aside :is(dt, th)").allInnerTexts()).filter((label) =>
      /[a-z]_[a-z]|[a-z][A-Z]|^Is /.test(label.replaceAll(/PnL|IDs|IPs/g, "")),
    );
  for (const link of areas) {
    const path = await link.getAttribute("href");
    await link.click();
    // Every kind of thing that is on a page is on one of these.
    const themes = DARK_TOO.includes(path ?? "") ? (["dark", "light"] as const) : (["light"] as const);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      // What is around the pages is the same on each.
      await look(`${path}, ${colorScheme}`, path === "/" ? undefined : "main");
    }
    found.push(...(await rawLabels()).map((label) => `${path} shows the field ${label} as a label`));
    await page.setViewportSize({ width: 360, height: 740 });
    if (!(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))) found.push(`${path} is too wide`);
    // A row is a card there: nobody has to scroll a list sideways.
    const lists = await page.evaluate(
      `[...document.querySelectorAll("main .scroll")].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.ariaLabel)`,
    );
    found.push(...(lists as string[]).map((list) => `${path}: ${list} scrolls sideways`));
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.goto(`${venue.adminUrl}/console/users?row=1`);
  await page.getByRole("heading", { name: "alice, user 1" }).waitFor();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await look(`the panel of a user, ${colorScheme}`);
  }
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
