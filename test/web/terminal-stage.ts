/** A venue with the terminal, a browser before it, and the two accounts of the dev profile: one sits at the page, the other one has a key. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { chromiumPath, openBrowser } from "./browser.ts";

const BUILD = fileURLToPath(new URL("../../scripts/build-web.ts", import.meta.url));

/** Slow machines, shared by many: what takes longer hangs. */
const PATIENCE_MS = 30_000;

/** Why there can be no tests with a browser here; false when there can. For `skip`. */
export function noBrowser(): string | false {
  const here = chromiumPath();
  return "missing" in here ? here.missing : false;
}

export interface Stage {
  readonly venue: VenueProcess;
  readonly data: string;
  readonly page: Page;
  /** Clients with the keys of the sample accounts. */
  readonly alice: ApiClient;
  readonly bob: ApiClient;
  /** What the page complained of: errors of its own, of its policy, addresses elsewhere. */
  readonly complaints: string[];
  /** Signs in by the button in the header. */
  continueAs(name: string): Promise<void>;
}

export async function openStage(t: TestContext, ...options: readonly string[]): Promise<Stage> {
  const built = spawnSync(process.execPath, [BUILD, "--if-needed"], { encoding: "utf8" });
  assert.equal(built.status, 0, built.stderr);
  const data = mkdtempSync(join(tmpdir(), "bourse-terminal-"));
  const venue = await VenueProcess.start(data, "--makers", "off", ...options);
  let browser: Browser | undefined;
  t.after(async () => {
    await browser?.close();
    await venue.end("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  });
  browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!/^(?:data:|blob:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(`asks ${request.url()}`);
  });
  const keys = JSON.parse(readFileSync(join(data, "dev-accounts.json"), "utf8")) as Record<string, string>[];
  const client = (name: string) => {
    const key = keys.find((each) => each["name"] === name);
    assert.ok(key);
    return new ApiClient(venue.url, Date.now, {
      accessId: String(key["access_id"]),
      secret: String(key["secret_key"]),
    });
  };
  return {
    venue,
    data,
    page,
    alice: client("alice"),
    bob: client("bob"),
    complaints,
    continueAs: async (name) => {
      await page.getByRole("button", { name: `Continue as ${name}` }).click();
      await page.getByRole("button", { name, exact: true }).waitFor();
    },
  };
}

/** Feeds the index of a market, which nothing else does where no makers are. */
export async function setIndex(
  venue: VenueProcess,
  market: string,
  price: string,
  market_type = "SPOT",
): Promise<void> {
  const sources = ["northgate", "harbour", "meridian", "quayside"].map((exchange) => ({ exchange, price }));
  await venue.admin("/admin/index-prices", { market, market_type, sources });
}

export function limit(side: "buy" | "sell", price: string, amount: string, market_type = "SPOT") {
  return { market: "BTCUSDT", market_type, side, type: "limit", price, amount };
}
