/**
 * A count of what the venue owes: for how long it takes no orders, how long the trees take beside it, and what a proof
 * costs. A million accounts that hold USDT, and 100,000 positions; ACCOUNTS=N tries others.
 */
import { leavesFor } from "../src/liabilities/sum-tree.ts";
import { CountThread } from "../src/venue/liabilities/count-thread.ts";
import { venueWith } from "./positions.ts";
import { median, report } from "./report.ts";

const ACCOUNTS = Number(process.env["ACCOUNTS"] ?? 1_000_000);
const POSITIONS = 100_000;
const TURNS = 5;
const PROOFS = 1_000;
const KEY = new Uint8Array(32).fill(7);

const engine = venueWith(POSITIONS);
const { state } = engine;
for (let account = 0; account < ACCOUNTS; account++) {
  const { userId } = execute({ kind: "create_user", name: `holder-${account}` }) as { userId: number };
  execute({ kind: "deposit", userId, ccy: "USDT", amount: `${1 + (account % 9_999)}.25`, note: "" });
}

const heldUp: number[] = [];
for (let turn = 0; turn < TURNS; turn++) {
  const startMs = performance.now();
  const thread = new CountThread(state, () => KEY);
  heldUp.push(performance.now() - startMs);
  // The copy alone is measured; a thread that is not waited for would compete with the next one.
  thread.trees.catch(() => {});
  thread.end();
}
const processorMs = process.cpuUsage();
const startMs = performance.now();
// The thread alone keeps no program running.
const waiting = setInterval(() => {}, 1_000);
const trees = await new CountThread(state, () => KEY).trees;
clearInterval(waiting);
const tookMs = performance.now() - startMs;
const used = process.cpuUsage(processorMs);

const proofStartMs = performance.now();
for (let at = 0; at < PROOFS; at++) {
  const account = state.users.count - 1 - ((at * 7_919) % ACCOUNTS);
  for (const [, tree] of trees) leavesFor(tree, account, 8);
}
const proofUs = ((performance.now() - proofStartMs) * 1_000) / PROOFS;

report("liabilities", [
  { name: "accounts", value: state.users.count - 1 },
  { name: "positions", value: state.futures.positions.live },
  { name: "leaves", value: trees.reduce((sum, [, tree]) => sum + tree.places.length, 0) },
  { name: "held_up_median", value: median(heldUp), unit: "ms" },
  { name: "held_up_longest", value: Math.max(...heldUp), unit: "ms", goal: 250, atMost: true },
  { name: "trees_by_the_clock", value: tookMs / 1_000, unit: "s", goal: 10, atMost: true },
  { name: "trees_processor", value: (used.user + used.system) / 1e6, unit: "s", goal: 10, atMost: true },
  { name: "proof_of_all_currencies", value: proofUs, unit: "µs" },
]);

function execute(command: Parameters<typeof engine.execute>[0]): unknown {
  const { seq, timeMs } = state;
  const outcome = engine.execute(command, { seq: seq + 1, timeMs });
  if (outcome.refusal !== 0) throw new Error(`Refused: ${outcome.detail ?? command.kind}.`);
  engine.events.clear();
  return outcome.result;
}
