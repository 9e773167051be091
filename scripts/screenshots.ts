/**
 * `npm run tool screenshots -- [--to FOLDER] [--on URL] [--only WORDS] [--sizes WORDS] [--themes WORDS] [--states
 * WORDS]` takes a picture of every page of the terminal, and of the console where it is its own venue's, in light and
 * dark, on a wide screen, a desktop, a tablet and a phone; full, and on a desktop and a phone empty, loading, and when
 * nothing can be read. It prints what can be seen to be wrong on them, such as text that is cut. Without a venue to
 * take them of, it starts one of its own. WORDS are separated by commas; a page is taken whose name contains one of
 * them.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page, Route } from "playwright-core";
import { VenueProcess } from "../test/support/venue-process.ts";
import { openBrowser } from "../test/web/browser.ts";
import { visibleFaults } from "../test/web/visible-faults.ts";
import { builtPages } from "./built-pages.ts";

const { values } = parseArgs({
  options: {
    to: { type: "string", default: "screenshots" },
    on: { type: "string" },
    only: { type: "string", default: "" },
    sizes: { type: "string" },
    themes: { type: "string" },
    states: { type: "string" },
  },
});

const SIZES = {
  wide: { width: 1920, height: 1080 },
  desktop: { width: 1440, height: 900 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 360, height: 740 },
} as const;
type Size = keyof typeof SIZES;
const THEMES = ["light", "dark"] as const;
const STATES = ["full", "empty", "loading", "failed"] as const;
type State = (typeof STATES)[number];
/** Other states than the full one look alike on a wide screen and a desktop, on a tablet and a phone. */
const SIZES_OF_STATES: readonly Size[] = ["desktop", "phone"];

/** What a page cannot do without, whatever state its lists are in. */
const NEEDED = /^\/(?:admin\/(?:session|calls)|web\/session|v2\/(?:time|\w+\/market))$/;

/** Of `all`, those that somebody asked for; a word that names none ends the program. */
function asked<T extends string>(all: readonly T[], words: string | undefined): readonly T[] {
  const unknown = words?.split(",").find((word) => !all.some((each) => each === word));
  if (unknown !== undefined) {
    console.error(`There is no ${unknown}: choose of ${all.join(", ")}.`);
    process.exit(2);
  }
  return words === undefined ? all : all.filter((each) => words.split(",").includes(each));
}
const sizes = asked(Object.keys(SIZES) as Size[], values.sizes);
const themes = asked(THEMES, values.themes);
const states = asked(STATES, values.states);

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly user?: string;
  /** A page of the console, with root before it. */
  readonly isConsole?: boolean;
  readonly sizes?: readonly Size[];
  /** Others than the full one are taken, too. */
  readonly hasStates?: boolean;
  /** Done before the page is gone to, */
  readonly before?: (page: Page) => Promise<unknown>;
  /** and once it is there. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Pages of the console with something that is open in them, besides those that its rail leads to. */
const OPEN_PAGES: Readonly<Record<string, string>> = {
  explained: "explain?what=order&id=1",
  market: "markets?row=BTCUSDT+SPOT",
  "user-panel": "users?row=1",
  "user-page": "user?user_id=1",
  found: "search?text=alice",
};
/** Until a line can be seen in its charts. */
const CHARTS_MS = 10_000;

const SHOTS: readonly Shot[] = [
  { name: "spot", path: "/trade/spot/BTCUSDT", user: "alice", hasStates: true, prepare: placeOrders },
  { name: "futures", path: "/trade/futures/BTCUSDT", user: "alice", hasStates: true, prepare: openPosition },
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
    name: "chart-full",
    path: "/trade/spot/ETHUSDT",
    user: "bob",
    sizes: ["wide", "desktop"],
    before: (page) =>
      page.addInitScript(
        `localStorage.setItem("bourse.chart.spot/ETHUSDT", ` +
          `'{"indicators":["ma","bollinger","rsi","macd"],"drawings":[]}')`,
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
  { name: "console-overview", path: "/", isConsole: true, prepare: (page) => page.waitForTimeout(CHARTS_MS) },
  ...Object.entries(OPEN_PAGES).map(([name, page]) => ({
    name: `console-${name}`,
    path: `/console/${page}`,
    isConsole: true,
  })),
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
  await closeToasts(page);
}

/** Puts away what the page tells of, which lies over what is to be seen. */
async function closeToasts(page: Page): Promise<void> {
  const close = page.locator(".toasts button");
  while ((await close.count()) > 0) await close.first().click();
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
  if ((await page.getByRole("button", { name: "Stop scenario" }).count()) > 0) return;
  await page.getByRole("cell", { name: "A withdrawal freeze" }).click();
  for (const at of [page, page.getByRole("dialog")]) await at.getByRole("button", { name: "Run scenario" }).click();
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
  await closeToasts(page);
}

/** Time for books, candles and lists to come in. */
const SETTLE_MS = 2_000;
const SHOWN_MS = 400;
/** Pages that are taken at once: most of the time each waits. */
const AT_ONCE = 4;

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
  const all = [...(await sectionsOf(browser)), ...(venue === undefined ? [] : await areasOf(browser)), ...SHOTS];
  const shots = all.filter(
    ({ name, isConsole }) => words.some((word) => name.includes(word)) && (isConsole !== true || venue !== undefined),
  );
  const takes = shots.flatMap((shot) =>
    (shot.hasStates === true ? states : states.filter((state) => state === "full")).flatMap((state) => {
      const its = shot.sizes ?? (state === "full" ? sizes : SIZES_OF_STATES);
      return sizes.filter((size) => its.includes(size)).map((size) => ({ shot, size, state }));
    }),
  );
  // Pages that are only looked at do not disturb each other.
  const looked = takes.filter(({ shot, state }) => shot.prepare === undefined || state !== "full");
  const next = looked.values();
  const rest = takes.filter((each) => !looked.includes(each));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { shot, size, state } of next) await take(browser, shot, size, state);
    }),
  );
  for (const { shot, size, state } of rest) await take(browser, shot, size, state);
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

