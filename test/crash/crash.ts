/**
 * `npm run tool crash -- --rounds N [--seed S]`: many rounds of what crash.test.ts does a few of. With `--payments
 * simulated`, `--payments evm` or `--payments` alone, for both, of what payments.test.ts does. With `--cluster`, three
 * nodes with their servers die in every way; `--whole` with PostgreSQL and Redis among them, `--minutes M` to begin no
 * round after so long, and names of faults behind it, such as "the leader dies", for these alone.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clusterRounds } from "./cluster-rounds.ts";
import { crashRounds } from "./crash-rounds.ts";
import { paymentRounds } from "./payment-rounds.ts";
import { EvmWorld, type PaymentWorld, SimulatedWorld } from "./payment-worlds.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "20" },
    minutes: { type: "string" },
    seed: { type: "string", default: "1" },
    payments: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    whole: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const dir = mkdtempSync(join(tmpdir(), "bourse-crash-"));
// Anyone who breaks it off leaves nothing behind: processes and networks are taken away at the exit.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
    process.exit(1);
  });
}
try {
  if (values.cluster) await cluster(positionals);
  else if (values.payments) await payments(positionals);
  else await orders();
  rmSync(dir, { recursive: true, force: true });
} catch (error) {
  console.error(error, `\nWhat was written until then stays in ${dir}.`);
  process.exit(1);
}

async function orders(): Promise<void> {
  const report = await crashRounds({
    data: join(dir, "data"),
    rounds,
    seed,
    onRound: (round, { acknowledgedOrders, unanswered }) => {
      console.log(`round ${round}: ${acknowledgedOrders} orders acknowledged so far, ${unanswered} requests cut off`);
    },
  });
  console.log(
    `${rounds} kills: ${report.acknowledgedOrders} acknowledged orders and ${report.acknowledgedCancels} cancels, ` +
      `none lost, none twice; ${report.checkedOrders} orders looked up; invariants hold.`,
  );
}

async function cluster(faults: readonly string[]): Promise<void> {
  const {
    acknowledged,
    unanswered,
    leaderKills,
    checkedOperations,
    rounds: told,
  } = await clusterRounds({
    ...{ dir, rounds, seed, whole: values.whole },
    minutes: values.minutes === undefined ? undefined : Number(values.minutes),
    faults: faults.length > 0 ? faults : undefined,
    onRound: (round, { fault, gapMs, acknowledged: so }) =>
      console.log(`round ${round}: ${fault}; no answer for ${gapMs.toFixed(0)} ms; ${so} commands acknowledged so far`),
  });
  const answerable = told.filter(({ isOutage }) => !isOutage);
  const gaps = answerable.map(({ gapMs }) => gapMs).sort((one, other) => one - other);
  const ofGaps =
    `no answer for ${gaps[gaps.length >> 1]?.toFixed(0)} ms at p50, ${gaps.at(-1)?.toFixed(0)} ms at worst, where ` +
    "a node could answer";
  console.log(
    `${told.length} faults, ${leaderKills} of them the death of a leader: ${acknowledged} acknowledged ` +
      `commands, none lost, none twice, and ${unanswered} requests ` +
      `without an answer; all nodes alike after each; ${checkedOperations} operations ` +
      `linearizable${gaps.length === 0 ? "" : `; ${ofGaps}`}.`,
  );
}

async function payments(names: readonly string[]): Promise<void> {
  const worlds: Readonly<Record<string, () => PaymentWorld | Promise<PaymentWorld>>> = {
    simulated: () => new SimulatedWorld(),
    evm: () => EvmWorld.open(),
  };
  for (const [name, open] of Object.entries(worlds)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const world = await open();
    try {
      const { acknowledged, unanswered, atSteps, paid } = await paymentRounds({
        ...{ data: join(dir, name), world, rounds, seed },
        onRound: (round, so) =>
          console.log(`${name}, round ${round}: ${so.acknowledged} withdrawals acknowledged so far`),
      });
      console.log(
        `${name}: ${rounds} kills, ${atSteps} of them while a transaction was handed over: ${acknowledged} ` +
          "acknowledged withdrawals " +
          `and ${unanswered} requests cut off, ${paid} payments in the chain, none lost, none twice; invariants hold.`,
      );
    } finally {
      await world.stop();
    }
  }
}
