/**
 * `npm run tool screenshots -- [--to FOLDER] [--on URL] [--only WORDS] [--sizes WORDS] [--themes WORDS]` takes a
 * picture of every page of the terminal, and of the console where it is its own venue's, in light and dark, on a wide
 * screen, a desktop, a tablet and a phone, with the trading page loading, failed and empty as well. Without a venue to
 * take them of, it starts one of its own. WORDS are separated by commas; a page is taken whose name contains one of
 * them.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { VenueProcess } from "../test/support/venue-process.ts";
import { openBrowser } from "../test/web/browser.ts";
import { builtPages } from "./built-pages.ts";

const { values } = parseArgs({
  options: {
    to: { type: "string", default: "screenshots" },
    on: { type: "string" },
    only: { type: "string", default: "" },
    sizes: { type: "string" },
    themes: { type: "string" },
  },
});

const SIZES = {
  wide: { width: 1920, height: 1080 },
  desktop: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 360, height: 740 },
} as const;
const THEMES = ["light", "dark"] as const;

/** Of `all`, those that somebody asked for; a word that names none ends the program. */
function asked<T extends string>(all: readonly T[], words: string | undefined): readonly T[] {
  const unknown = words?.split(",").find((word) => !all.some((each) => each === word));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown}: choose of ${all.join(", ")}.`);
    process.exit(2);
  }
  return words === undefined ? all : all.filter((each) => words.split(",").includes(each));
}
const sizes = asked(Object.keys(SIZES) as (keyof typeof SIZES)[], values.sizes);
const themes = asked(THEMES, values.themes);

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly user?: string;
  /** A page of the console, with root before it. */
  readonly isConsole?: boolean;
  readonly sizes?: readonly (keyof typeof SIZES)[];
  /** Done before the page is gone to, */
  readonly before?: (page: Page) => Promise<unknown>;
  /** and once it is there. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const SECTIONS = [
  "portfolio",
  "balances",
  "transfer",
  "statement",
  "deposit",
  "withdraw",
  "loans",
  "pools",
  "sub-accounts",
  "keys",
  "security",
  "settings",
];

/** Of the console, some with a row that is open. */
const AREAS = [
  "tasks",
  "maintenance",
  "audit-trail",
  "explain?what=order&id=1",
  "operators",
  "backups",
  "calls",
  "markets?row=BTCUSDT+SPOT",
  "assets",
  "index",
  "orders",
  "positions",
  "loans",
  "pools",
  "users?row=1",
  "keys",
  "fees",
  "deposits?tab=credits",
  "withdrawals",
  "approvals",
  "funds",
  "chains",
  "clock",
  "snapshots",
  "simulated-chains",
  "faults",
];
/** Until a line can be seen in its charts. */
const CHARTS_MS = 10_000;

const SHOTS: readonly Shot[] = [
  { name: "spot", path: "/trade/spot/BTCUSDT", user: "alice", prepare: placeOrders },
  { name: "futures", path: "/trade/futures/BTCUSDT", user: "alice", prepare: openPosition },
  { name: "stranger", path: "/trade/spot/ETHUSDT" },
  {
    name: "entry",
    path: "/trade/futures/ETHUSDT",
    user: "bob",
    sizes: ["phone"],
    prepare: async (page) => {
      await page.locator(".phone-bar").getByRole("button", { name: "Long" }).click();
      await page.getByLabel("Amount", { exact: true }).fill("1");
    },
  },
  {
    name: "book",
    path: "/trade/spot/BTCUSDT",
    sizes: ["phone"],
    prepare: (page) => page.getByRole("button", { name: "Book", exact: true }).click(),
  },
  {
    name: "markets",
    path: "/trade/spot/BTCUSDT",
    prepare: (page) => page.locator(".market-switch").click(),
  },
  {
    name: "sign-in",
    path: "/trade/spot/BTCUSDT",
    prepare: (page) => page.getByRole("button", { name: "Sign in", exact: true }).click(),
  },
  {
    name: "depth",
    path: "/trade/spot/BTCUSDT",
    sizes: ["desktop"],
    prepare: (page) => page.getByRole("button", { name: "Depth", exact: true }).click(),
  },
  {
    name: "state-loading",
    path: "/trade/spot/BTCUSDT",
    user: "alice",
    // Nothing is answered while the picture is taken.
    before: (page) => page.route(/\/v2\//, () => {}),
  },
  {
    name: "state-failed",
    path: "/trade/spot/BTCUSDT",
    user: "alice",
    before: (page) => page.route(/\/v2\/(?:assets|spot\/(?:pending|finished|user))/, (route) => route.abort()),
  },
  { name: "state-empty", path: "/trade/futures/ETHUSDT", user: "bob" },
  {
    name: "chart-full",
    path: "/trade/spot/ETHUSDT",
    user: "bob",
    sizes: ["wide", "desktop"],
    before: (page) =>
      page.addInitScript(
        `localStorage.setItem("bourse.chart.spot/ETHUSDT", '{"indicators":["ma","bollinger","rsi","macd"],"drawings":[]}')`,
      ),
  },
  {
    name: "exits",
    path: "/trade/futures/BTCUSDT",
    user: "alice",
    sizes: ["desktop", "phone"],
    prepare: async (page) => {
      if ((page.viewportSize()?.width ?? 0) < 768)
        await page.locator(".phone-bar").getByRole("button", { name: "Long" }).click();
      await page.getByLabel("TP/SL").check();
      await page.getByLabel("Amount", { exact: true }).fill("0.1");
      await page.getByLabel("Take profit", { exact: true }).fill("70000");
      await page.getByLabel("Stop loss", { exact: true }).fill("50000");
    },
  },
  {
    name: "orders",
    path: "/trade/futures/BTCUSDT",
    user: "alice",
    sizes: ["phone"],
    prepare: async (page) => {
      await page.getByRole("button", { name: "Orders", exact: true }).click();
      await page.getByRole("tab", { name: "Positions" }).click();
    },
  },
  {
    name: "notices",
    path: "/trade/spot/BTCUSDT",
    user: "alice",
    sizes: ["desktop", "phone"],
    prepare: (page) => page.getByRole("button", { name: /^Notices/ }).click(),
  },
  { name: "help", path: "/trade/spot/BTCUSDT", sizes: ["desktop"], prepare: (page) => page.keyboard.press("?") },
  ...SECTIONS.map((section) => ({ name: section, path: `/my/${section}`, user: "alice" })),
  { name: "console-overview", path: "/", isConsole: true, prepare: (page) => page.waitForTimeout(CHARTS_MS) },
  ...AREAS.map((area) => ({ name: `console-${area.replace(/\?.*/, "")}`, path: `/console/${area}`, isConsole: true })),
  ...["Halt or resume a market", "Freeze or free a user", "Change fees", "Credit a user"].map((task, at) => ({
    name: `console-task-${at + 1}`,
    path: "/console/tasks",
    isConsole: true,
    sizes: ["desktop", "phone"] as const,
    prepare: (page: Page) => beginTask(page, task),
  })),
  {
    name: "console-form",
    path: "/console/maintenance",
    isConsole: true,
    prepare: (page) => page.getByRole("button", { name: "Plan a window" }).click(),
  },
  // The last one, since it takes a market for itself.
  { name: "console-scenarios", path: "/console/scenarios", isConsole: true, prepare: playScenario },
];

/** Orders on both sides of the book, and some that fill. */
async function placeOrders(page: Page): Promise<void> {
  const open = await page
    .getByRole("tab", { name: "Open orders" })
    .innerText()
    .catch(() => "");
  if (/\d/.test(open) || (page.viewportSize()?.width ?? 0) < 768) return;
  const last = Number((await page.locator(".header-price").innerText()).replaceAll(/[^\d.]/g, ""));
  for (const [share, side] of [
    [0.9985, "Buy"],
    [0.997, "Buy"],
    [1.002, "Sell"],
    [1.0005, "Buy"],
  ] as const) {
    await page.getByLabel("Price", { exact: true }).fill((last * share).toFixed(2));
    await page.getByLabel("Amount", { exact: true }).fill("0.05");
    await page.getByRole("button", { name: new RegExp(`^${side}`) }).click();
    await page.waitForTimeout(600);
  }
}

/** A task with the first thing that it can be about, and something in its fields. */
async function beginTask(page: Page, task: string): Promise<void> {
  await page.getByRole("button", { name: task }).click();
  const dialog = page.getByRole("dialog", { name: task });
  await dialog.getByRole("list").getByRole("button").first().click();
  await dialog.locator("button[type=submit]").waitFor();
  for (const [field, text] of [
    ["Currency", "USDT"],
    ["Amount", "25000"],
    ["Maker fee rate", "0.0005"],
  ] as const) {
    const input = dialog.getByLabel(field, { exact: true });
    if ((await input.count()) > 0) await input.fill(text);
  }
}

/** A scenario that waits for somebody to trade. */
async function playScenario(page: Page): Promise<void> {
  if ((await page.getByRole("button", { name: "Stop it" }).count()) > 0) return;
  await page.getByRole("cell", { name: "A withdrawal freeze" }).click();
  for (const at of [page, page.getByRole("dialog")]) await at.getByRole("button", { name: "Play it" }).click();
  await page.getByRole("button", { name: "Close panel" }).click();
  await page.locator(".steps .now").getByText("until withdrawals").waitFor();
}

/** A position with a take profit. */
async function openPosition(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 768) return;
  const held = page.getByRole("tab", { name: "Positions" });
  if (!/\d/.test(await held.innerText())) {
    await page.getByRole("button", { name: "Market", exact: true }).click();
    await page.getByLabel("Amount", { exact: true }).fill("0.05");
    await page.getByRole("button", { name: /^Long/ }).click();
    await page.waitForTimeout(1_000);
  }
  await held.click();
  await page.getByLabel("Amount", { exact: true }).fill("0.1");
  await page.waitForTimeout(500);
}

/** Time for books, candles and lists to come in. */
const SETTLE_MS = 2_000;
const SHOWN_MS = 400;

builtPages();
const venue =
  values.on === undefined
    ? await VenueProcess.start(":memory:", "--past", "1d", "--four-eyes", "USDT=10000")
    : undefined;
if (venue !== undefined) await doWhatOperatorsDo(venue);
const url = values.on ?? (venue as VenueProcess).url;
const browser = await openBrowser();
mkdirSync(values.to, { recursive: true });
try {
  const words = values.only.split(",");
  for (const shot of SHOTS) {
    if (!words.some((word) => shot.name.includes(word)) || (shot.isConsole === true && venue === undefined)) continue;
    for (const size of sizes) {
      if (shot.sizes?.includes(size) === false) continue;
      for (const theme of themes) await take(browser, shot, size, theme);
    }
  }
} finally {
  await browser.close();
  await venue?.end("SIGTERM");
}

/** So that lists of the console show something. */
async function doWhatOperatorsDo(of: VenueProcess): Promise<void> {
  await of.operator("tess", "treasurer", { limits: [{ ccy: "USDT", amount: "50000" }] });
  await of.admin("/admin/users", { name: "carol" });
  await of.admin("/admin/deposits", { user_id: "carol", ccy: "USDT", amount: "2500", note: "wire 17" });
  await of.admin("/admin/deposits", { user_id: "carol", ccy: "USDT", amount: "40000", note: "wire 18" });
  await of.admin("/admin/fee-levels", { level: "vip-1", maker_fee_rate: "0.0005", taker_fee_rate: "0.001" });
  const started_at = Date.now() + 86_400_000;
  await of.admin("/admin/maintenance", { scope: ["SPOT"], started_at, ended_at: started_at + 3_600_000 });
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
    const signIn = await context.request.post(`${url}/web/demo`, { data: { account: shot.user } });
    if (!signIn.ok()) throw new Error(`Nobody could sign in as ${shot.user}: ${await signIn.text()}`);
  }
  if (shot.isConsole === true) {
    const signIn = await context.request.post(`${venue?.adminUrl}/admin/session`, { data: { one_click: true } });
    if (!signIn.ok()) throw new Error(`Nobody could sign in to the console: ${await signIn.text()}`);
  }
  await shot.before?.(page);
  await page.goto((shot.isConsole === true ? (venue as VenueProcess).adminUrl : url) + shot.path);
  await page.waitForTimeout(SETTLE_MS);
  await shot.prepare?.(page);
  await page.waitForTimeout(SHOWN_MS);
  await page.screenshot({ path: join(values.to, `${shot.name}-${size}-${theme}.png`) });
  await context.close();
}