/** The sections of the account, as its rail has them. */
async function sectionsOf(from: Browser): Promise<Shot[]> {
  const context = await signedIn(from, { user: "alice" }, "desktop");
  const page = await context.newPage();
  await page.goto(`${url}/my/balances`);
  const links = page.locator("nav.rail a");
  await links.first().waitFor();
  const paths = await Promise.all((await links.all()).map(async (link) => (await link.getAttribute("href")) ?? ""));
  await context.close();
  return paths.map((path) => ({ name: path.replace("/my/", ""), path, user: "alice", hasStates: true }));
}

/** The areas of the console as its rail has them, and the tabs of each. */
async function areasOf(from: Browser): Promise<Shot[]> {
  const context = await signedIn(from, { isConsole: true }, "desktop");
  const page = await context.newPage();
  await page.goto((venue as VenueProcess).adminUrl);
  const links = page.getByRole("navigation", { name: "Areas" }).getByRole("link");
  await links.first().waitFor();
  const found: Shot[] = [];
  for (const link of await links.all()) {
    await link.click();
    const path = (await link.getAttribute("href")) ?? "";
    await page.waitForURL((now) => now.pathname === path);
    await page.locator("main h1").waitFor();
    const name = `console-${path.split("/").at(-1) || "overview"}`;
    // The overview is one of the others, and scenarios are the last ones.
    if (path !== "/" && !path.endsWith("scenarios")) found.push({ name, path, isConsole: true, hasStates: true });
    for (const tab of (await page.locator(".list-tabs [role=tab]").all()).slice(1)) {
      await tab.click();
      const { search } = new URL(page.url());
      found.push({
        name: `${name}-${search.replace("?tab=", "")}`,
        path: path + search,
        isConsole: true,
        hasStates: true,
      });
    }
  }
  await context.close();
  return found;
}

async function signedIn(
  from: Browser,
  { user, isConsole }: Pick<Shot, "user" | "isConsole">,
  size: Size,
): Promise<BrowserContext> {
  const context = await from.newContext({ viewport: SIZES[size], hasTouch: size !== "desktop" });
  const [door, data] =
    isConsole === true
      ? [`${venue?.adminUrl}/admin/session`, { one_click: true }]
      : [`${url}/web/demo`, { account: user }];
  if (isConsole !== true && user === undefined) return context;
  const answer = await context.request.post(door, { data });
  if (!answer.ok()) throw new Error(`Nobody could sign in to ${door}: ${await answer.text()}`);
  return context;
}

/** Brings the lists of a page into a state. */
async function bring(page: Page, state: State): Promise<void> {
  if (state === "full") return;
  await page.route(/\/(?:v2|web|admin)\//, async (route) => {
    const request = route.request();
    if (request.method() !== "GET" || NEEDED.test(new URL(request.url()).pathname)) await route.continue();
    else if (state === "failed") await route.abort();
    else if (state === "empty") await emptied(route);
    // Otherwise nothing is answered while the picture is taken.
  });
}

/** The venue's answer without the rows of its lists. */
async function emptied(route: Route): Promise<void> {
  const response = await route.fetch();
  const isJson = response.headers()["content-type"]?.includes("json") === true;
  if (!isJson) return await route.fulfill({ response });
  const answer = (await response.json()) as { data?: unknown };
  const { data } = answer;
  if (Array.isArray(data)) answer.data = [];
  else if (typeof data === "object" && data !== null)
    answer.data = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
    );
  await route.fulfill({ response, json: answer });
}

/** A page in both themes, in one browser. */
async function take(from: Browser, shot: Shot, size: Size, state: State): Promise<void> {
  const context = await signedIn(from, shot, size);
  const page = await context.newPage();
  const name = `${shot.name}${state === "full" ? "" : `-${state}`}-${size}`;
  page.on("console", (message) => {
    const isOwn = state !== "failed" && (message.type() === "error" || message.type() === "warning");
    if (isOwn) console.error(`${name}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.error(`${name}: ${error.stack}`));
  await page.emulateMedia({ colorScheme: themes[0] ?? "light" });
  await bring(page, state);
  await shot.before?.(page);
  await page.goto((shot.isConsole === true ? (venue as VenueProcess).adminUrl : url) + shot.path);
  await page.waitForTimeout(SETTLE_MS);
  if (state === "full") await shot.prepare?.(page);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(SHOWN_MS);
    await page.screenshot({ path: join(values.to, `${name}-${theme}.png`) });
  }
  for (const fault of await visibleFaults(page)) console.log(`${name}: ${fault}`);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.close();
}
