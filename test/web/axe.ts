/** What axe, which knows the rules of accessibility, has to say of a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** The rules of which a theme can break one; all others hold in each theme or in none. */
export const OF_THEMES = ["color-contrast"];

/** Sentences about what axe finds serious within what a selector names, by all its rules unless some are named. */
export async function axeFaults(page: Page, within = "html", rules?: readonly string[]): Promise<string[]> {
  // The page's policy lets no script in but its own; the browser's tools are beyond it.
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(AXE);
  // A button on its way from one colour to another has neither: what people read is where it ends.
  await page.evaluate(
    "document.getAnimations().forEach((one) => one.effect.getComputedTiming().endTime < Infinity && one.finish())",
  );
  const { violations } = (await page.evaluate(
    `axe.run("${within}", ${JSON.stringify(rules === undefined ? {} : { runOnly: rules })})`,
  )) as { readonly violations: readonly Violation[] };
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ target, failureSummary }) => `${id} ${target.join(" ")}: ${failureSummary}`),
    );
}
