import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

const PAGE = "docs/background/seeds.md";

/** The file and the name of the test in each line of the table. */
function cited(page: string): readonly { readonly file: string; readonly name: string }[] {
  return [...page.matchAll(/^\| .+ \| .+ \| \[([^\]]+)\]\([^)]+\) \| (.+) \|$/gm)].map(([, file = "", name = ""]) => ({
    file,
    name,
  }));
}

/** Lines that name a test which is not there, by exactly that name. */
function lost(page: string): string[] {
  return cited(page)
    .filter(({ file, name }) => {
      const path = join(repositoryRoot, file);
      if (!existsSync(path)) return true;
      const text = readFileSync(path, "utf8");
      return !['"', "`"].some((quote) => text.includes(quote + name + quote));
    })
    .map(({ file, name }) => `${file}: ${name}`);
}

/** How many facts each paragraph of the domain marks as given. */
function given(domain: string): Map<string, number> {
  const marks = new Map<string, number>();
  let paragraph = "";
  for (const line of domain.split("\n")) {
    paragraph = /^#+ (\d+(?:\.\d+)*)\s/.exec(line)?.[1] ?? paragraph;
    const found = line.match(/\*given\*/g)?.length ?? 0;
    if (paragraph !== "" && found > 0) marks.set(paragraph, (marks.get(paragraph) ?? 0) + found);
  }
  return marks;
}

/** Paragraphs that mark more facts as given than lines of the page name them. */
function unchecked(page: string, domain: string): string[] {
  const lines = [...page.matchAll(/^\| .+ \| \[([^\]]+)\]\(\.\.\/reference\/domain\.md\) \|/gm)].flatMap(
    ([, list = ""]) => list.split(", "),
  );
  return [...given(domain)]
    .filter(([paragraph, count]) => lines.filter((each) => each === paragraph).length < count)
    .map(([paragraph]) => paragraph);
}

test("every paragraph of the domain has as many lines as it marks facts as given", () => {
  const [page, domain] = [PAGE, "docs/reference/domain.md"].map((path) =>
    readFileSync(join(repositoryRoot, path), "utf8"),
  );
  assert.ok(given(domain as string).size >= 15);
  assert.deepEqual(unchecked(page as string, domain as string), []);
  assert.deepEqual(
    unchecked("| A fact | [1.1](../reference/domain.md) | x | y |", "## 1.1 Units\n\na (*given*), b (*given*)"),
    ["1.1"],
  );
});

test("every fact of docs/background/seeds.md names a test that is there", () => {
  const page = readFileSync(join(repositoryRoot, PAGE), "utf8");
  assert.ok(cited(page).length >= 65, `${cited(page).length} facts`);
  assert.deepEqual(lost(page), []);
});

test("a line that names a test which is gone is found", () => {
  const line = (file: string, name: string) =>
    `| A fact | [1](../reference/domain.md) | [${file}](../../${file}) | ${name} |`;
  const here = "test/house/seed-statements.test.ts";
  assert.deepEqual(lost(line(here, "a line that names a test which is gone is found")), []);
  assert.deepEqual(lost(line(here, ["no", "such test"].join(" "))), [`${here}: ${["no", "such test"].join(" ")}`]);
  assert.deepEqual(lost(line("test/none.test.ts", "x")), ["test/none.test.ts: x"]);
});
