import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { diagramSources } from "../../../scripts/diagrams.ts";
import { diagramFile, diagramRoutes, diagramsIn, THEMES } from "./diagrams.ts";

const folder = fileURLToPath(new URL("../../../docs/", import.meta.url));

test("each diagram of the documents is drawn as it stands, in both themes, and no other", () => {
  const shown = diagramSources().flatMap((source) => THEMES.map((theme) => diagramFile(source, theme)));
  assert.ok(shown.length > 4);
  assert.deepEqual(readdirSync(`${folder}diagrams`).sort(), [...shown].sort());
  for (const file of shown) {
    const svg = readFileSync(`${folder}diagrams/${file}`, "utf8");
    assert.match(svg, /^<svg /);
    assert.doesNotMatch(svg, /<script|foreignObject|@import|https?:\/\/(?!www\.w3\.org)/, file);
  }
});

test("a page shows a diagram as a picture, and as text for those who cannot see it", () => {
  const [source = ""] = diagramSources();
  const html = diagramsIn(folder)(source) ?? "";
  for (const theme of THEMES) assert.ok(diagramRoutes(folder).has(`/docs/diagrams/${diagramFile(source, theme)}`));
  assert.ok(html.includes(diagramFile(source, "light")) && html.includes(diagramFile(source, "dark")));
  assert.match(html, /<details><summary>As text<\/summary><pre[^>]*><code>\w/);
  assert.equal(diagramsIn(folder)("flowchart LR\n  a --> b"), undefined, "one that is not drawn stays text");
});
