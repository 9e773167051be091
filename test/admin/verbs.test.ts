import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { bourse, bourseProcess } from "./command-line.ts";
import { type AdminVenue, listBtcUsdt, openAdminVenue } from "./venue.ts";

/** The verbs on a venue: `run` must succeed and gives what was printed, `refused` must not and gives the sentence. */
async function verbsOn(t: TestContext, options?: { virtualClock: boolean }) {
  const venue = await openAdminVenue(t, options);
  const where = ["--admin", venue.url, "--token", venue.token];
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await bourse(...args, ...where);
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout;
  };
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await bourse(...args, ...where);
    assert.deepEqual([code, stdout], [1, ""]);
    return stderr;
  };
  return { venue, run, refused };
}

async function stateOf(venue: AdminVenue) {
  await venue.get("/admin/status");
  return venue.engine.state;
}

test("a market is listed, changed and fed from the command line", async (t) => {
  const { venue, run } = await verbsOn(t);
  const chain = "chain=BTC,withdrawal_fee=0.0005,deposit_enabled=true";
  assert.equal(await run("asset", "create", "--ccy", "BTC", "--scale", "8", "--chains", chain), "ccy  BTC\n");
  await run("asset", "create", "--ccy", "USDT", "--scale", "8", "--full-name", "Tether USD");
  const market = ["--market", "BTCUSDT", "--base-ccy", "BTC", "--quote-ccy", "USDT"];
  const grid = ["--base-ccy-precision", "6", "--quote-ccy-precision", "2", "--min-amount", "0.0001"];
  const fees = ["--maker-fee-rate", "0.002", "--taker-fee-rate", "0.002"];
  const json = await run("market", "create", ...market, ...grid, ...fees, "--json");
  assert.deepEqual(JSON.parse(json), { market: "BTCUSDT" });
  await run("market", "change", "--market", "BTCUSDT", "--suspended", "--taker-fee-rate", "0.003");
  await run("market", "change", "--market", "BTCUSDT", "--is-api-trading-available", "false");
  const times = ["--bidding-at", "4000000000000", "--no-cancel-at", "4000000060000", "--online-at", "4000000120000"];
  await run("market", "create", "--market", "AUCUSDT", ...market.slice(2), ...grid, ...fees, ...times);
  const shown = await run("market", "show", "AUCUSDT");
  assert.match(shown, /\nbidding_at +4000000000000\nno_cancel_at +4000000060000\nonline_at +4000000120000\n/);
  const sources = ["--sources", "exchange=a,price=30000,weight=0.5", "--sources", '{"exchange":"b","price":"30010"}'];
  assert.equal(await run("index", "set", "--market", "BTCUSDT", ...sources), "market  BTCUSDT\nprice   30006.67\n");

  const state = await stateOf(venue);
  assert.deepEqual(
    [state.assets[0]?.chains[0]?.withdrawalFee, state.assets[0]?.chains[0]?.depositEnabled, state.assets[1]?.fullName],
    ["0.0005", true, "Tether USD"],
  );
  const listed = state.marketByName.get("BTCUSDT");
  assert.deepEqual([listed?.suspended, listed?.takerFeeRateE8, listed?.apiTradingAvailable], [true, 300_000, false]);
});

