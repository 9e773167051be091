import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { onePerFamily } from "../../support/ring.ts";
import { play } from "./play.ts";

const SEEDS = Number(process.env.MARGIN_SEEDS ?? 4);

test("whatever margin accounts do, invariants and audits hold, a refusal leaves no trace and a snapshot goes on alike", () => {
  const met = new Set<string>();
  for (let seed = 1; seed <= SEEDS; seed++) for (const word of play(seed)) met.add(word);
  for (const word of ["alert", "begun", "done", "liquidated", "finish", "margin_liquidating"]) {
    assert.ok(met.has(word), `${word} was not met: ${[...met].join(", ")}`);
  }
});

test("while the index stands still, users of margin accounts together never come to have more", () => {
  for (let seed = 1; seed <= SEEDS; seed++) play(seed, true);
});

/** Places of the engine that are changed, each of which some play has to show. */
const FAULTS = [
  {
    name: "interest is rounded for the borrower",
    file: "margin/lending.ts",
    code: "const hour = divCeil(loans.principal(slot) * BigInt(loans.dailyRateE8(slot)), HOURS_PER_DAY * ONE_E8);",
    instead:
      "const hour = (loans.principal(slot) * BigInt(loans.dailyRateE8(slot))) " +
      "/ (HOURS_PER_DAY * ONE_E8); divCeil(1n, 1n);",
  },
  {
    name: "the fund gets another share of interest",
    file: "margin/lending.ts",
    code: "const FUND_PERCENT = 30n;",
    instead: "const FUND_PERCENT = 31n;",
  },
  {
    name: "a loan is charged only once",
    file: "margin/interest.ts",
    code: "interestDue.insert(slot);",
    instead: "",
  },
  {
    name: "an account is not looked at after a deal",
    file: "margin/order-account.ts",
    code: "margin.note(seats.userId(orders.seat(slot)), market.id);",
    instead: "",
  },
  {
    name: "an account is watched from its liquidation rate on only",
    file: "margin/watch.ts",
    code: "margin.warned.has(row) ? liqRateE8 : warnRateE8",
    instead: "liqRateE8 + 0n * warnRateE8",
  },
  {
    name: "more may leave an account than its loans allow",
    file: "margin/transfer.ts",
    code: "return isBelowRate(market, market.index.price, after, terms.transferRateE8)",
    instead: "return isBelowRate(market, market.index.price, after, 0n * terms.transferRateE8)",
  },
  {
    name: "a loan is given beyond the worth of its account",
    file: "margin/risk.ts",
    code: "const free = (assets - debt) * BigInt(leverage - 1) - debt;",
    instead: "const free = (assets - debt) * BigInt(leverage + 9) - debt;",
  },
] as const;

for (const { name, ...fault } of onePerFamily(FAULTS, () => "margin")) {
  test(`a play finds it when ${name}`, async (t) => {
    const worker = new Worker(new URL("./play-worker.ts", import.meta.url), { workerData: { ...fault, seeds: 6 } });
    const [showed] = await once(worker, "message");
    await worker.terminate();
    assert.ok(showed !== undefined, `the plays ran clean with the fault in ${fault.file}`);
    t.diagnostic(String(showed).split("\n")[0] as string);
  });
}
