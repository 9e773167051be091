/** Candles that were recorded elsewhere: a market's past, also of a history that is made anew from the log. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mainProgram } from "../support/program.ts";
import { VenueProcess } from "../support/venue-process.ts";

const MAIN = mainProgram();
const HEADER = "time,open,high,low,close,volume,value";
const FROM = Date.parse("2025-12-31T00:00:00Z");
const WORLD = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--makers", "off", "--limits", "off"];

/** 300 minutes whose prices rise by one each; the first times as ISO 8601, the others in ms. */
const ROWS = Array.from({ length: 300 }, (_, at) => {
  const ms = FROM + at * 60_000;
  const time = at < 10 ? new Date(ms).toISOString() : String(ms);
  return [time, 60_000 + at, 60_002.5 + at, 59_999 + at, 60_001 + at, "0.1234567", "7407.5"].join(",");
});

function bourse(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
    );
  });
}

test("a file of candles becomes a market's past, is told by line what is wrong, and survives a history made anew", async () => {
  const data = mkdtempSync(join(tmpdir(), "bourse-candles-"));
  const file = join(data, "..", `${data.split("/").at(-1)}.csv`);
  const place = ["--market", "BTCUSDT", "--data", data];
  try {
    const venue = await VenueProcess.start(data, ...WORLD);
    const bad: [string, (rows: string[]) => string[], RegExp][] = [
      ["another header", (rows) => ["time,close", ...rows.slice(1)], /The first line of .* must be time,open/],
      ["too fine", (rows) => rows.with(4, ROWS[3]!.replace("60003", "60003.001")), /Line 5 of .*2 decimals/],
      ["twice the same", (rows) => rows.with(3, rows[2]!), /Line 4 of .*ascend/],
      ["no number", (rows) => rows.with(250, ROWS[249]!.replace("60249", "much")), /Line 251 of .*open must be/],
    ];
    for (const [name, spoil, expected] of bad) {
      writeFileSync(file, spoil([HEADER, ...ROWS]).join("\n"));
      const refused = await bourse("candles", "import", file, ...place);
      assert.match(refused.err, expected, name);
      assert.ok(refused.code > 0);
    }

    writeFileSync(file, `${[HEADER, ...ROWS].join("\n")}\n`);
    const done = await bourse("candles", "import", file, ...place, "--json");
    assert.deepEqual([done.code, JSON.parse(done.out || "{}")], [0, { market: "BTCUSDT", candles: 300 }], done.err);
    assert.equal((await bourse("candles", "import", file, ...place)).code, 0, "the same once more");
    writeFileSync(file, [HEADER, ROWS[0], (ROWS[1] as string).replace("60001,", "60000.5,")].join("\n"));
    assert.match((await bourse("candles", "import", file, ...place)).err, /Line 3 of .*already/);

    const seen = async (client: ReturnType<VenueProcess["client"]>) => {
      const all: Record<string, { created_at: number }[]> = {};
      for (const period of ["1min", "5min", "1hour", "1week"]) {
        all[period] = (await client.get(`/v2/spot/kline?market=BTCUSDT&period=${period}&limit=1000`)).data;
      }
      return all;
    };
    const before = await seen(venue.client());
    const hour = before["1hour"]!.find(({ created_at }) => created_at === FROM) as never as Record<string, string>;
    assert.deepEqual(
      [hour["open"], hour["high"], hour["low"], hour["close"]].map(Number),
      [60_000, 60_061.5, 59_999, 60_060],
    );
    // Cut off where the market counts no finer, and summed up: 60 · 0.1234567 coins and 60 · 7407.5.
    assert.deepEqual([hour["value"], hour["volume"]].map(Number), [7.407402, 444_450]);
    assert.equal(await venue.end("SIGTERM"), 0);

    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(data, `history.sqlite${suffix}`), { force: true });
    const again = await VenueProcess.start(data, ...WORLD);
    assert.deepEqual(await seen(again.client()), before);
    assert.equal(await again.end("SIGTERM"), 0);
  } finally {
    rmSync(data, { recursive: true, force: true });
    rmSync(file, { force: true });
  }
});