test("users, keys and funds are handled from the command line", async (t) => {
  const { venue, run, refused } = await verbsOn(t);
  await listBtcUsdt(venue);
  assert.equal(await run("user", "create", "--name", "alice"), "user_id  1\n");
  await run("user", "change", "1", "--frozen", "--maker-fee-rate", "0.0001");
  await run("user", "change", "1", "--frozen", "false", "--maker-fee-rate", "none");
  const asked = [
    "--user-id",
    "1",
    "--permissions",
    "read",
    "--permissions",
    "withdraw",
    "--ip-whitelist",
    "192.0.2.0/24",
  ];
  const key = JSON.parse(await run("key", "create", ...asked, "--json"));
  await run("deposit", "--user-id", "1", "--ccy", "USDT", "--amount", "5.5", "--note", "a gift");
  await run("deposit", "--cell", "sys:ins_margin", "--ccy", "USDT", "--amount", "1");
  const adjust = ["adjust", "--user-id", "1", "--ccy", "USDT", "--note", "booked twice", "--amount"];
  assert.equal(await run(...adjust, "-5.5"), "adjustment_id  1\n");
  assert.match(await refused(...adjust, "-0.01"), /^bourse: Refused with code 3109: The user has 0\.00000000 USDT/);
  await run("fee-level", "set", "--level", "vip", "--maker-fee-rate", "0.0003", "--taker-fee-rate", "0.0004");
  await run("user", "change", "1", "--fee-level", "vip");
  const user = JSON.parse(await run("user", "show", "1", "--json"));
  assert.deepEqual([user.name, user.fee_level, user.maker_fee_rate], ["alice", "vip", null]);
  await run("user", "change", "1", "--fee-level", "none");
  assert.match(
    await run("fee-level", "list"),
    /^fee_levels\n {2}level +maker_fee_rate +taker_fee_rate +users\n {2}vip +0\.0003 +0\.0004 +0\n$/,
  );
  assert.equal(await run("fee-level", "delete", "vip"), "level  vip\n");
  assert.match(await run("market", "show", "BTCUSDT"), /^market +BTCUSDT\n[\s\S]*^taker_fee_rate +0\.002$/m);
  assert.equal(JSON.parse(await run("market", "list", "--json")).markets.length, 1);
  const state = await stateOf(venue);
  assert.deepEqual([state.users.get(1)?.frozen, state.users.get(1)?.makerFeeRateE8], [false, undefined]);
  assert.deepEqual(state.keys.get(key.access_id)?.permissions, ["read", "withdraw"]);
  assert.deepEqual(state.keys.get(key.access_id)?.ipWhitelist, ["192.0.2.0/24"]);
  await run("key", "delete", key.access_id);
  assert.equal(state.keys.size, 0);
  assert.match(await refused("key", "delete", "../users"), /^bourse: Refused with code 3639: There is no key/);
  assert.match(await refused("user", "change", "9", "--frozen"), /^bourse: Refused with code 3639: There is no user/);
});

test("an account is made with user, funds and key in one call", async (t) => {
  const { venue, run, refused } = await verbsOn(t);
  await listBtcUsdt(venue);
  const account = ["account", "create", "--name", "carol", "--fund", "USDT=100000", "--fund", "BTC=2", "--json"];
  const printed = JSON.parse(await run(...account));
  assert.deepEqual(Object.keys(printed), ["user_id", "access_id", "secret_key"]);
  assert.equal(printed.user_id, 1);
  const key = (await stateOf(venue)).keys.get(printed.access_id);
  assert.deepEqual(key?.permissions, ["read", "trade"]);
  assert.equal(venue.vault.unseal(printed.access_id, key?.secretCipher ?? ""), printed.secret_key);
  const { totals } = (await venue.get("/admin/audit")).data;
  assert.deepEqual([totals.USDT.users, totals.BTC.users], ["100000.00000000", "2.00000000"]);
  assert.deepEqual(JSON.parse(await refused(...account)), {
    code: 3639,
    message: "There is a user named carol already.",
    exit_code: 1,
  });
  assert.equal(
    await refused("account", "create", "--name", "dave", "--fund", "XYZ=1"),
    "bourse: dave was made as user 2, but not credited with 1 XYZ. Refused with code 3639: The asset XYZ is not " +
      "listed.\n",
  );
});

