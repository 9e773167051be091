/**
 * `npm run tool diagrams` draws each Mermaid diagram of the documents in both themes, as docs/diagrams/*.svg, and takes
 * away what no document shows any more. `src/gateway/docs/diagrams.test.ts` fails where one is missing. It needs
 * Chromium, and the package registry: Mermaid is too large to be installed with each checkout for this alone.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIAGRAMS, diagramFile, THEMES } from "../src/gateway/docs/diagrams.ts";
import { openBrowser } from "../test/web/browser.ts";
import { isProgram } from "./is-program.ts";

const MERMAID = "mermaid@11.12.1";
const FOLDER = `docs/${DIAGRAMS}`;
const FONT = "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Helvetica Neue, Arial, sans-serif";

/** The colours of the pages (base.css), by theme. */
const COLOURS = {
  light: { ground: "#ffffff", ink: "#17211f", line: "#5c6a67", box: "#f0f3f2", edge: "#879590" },
  dark: { ground: "#181f1e", ink: "#e6ecea", line: "#93a29e", box: "#131918", edge: "#66746f" },
};

/** The Mermaid blocks of all documents. */
export function diagramSources(): string[] {
  return globSync("docs/**/*.md").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^```mermaid\n([\s\S]*?)\n```$/gm)].map(([, source = ""]) => source),
  );
}

if (isProgram(import.meta.url)) await drawAll();

async function drawAll(): Promise<void> {
  const sources = diagramSources();
  const scratch = mkdtempSync(join(tmpdir(), "bourse-diagrams-"));
  mkdirSync(FOLDER, { recursive: true });
  try {
    execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", scratch, MERMAID]);
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.addScriptTag({ path: join(scratch, "node_modules/mermaid/dist/mermaid.min.js") });
    for (const source of sources)
      for (const theme of THEMES) {
        const svg = (await page.evaluate(drawing(source, theme))) as string;
        writeFileSync(`${FOLDER}/${diagramFile(source, theme)}`, `${sized(svg)}\n`);
      }
    await browser.close();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const shown = new Set(sources.flatMap((source) => THEMES.map((theme) => diagramFile(source, theme))));
  for (const file of readdirSync(FOLDER)) if (!shown.has(file)) rmSync(`${FOLDER}/${file}`);
  console.log(`${sources.length} diagrams in ${THEMES.length} themes.`);
}

/** With its size in pixels, which an image needs, and numbers of two digits behind the point. */
function sized(svg: string): string {
  const [, width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? [];
  return svg
    .replace(/width="100%"/, `width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}"`)
    .replaceAll(/(\d\.\d\d)\d+/g, "$1");
}

/** The program that draws one: labels are text, since an image may hold no HTML everywhere. */
function drawing(source: string, theme: keyof typeof COLOURS): string {
  const { ground, ink, line, box, edge } = COLOURS[theme];
  const settings = {
    startOnLoad: false,
    securityLevel: "strict",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    deterministicIds: true,
    theme: "base",
    themeVariables: {
      fontFamily: FONT,
      darkMode: theme === "dark",
      background: ground,
      primaryColor: box,
      primaryTextColor: ink,
      primaryBorderColor: edge,
      lineColor: line,
      textColor: ink,
      edgeLabelBackground: ground,
      noteBkgColor: box,
      noteTextColor: ink,
    },
  };
  return `(async () => {
    mermaid.initialize(${JSON.stringify(settings)});
    const { svg } = await mermaid.render("diagram", ${JSON.stringify(source)});
    return svg;
  })()`;
}
