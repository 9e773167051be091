/** The operators' console at `/` of their listener. */
import type { Routes } from "../http/router.ts";
import { BUNDLES, bundlePages } from "./bundle.ts";

/** The addresses that the console reads; what it asks for lies below `/admin`. */
const ADDRESSES = ["/", "/console/{area}"];

const MISSING = `
    <h1>This exchange is running, but its console is not built.</h1>
    <p>Run <code>npm run build:web</code> in the folder of the venue, then start it again. The calls below
    <code>/admin</code> and the command line are here.</p>
  `;

/** The console in `folder`; where it was not built, a page at `/` that says how it is. */
export function consolePages(folder = `${BUNDLES}console/`): Routes {
  return bundlePages({ folder, page: "console.html", addresses: ADDRESSES, missing: MISSING });
}
