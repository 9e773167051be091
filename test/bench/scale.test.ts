/** That the bench of scale runs, and that its figures are those of the sizes that it was given. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runBench } from "./run-bench.ts";

test("the bench of scale tells what venues of each size cost, in a table and as figures", async () => {
  const sizes = [
    { users: 10, markets: 1, orders: 20 },
    { users: 2_010, markets: 1, orders: 20 },
    { users: 10, markets: 5, orders: 20 },
  ];
  const { lines, figures } = await runBench("bench/scale/scale.ts", ["--sizes", JSON.stringify(sizes)]);
  assert.ok(lines.some((line) => line.startsWith("| 2,010 | 1 | 20 | ")));
  for (const { users, markets, orders } of sizes) {
    const name = `${users}_users_${markets}_markets_${orders}_orders`;
    for (const figure of ["order", "price", "tick", "dearest_tick", "check", "snapshot_take", "snapshot_load"]) {
      assert.ok((figures[`${figure}_${name}`] as number) > 0, `${figure}_${name}`);
    }
  }
  // A user has two balances of some 40 bytes each, and an entry by name; what the collector of garbage leaves varies.
  const each = figures["bytes_each_2010_users_1_markets_20_orders"] as number;
  assert.ok(each > 48 && each < 100_000, `${each} bytes for a user`);
});
