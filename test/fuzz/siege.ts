/**
 * `npm run tool siege -- --minutes N [--seed S] [--json]`: everything at once against one venue for so long; see
 * siege-run.ts. Says at the end what it came to, in one line. Ends with code 1 where something was not as it must be.
 */
import { parseArgs } from "node:util";
import { type SiegeKind, siege } from "./siege-run.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed) || seed < 1) {
  process.stderr.write("--minutes is a number above 0, and --seed a whole number from 1.\n");
  process.exit(2);
}
const MIB = 1_048_576;
const SAID_EVERY_MS = 60_000;
let began: number | undefined;
let saidMs = 0;
const done = new Map<SiegeKind, number>();

try {
  const report = await siege({
    seed,
    goOn: (kind, count) => {
      done.set(kind, count);
      say();
      // The time of the start does not count.
      began ??= performance.now();
      return performance.now() - began < minutes * 60_000;
    },
  });
  const [start, end] = report.residentBytes.map((bytes) => Math.round(bytes / MIB));
  const { chain, severed, requests, messages, commands, openFiles, stateHash } = report;
  if (values.json) console.log(JSON.stringify({ siege: seed, minutes, ...report }));
  else {
    console.log(
      `${minutes} minutes of seed ${seed}: ${severed} connections ended in any state, ${requests} spoilt ` +
        `requests, ${messages} spoilt messages, ` +
        `${chain.rounds} rounds with ${chain.lies} lies of a node, ${chain.deposits} deposits and ` +
        `${chain.withdrawals} withdrawals; it serves, ` +
        `${openFiles.join(" and ")} files open, ${start} and ${end} MiB at start and end; audit of ${commands} ` +
        `commands holds, state ${stateHash.slice(0, 16)}.`,
    );
  }
} catch (error) {
  const seconds = Math.round((performance.now() - (began ?? performance.now())) / 1_000);
  console.error(`Seed ${seed}, after ${seconds} s: ${error instanceof Error ? error.stack : error}`);
  process.exitCode = 1;
}

function say(): void {
  if (performance.now() - saidMs < SAID_EVERY_MS) return;
  saidMs = performance.now();
  console.error([...done].map(([kind, count]) => `${kind} ${count}`).join(", "));
}
