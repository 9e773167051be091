/**
 * `npm run screenshots -- [--to FOLDER] [--on URL] [--only WORD]` takes a picture of every page of the terminal, in light and dark, on a
 * desktop, a tablet and a phone. Without a venue to take them of, it starts one of its own.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { VenueProcess } from "../test/support/venue-process.ts";
import { openBrowser } from "../test/web/browser.ts";

const { values } = parseArgs({
  options: {
    to: { type: "string", default: "screenshots" },
    on: { type: "string" },
    only: { type: "string", default: "" },
  },
});

const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
} as const;
const THEMES = ["light", "dark"] as const;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly user?: string;
  readonly sizes?: readonly (keyof typeof SIZES)[];
  readonly prepare?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: "spot", path: "/trade/spot/BTCUSDT", user: "alice" },
  { name: "futures", path: "/trade/futures/BTCUSDT", user: "alice" },
  { name: "stranger", path: "/trade/spot/ETHUSDT" },
  {
    name: "markets",
    path: "/trade/spot/BTCUSDT",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /BTC\s*\/\s*USDT/ })
        .first()
        .click();
      await page.waitForTimeout(500);
    },
  },
];

/** Time for books, candles and lists to come in. */
const SETTLE_MS = 1_500;

const venue = values.on === undefined ? await VenueProcess.start(":memory:") : undefined;
const url = values.on ?? (venue as VenueProcess).url;
const browser = await openBrowser();
mkdirSync(values.to, { recursive: true });
try {
  for (const shot of SHOTS.filter(({ name }) => name.includes(values.only))) {
    for (const size of shot.sizes ?? (Object.keys(SIZES) as (keyof typeof SIZES)[])) {
      for (const theme of THEMES) await take(browser, shot, size, theme);
    }
  }
} finally {
  await browser.close();
  await venue?.end("SIGTERM");
}

async function take(
  from: Browser,
  shot: Shot,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
): Promise<void> {
  const context = await from.newContext({ viewport: SIZES[size], colorScheme: theme, hasTouch: size !== "desktop" });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") console.error(`${shot.name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.error(`${shot.name}: ${error.stack}`));
  if (shot.user !== undefined) {
    await page.goto(`${url}/`);
    await page
      .getByRole("button", { name: `Continue as ${shot.user}` })
      .first()
      .click();
    await page
      .getByRole("button", { name: new RegExp(shot.user) })
      .first()
      .waitFor();
  }
  await page.goto(url + shot.path);
  await page.waitForTimeout(SETTLE_MS);
  await shot.prepare?.(page);
  await page.screenshot({ path: join(values.to, `${shot.name}-${size}-${theme}.png`) });
  await context.close();
}
