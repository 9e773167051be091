/**
 * Loading, failed and empty are told apart on every page of the console: nothing that was not read is called none, what
 * fails can be tried again, and neither state has visible faults.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openConsole } from "./console-stage.ts";
import { noBrowser, openStage } from "./terminal-stage.ts";
import { untilRead } from "./until-read.ts";
import { visibleFaults } from "./visible-faults.ts";

const skip = noBrowser();

/** Everything that a page reads, but who has signed in and what he may do. */
const READS = /\/admin\/(?!session$|calls$)/;
/** Sentences that only an answer of the venue can tell. */
const NONE = /^(?:No|Nothing|Nobody|None|There is no|There are no|The user has|The venue has)\b|signs in by keys alone/;
/** Pages that read nothing before somebody asks for something. */
const ASK_FIRST = ["tasks", "calls", "listing", "explain", "past", "chains", "clock"];
const SCREENS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
];

test("no page of the console says that there is none of what was not read", { skip }, async (t) => {
  const stage = await openStage(t);
  const page = await openConsole(stage);
  const links = page.getByRole("navigation", { name: "Areas" }).getByRole("link");
  const paths = await Promise.all((await links.all()).map(async (link) => String(await link.getAttribute("href"))));
  assert.ok(paths.length > 20);
  for (const path of ["/console/user?user_id=1", "/console/search?text=alice"]) paths.push(path);
  const told = async () =>
    (await page.locator("main :is(p, td, dd, li)").allInnerTexts())
      .flatMap((text) => text.split("\n"))
      .filter((text) => NONE.test(text.trim()));
  const found: string[] = [];
  for (const path of paths) {
    for (const state of ["loading", "failed"] as const) {
      await page.route(READS, (route) => (state === "failed" ? route.abort() : undefined));
      await page.goto(stage.venue.adminUrl + path);
      await page.locator("main h1").waitFor();
      const mark = page.locator("main").getByText(state === "failed" ? "Retry" : /Loading…|Checking/);
      const asksFirst = ASK_FIRST.some((id) => path.endsWith(`/${id}`));
      // Behind its heading a page may still be drawn.
      const appears = () =>
        mark
          .first()
          .waitFor()
          .then(
            () => true,
            () => false,
          );
      if (!asksFirst && !(await appears())) found.push(`${path}, ${state}: does not say so`);
      if (state === "failed") await untilRead(page);
      found.push(...(await told()).map((text) => `${path}, ${state}: ${text}`));
      for (const screen of SCREENS) {
        await page.setViewportSize(screen);
        found.push(...(await visibleFaults(page, "main")).map((fault) => `${path}, ${state}: ${fault}`));
      }
      await page.unrouteAll({ behavior: "ignoreErrors" });
    }
  }
  assert.deepEqual([...new Set(found)], []);
});

test("a venue that cannot answer now does not make of a user one who signs in by keys alone", { skip }, async (t) => {
  const stage = await openStage(t);
  const page = await openConsole(stage);
  const body = JSON.stringify({ code: 4001, message: "The service is not available at present; try again.", data: {} });
  await page.route(/\/admin\/identities\/1$/, (route) =>
    route.fulfill({ status: 503, contentType: "application/json", body }),
  );
  await page.goto(`${stage.venue.adminUrl}/console/user?user_id=1`);
  await page.getByText("The service is not available at present").waitFor();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("This user signs in by keys alone.").waitFor();
});
