import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { temporaryDir } from "../../test/support/small-log.ts";
import { Engine } from "../engine/engine.ts";
import type { History } from "../history/history.ts";
import { openDataDir } from "../log/data-dir.ts";
import { Snapshots } from "./snapshots.ts";

test("a snapshot is not written before the disk has all that was applied, since a start would refuse it", async (t) => {
  const dataDir = openDataDir(temporaryDir(t));
  t.after(() => dataDir.release());
  const engine = new Engine();
  engine.execute({ kind: "tick" }, { seq: 1, timeMs: 1 });
  let asked = false;
  const disk = Promise.withResolvers<void>();
  const failures: Error[] = [];
  const snapshots = new Snapshots(
    {
      ...{ engine, dataDir, every: 1 },
      history: { append: () => {}, flushed: () => Promise.resolve(1) } as unknown as History,
      trail: { settle: () => {} },
      durable: () => {
        asked = true;
        return disk.promise;
      },
      onFailed: (failure) => failures.push(failure),
    },
    0,
  );
  const written = () => readdirSync(dataDir.path).filter((file) => file.startsWith("snapshot-"));
  snapshots.takeWhenDue();
  while (!asked) await turn();
  for (let turns = 0; turns < 10; turns++) await turn();
  assert.deepEqual(written(), []);
  disk.resolve();
  await snapshots.settle();
  assert.equal(written().length, 1);
  await snapshots.close();
  assert.deepEqual(failures, []);
});
