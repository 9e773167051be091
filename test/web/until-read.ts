/** Pages that are complete: nothing of them is on its way any more. */
import type { Page } from "playwright-core";

/** Between two looks. */
const LOOK_MS = 50;

/**
 * Waits until a page shows what it has read. A heading or a chart comes with the program of a page, and in the same
 * turn what it reads is shown as loading: only from then on "nothing is loading" says that everything is there.
 */
export async function untilRead(page: Page): Promise<void> {
  const main = page.getByRole("main");
  await main.getByRole("heading").or(main.locator(".chart canvas")).first().waitFor();
  while (await page.evaluate(IS_LOADING)) await page.waitForTimeout(LOOK_MS);
}

const IS_LOADING =
  '[...document.querySelectorAll("main, aside")].some((part) => /Loading…|Checking…/.test(part.innerText))';
