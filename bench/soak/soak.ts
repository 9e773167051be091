/**
 * `npm run bench soak -- --hours N` leaves a dev venue on with its makers for so many hours of real time, `-- --days N`
 * for so many days of a virtual clock, which is moved on by the hour. It is looked at in intervals: memory after a
 * collection of garbage, handles, timers, the latency of orders, sizes of files. How fast each figure grows is told by
 * a regression over what came after the first hour (or day), when caches, windows and compiled code have come to rest;
 * of a shorter run over its second half, without a verdict.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Figure, report } from "../report.ts";
import { growthOf } from "./growth.ts";
import { type Look, Subject } from "./subject.ts";

const HOUR_MS = 3_600_000;
const HOURS_PER_DAY = 24;
/** As often a run is looked at when nothing else is said, but not more often than once a minute of real time. */
const LOOKS = 240;
const MINUTE_H = 1 / 60;
/** Mebibytes an hour that the memory of a venue may grow by. */
const MEMORY_PER_HOUR_MAX = 1;
const MEMORY = ["resident_mib", "heap_mib", "external_mib"];

const { hours, days, every } = parseArgs({
  options: {
    hours: { type: "string" },
    days: { type: "string" },
    every: { type: "string" },
    json: { type: "boolean" },
  },
}).values;
const isVirtual = days !== undefined;
const lengthH = isVirtual ? Number(days) * HOURS_PER_DAY : Number(hours ?? 1);
const everyH = every === undefined ? Math.max(lengthH / LOOKS, isVirtual ? 1 : MINUTE_H) : Number(every);
if (!(lengthH > 0 && everyH > 0)) throw new Error("--hours, --days and --every (hours) must be numbers above 0.");

const folder = mkdtempSync(join(tmpdir(), "bourse-soak-"));
try {
  const looks = await watch(join(folder, "data"));
  report(isVirtual ? "soak_virtual" : "soak", figuresOf(looks));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function watch(data: string): Promise<Look[]> {
  const clock = isVirtual ? ["--clock", "virtual", "--frozen"] : [];
  const subject = await Subject.start(data, clock);
  const startMs = performance.now();
  const looks: Look[] = [];
  const steps = Math.ceil(lengthH / everyH);
  for (let step = 0; step <= steps; step++) {
    if (isVirtual && step > 0) {
      for (let leftH = everyH; leftH > 0; leftH--) await subject.advance(Math.min(1, leftH) * HOUR_MS);
    } else await sleep(Math.max(0, startMs + step * everyH * HOUR_MS - performance.now()));
    const passedH = isVirtual ? step * everyH : (performance.now() - startMs) / HOUR_MS;
    const look = { hours: passedH, ...(await subject.look()) };
    looks.push(look);
    console.log(lineOf(look));
  }
  const code = await subject.stop();
  if (code !== 0) throw new Error(`The venue ended with ${code}.`);
  return looks;
}

/** What a person wants to see while it goes on. */
function lineOf(look: Look): string {
  const shown = [
    "resident_mib",
    "heap_mib",
    "external_mib",
    "timers",
    "handles",
    "descriptors",
    "order_p50_ms",
    "commands",
  ];
  const figures = shown.map((name) => `${name} ${Number((look[name] as number).toFixed(1))}`);
  return `${(look["hours"] as number).toFixed(3)} h  ${figures.join("  ")}`;
}

function figuresOf(looks: readonly Look[]): Figure[] {
  const restH = isVirtual ? HOURS_PER_DAY : 1;
  const hasRest = lengthH >= 2 * restH;
  const growth = growthOf(looks, hasRest ? restH : lengthH / 2);
  const last = looks.at(-1) as Look;
  return [
    { name: "looks", value: looks.length },
    { name: "hours", value: last["hours"] as number },
    ...growth.flatMap(({ name, first, last: ended, slope }): Figure[] => {
      if (slope.perUnit === 0) return [{ name: `${name}_last`, value: ended }];
      const isJudged = hasRest && !isVirtual && MEMORY.includes(name);
      return [
        { name: `${name}_first`, value: first },
        { name: `${name}_last`, value: ended },
        {
          name: `${name}_per_hour`,
          value: slope.perUnit,
          // A slope that the scatter of the points explains is none.
          ...(isJudged ? { gate: MEMORY_PER_HOUR_MAX + 2 * slope.error, goal: MEMORY_PER_HOUR_MAX, atMost: true } : {}),
        },
        { name: `${name}_per_hour_error`, value: slope.error },
      ];
    }),
  ];
}
