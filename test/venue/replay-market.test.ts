/**
 * Recorded books through the real book: a bot's order is filled when the queue before it is consumed, and not before.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { BackgroundTraders } from "../../src/lab/replay/background-traders.ts";
import { playRows } from "../../src/lab/replay/play.ts";
import { mergeRecordings, parseRecording } from "../../src/lab/replay/recording.ts";
import { VenueFloor } from "../../src/lab/replay/venue-floor.ts";
import { mainProgram } from "../support/program.ts";
import { VenueProcess } from "../support/venue-process.ts";

const MAIN = mainProgram();
const WORLD = ["--start-time", "2026-01-01T00:00:00Z", "--frozen", "--makers", "off", "--limits", "off"];
const FUNDS = { USDT: "10000000", BTC: "1000" };
const HEADER = "time,type,side,price,amount";
const T = Date.parse("2026-01-01T00:00:00Z");
const GRID = { priceDecimals: 2, amountDecimals: 6, minLots: 100n };

const BOOK = `${HEADER}
${T},snapshot,buy,59999,1
${T},snapshot,buy,59998,2
${T},snapshot,sell,60001,1
${T + 5},level,sell,60001,1.5
`;
/**
 * After the bot's 0.5 behind 1: 0.4 go, 0.5 join behind the bot, 0.2 are cancelled there, and the rest before the bot
 * goes.
 */
const QUEUE = `${HEADER}
${T + 10},trade,sell,59999,0.4
${T + 10},level,buy,59999,0.6
${T + 20},level,buy,59999,1.1
${T + 30},level,buy,59999,0.9
${T + 40},trade,sell,59999,0.6
`;
const TARDIS_TRADES = `exchange,symbol,timestamp,local_timestamp,id,side,price,amount
x,BTCUSDT,${T + 60}500,${T + 61}000,1,sell,59999,0.1
x,BTCUSDT,${T + 70}000,${T + 71}000,2,sell,59999,0.4
`;
const TARDIS_BOOK = `exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount
x,BTCUSDT,${T + 50}000,${T + 51}000,false,ask,60001,0
x,BTCUSDT,${T + 50}000,${T + 51}000,false,ask,60002,0.75
x,BTCUSDT,${T + 60}500,${T + 61}000,false,bid,59998,1.25
`;

test("a bot's order is filled exactly when the queue before it is consumed, in both formats", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-replay-"));
  const data = join(folder, "data");
  const venue = await VenueProcess.start(data, ...WORLD);
  try {
    const [resting, taking, bot] = [
      await venue.trader("rests", FUNDS),
      await venue.trader("takes", FUNDS),
      await venue.trader("bot", FUNDS),
    ];
    const floor = new VenueFloor({
      url: venue.url,
      market: "BTCUSDT",
      grid: GRID,
      resting: resting.key,
      taking: taking.key,
    });
    const traders = new BackgroundTraders(floor, GRID);
    const advance = (ms: number) => venue.admin("/admin/clock", { advance_ms: ms });
    const middles: bigint[] = [];
    const play = (rows: ReturnType<typeof parseRecording>) =>
      playRows(rows, traders, { speed: 0, advance, onMiddle: async (ticks) => void middles.push(ticks) });
    const client = venue.client(bot.key);
    const depth = async () => (await client.get("/v2/spot/depth?market=BTCUSDT&limit=5&interval=0")).data.depth;

    await play(parseRecording(BOOK, "book.csv"));
    assert.deepEqual((await depth()).bids, [
      ["59999", "1"],
      ["59998", "2"],
    ]);
    assert.deepEqual((await depth()).asks, [["60001", "1.5"]]);
    assert.deepEqual(middles, [6_000_000n]);

    const order = { market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.5", price: "59999" };
    const { order_id } = (await client.post("/v2/spot/order", order)).data;
    const filled = async () =>
      (await client.get(`/v2/spot/order-status?market=BTCUSDT&order_id=${order_id}`)).data.filled_amount;
    await play(parseRecording(QUEUE, "queue.csv"));
    assert.equal(Number(await filled()), 0, "all before it is gone, and nothing of its own");
    assert.deepEqual((await depth()).bids[0], ["59999", "0.8"]);

    const rows = mergeRecordings([
      parseRecording(TARDIS_BOOK, "book.csv"),
      parseRecording(TARDIS_TRADES, "trades.csv"),
    ]);
    await play(rows.slice(0, 4));
    assert.equal(Number(await filled()), 0.1);
    await play(rows.slice(4));
    assert.equal(Number(await filled()), 0.5);
    assert.deepEqual(await depth().then(({ asks, bids }) => [asks, bids]), [
      [["60002", "0.75"]],
      [
        ["59999", "0.3"],
        ["59998", "1.25"],
      ],
    ]);
    assert.deepEqual(traders.counts, { trades: 4, levels: 10, dust: 0 });

    // The same by the command line, whose background traders are its own, on a frozen clock.
    const files = [TARDIS_BOOK, TARDIS_TRADES].map((text, at) => {
      const file = join(folder, `${at}.csv`);
      writeFileSync(file, text);
      return file;
    });
    const before = (await venue.admin("/admin/status")).time_ms;
    const out = await bourse(
      "replay-market",
      ...files,
      "--market",
      "BTCUSDT",
      "--api",
      venue.url,
      "--on",
      venue.adminUrl,
      "--data",
      data,
      "--step",
      "--json",
    );
    assert.deepEqual(JSON.parse(out), { market: "BTCUSDT", records: 5, trades: 2, levels: 3, dust: 0 });
    assert.equal((await venue.admin("/admin/status")).time_ms, before + 20);
    assert.equal((await venue.admin("/admin/audit")).ok, true);
  } finally {
    await venue.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  }
});

test("what is no recording is told by line", () => {
  const faults: [string, RegExp][] = [
    ["time,price\n1,2\n", /The first line of a\.csv must be one of/],
    [`${HEADER}\n${T},trade,left,1,1\n`, /Line 2 of a\.csv: the side must be/],
    [`${HEADER}\n${T},trade,buy,0,1\n`, /Line 2 of a\.csv: the price must be/],
    [`${HEADER}\n${T},trade,buy,1,1\n${T - 1},trade,buy,1,1\n`, /Line 3 of a\.csv: its time lies before/],
    [`${HEADER}\nsoon,trade,buy,1,1\n`, /Line 2 of a\.csv: the time must be/],
  ];
  for (const [text, expected] of faults) assert.throws(() => parseRecording(text, "a.csv"), expected);
});

function bourse(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [MAIN, ...args], (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(err)),
    );
  });
}
