/**
 * The pictures of the diagrams that stand in the documents as Mermaid. They are drawn beforehand
 * (`npm run tool diagrams`) and lie in docs/diagrams, named by a hash of what they show: a diagram that was changed has
 * no picture until it is drawn anew.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { contentMethods } from "../http/content.ts";
import type { Routes } from "../http/router.ts";
import { escaped } from "./page-parts.ts";

export const DIAGRAMS = "diagrams";
export const THEMES = ["light", "dark"] as const;
const BASE = "/docs/diagrams";

/** The file name of the picture of `source` in a theme. */
export function diagramFile(source: string, theme: (typeof THEMES)[number]): string {
  return `${createHash("sha256").update(source.trim()).digest("hex").slice(0, 16)}-${theme}.svg`;
}

/** Gives the HTML of a diagram's picture; undefined where it has not been drawn. `folder` is that of the documents. */
export function diagramsIn(folder: string): (source: string) => string | undefined {
  const known = new Set(filesIn(folder));
  return (source) => {
    const [light, dark] = THEMES.map((theme) => diagramFile(source, theme)) as [string, string];
    if (!known.has(light) || !known.has(dark)) return undefined;
    return (
      `<figure class="diagram"><picture><source media="(prefers-color-scheme: dark)" srcset="${BASE}/${dark}">` +
      `<img src="${BASE}/${light}" alt="Diagram, which stands below as text" loading="lazy"></picture>` +
      `<details><summary>As text</summary><pre tabindex="0"><code>${escaped(source)}</code></pre></details></figure>\n`
    );
  };
}

export function diagramRoutes(folder: string): Routes {
  return new Map(
    filesIn(folder).map((file) => {
      const content = () => ({
        type: "image/svg+xml; charset=utf-8",
        body: readFileSync(`${folder}${DIAGRAMS}/${file}`),
        // Opened by itself it is a document of this origin, in which nothing may run.
        headers: ["Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"],
        isImmutable: true,
      });
      return [`${BASE}/${file}`, contentMethods(content)] as const;
    }),
  );
}

function filesIn(folder: string): string[] {
  if (!existsSync(`${folder}${DIAGRAMS}`)) return [];
  return readdirSync(`${folder}${DIAGRAMS}`)
    .filter((file) => file.endsWith(".svg"))
    .sort();
}
