import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { budget } from "../support/ring.ts";
import { crashRounds } from "./crash-rounds.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-crash-"));
after(() => rmSync(dir, { recursive: true, force: true }));

const ROUNDS = budget(2, 4);

test("a loaded venue that is killed again and again loses nothing it acknowledged and does nothing twice", async () => {
  const report = await crashRounds({ data: join(dir, "data"), rounds: ROUNDS, seed: 20_261_120 });
  assert.ok(report.acknowledgedOrders > 50, `only ${report.acknowledgedOrders} orders were acknowledged`);
  assert.ok(report.unanswered > 0, "the kills came while requests were under way");
});
