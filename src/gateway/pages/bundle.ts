/**
 * A program for browsers as scripts/build-web.ts has made it: a page that stands at every address that the program
 * reads, so that each can be reloaded and passed on, and below `app` its files, which have their hash in the name and
 * are kept by caches.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Coding, type Content, contentMethods, STRICT_PAGE_HEADERS } from "../http/content.ts";
import type { Routes } from "../http/router.ts";

/** Where the build leaves the programs, each in a folder of its name. */
export const BUNDLES = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

const HTML_TYPE = "text/html; charset=utf-8";

/** Of the files by the ending of their names. Whatever else lies in the folder is not served. */
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

/** The endings that the name of a compressed file has beside the uncompressed one, by coding. */
const ENDINGS: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" };

export interface Bundle {
  readonly folder: string;
  /** Its page in the folder. */
  readonly page: string;
  /**
   * The addresses at which the page stands; what stands in the place of a name is looked up by its program, not by the
   * venue.
   */
  readonly addresses: readonly string[];
  /** HTML of what is said at `/` where nothing was built. */
  readonly missing: string;
}

/** All of it is read at once: a bundle that is put in its place later would have files of other names. */
export function bundlePages({ folder, page, addresses, missing }: Bundle): Routes {
  if (!existsSync(folder + page)) return new Map([["/", contentMethods(() => notBuilt(missing))]]);
  const content = { ...contentOf(folder + page, HTML_TYPE), headers: STRICT_PAGE_HEADERS };
  const shown = contentMethods(() => content);
  const files = readdirSync(`${folder}app`).flatMap((name) => {
    const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
    if (type === undefined) return [];
    const file = { ...contentOf(`${folder}app/${name}`, type), isImmutable: true };
    return [[`/app/${name}`, contentMethods(() => file)] as const];
  });
  return new Map([...addresses.map((path) => [path, shown] as const), ...files]);
}

function contentOf(file: string, type: string): Content {
  const beside = Object.entries(ENDINGS).filter(([, ending]) => existsSync(file + ending));
  const compressed = Object.fromEntries(beside.map(([coding, ending]) => [coding, readFileSync(file + ending)]));
  return { type, body: readFileSync(file), compressed };
}

function notBuilt(missing: string): Content {
  const head = '<head><meta charset="utf-8"><title>bourse</title><link rel="icon" href="data:,"></head>';
  const body = `<!doctype html>\n<html lang="en">\n  ${head}\n  <body>${missing}</body>\n</html>\n`;
  return { type: HTML_TYPE, body, headers: STRICT_PAGE_HEADERS };
}
