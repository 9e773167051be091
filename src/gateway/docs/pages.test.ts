import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext } from "../http/request-context.ts";
import { renderMarkdown } from "./markdown.ts";
import { pageRoutes } from "./pages.ts";

const routes = pageRoutes();

/** The body that a GET of the path answers with. */
function bodyOf(path: string): string {
  const get = routes.get(path)?.get("GET");
  assert.ok(get !== undefined, path);
  let body = "";
  get({
    header: () => undefined,
    answerContent: (_headers: readonly string[], content: Buffer) => (body = content.toString()),
  } as unknown as RequestContext);
  return body;
}

test("every link of a page to another one leads to a heading that is there", () => {
  const pages = [...routes.keys()].filter((path) => path.startsWith("/docs/pages"));
  assert.ok(pages.length > 50);
  const bodies = new Map(pages.map((path) => [path, bodyOf(path)]));
  const dead: string[] = [];
  for (const [path, body] of bodies) {
    for (const [, link = ""] of body.matchAll(/<a href="(\/docs\/pages[^"]*|#[^"]*)"/g)) {
      const [target = "", anchor] = link.split("#");
      const found = bodies.get(target === "" ? path : target);
      if (found === undefined || (anchor !== undefined && !found.includes(` id="${anchor}"`)))
        dead.push(`${path} → ${link}`);
    }
  }
  assert.deepEqual(dead, []);
});

test("the search knows every page by its sections, as plain text", () => {
  const indexes = JSON.parse(bodyOf("/docs/search.json")) as string[];
  const sections = indexes.flatMap(
    (path) => JSON.parse(bodyOf(path)) as { address: string; heading: string; text: string }[],
  );
  const pages = new Set(sections.map(({ address }) => address.replace(/#.*/, "")));
  assert.deepEqual(
    [...routes.keys()].filter((path) => /^\/docs\/pages(?:\/|$)/.test(path) && !pages.has(path)),
    [],
  );
  const restore = sections.find(({ text }) => text.includes("bourse restore /mnt/safe"));
  assert.equal(restore?.heading, "Backups");
  assert.ok(sections.every(({ text }) => !/<\/?(?:p|li|td|code)>|&#\d+;/.test(text)));
});

test("Markdown becomes HTML, and markup in it stays text", () => {
  const { html, headings } = renderMarkdown(
    "# A `b` & c\n\nx **y** *z* `**k**` <i>\n[l](t.md) [m](src.ts) ![p](q.png)\n\n- one\n  two\n- three\n  1. " +
      "four\n\n    five\n\n" +
      "| H | I |\n|---|---|\n| `a\\|b` | c<br>d |\n\n```sh\n<a>\n```\n<!-- before: x -->\n> q\n\n# A b & c\n",
    (link) => (link === "t.md" ? "/t" : undefined),
  );
  assert.deepEqual(headings, [
    { level: 1, text: "A b & c", anchor: "a-b--c" },
    { level: 1, text: "A b & c", anchor: "a-b--c-1" },
  ]);
  for (const part of [
    '<h1 id="a-b--c">A <code>b</code> &#38; c</h1>',
    '<p>x <strong>y</strong> <em>z</em> <code>**k**</code> &#60;i&#62; <a href="/t">l</a> m <em>p</em></p>',
    "<li>one two</li>",
    "<td><code>a|b</code></td><td>c<br>d</td>",
    "<code>&#60;a&#62;</code></pre>",
    "<blockquote><p>q</p>\n</blockquote>",
  ])
    assert.ok(html.includes(part), `${part}\n${html}`);
  assert.match(html, /<li>(?:<p>)?three(?:<\/p>)?\s*<ol>/);
  assert.ok(!html.includes("before"));
});
