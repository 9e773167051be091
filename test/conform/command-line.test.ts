/** `bourse conform` as people run it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { mainProgram } from "../support/program.ts";

const MAIN = mainProgram();
const GOOD = fileURLToPath(new URL("good-bot.ts", import.meta.url));

async function conform(...args: readonly string[]): Promise<{ code: number | null; said: string; complained: string }> {
  const child = spawn(process.execPath, [MAIN, "conform", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [said, complained] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (said += piece));
  child.stderr.on("data", (piece: Buffer) => (complained += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, said, complained };
}

test("a bot made with the client meets faults of every kind and mishandles nothing", async () => {
  const { code, said, complained } = await conform("--json", "--patience", "2", "--", process.execPath, GOOD, "6");
  const report = JSON.parse(said);
  assert.deepEqual([code, report.mishandled, report.program.exit_code], [0, [], 0], said + complained);
  assert.match(complained, /^placed \d+$/m);
  const met = report.faults.map(({ fault }: { fault: string }) => fault);
  for (const fault of ["limited", "cut_after", "cut_before", "clock_jump", "close_sockets", "bad_checksum"]) {
    assert.ok(met.includes(fault), `${fault} was not met: ${said}`);
  }
  assert.ok(report.endpoints.some(({ endpoint }: { endpoint: string }) => endpoint === "POST /spot/order"));
  assert.ok(
    report.channels.some(
      ({ channel, items }: { channel: string; items: string[] }) => channel === "depth" && items[0] === "BTCUSDT",
    ),
  );
});

test("a program that breaks on what nobody knows is told so, and the code is 1", async () => {
  const program = `
    for (let tries = 0; tries < 6; tries++) {
      const { data } = await (await fetch(process.env.BOURSE_URL + "/v2/spot/market")).json();
      for (const { status } of data) if (status !== "online") throw new Error("no such status: " + status);
    }`;
  const { code, said } = await conform(
    "--faults",
    "unknown_value",
    "--",
    process.execPath,
    "--input-type=module",
    "-e",
    program,
  );
  assert.equal(code, 1);
  assert.match(said, /^Mishandled: 1\n {2}unknown-value: /m);
  assert.match(said, /it ended with code 1, right after: .*Error: no such status: resting/);
});

test("what cannot be run is wrong usage", async () => {
  for (const [args, sentence] of [
    [[], /The argument .* is missing/],
    [["--", "no-such-program"], /There is no program no-such-program/],
    [["--faults", "rain", "--", "true"], /There is no fault rain/],
  ] as const) {
    const { code, complained } = await conform(...args);
    assert.equal(code, 2, complained);
    assert.match(complained, sentence);
  }
});