test("the venue's own verbs show and change how it stands", async (t) => {
  const { venue, run } = await verbsOn(t, { virtualClock: true });
  assert.match(await run("status"), /^seq +1\ntime_ms +\d+\nstate_hash +[0-9a-f]{64}\n/);
  const clock = JSON.parse(await run("clock", "--freeze", "--advance-ms", "3600000", "--speed", "2", "--json"));
  assert.deepEqual([clock.frozen, clock.speed], [true, 2]);
  await run("cancel-only", "--cancel-only", "--reason", "a drill");
  assert.equal((await stateOf(venue)).cancelOnly, true);
  await run("cancel-only", "--cancel-only", "false", "--reason", "the drill is over");
  assert.equal((await stateOf(venue)).cancelOnly, false);
  assert.match(await run("audit", "--live"), /Everything holds\.\n$/);
  assert.equal(JSON.parse(await run("audit", "--live", "--json")).ok, true);
  assert.equal(await run("metrics"), "bourse_seq 1\n");
});

test("maintenance is planned, listed and cancelled from the command line", async (t) => {
  const { run, refused } = await verbsOn(t);
  const times = ["--started-at", "4000000000000", "--ended-at", "5000000000000"];
  const scope = ["--scope", "SPOT", "--scope", "FUTURES"];
  assert.equal(await run("maintenance", "create", ...scope, ...times), "maintenance_id  1\n");
  const { maintenance } = JSON.parse(await run("maintenance", "list", "--json"));
  assert.deepEqual([maintenance[0].scope, maintenance[0].ended_at], [["SPOT", "FUTURES"], 5e12]);
  assert.equal(await run("maintenance", "cancel", "1"), "maintenance_id  1\n");
  assert.match(await refused("maintenance", "cancel", "1"), /Refused with code 3639: No maintenance with that id/);
});

test("a venue that cannot be found or does not answer is named in a sentence", async (t) => {
  const { venue } = await verbsOn(t);
  const table: [args: string[], sentence: RegExp][] = [
    [["--data", "/nowhere/at/all"], /^bourse: No venue runs on \/nowhere\/at\/all\. Start one with bourse start, or /],
    [
      ["--admin", "http://127.0.0.1:9", "--token", "x"],
      /^bourse: The venue's admin interface at .* cannot be reached\.\n$/,
    ],
    [["--admin", venue.url, "--token", "wrong"], /^bourse: Refused with code 4005: The token in the header/],
    [
      ["--admin", venue.url, "--data", "/nowhere"],
      /^bourse: The admin interface needs its token; give it with --token\.\n$/,
    ],
    [["--admin", `${venue.url}/metrics?`, "--token", venue.token], /is no admin interface of bourse\.\n$/],
  ];
  for (const [args, sentence] of table) {
    const { code, stdout, stderr } = await bourseProcess("status", ...args);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, sentence);
  }
});

test("a wrong command line or setting is answered with one sentence on standard error and code 2", async () => {
  for (const [args, sentence] of [
    [["status", "--jsn"], /^bourse: There is no option --jsn\. Did you mean --json\?\n$/],
    [
      ["start", "--port", "99999"],
      /^bourse: The setting --port must be a whole number from 0 to 65535, not "99999"\.\n$/,
    ],
  ] as const) {
    const { code, stdout, stderr } = await bourseProcess(...args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, sentence);
  }
});

test("help lists every verb, and every call of the admin interface has one", async () => {
  const help = await bourse("--help");
  assert.equal(help.code, 0);
  for (const verb of ["start", "log", "audit", "account", "status", "market", "metrics"]) {
    assert.match(help.stdout, new RegExp(`^  ${verb} `, "m"));
  }
  const verbs = ADMIN_CALLS.flatMap(({ verbs: own }) => Object.keys(own));
  assert.equal(new Set(verbs).size, verbs.length, "no two calls share a verb");
  assert.ok(ADMIN_CALLS.every(({ verbs: own }) => Object.keys(own).length > 0));
  const market = await bourse("market", "create", "--help");
  assert.match(market.stdout, /--base-ccy-precision <N> +decimals of amounts/);
  assert.equal((await bourse("--version")).stdout, "0.3.0\n");
});
