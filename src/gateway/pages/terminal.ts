/**
 * The trading terminal at `/`: the bundle of `web/`, as scripts/build-web.ts has made it. Its page stands at every address that the
 * terminal itself reads, so that each can be reloaded and passed on; its files have their hash in the name and are kept by caches.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Coding, type Content, contentMethods, STRICT_PAGE_HEADERS } from "../http/content.ts";
import type { Routes } from "../http/site.ts";

/** Where the build leaves the page and, below `app`, everything that it loads. */
export const BUNDLE = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

/** The addresses that the terminal reads, none of which is one of the API; what stands in the place of a name is looked up by its program, not by the venue. */
const PAGES = ["/", "/trade/{product}/{market}", "/my/{section}"];

const HTML_TYPE = "text/html; charset=utf-8";

/** Of the files by the ending of their names. Whatever else lies in the folder is not served. */
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** What a compressed file beside another one is called. */
const ENDINGS: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" };

/**
 * The terminal in `folder`; where it was not built, a page at `/` that says how it is. All of it is read at once: a bundle that is put in
 * its place later would have files of other names.
 */
export function terminalPages(folder = BUNDLE): Routes {
  const page = `${folder}index.html`;
  if (!existsSync(page)) return new Map([["/", contentMethods(() => NOT_BUILT)]]);
  const content = { ...contentOf(page, HTML_TYPE), headers: STRICT_PAGE_HEADERS };
  const shown = contentMethods(() => content);
  const files = readdirSync(`${folder}app`).flatMap((name) => {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) return [];
    const file = { ...contentOf(`${folder}app/${name}`, type), isImmutable: true };
    return [[`/app/${name}`, contentMethods(() => file)] as const];
  });
  return new Map([...PAGES.map((path) => [path, shown] as const), ...files]);
}

function contentOf(file: string, type: string): Content {
  const beside = Object.entries(ENDINGS).filter(([, ending]) => existsSync(file + ending));
  const compressed = Object.fromEntries(beside.map(([coding, ending]) => [coding, readFileSync(file + ending)]));
  return { type, body: readFileSync(file), compressed };
}

const NOT_BUILT: Content = {
  type: HTML_TYPE,
  body: `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>bourse</title><link rel="icon" href="data:,"></head>
  <body>
    <h1>This exchange is running, but its terminal is not built.</h1>
    <p>Run <code>npm run build:web</code> in the folder of the venue, then start it again. The <a href="/docs">documents</a> and the API are here.</p>
  </body>
</html>
`,
  headers: STRICT_PAGE_HEADERS,
};
