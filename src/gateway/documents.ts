/**
 * `/openapi.json`, the page `/docs/api`, which shows it and can make signed calls, and the pages of the sockets. All of
 * it comes from this process, so the pages work without a network; the program of `/docs/api` is Swagger UI, taken from
 * its package as it is.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Contract } from "./current/contract.ts";
import { framed } from "./docs/frame.ts";
import { pageRoutes } from "./docs/pages.ts";
import { contentMethods, PAGE_HEADERS, STRICT_PAGE_HEADERS } from "./http/content.ts";
import type { Routes } from "./http/router.ts";
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

/** An account whose key everybody knows. */
export interface SampleAccount {
  readonly name: string;
  readonly access_id: string;
  readonly secret_key: string;
}

/** Where the page of the API finds them. */
const ACCOUNTS_PATH = "/docs/accounts.json";

/** `pages` are further ones, by their paths; `accounts` are offered to sign in as with a click. */
export function documentRoutes(
  openApi: object,
  pages: Readonly<Record<string, () => string>>,
  accounts: readonly SampleAccount[] = [],
): Routes {
  const ours = (file: string) => readFileSync(new URL(`docs/${file}`, import.meta.url));
  const packaged = (file: string) => readFileSync(resolve(`swagger-ui-dist/${file}`));
  const offered = accounts.map(({ name, access_id, secret_key }) => ({ name, access_id, secret_key }));
  const page = () =>
    framed(ours("page.html").toString(), "/docs/api").replace(
      'data-accounts=""',
      `data-accounts="${offered.length > 0 ? ACCOUNTS_PATH : ""}"`,
    );
  return new Map([
    ["/openapi.json", contentMethods(() => ({ type: JSON_TYPE, body: JSON.stringify(openApi), headers: OPEN_TO_ALL }))],
    ["/docs/api", contentMethods(() => ({ type: HTML_TYPE, body: page(), headers: PAGE_HEADERS }))],
    ...Object.entries(pages).map(
      ([path, page]) =>
        [
          path,
          contentMethods(() => ({ type: HTML_TYPE, body: framed(page(), path), headers: STRICT_PAGE_HEADERS })),
        ] as const,
    ),
    ...(offered.length > 0
      ? [[ACCOUNTS_PATH, contentMethods(() => ({ type: JSON_TYPE, body: JSON.stringify(offered) }))] as const]
      : []),
    ...pageRoutes(),
    ["/docs/base.css", contentMethods(() => ({ type: STYLE_TYPE, body: ours("base.css") }))],
    ["/docs/sockets.css", contentMethods(() => ({ type: STYLE_TYPE, body: ours("sockets.css") }))],
    ["/docs/api.css", contentMethods(() => ({ type: STYLE_TYPE, body: ours("api.css") }))],
    ["/docs/examples.js", contentMethods(() => ({ type: SCRIPT_TYPE, body: ours("examples.js") }))],
    ["/docs/page.js", contentMethods(() => ({ type: SCRIPT_TYPE, body: ours("page.js") }))],
    ["/docs/swagger-ui.js", contentMethods(() => ({ type: SCRIPT_TYPE, body: packaged("swagger-ui-bundle.js") }))],
    ["/docs/swagger-ui.css", contentMethods(() => ({ type: STYLE_TYPE, body: packaged("swagger-ui.css") }))],
  ]);
}

/**
 * The same of the older generation, which has a document and a page of its own: `/openapi-legacy.json` and
 * `/docs/legacy`.
 */
export function legacyDocumentRoutes(contract: Contract, handlers: LegacyHandlers): Routes {
  const surfaces = (["spot", "futures"] as const).map((area) => {
    const own = loadLegacyContract(area, contract);
    return { contract: own, endpoints: servedLegacyEndpoints(own, handlers) };
  });
  const text = JSON.stringify(legacyOpenApiDocument(surfaces));
  const page = framed(readFileSync(new URL("docs/page.html", import.meta.url), "utf8"))
    .replaceAll("/openapi.json", "/openapi-legacy.json")
    .replace("<title>bourse API", "<title>bourse API, legacy generation")
    .replace("<h1>API reference", "<h1>API reference of the legacy generation");
  return new Map([
    ["/openapi-legacy.json", contentMethods(() => ({ type: JSON_TYPE, body: text, headers: OPEN_TO_ALL }))],
    ["/docs/legacy", contentMethods(() => ({ type: HTML_TYPE, body: page, headers: PAGE_HEADERS }))],
  ]);
}
