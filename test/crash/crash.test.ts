import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { crashRounds } from "./crash-rounds.ts";

const dir = mkdtempSync(join(tmpdir(), "bourse-crash-"));
after(() => rmSync(dir, { recursive: true, force: true }));

test("a loaded venue that is killed again and again loses nothing it acknowledged and does nothing twice", async () => {
  const report = await crashRounds({ data: join(dir, "data"), rounds: 4, seed: 20_261_120 });
  assert.ok(report.acknowledgedOrders > 50, `only ${report.acknowledgedOrders} orders were acknowledged`);
  assert.ok(report.unanswered > 0, "the kills came while requests were under way");
});
