/** `npm run crash -- --rounds N [--seed S]`: many rounds of what crash.test.ts does a few of. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { crashRounds } from "./crash-rounds.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const dir = mkdtempSync(join(tmpdir(), "bourse-crash-"));
try {
  const report = await crashRounds({
    data: join(dir, "data"),
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    onRound: (round, { acknowledgedOrders, unanswered }) => {
      console.log(`round ${round}: ${acknowledgedOrders} orders acknowledged so far, ${unanswered} requests cut off`);
    },
  });
  console.log(
    `${values.rounds} kills: ${report.acknowledgedOrders} acknowledged orders and ${report.acknowledgedCancels} cancels, ` +
      `none lost, none twice; ${report.checkedOrders} orders looked up; invariants hold.`,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
