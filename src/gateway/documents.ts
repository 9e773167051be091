/**
 * `/openapi.json`, the page `/docs/api`, which shows it and can make signed calls, and the pages of the sockets. All of it comes from
 * this process, so the pages work without a network; the program of `/docs/api` is Swagger UI, taken from its package as it is.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Contract } from "./current/contract.ts";
import { contentMethods, PAGE_HEADERS } from "./http/content.ts";
import type { Routes } from "./http/site.ts";
import type { LegacyHandlers } from "./legacy/call.ts";
import { loadLegacyContract } from "./legacy/contract.ts";
import { legacyOpenApiDocument } from "./legacy/openapi.ts";
import { servedLegacyEndpoints } from "./legacy/surface.ts";

const resolve = createRequire(import.meta.url).resolve;

const JSON_TYPE = "application/json; charset=utf-8";
const HTML_TYPE = "text/html; charset=utf-8";
const SCRIPT_TYPE = "text/javascript; charset=utf-8";
const STYLE_TYPE = "text/css; charset=utf-8";

/** The document may be read by pages of other origins, such as a code generator or an editor. */
const OPEN_TO_ALL = ["Access-Control-Allow-Origin", "*"];

/** `pages` are further ones, by their paths. */
export function documentRoutes(openApi: object, pages: Readonly<Record<string, () => string>>): Routes {
  const ours = (file: string) => readFileSync(new URL(`docs/${file}`, import.meta.url));
  const packaged = (file: string) => readFileSync(resolve(`swagger-ui-dist/${file}`));
  return new Map([
    ["/openapi.json", contentMethods(() => ({ type: JSON_TYPE, body: JSON.stringify(openApi), headers: OPEN_TO_ALL }))],
    ["/docs/api", contentMethods(() => ({ type: HTML_TYPE, body: ours("page.html"), headers: PAGE_HEADERS }))],
    ...Object.entries(pages).map(
      ([path, page]) =>
        [path, contentMethods(() => ({ type: HTML_TYPE, body: page(), headers: PAGE_HEADERS }))] as const,
    ),
    ["/docs/page.js", contentMethods(() => ({ type: SCRIPT_TYPE, body: ours("page.js") }))],
    ["/docs/swagger-ui.js", contentMethods(() => ({ type: SCRIPT_TYPE, body: packaged("swagger-ui-bundle.js") }))],
    ["/docs/swagger-ui.css", contentMethods(() => ({ type: STYLE_TYPE, body: packaged("swagger-ui.css") }))],
  ]);
}

/** The same of the older generation, which has a document and a page of its own: `/openapi-legacy.json` and `/docs/legacy`. */
export function legacyDocumentRoutes(contract: Contract, handlers: LegacyHandlers): Routes {
  const surfaces = (["spot", "futures"] as const).map((area) => {
    const own = loadLegacyContract(area, contract);
    return { contract: own, endpoints: servedLegacyEndpoints(own, handlers) };
  });
  const text = JSON.stringify(legacyOpenApiDocument(surfaces));
  const page = readFileSync(new URL("docs/page.html", import.meta.url), "utf8")
    .replaceAll("/openapi.json", "/openapi-legacy.json")
    .replace("<title>bourse API", "<title>bourse API, legacy generation");
  return new Map([
    ["/openapi-legacy.json", contentMethods(() => ({ type: JSON_TYPE, body: text, headers: OPEN_TO_ALL }))],
    ["/docs/legacy", contentMethods(() => ({ type: HTML_TYPE, body: page, headers: PAGE_HEADERS }))],
  ]);
}
