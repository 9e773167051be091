import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { mainProgram } from "../support/program.ts";
import { bourse } from "./command-line.ts";
import { GROUPS, logFolder } from "./log-folder.ts";

/** Changes a stored log behind everybody's back. */
function change(dir: string, sql: string): void {
  const database = new DatabaseSync(`${dir}/log.sqlite`);
  database.exec(sql);
  database.close();
}

const LINES = [
  "       1  2025-06-15T15:06:40.000Z  admin               list_asset ccy=BTC scale=8",
  "       2  2025-06-15T15:06:40.000Z  admin               list_asset ccy=USDT scale=8",
  "       3  2025-06-15T15:06:40.000Z  admin               list_market market=BTCUSDT baseCcy=BTC quoteCcy=USDT " +
    "amountPrecision=6 pricePrecision=2 minAmount=0.0001 makerFeeRate=0.001 takerFeeRate=0.002",
  "       4  2025-06-15T15:06:41.000Z  admin               create_user name=alice  -> user 1",
  "       5  2025-06-15T15:06:41.000Z  admin               create_user name=alice  -> refused: There is a user " +
    "named alice already.",
  '       6  2025-06-15T15:06:41.000Z  admin               deposit userId=1 ccy=BTC amount=10 note="for a ' +
    'start"  -> deposit 1',
  '       7  2025-06-15T15:06:41.000Z  admin               deposit userId=1 ccy=USDT amount=100000 note=""  -> ' +
    "deposit 2",
  "       8  2025-06-15T15:06:41.000Z  admin               create_api_key userId=1 accessId=KEY " +
    'secretCipher=(sealed) permissions=["read"] ipWhitelist=[] expiredAt=0',
  "       9  2025-06-15T15:06:42.000Z  clock               tick",
  "      10  2025-06-15T15:06:43.000Z  user 1 alice        sell limit 1.000000 BTC at 60000.00 in BTCUSDT " +
    "client_id mine",
  "      11  2025-06-15T15:06:43.000Z  user 1 alice        buy limit 0.500000 BTC at 60000.00 in BTCUSDT",
  "      12  2025-06-15T15:06:44.000Z  user 1 alice        modify order 1 in BTCUSDT: price 61000.00",
  "      13  2025-06-15T15:06:44.000Z  user 1 alice        buy market for 100.00000000 USDT in BTCUSDT",
  "      14  2025-06-15T15:06:44.000Z  user 1 alice        cancel order 99 in BTCUSDT",
  "      15  2025-06-15T15:06:45.000Z  user 1 alice        cancel orders with client_id mine in every market",
  "      16  2025-06-15T15:06:45.000Z  user 1 alice        cancel all orders in BTCUSDT, buy",
];

test("the log is shown in words, whole or from any command on, with the names that hold there", async (t) => {
  const dir = await logFolder(t);
  const { code, stdout, stderr } = await bourse("log", "--data", dir);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.deepEqual(stdout.trimEnd().split("\n"), LINES);
  const part = await bourse("log", "--data", dir, "--from", "11", "--to", "12");
  assert.deepEqual(part.stdout.trimEnd().split("\n"), LINES.slice(10, 12));
  assert.equal((await bourse("log", "--data", dir, "--from", "17")).stdout, "");
});

test("what the operator changed is told with who, when and what, refusals included", async (t) => {
  const who = { actor: "admin" };
  const changes = [
    { kind: "adjust_balance", ...who, userId: 1, ccy: "USDT", amount: "-2.5", note: "booked twice" },
    { kind: "adjust_balance", ...who, userId: 1, cell: "sys:fee", ccy: "USDT", amount: "-1000000", note: "too much" },
    { kind: "set_fee_level", ...who, level: "vip", makerFeeRate: "0", takerFeeRate: "0.001" },
    { kind: "change_user", ...who, userId: 1, frozen: true, feeLevel: "vip" },
    { kind: "change_market", ...who, market: "BTCUSDT", indexSources: [{ exchange: "one", weight: "0.5" }] },
    { kind: "delete_fee_level", ...who, level: "vip" },
  ] as const;
  const dir = await logFolder(t, [...GROUPS, changes]);
  const { stdout } = await bourse("log", "--data", dir, "--from", "17");
  const begin = "2025-06-15T15:06:46.000Z  admin               ";
  assert.deepEqual(stdout.trimEnd().split("\n"), [
    `      17  ${begin}adjust_balance userId=1 ccy=USDT amount=-2.5 note="booked twice"  -> adjustment 1`,
    `      18  ${begin}adjust_balance userId=1 cell=sys:fee ccy=USDT amount=-1000000 note="too much"  -> ` +
      "refused: The user has 99967.40002100 USDT available; what orders freeze is not touched.",
    `      19  ${begin}set_fee_level level=vip makerFeeRate=0 takerFeeRate=0.001`,
    `      20  ${begin}change_user userId=1 frozen=true feeLevel=vip  -> user 1`,
    `      21  ${begin}change_market market=BTCUSDT indexSources=[{"exchange":"one","weight":"0.5"}]`,
    `      22  ${begin}delete_fee_level level=vip  -> refused: User 1 is on the fee level vip; give its users ` +
      "another one first.",
  ]);
});

