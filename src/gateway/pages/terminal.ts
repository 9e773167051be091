/** The trading terminal at `/` of the API's listener. */
import type { Routes } from "../http/router.ts";
import { BUNDLES, bundlePages } from "./bundle.ts";

/** The addresses that the terminal reads, none of which is one of the API. */
const ADDRESSES = ["/", "/trade/{product}/{market}", "/my/{section}"];

const MISSING = `
    <h1>This exchange is running, but its terminal is not built.</h1>
    <p>Run <code>npm run build:web</code> in the folder of the venue, then start it again. The <a
      href="/docs">documents</a> and the API are here.</p>
  `;

/** The terminal in `folder`; where it was not built, a page at `/` that says how it is. */
export function terminalPages(folder = BUNDLES): Routes {
  return bundlePages({ folder, page: "index.html", addresses: ADDRESSES, missing: MISSING });
}
