import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { findCounter } from "../../bench/paths/instruction-counter.ts";

const PERF = `#!/bin/sh
echo '1234567,,instructions:u,1000,100.00,,' >&2
`;
const PERF_WITHOUT_COUNTER = `#!/bin/sh
echo '<not supported>,,instructions:u,0,100.00,,' >&2
`;
const VALGRIND = `#!/bin/sh
echo '==7== ' >&2
echo '==7== I   refs:      8,212,663,683' >&2
`;

/** The counter that is found where these programs are all that there is. */
async function counterAmong(programs: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "bourse-"));
  try {
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 });
    const counter = await findCounter({ PATH: folder });
    return counter && { name: counter.name, count: await counter.count(["program"]) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("instructions are counted by perf where it reads a counter, else by valgrind", async () => {
  assert.deepEqual(await counterAmong({ perf: PERF, valgrind: VALGRIND }), { name: "perf", count: 1_234_567 });
  const byValgrind = { name: "valgrind", count: 8_212_663_683 };
  assert.deepEqual(await counterAmong({ perf: PERF_WITHOUT_COUNTER, valgrind: VALGRIND }), byValgrind);
  assert.deepEqual(await counterAmong({ valgrind: VALGRIND }), byValgrind);
});

test("without perf and valgrind there is no counter", async () => {
  assert.equal(await counterAmong({}), undefined);
  assert.equal(await counterAmong({ perf: PERF_WITHOUT_COUNTER }), undefined);
});
