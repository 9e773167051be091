import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bourse } from "../admin/command-line.ts";

const CRASH = fileURLToPath(new URL("../../scenarios/crash.json", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "bourse-scenario-"));
after(() => rmSync(dir, { recursive: true }));

test("a scenario is told as a table, and with --json as one object", async () => {
  const [told, printed] = await Promise.all([
    bourse("scenario", "run", CRASH),
    bourse("scenario", "run", CRASH, "--json"),
  ]);
  assert.deepEqual([told.code, told.stderr], [0, ""]);
  assert.match(told.stdout, /00:00:14 {2}fifty BTCUSDT +is liquidated, due at 29547\.73\n/);
  assert.match(told.stdout, /insurance fund +bears the result +-8\.00000000 USDT\n/);
  assert.match(told.stdout, /00:00:46 {2}greedy BTCUSDT +is deleveraged\n/);
  assert.match(
    told.stdout,
    /\nAll money is there after each of \d+ commands: 147500\.00000000 USDT of 147500\.00000000\.\n$/,
  );
  const { happened, accounts, money, missed } = JSON.parse(printed.stdout);
  assert.deepEqual(missed, []);
  assert.deepEqual(money.at(-1), { ccy: "USDT", paid_in: "147500.00000000", held: "147500.00000000" });
  assert.equal(happened[0].time_ms, Date.parse("2026-01-01T00:00:00Z"));
  assert.equal(accounts.length, 8);
});

test("an expectation that does not come true ends the call with 1, what is no scenario with 2", async () => {
  const missing = join(dir, "missing.json");
  const wrong = join(dir, "wrong.json");
  const scenario = JSON.parse(readFileSync(CRASH, "utf8"));
  writeFileSync(wrong, JSON.stringify({ ...scenario, steps: [{ expect: { "fund USDT": "1.00000000" } }] }));
  const odd = join(dir, "odd.json");
  writeFileSync(odd, "{}");
  const [noFile, notSo, noScenario] = await Promise.all(
    [missing, wrong, odd].map((file) => bourse("scenario", "run", file)),
  );
  assert.deepEqual([noFile?.code, noFile?.stderr], [2, `bourse: The file ${missing} cannot be read.\n`]);
  assert.equal(notSo?.code, 1);
  assert.match(notSo?.stderr ?? "", /fund USDT should be 1\.00000000 and is 400\.00000000\./);
  assert.equal(noScenario?.code, 2);
});
