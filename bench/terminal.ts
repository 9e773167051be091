/**
 * The terminal in Chromium while the market of the page lives: makers and takers of the dev profile, and beside them
 * two accounts that place, meet and cancel orders, one of them the one that is signed in. Counts what reaches the page,
 * frames, and tasks of its main thread that are longer than 50 ms; tasks are measured by wall time, and by the time of
 * the processor that they took, which other programs on the machine do not lengthen. Besides: the processor time until
 * the first view of the market stands, and how much the page's memory grows by the messages of an hour at 60 a second,
 * which are brought as fast as the venue and the page can.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { builtPages } from "../scripts/built-pages.ts";
import { chromiumPath, openBrowser } from "../test/web/browser.ts";
import { type Figure, quantile, report } from "./report.ts";
import { MARKET, Traffic } from "./terminal-traffic.ts";
import { startVenue, stopAll, UNLIMITED, type Venue } from "./venue.ts";

const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 20);
/** Until the page has read what it shows. */
const SETTLE_MS = 5_000;
const LONG_MS = 50;
/** What an hour brings at the least rate of the goal. The bench brings them as fast as the venue and the page can, */
const MESSAGES_AN_HOUR = Number(process.env["BENCH_HOUR_MESSAGES"] ?? 60 * 3_600);
/** and no longer than this: what came by then is scaled up to the hour. With 3600000 nothing has to be scaled. */
const HOUR_MS_MAX = Number(process.env["BENCH_HOUR_MS"] ?? 120_000);
/** Of these the page has compiled its code and filled its lists: what it keeps from then on grows with use. */
const WARM_MESSAGES = 20_000;
/** Until the page has taken in what came: for so long its memory has not fallen, */
const REST_MS = 10_000;
const FALL_BYTES = 256 * 1_024;
/** and it is not waited for longer than this. */
const REST_MS_MAX = 60_000;
const MIB = 1_048_576;
/** Shorter tasks do not count as work: timers, and what the browser does for itself. */
const WORK_MS = 1;

interface Counted {
  readonly messages: number;
  readonly frames: number;
  readonly longTasks: readonly number[];
}

const here = chromiumPath();
if ("missing" in here) {
  console.log(here.missing);
} else {
  const folder = mkdtempSync(join(tmpdir(), "bourse-bench-terminal-"));
  let browser: Browser | undefined;
  try {
    builtPages();
    const venue = await startVenue(folder, ["--makers", "on", ...UNLIMITED]);
    browser = await openBrowser();
    report("terminal", await figures(browser, venue, folder));
  } finally {
    await browser?.close();
    stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function figures(from: Browser, venue: Venue, folder: string): Promise<Figure[]> {
  const url = `http://127.0.0.1:${venue.port}`;
  const context = await from.newContext({ viewport: { width: 1440, height: 900 } });
  await context.request.post(`${url}/web/demo`, { data: { account: "alice" } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const inspector = await context.newCDPSession(page);
  // Of the main thread, by the time of the processor.
  await inspector.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`${url}/trade/spot/${MARKET}`);
  for (const part of [".header-price", ".book-row", ".chart[data-candles]", "form.entry"])
    await page.locator(part).first().waitFor();
  const firstView = (await metricsOf(inspector)).TaskDuration ?? 0;
  const traffic = new Traffic(url, folder);
  traffic.begin();
  await page.waitForTimeout(SETTLE_MS);
  await from.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "devtools.timeline"] });
  const [before, placedBefore] = [await counted(page), traffic.placed];
  await page.waitForTimeout(SECONDS * 1_000);
  const [after, placed] = [await counted(page), traffic.placed - placedBefore];
  const tasks = mainThreadTasks(await from.stopTracing());
  const hour = await anHourOf(page, inspector, traffic);
  await traffic.end();
  const longTasks = after.longTasks.slice(before.longTasks.length);
  const longest = (of: readonly number[]) => of.reduce((most, each) => Math.max(most, each), 0);
  const cpuMs = tasks.map((task) => task.cpuMs).sort((one, other) => one - other);
  return [
    { name: "orders", value: placed / SECONDS, unit: "1/s" },
    { name: "messages", value: (after.messages - before.messages) / SECONDS, unit: "1/s", goal: 60 },
    { name: "first_view", value: firstView, unit: "s cpu", goal: 1, atMost: true },
    { name: "hour_played", value: hour.messages / MESSAGES_AN_HOUR, unit: "of an hour" },
    { name: "heap_an_hour", value: hour.growth / MIB, unit: "MiB", goal: 5, atMost: true },
    { name: "frames", value: (after.frames - before.frames) / SECONDS, unit: "1/s" },
    { name: "long_tasks", value: longTasks.length, goal: 0, atMost: true },
    {
      name: "longest_task",
      value: longest(tasks.map(({ wallMs }) => wallMs)),
      unit: "ms",
      goal: LONG_MS,
      atMost: true,
    },
    { name: "long_by_cpu", value: cpuMs.filter((ms) => ms > LONG_MS).length, goal: 0, atMost: true },
    { name: "longest_by_cpu", value: longest(cpuMs), unit: "ms", goal: LONG_MS, atMost: true },
    {
      name: "p99_of_work",
      value: quantile(
        cpuMs.filter((ms) => ms >= WORK_MS),
        0.99,
      ),
      unit: "ms",
    },
    { name: "main_thread", value: cpuMs.reduce((sum, ms) => sum + ms, 0) / SECONDS / 10, unit: "% cpu" },
  ];
}

