/** Operators before the console of a venue, each in a browser of his own. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Stage } from "./terminal-stage.ts";

/**
 * Opens the console in a browser of its own and signs in: with a token, or with the click that a fixed world offers.
 */
export async function openConsole({ venue, page: other }: Stage, token?: string): Promise<Page> {
  const browser = other.context().browser();
  assert.ok(browser);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(venue.adminUrl);
  if (token === undefined) await page.getByRole("button", { name: "Continue as root" }).click();
  else {
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  }
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return page;
}

/** Opens an area by its link in the rail. */
export async function openArea(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
}

/** Presses a button whose form is to be filled in, and the button of the same name in it. */
export async function act(
  page: Page,
  name: string,
  fill: (form: Page) => Promise<void> = async () => {},
): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await fill(page);
  await page.getByRole("dialog", { name }).getByRole("button", { name, exact: true }).click();
}
