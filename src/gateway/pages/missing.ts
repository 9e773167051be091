/** The page where nothing stands, for people who have mistyped an address or followed an old link. */
import { framed } from "../docs/frame.ts";
import { STRICT_PAGE_HEADERS } from "../http/content.ts";
import type { Service } from "../http/server.ts";

const HEADERS = ["Content-Type", "text/html; charset=utf-8", "Cache-Control", "no-store", ...STRICT_PAGE_HEADERS];

/** It is the same for every address and repeats nothing of it. */
const PAGE = framed(`<!doctype html>
<html lang="en">
  <head>
    <!-- head -->
    <title>Nothing here – bourse</title>
    <link rel="stylesheet" href="/docs/landing.css">
  </head>
  <body>
    <!-- header -->
    <main class="wide">
      <section class="hero">
        <h1>There is nothing at this address.</h1>
        <p class="lead">
          The <a href="/">terminal</a> is here, and the <a href="/docs">documents</a> with all that the
          <a href="/docs/api">API</a> has.
        </p>
      </section>
    </main>
  </body>
</html>
`);

export const missingPage: Service = (context) => context.answerMissing(HEADERS, PAGE);