test("a snapshot gives the names when the log is shown from behind it", async (t) => {
  const dir = await logFolder(t, GROUPS, 3);
  const { stdout } = await bourse("log", "--data", dir, "--from", "12");
  assert.deepEqual(stdout.trimEnd().split("\n"), LINES.slice(11));
});

test("with outcomes every order says what came of it", async (t) => {
  const dir = await logFolder(t);
  const { stdout } = await bourse("log", "--data", dir, "--from", "10", "--outcomes");
  assert.deepEqual(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => /-> (.*)$/.exec(line)?.[1]),
    [
      "order 1 rests",
      "order 2 filled",
      "order 1 part_filled",
      "order 3 filled",
      "refused: order_not_found",
      undefined,
      undefined,
    ],
  );
});

test("as JSON every command is one object with all its fields as they are stored", async (t) => {
  const dir = await logFolder(t);
  const { stdout } = await bourse("log", "--data", dir, "--json");
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    Array.from({ length: 16 }, (_, index) => index + 1),
  );
  assert.equal(rows[7].command.secretCipher, "c2VjcmV0");
  assert.deepEqual(rows[9], {
    seq: 10,
    time_ms: 1_750_000_003_000,
    time: "2025-06-15T15:06:43.000Z",
    command: {
      kind: "place_order",
      userId: 1,
      marketId: 0,
      account: "spot",
      side: "sell",
      type: "limit",
      amountIn: "base",
      hidden: false,
      stpMode: "none",
      amount: "1000000",
      price: "6000000",
      clientId: "mine",
    },
  });
});

test("a log is followed until somebody has seen enough", async (t) => {
  const dir = await logFolder(t);
  const main = mainProgram();
  const child = spawn(process.execPath, [main, "log", "--data", dir, "--from", "16", "--follow"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = await once(createInterface({ input: child.stdout }), "line");
  assert.equal(first, LINES[15]);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
});

test("where no log is, a sentence says so; where it is damaged, the place and what was sound are shown", async (t) => {
  const none = await bourse("log", "--data", "/nowhere");
  assert.deepEqual([none.code, none.stderr], [1, "bourse: There is no venue's log in /nowhere.\n"]);
  const dir = await logFolder(t);
  change(dir, "UPDATE log_group SET time_ms = time_ms + 1 WHERE first_seq = 10");
  const damaged = await bourse("log", "--data", dir);
  assert.equal(damaged.code, 3);
  assert.deepEqual(damaged.stdout.trimEnd().split("\n"), LINES.slice(0, 9));
  assert.match(damaged.stderr, /^bourse: The log is damaged at .*, group with first seq 10/);
});

test("a sound log passes the audit, with figures", async (t) => {
  const dir = await logFolder(t, GROUPS, 3);
  const { code, stdout, stderr } = await bourse("audit", "--data", dir);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^commands +16$/m);
  assert.match(stdout, /^snapshots met again +at seq 11$/m);
  assert.match(stdout, /^BTC +10\.00000000 +9\.9\d+ +0\.0\d+$/m);
  assert.match(stdout, /\nEverything holds\.\n$/);
  const verdict = JSON.parse((await bourse("audit", "--data", dir, "--json", "--quick")).stdout);
  assert.deepEqual([verdict.seq, verdict.ok, verdict.breaches], [16, true, []]);
  assert.equal(verdict.totals.USDT.custody, "100000.00000000");
});

test("an audit of a damaged log, a lost end or an unsound snapshot ends with code 3 and says where", async (t) => {
  const changed = await logFolder(t);
  change(changed, "UPDATE log_group SET time_ms = time_ms + 1 WHERE first_seq = 10");
  const cut = await logFolder(t);
  change(cut, "DELETE FROM log_group WHERE first_seq = 15");
  const unsound = await logFolder(t, GROUPS, 3);
  writeFileSync(`${unsound}/snapshot-0000000000000011.bourse`, "nothing of the kind");
  for (const [dir, sentence] of [
    [changed, /^bourse: The log is damaged at .*, group with first seq 10/],
    [cut, /^bourse: The log is damaged at .*: commands up to seq 16 were acknowledged, but the log ends at seq 14/],
    [unsound, /^bourse: One thing does not hold:\n {2}The snapshot .*000011\.bourse is unsound: /],
  ] as const) {
    const { code, stderr } = await bourse("audit", "--data", dir);
    assert.equal(code, 3);
    assert.match(stderr, sentence);
  }
});