/** The messages of an hour, as fast as they can be brought, and what the page's memory has grown by. */
async function anHourOf(
  page: Page,
  inspector: CDPSession,
  traffic: Traffic,
): Promise<{ readonly messages: number; readonly growth: number }> {
  const countOf = async () => (await counted(page)).messages;
  const bring = async (messages: number, untilMs: number) => {
    const from = await countOf();
    await traffic.hurry(async () => (await countOf()) - from >= messages || performance.now() > untilMs);
    return (await countOf()) - from;
  };
  const giveUpAt = performance.now() + HOUR_MS_MAX;
  await bring(WARM_MESSAGES, giveUpAt);
  const before = await restingHeap(page, inspector);
  const messages = await bring(MESSAGES_AN_HOUR, giveUpAt);
  const growth = (await restingHeap(page, inspector)) - before;
  return { messages, growth: (growth / messages) * MESSAGES_AN_HOUR };
}

async function metricsOf(inspector: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await inspector.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

/** The same when it falls no more: what has come and was not taken in yet is no growth. */
async function restingHeap(page: Page, inspector: CDPSession): Promise<number> {
  let [least, since] = [await heapOf(inspector), performance.now()];
  for (const giveUpAt = since + REST_MS_MAX; performance.now() < giveUpAt; ) {
    await page.waitForTimeout(SETTLE_MS);
    const now = await heapOf(inspector);
    if (now > least - FALL_BYTES) {
      if (performance.now() - since > REST_MS) break;
    } else since = performance.now();
    least = Math.min(least, now);
  }
  return least;
}

/** Bytes that the page's scripts hold once what nobody needs is collected. */
async function heapOf(inspector: CDPSession): Promise<number> {
  await inspector.send("HeapProfiler.collectGarbage");
  return (await inspector.send("Runtime.getHeapUsage")).usedSize;
}

/** Runs in the page before anything of its own. */
function watch(): void {
  const seen = { messages: 0, frames: 0, longTasks: [] as number[] };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({
    // Chromium's own, unknown to Node, whose types these are.
    type: "longtask" as "measure",
    buffered: true,
  });
  globalThis.WebSocket = class extends WebSocket {
    constructor(...args: ConstructorParameters<typeof WebSocket>) {
      super(...args);
      this.addEventListener("message", () => {
        seen.messages++;
      });
    }
  };
  const frame = () => {
    seen.frames++;
    Reflect.get(globalThis, "requestAnimationFrame")(frame);
  };
  frame();
}

async function counted(page: Page): Promise<Counted> {
  return (await page.evaluate("structuredClone(seen)")) as Counted;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs, of the wall and of the processor. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The tasks of the busiest page's main thread. */
function mainThreadTasks(trace: Buffer): { wallMs: number; cpuMs: number }[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const mains = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(idOf),
  );
  return traceEvents
    .filter((event) => event.name === "RunTask" && event.ph === "X" && mains.has(idOf(event)))
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1_000, cpuMs: tdur / 1_000 }));
}

function idOf({ pid, tid }: TraceEvent): string {
  return `${pid}/${tid}`;
}
