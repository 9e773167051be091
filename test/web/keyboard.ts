/** A page that somebody goes through without a mouse. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

/** Presses of the tab key until something is reached that a page has. */
const TABS_MAX = 200;

/** Whether somebody sees that an element has the focus: by an outline of its own, or of the box that it stands in. */
const HAS_RING = `(element) => {
  for (let at = element, up = 0; at !== null && up < 4; at = at.parentElement, up++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    if (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) return true;
  }
  return false;
}`;

/** Goes to an element with the tab key alone; fails when it is not reached so, or when the focus is not seen there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" });
  for (let presses = 0; presses <= TABS_MAX; presses++) {
    if ((await target.and(page.locator(":focus")).count()) > 0) {
      const isSeen = await page.evaluate(`(${HAS_RING})(document.activeElement)`);
      assert.equal(isSeen, true, `the focus is not seen at ${target}`);
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`${target} is not reached with the tab key`);
}

/** Goes there and presses a key. */
export async function pressAt(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field and types into it, in the place of what stands there. */
export async function typeAt(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}
