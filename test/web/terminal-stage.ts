/**
 * A venue with the terminal, a browser before it, and the two accounts of the dev profile: one sits at the page, the
 * other one has a key.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import type { Browser, Page } from "playwright-core";
import { builtPages } from "../../scripts/built-pages.ts";
import { ApiClient } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { chromiumPath, openBrowser } from "./browser.ts";

/** Slow machines, shared by many: what takes longer hangs. */
const PATIENCE_MS = 120_000;

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

/** A stage for one test, with a venue and a browser of its own. */
export async function openStage(t: TestContext, ...options: readonly string[]): Promise<Stage> {
  const house = await openHouse(options);
  t.after(() => house.close());
  return await setUp(house);
}

/**
 * Opens stages for the tests of one file, to be called where it begins. They share a venue and a browser, which cost
 * two seconds of processor time to start: each test finds the venue as it was after its start, and a browser that has
 * seen nothing.
 */
export function stages(...options: readonly string[]): (t: TestContext) => Promise<Stage> {
  let shared: Promise<House> | undefined;
  after(async () => {
    await (await shared)?.close();
  });
  return async (t) => {
    const isFirst = shared === undefined;
    shared ??= openHouse(options);
    const house = await shared;
    if (!isFirst) await house.venue.admin("/admin/reset", {});
    const stage = await setUp(house);
    t.after(() => stage.page.context().close());
    return stage;
  };
}

/** What stages stand in. */
interface House {
  readonly venue: VenueProcess;
  readonly data: string;
  readonly browser: Browser;
  close(): Promise<void>;
}

async function openHouse(options: readonly string[]): Promise<House> {
  builtPages();
  const data = mkdtempSync(join(tmpdir(), "bourse-terminal-"));
  const venue = await VenueProcess.start(data, "--makers", "off", ...options);
  const end = async () => {
    await venue.end("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const browser = await openBrowser();
    const close = async () => {
      await browser.close();
      await end();
    };
    return { venue, data, browser, close };
  } catch (error) {
    await end();
    throw error;
  }
}

async function setUp({ venue, data, browser }: House): Promise<Stage> {
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
