import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeCommand } from "../../src/engine/command.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { WordBuffer } from "../../src/engine/words.ts";
import type { Field, Fields } from "../../src/gateway/admin/field.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { Refused } from "../../src/gateway/refused.ts";
import { WRONG } from "../../src/gateway/request/value.ts";
import { type AdminReply, type AdminVenue, BTCUSDT, listBtcUsdt, openAdminVenue } from "./venue.ts";

/** The data of a call that must succeed. */
function dataOf(reply: AdminReply) {
  assert.deepEqual([reply.status, reply.code, reply.message], [200, 0, "OK"]);
  return reply.data;
}

test("without the right token nothing is answered but 401 and code 4005", async (t) => {
  const venue = await openAdminVenue(t);
  const before = venue.stateHash();
  const bad: Record<string, string>[] = [
    {},
    { Authorization: "" },
    { Authorization: venue.token },
    { Authorization: "Bearer " },
    { Authorization: "Bearer wrong" },
    { Authorization: `Bearer ${venue.token}x` },
    { Authorization: `Bearer ${venue.token.toUpperCase()}` },
    { Authorization: `Basic ${venue.token}` },
  ];
  for (const headers of bad) {
    for (const [method, path] of [
      ["GET", "/admin/status"],
      ["POST", "/admin/users"],
      ["POST", "/admin/users/1"],
      ["DELETE", "/admin/api-keys/A"],
      ["GET", "/metrics"],
    ] as const) {
      const reply = await venue.send(method, path, undefined, headers);
      assert.deepEqual([reply.status, reply.code, reply.data], [401, 4005, {}], `${method} ${path}`);
    }
  }
  assert.equal(venue.stateHash(), before);
  assert.equal(
    (await venue.send("GET", "/admin/status", undefined, { authorization: `bearer ${venue.token}` })).code,
    0,
  );
});

test("unknown paths and methods get the API's answers", async (t) => {
  const venue = await openAdminVenue(t);
  assert.deepEqual([(await venue.get("/admin/nothing")).status, (await venue.get("/admin/nothing")).code], [404, 4004]);
  assert.equal((await venue.get("/admin/users/1/keys")).status, 404);
  assert.equal((await venue.get("/admin/maintenance/1/scope")).status, 404);
  assert.equal((await venue.get("/admin/deposits/1/more")).status, 404);
  assert.equal((await venue.get("/admin/cancel-only")).code, 4009);
  assert.equal((await venue.send("DELETE", "/admin/users/1")).code, 4009);
  assert.equal((await venue.send("DELETE", "/admin/status")).code, 4009);
});

test("a venue of several nodes shows how each of them stands, and one that is alone says so", async (t) => {
  const alone = await (await openAdminVenue(t)).get("/admin/cluster");
  assert.deepEqual([alone.code, /it has no other nodes\.$/.test(alone.message)], [3639, true]);
  const a = { node: "a", url: "http://a", adminUrl: "http://a:1", leads: true, seq: 7, lagMs: 0, stateHash: "ab" };
  const gone = { url: undefined, adminUrl: undefined, leads: false, seq: undefined, lagMs: undefined };
  const nodes = [a, { node: "b", ...gone, stateHash: undefined }];
  const up = { isAnswering: true, isLeader: true, hasLeader: true, fileBytes: 20, usedBytes: 10 };
  const down = { isAnswering: false, isLeader: false, hasLeader: false, fileBytes: 0, usedBytes: 0 };
  const servers = [
    { host: "a:2379", ...up, alarms: ["NOSPACE"], version: "3.4.23" },
    { host: "b:2379", ...down, alarms: [], version: "" },
    { host: "c:2379", ...up, isLeader: false, hasLeader: false, alarms: [], version: "3.4.23" },
  ];
  const cluster = { nodes: () => Promise.resolve(nodes), servers: () => Promise.resolve(servers) };
  const venue = await openAdminVenue(t, { cluster });
  const shown = dataOf(await venue.get("/admin/cluster"));
  const size = { file_bytes: 20, used_bytes: 10, version: "3.4.23" };
  assert.deepEqual(shown.etcd, [
    { server: "a:2379", state: "answers", leader: true, ...size, alarms: "NOSPACE" },
    {
      ...{ server: "b:2379", state: "does not answer", leader: false },
      ...{ file_bytes: null, used_bytes: null, alarms: "", version: null },
    },
    { server: "c:2379", state: "has lost the others", leader: false, ...size, alarms: "" },
  ]);
  assert.deepEqual(shown.nodes, [
    { node: "a", url: "http://a", admin_url: "http://a:1", leader: true, seq: 7, lag_ms: 0, state_hash: "ab" },
    { node: "b", url: null, admin_url: null, leader: false, seq: null, lag_ms: null, state_hash: null },
  ]);
});

test("an operator lists a futures market beside the spot market of its name, changes it, feeds its index and its fund", async (t) => {
  const venue = await openAdminVenue(t);
  for (const ccy of ["BTC", "USDT"]) dataOf(await venue.post("/admin/assets", { ccy, scale: 8 }));
  dataOf(await venue.post("/admin/markets", BTCUSDT));
  const OF_FUTURES = { market: "BTCUSDT", market_type: "FUTURES" };
  const level = (amount: string, leverage: number, maintenance: string, initial: string) => ({
    amount,
    leverage,
    maintenance_margin_rate: maintenance,
    min_initial_margin_rate: initial,
  });
  const levels = [level("10", 100, "0.005", "0.01"), level("50", 20, "0.01", "0.05")];
  const listing = { ...BTCUSDT, ...OF_FUTURES, contract_type: "linear", tick_size: "0.1", leverage: [1, "20", 100] };
  assert.deepEqual(dataOf(await venue.post("/admin/markets", { ...listing, level: levels })), { market: "BTCUSDT" });
  dataOf(await venue.post("/admin/markets", { ...OF_FUTURES, level: [...levels, level("90", 10, "0.05", "0.1")] }));
  const fixed = await venue.post("/admin/markets", { ...OF_FUTURES, contract_type: "inverse" });
  assert.match(fixed.message, /contract_type of BTCUSDT is linear and cannot be changed/);
  const fed = { ...OF_FUTURES, sources: [{ exchange: "one", price: "30000" }] };
  assert.deepEqual(dataOf(await venue.post("/admin/index-prices", fed)), { market: "BTCUSDT", price: "30000.00" });
  dataOf(await venue.post("/admin/deposits", { cell: "sys:ins_futures", ccy: "USDT", amount: "250" }));

  const shown = dataOf(await venue.get("/admin/markets/BTCUSDT?market_type=FUTURES"));
  assert.deepEqual(
    [shown.market_type, shown.contract_type, shown.settle_ccy, shown.tick_size, shown.leverage],
    ["FUTURES", "linear", "USDT", "0.10", [1, 20, 100]],
  );
  assert.deepEqual([shown.level.length, shown.level[2].amount, shown.level[2].leverage], [3, "90.000000", 10]);
  assert.deepEqual(
    [shown.mark_price, shown.index_price, shown.insurance_fund],
    ["30000.00", "30000.00", "250.00000000"],
  );
  const spot = dataOf(await venue.get("/admin/markets/BTCUSDT"));
  assert.deepEqual([spot.market_type, spot.index_price, spot.level], ["SPOT", "0", undefined]);
  const { ok, totals } = dataOf(await venue.get("/admin/audit"));
  assert.deepEqual([ok, totals.USDT.system], [true, "250.00000000"]);
  dataOf(await venue.post("/admin/users", { name: "ann" }));
  dataOf(await venue.post("/admin/deposits", { user_id: 1, ccy: "USDT", amount: "10" }));
  const { engine } = venue;
  const transfer = { kind: "transfer", userId: 1, from: "SPOT", to: "FUTURES", ccy: "USDT", amount: "2.5" } as const;
  engine.execute(transfer, { seq: engine.state.seq + 1, timeMs: engine.state.timeMs });
  const { balances, futures_balances } = dataOf(await venue.get("/admin/users/1"));
  assert.equal(balances[0].available, "7.50000000");
  assert.deepEqual(
    futures_balances.map(({ ccy, account_balance, frozen }: Record<string, string>) => [ccy, account_balance, frozen]),
    [["USDT", "2.50000000", "0.00000000"]],
  );
});

test("an operator lists assets and a market, makes a user with a key and funds it, and the books agree", async (t) => {
  const venue = await openAdminVenue(t);
  assert.deepEqual(
    dataOf(
      await venue.post("/admin/assets", {
        ccy: "BTC",
        precision: "8",
        full_name: "Bitcoin",
        chains: [{ chain: "BTC", withdrawal_fee: 0.0005 }],
      }),
    ),
    { ccy: "BTC" },
  );
  dataOf(await venue.post("/admin/assets", { ccy: "USDT", scale: 8 }));
  assert.deepEqual(dataOf(await venue.post("/admin/markets", BTCUSDT)), { market: "BTCUSDT" });
  assert.deepEqual(dataOf(await venue.post("/admin/users", { name: "alice" })), { user_id: 1 });
  assert.deepEqual(dataOf(await venue.post("/admin/users", { name: "alice-2", main_user_id: "1" })), { user_id: 2 });
  const key = dataOf(await venue.post("/admin/api-keys", { user_id: 1 }));
  assert.match(key.access_id, /^[0-9A-F]{32}$/);
  assert.match(key.secret_key, /^[0-9A-F]{48}$/);
  const deposit = { user_id: "1", ccy: "USDT", amount: "100000", note: "first" };
  assert.deepEqual(dataOf(await venue.post("/admin/deposits", deposit)), { deposit_id: 1 });
  dataOf(await venue.post("/admin/deposits", { cell: "sys:ins_margin", ccy: "USDT", amount: 12.5 }));

  const { state } = venue.engine;
  assert.deepEqual(state.users.get(2)?.mainUserId, 1);
  assert.equal(state.assets[0]?.chains[0]?.withdrawalFee, "0.0005");
  const stored = state.keys.get(key.access_id);
  assert.deepEqual(stored?.permissions, ["read", "trade"]);
  assert.ok(!stored?.secretCipher.includes(key.secret_key), "the secret is sealed before it enters the log");
  assert.equal(venue.vault.unseal(key.access_id, stored?.secretCipher ?? ""), key.secret_key);

  const audit = dataOf(await venue.get("/admin/audit"));
  const status = dataOf(await venue.get("/admin/status"));
  assert.deepEqual(audit, {
    seq: 9,
    state_hash: venue.stateHash(),
    ok: true,
    breaches: [],
    totals: {
      BTC: { custody: "0.00000000", users: "0.00000000", system: "0.00000000" },
      USDT: { custody: "100012.50000000", users: "100000.00000000", system: "12.50000000" },
    },
  });
  const { time_ms, ...rest } = status;
  assert.ok(time_ms >= 1_750_000_000_000);
  assert.deepEqual(rest, {
    seq: 9,
    state_hash: audit.state_hash,
    version: "0.0.0",
    profile: "dev",
    uptime_ms: 5,
    quotas: "own",
    risks: [],
    storage: { disk: "ample", free_bytes: null, history: "writing", audit_trail: "writing" },
    withdrawals_halted: null,
    makers: false,
    url: "http://127.0.0.1:1",
    cancel_only: false,
    clock: { kind: "real" },
  });
});

test("every write is a command in the log that names the operator", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "alice" });
  await venue.post("/admin/cancel-only", { cancel_only: true, reason: "a drill" });
  const commands = [...venue.groups()].map(({ payload }) => decodeCommand(WordBuffer.over(payload), 0));
  assert.deepEqual(
    commands.map((command) => [command.kind, (command as { actor?: string }).actor]),
    [
      ["list_asset", "root"],
      ["list_asset", "root"],
      ["list_market", "root"],
      ["create_user", "root"],
      ["set_cancel_only", "root"],
    ],
  );
});

test("maintenance is planned, listed and cancelled", async (t) => {
  const venue = await openAdminVenue(t);
  const plan = (more: object) => venue.post("/admin/maintenance", { scope: ["SPOT", "FUTURES"], ...more });
  assert.deepEqual(dataOf(await plan({ started_at: 6e12, ended_at: "7000000000000" })), { maintenance_id: 1 });
  const protection = {
    protect_duration_start: 5e12,
    protect_duration_end: 5.5e12,
    announce_url: "https://example.com",
  };
  assert.deepEqual(dataOf(await plan({ started_at: 4e12, ended_at: 5e12, ...protection })), { maintenance_id: 2 });
  const scope = ["SPOT", "FUTURES"];
  const plain = { announce_url: "", protect_duration_start: 0, protect_duration_end: 0 };
  assert.deepEqual(dataOf(await venue.get("/admin/maintenance")).maintenance, [
    { maintenance_id: 2, started_at: 4e12, ended_at: 5e12, scope, ...protection, announce_enabled: true },
    { maintenance_id: 1, started_at: 6e12, ended_at: 7e12, scope, ...plain, announce_enabled: false },
  ]);
  assert.deepEqual(dataOf(await venue.send("DELETE", "/admin/maintenance/2")), { maintenance_id: 2 });
  assert.equal(dataOf(await venue.get("/admin/maintenance")).maintenance.length, 1);
  for (const [id, message] of [
    ["2", /No maintenance with that id is planned or running/],
    ["x", /maintenance_id must be a whole number/],
    ["", /maintenance_id must be a whole number/],
  ] as const) {
    const reply = await venue.send("DELETE", `/admin/maintenance/${id}`);
    assert.equal(reply.code, 3639);
    assert.match(reply.message, message);
  }
});

test("a listed market takes changes, in the fields that may change", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const market = () => venue.engine.state.marketByName.get("BTCUSDT");
  dataOf(await venue.post("/admin/markets", { market: "BTCUSDT", taker_fee_rate: "0.003", suspended: true }));
  assert.deepEqual([market()?.takerFeeRateE8, market()?.makerFeeRateE8, market()?.suspended], [300_000, 200_000, true]);
  dataOf(await venue.post("/admin/markets", { ...BTCUSDT, suspended: false }));
  assert.deepEqual([market()?.takerFeeRateE8, market()?.suspended], [200_000, false]);
  const reply = await venue.post("/admin/markets", { market: "BTCUSDT", quote_ccy_precision: 3 });
  assert.deepEqual(
    [reply.code, reply.message],
    [3639, "Invalid Parameter: quote_ccy_precision of BTCUSDT is 2 and cannot be changed."],
  );
});

test("a user is frozen, barred, given own rates and freed again", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/users", { name: "alice" });
  const user = () => venue.engine.state.users.get(1);
  assert.deepEqual(dataOf(await venue.post("/admin/users/1", { frozen: true, maker_fee_rate: "0.0005" })), {
    user_id: 1,
  });
  assert.deepEqual([user()?.frozen, user()?.tradeBarred, user()?.makerFeeRateE8], [true, false, 50_000]);
  dataOf(await venue.post("/admin/users/1", { frozen: false, trade_barred: true, maker_fee_rate: null }));
  assert.deepEqual([user()?.frozen, user()?.tradeBarred, user()?.makerFeeRateE8], [false, true, undefined]);
});

test("fee levels are defined, given to users, shown and deleted", async (t) => {
  const venue = await openAdminVenue(t);
  await preparedVenue(venue);
  const rates = { maker_fee_rate: "0.0005", taker_fee_rate: 0.001 };
  assert.deepEqual(dataOf(await venue.post("/admin/fee-levels", { level: "vip", ...rates })), { level: "vip" });
  dataOf(await venue.post("/admin/fee-levels", { level: "best", maker_fee_rate: "0", taker_fee_rate: "0" }));
  dataOf(await venue.post("/admin/users/1", { fee_level: "vip", taker_fee_rate: "0.0007" }));
  assert.deepEqual(dataOf(await venue.get("/admin/fee-levels")), {
    fee_levels: [
      { level: "vip", maker_fee_rate: "0.0005", taker_fee_rate: "0.001", users: 1 },
      { level: "best", maker_fee_rate: "0", taker_fee_rate: "0", users: 0 },
    ],
  });
  const user = () => venue.engine.state.users.get(1);
  assert.deepEqual([user()?.makerFeeRateE8, user()?.takerFeeRateE8], [50_000, 70_000]);
  const used = await venue.send("DELETE", "/admin/fee-levels/vip");
  assert.deepEqual(
    [used.code, used.message],
    [3639, "User 1 is on the fee level vip; give its users another one first."],
  );
  dataOf(await venue.post("/admin/users/1", { fee_level: null }));
  assert.deepEqual([user()?.makerFeeRateE8, user()?.takerFeeRateE8], [undefined, 70_000]);
  assert.deepEqual(dataOf(await venue.send("DELETE", "/admin/fee-levels/vip")), { level: "vip" });
  assert.match((await venue.send("DELETE", "/admin/fee-levels/vip")).message, /There is no fee level vip/);
});

test("a user is shown with its switches, fees, balances, orders and keys", async (t) => {
  const venue = await openAdminVenue(t);
  await preparedVenue(venue);
  dataOf(await venue.post("/admin/fee-levels", { level: "vip", maker_fee_rate: "0", taker_fee_rate: "0" }));
  dataOf(await venue.post("/admin/users/1", { trade_barred: true, fee_level: "vip", maker_fee_rate: "0.0015" }));
  dataOf(await venue.post("/admin/deposits", { user_id: 1, ccy: "USDT", amount: "10" }));
  const key = dataOf(await venue.post("/admin/api-keys", { user_id: 1, remark: "cold" }));
  const { created_at, api_keys, ...user } = dataOf(await venue.get("/admin/users/1"));
  assert.ok(created_at >= 1_750_000_000_000);
  assert.deepEqual(user, {
    user_id: 1,
    name: "first",
    main_user_id: null,
    worth_usd: "10.00000000",
    frozen: false,
    frozen_by_main: false,
    trade_barred: true,
    fee_level: "vip",
    maker_fee_rate: "0.0015",
    taker_fee_rate: null,
    open_orders: 0,
    stop_orders: 0,
    balances: [{ ccy: "USDT", available: "10.00000000", frozen: "0.00000000" }],
    futures_balances: [],
  });
  assert.deepEqual(
    api_keys.map(({ access_id, permissions, remark }: Record<string, unknown>) => [access_id, permissions, remark]),
    [[key.access_id, ["read", "trade"], "cold"]],
  );
  assert.ok(!JSON.stringify(api_keys).includes(key.secret_key));
  for (const [id, message] of [
    ["99", /There is no user with that id/],
    ["x", /There is no user named x\./],
  ] as const) {
    const reply = await venue.get(`/admin/users/${id}`);
    assert.equal(reply.code, 3639);
    assert.match(reply.message, message);
  }
});

test("markets are shown with their settings, under the names by which they are given, and with their index", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const change = {
    max_amount: "9000.5",
    max_price: "100000",
    delisted_at: 4e12,
    suspended: true,
    index_sources: [
      { exchange: "a", weight: "0.6" },
      { exchange: "b", weight: "0.4" },
    ],
  };
  dataOf(await venue.post("/admin/markets", { market: "BTCUSDT", ...change }));
  dataOf(await venue.post("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "b", price: "30000" }] }));
  const market = dataOf(await venue.get("/admin/markets/BTCUSDT"));
  assert.deepEqual(dataOf(await venue.get("/admin/markets")), { markets: [market] });
  const { updated_at } = market.index_sources[1];
  assert.ok(updated_at >= 1_750_000_000_000);
  assert.deepEqual(market, {
    ...BTCUSDT,
    market_type: "SPOT",
    min_amount: "0.000100",
    max_amount: "9000.500000",
    max_price: "100000.00",
    market_status: "online",
    bidding_at: 0,
    no_cancel_at: 0,
    online_at: 0,
    delisted_at: 4e12,
    suspended: true,
    is_api_trading_available: true,
    is_pre_market_trading_available: false,
    latest_price: "0",
    index_price: "30000.00",
    index_stale: false,
    interruption: "none",
    index_sources: [
      { exchange: "a", weight: "0.6", share: "0", price: "0", updated_at: 0 },
      { exchange: "b", weight: "0.4", share: "1", price: "30000.00", updated_at },
    ],
  });
  const { fields = {} } = ADMIN_CALLS.find(({ method, path }) => method === "POST" && path === "/admin/markets") ?? {};
  const settings = Object.fromEntries(Object.entries(market).filter(([name]) => Object.hasOwn(fields, name)));
  const again = { ...settings, index_sources: change.index_sources, suspended: false };
  dataOf(await venue.post("/admin/markets", again));
  assert.equal(dataOf(await venue.get("/admin/markets/BTCUSDT")).suspended, false);
  const reply = await venue.get("/admin/markets/NONE");
  assert.deepEqual([reply.code, reply.message], [3639, "The market NONE is not listed."]);
});

test("an interruption is set with its three figures and taken away again, and what it cannot be is refused", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const change = (interruption: unknown) => venue.post("/admin/markets", { market: "BTCUSDT", interruption });
  const shown = async () => dataOf(await venue.get("/admin/markets/BTCUSDT")).interruption;
  dataOf(await change({ move: "0.1", window_ms: 60_000, auction_ms: 120_000 }));
  assert.deepEqual(await shown(), { move: "0.1", window_ms: 60_000, auction_ms: 120_000 });
  for (const wrong of [{ move: "1.5", window_ms: 60_000, auction_ms: 120_000 }, { move: "0.1" }, "off", 7]) {
    assert.equal((await change(wrong)).code, 3639, JSON.stringify(wrong));
    assert.equal((await shown()).move, "0.1");
  }
  dataOf(await change("none"));
  assert.equal(await shown(), "none");
});

test("the budget of the insurance funds is shown and changed", async (t) => {
  const venue = await openAdminVenue(t);
  assert.deepEqual(dataOf(await venue.get("/admin/fund-budget")), { hour_rate: "0.02", day_rate: "0.1", markets: [] });
  dataOf(await venue.post("/admin/fund-budget", { hour_rate: "0" }));
  assert.deepEqual(dataOf(await venue.get("/admin/fund-budget")), { hour_rate: "0", day_rate: "0.1", markets: [] });
  assert.equal((await venue.post("/admin/fund-budget", { day_rate: "1" })).code, 3639);
});

test("a balance is adjusted with a note, against the outside world or an account of the venue", async (t) => {
  const venue = await openAdminVenue(t);
  await preparedVenue(venue);
  dataOf(await venue.post("/admin/deposits", { user_id: 1, ccy: "USDT", amount: "10" }));
  dataOf(await venue.post("/admin/deposits", { cell: "sys:ins_margin", ccy: "USDT", amount: "2" }));
  const adjust = (more: object) =>
    venue.post("/admin/adjustments", { user_id: 1, ccy: "USDT", note: "a correction", ...more });
  assert.deepEqual(dataOf(await adjust({ amount: "-4.5" })), { adjustment_id: 1 });
  assert.deepEqual(dataOf(await adjust({ amount: 1.5, cell: "sys:ins_margin" })), { adjustment_id: 2 });
  const { totals, ok } = dataOf(await venue.get("/admin/audit"));
  assert.equal(ok, true);
  assert.deepEqual(totals.USDT, { custody: "7.50000000", users: "7.00000000", system: "0.50000000" });
  const reply = await adjust({ amount: "-7.00000001" });
  assert.deepEqual([reply.code, reply.data], [3109, {}]);
  assert.match(reply.message, /^The user has 7\.00000000 USDT available/);
});

test("a key is made with what is asked for, and is gone when it is deleted", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/users", { name: "alice" });
  const asked = {
    user_id: 1,
    permissions: ["withdraw"],
    ip_whitelist: ["192.0.2.1", "2001:db8::/32"],
    expired_at: 1_800_000_000_000,
    remark: "cold",
  };
  const { access_id } = dataOf(await venue.post("/admin/api-keys", asked));
  const key = venue.engine.state.keys.get(access_id);
  assert.deepEqual(
    [key?.permissions, key?.ipWhitelist, key?.expiredAt, key?.remark],
    [["read", "withdraw"], asked.ip_whitelist, asked.expired_at, "cold"],
  );
  assert.deepEqual(dataOf(await venue.send("DELETE", `/admin/api-keys/${access_id}`)), { access_id });
  assert.equal(venue.engine.state.keys.size, 0);
  assert.equal((await venue.send("DELETE", `/admin/api-keys/${access_id}`)).code, 3639);
});

test("index prices by source make the index of a market", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const sources = [
    { exchange: "a", price: "30000", weight: "0.5" },
    { exchange: "b", price: 30_010 },
  ];
  const data = dataOf(await venue.post("/admin/index-prices", { market: "BTCUSDT", sources }));
  assert.deepEqual(data, { market: "BTCUSDT", price: "30006.67" });
});

test("on a virtual clock time moves before the answer, with all that falls due in it", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await listBtcUsdt(venue);
  const frozen = dataOf(await venue.post("/admin/clock", { freeze: true }));
  assert.deepEqual([frozen.frozen, frozen.speed], [true, 1]);
  dataOf(await venue.post("/admin/markets", { market: "BTCUSDT", delisted_at: frozen.time_ms + 28_800_000 }));
  const earlier = dataOf(await venue.post("/admin/clock", { advance_ms: 28_799_999 }));
  assert.equal(earlier.time_ms, frozen.time_ms + 28_799_999);
  assert.ok(venue.engine.state.marketByName.has("BTCUSDT"));
  dataOf(await venue.post("/admin/clock", { advance_ms: "1" }));
  assert.ok(!venue.engine.state.marketByName.has("BTCUSDT"), "the market left the list at its time");
  assert.equal((await venue.get("/admin/status")).data.time_ms, frozen.time_ms + 28_800_000);
  const sped = dataOf(await venue.post("/admin/clock", { speed: 2.5, freeze: false }));
  assert.deepEqual([sped.frozen, sped.speed], [false, 2.5]);
  const beyond = await venue.post("/admin/clock", { speed: 3, advance_ms: 3_155_760_000_000 });
  assert.equal(beyond.code, 0);
  for (let more = 0; more < 90; more++) {
    if ((await venue.post("/admin/clock", { advance_ms: 3_155_760_000_000 })).code === 0) continue;
    const now = (await venue.get("/admin/status")).data.time_ms;
    assert.ok(new Date(now).getUTCFullYear() > 9_899, "the clock ends with the year 9999");
    return;
  }
  assert.fail("The clock had no end.");
});

test("index sources repeat their last price on the way of a clock, if that is wished", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await listBtcUsdt(venue);
  await venue.post("/admin/clock", { freeze: true });
  const say = () =>
    venue.post("/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "one", price: "100" }] });
  const market = () => venue.engine.state.marketNamed("BTCUSDT", false) as Market;
  assert.equal(market().index.price, 0n);
  assert.equal((await say()).code, 0);
  const day = { advance_ms: 86_400_000 };
  dataOf(await venue.post("/admin/clock", { ...day, hold_index: true }));
  assert.deepEqual([market().index.price, market().index.isStale], [10_000n, false]);
  dataOf(await venue.post("/admin/clock", { ...day, hold_index: false }));
  assert.ok(market().index.isStale, "a source that says nothing for a day is silent");
  const back = dataOf(await venue.post("/admin/clock", { ...day, hold_index: true }));
  assert.equal(back.time_ms, venue.engine.state.timeMs);
  assert.ok(!market().index.isStale, "it was heard twice, a day apart");
  // Held until then, and not for ever.
  dataOf(await venue.post("/admin/clock", { advance_ms: 61_000 }));
  assert.ok(market().index.isStale);
});

test("a real clock cannot be moved", async (t) => {
  const venue = await openAdminVenue(t);
  const { code, message } = await venue.post("/admin/clock", { advance_ms: 1 });
  assert.deepEqual(
    [code, message],
    [3639, "Invalid Parameter: the clock can be moved only on a venue started with --clock virtual."],
  );
  assert.equal(venue.engine.state.seq, 1);
});

test("every operator's call refuses a field that it does not have, wherever it stands, and does nothing", async (t) => {
  const venue = await openAdminVenue(t);
  const { seq } = venue.engine.state;
  const said: string[] = [];
  for (const { method, path, fields } of ADMIN_CALLS) {
    const place = path.replace(/(?<=\/)[A-Z_]+(?=\/|$)/, "1");
    const { code, message } = await venue.send(
      method,
      method === "POST" ? place : `${place}?nonsense=1`,
      method === "POST" ? { nonsense: 1 } : undefined,
    );
    assert.equal(code, 3639, `${method} ${path} ${message}`);
    assert.match(message, /there is no field nonsense\. (?:There are |This takes no fields)/, `${method} ${path}`);
    for (const [name, { form }] of Object.entries(fields)) {
      if (method !== "POST" || form.fields === undefined) continue;
      const record = { nonsense: 1 };
      const body = { ...required(fields), [name]: form.shape === "records" ? [record] : record };
      const nested = await venue.send(method, place, body);
      assert.match(nested.message, /there is no field nonsense/, `${method} ${path}: ${name}`);
      said.push(`${path} ${name}`);
    }
  }
  assert.ok(said.length >= 5, said.join());
  assert.equal(venue.engine.state.seq, seq);
});

/** Something for each field that must be there, so that only what is wrong is found wrong. */
function required(fields: Fields): Record<string, unknown> {
  const names = Object.entries(fields).filter(([, field]) => field.required);
  const sample = ({ form }: Field<unknown>) =>
    ["1", "abc", "BTC", "BTCUSDT", 1, true, form.choices?.[0], [], ["abc"]].find((value) => {
      const read = form.check(value, { userIdOf: () => 1 });
      return read !== WRONG && !(read instanceof Refused);
    });
  return Object.fromEntries(names.map(([name, field]) => [name, sample(field)]));
}

test("a misspelt field is refused with the one that was probably meant", async (t) => {
  const venue = await openAdminVenue(t);
  for (const [body, sentence] of [
    ['{"name":"alice","nmae":1}', "there is no field nmae. Did you mean name?"],
    ['{"name":"alice","__proto__":{"main_user_id":9}}', /^there is no field __proto__\. There are name, /],
    [`{"name":"alice","${"x".repeat(70)}\\u202e":1}`, /^there is no field of this name\. There are name, /],
  ] as const) {
    const { code, message } = await venue.post("/admin/users", body);
    assert.equal(code, 3639);
    const told = message.replace("Invalid Parameter: ", "");
    if (typeof sentence === "string") assert.equal(told, sentence);
    else assert.match(told, sentence);
  }
  const query = await venue.send("POST", "/admin/users?name=alice", { name: "alice" });
  assert.match(query.message, /stand in its body/);
  const ended = await venue.send("DELETE", "/admin/faults/1", { fault_id: 1 });
  assert.match(ended.message, /behind a question mark/);
  assert.equal(venue.engine.state.users.byName.get("alice"), undefined);
});

test("a virtual clock is set to a time, never back", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  const { time_ms } = dataOf(await venue.post("/admin/clock", { freeze: true }));
  const later = Number(time_ms) + 90_000;
  assert.equal(dataOf(await venue.post("/admin/clock", { set_ms: later })).time_ms, later);
  const iso = new Date(later + 1_000).toISOString();
  assert.equal(dataOf(await venue.post("/admin/clock", { set_ms: iso })).time_ms, later + 1_000);
  assert.equal(dataOf(await venue.post("/admin/clock", { set_ms: iso })).time_ms, later + 1_000);
  const back = await venue.post("/admin/clock", { set_ms: later });
  assert.match(back.message, /set_ms lies before the venue's time, which is \d+ \(\S+\): the clock never goes back\./);
  const both = await venue.post("/admin/clock", { set_ms: later + 5_000, advance_ms: 1 });
  assert.match(both.message, /give one of them/);
  const far = await venue.post("/admin/clock", { set_ms: 8_640_000_000_000_000 });
  assert.match(far.message, /set_ms would move the clock beyond the year 9999/);
});

test("figures are answered as text", async (t) => {
  const venue = await openAdminVenue(t);
  const headers = { Authorization: `Bearer ${venue.token}` };
  const response = await fetch(`${venue.url}/metrics`, { headers });
  assert.equal(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(await response.text(), "bourse_seq 1\n");
});

test("a venue that is stopping takes no more writes and says so", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await venue.close();
  for (const [path, body] of [
    ["/admin/users", { name: "alice" }],
    ["/admin/clock", { advance_ms: 1 }],
  ] as const) {
    assert.equal((await venue.post(path, body)).code, 4001);
  }
});

const WINDOW = { scope: ["SPOT"], started_at: 4e12, ended_at: 5e12 };

const ADJUSTMENT = { user_id: 1, ccy: "USDT", amount: "1", note: "n" };

/** Bodies that are wrong in one way each, on a venue with BTCUSDT, its two assets and user 1. */
const BAD: readonly [path: string, body: unknown, code: number, message: RegExp][] = [
  ["/admin/users", "", 4004, /not JSON/],
  ["/admin/users", "{", 4004, /not JSON/],
  ["/admin/users", "[]", 4004, /not a JSON object/],
  ["/admin/users", "null", 4004, /not a JSON object/],
  ["/admin/users", '"x"', 4004, /not a JSON object/],
  ["/admin/users", `${'{"a":'.repeat(40)}1${"}".repeat(40)}`, 4004, /deeper/],
  ["/admin/users", {}, 3639, /name is required/],
  ["/admin/users", { name: null }, 3639, /name is required/],
  ["/admin/users", { name: "" }, 3639, /name must be a line of 1 to 64 characters/],
  ["/admin/users", { name: "a".repeat(65) }, 3639, /name must be/],
  ["/admin/users", { name: 5 }, 3639, /name must be/],
  ["/admin/users", { name: ["a"] }, 3639, /name must be/],
  ["/admin/users", { name: "two\nlines" }, 3639, /name must be/],
  ["/admin/users", '{"name":"\\ud800"}', 3639, /name must be/],
  ["/admin/users", { name: "first" }, 3639, /There is a user named first already/],
  ["/admin/users", { name: "sub", main_user_id: 0 }, 3639, /main_user_id must be the id or the name of a user/],
  ["/admin/users", { name: "sub", main_user_id: 99 }, 3639, /main_user_id must be the id of a main account/],
  ["/admin/users", { name: "sub", main_user_id: 1.5 }, 3639, /main_user_id must be/],
  ["/admin/users", { name: "sub", main_user_id: -1 }, 3639, /main_user_id must be/],
  ["/admin/users", '{"name":"sub","main_user_id":1e3}', 3639, /main_user_id must be the id of a main account/],
  ["/admin/users", '{"name":"sub","main_user_id":99999999999999999999}', 3639, /main_user_id must be/],
  ["/admin/users/", { frozen: true }, 3639, /user_id must be the id or the name of a user/],
  ["/admin/users/abc", { frozen: true }, 3639, /There is no user named abc\./],
  ["/admin/users/0", { frozen: true }, 3639, /user_id must be/],
  ["/admin/users/%31", { frozen: true }, 3639, /There is no user named %31\./],
  ["/admin/users/99", { frozen: true }, 3639, /There is no user with that id/],
  ["/admin/users/1", {}, 3639, /one of frozen, trade_barred, fee_level/],
  ["/admin/users/1", { fee_level: "vip" }, 3639, /There is no fee level vip/],
  ["/admin/users/1", { fee_level: "two words" }, 3639, /fee_level must be 1 to 32 letters/],
  ["/admin/fee-levels", { level: "vip" }, 3639, /maker_fee_rate is required/],
  ["/admin/fee-levels", { level: "none", maker_fee_rate: "0", taker_fee_rate: "0" }, 3639, /not the word none/],
  ["/admin/fee-levels", { level: "vip", maker_fee_rate: "0", taker_fee_rate: "1" }, 3639, /from 0 to below 1/],
  ["/admin/fee-levels", { level: "vip", maker_fee_rate: "-0.1", taker_fee_rate: "0" }, 3639, /maker_fee_rate must be/],
  ["/admin/users/1", { frozen: "true" }, 3639, /frozen must be true or false/],
  ["/admin/users/1", { frozen: 1 }, 3639, /frozen must be/],
  ["/admin/users/1", { maker_fee_rate: "1" }, 3639, /Fee rates are decimals from 0 to below 1/],
  ["/admin/users/1", { maker_fee_rate: "-0.1" }, 3639, /maker_fee_rate must be a plain decimal/],
  ["/admin/users/1", { maker_fee_rate: "1e-3" }, 3639, /maker_fee_rate must be/],
  ["/admin/users/1", { taker_fee_rate: 1e-50 }, 3639, /taker_fee_rate must be/],
  ["/admin/users/1", { taker_fee_rate: "0.0000000001" }, 3639, /Fee rates are decimals/],
  ["/admin/api-keys", {}, 3639, /user_id is required/],
  ["/admin/api-keys", { user_id: 99 }, 3639, /There is no user with that id/],
  ["/admin/api-keys", { user_id: true }, 3639, /user_id must be/],
  ["/admin/api-keys", { user_id: 1, permissions: "trade" }, 3639, /permissions must be a list of at most 3 items/],
  ["/admin/api-keys", { user_id: 1, permissions: ["admin"] }, 3639, /each one of read, trade, withdraw/],
  ["/admin/api-keys", { user_id: 1, permissions: [["read"]] }, 3639, /permissions must be/],
  ["/admin/api-keys", { user_id: 1, ip_whitelist: ["localhost"] }, 3639, /ip_whitelist must be .* IP address/],
  ["/admin/api-keys", { user_id: 1, ip_whitelist: Array(51).fill("192.0.2.1") }, 3639, /at most 50 items/],
  ["/admin/api-keys", { user_id: 1, expired_at: -1 }, 3639, /expired_at must be/],
  ["/admin/api-keys", { user_id: 1, expired_at: 9e15 }, 3639, /expired_at must be/],
  ["/admin/api-keys", { user_id: 1, remark: "a".repeat(51) }, 3639, /remark must be/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT" }, 3639, /amount is required/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: "0" }, 3639, /amount must be a decimal above 0/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: "-5" }, 3639, /amount must be a plain decimal/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: "0.000000001" }, 3639, /at most 8 decimals/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: {} }, 3639, /amount must be/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: "9999999999999999999" }, 3639, /The venue holds at most/],
  ["/admin/deposits", { user_id: 1, ccy: "EUR", amount: "1" }, 3639, /The asset EUR is not listed/],
  ["/admin/deposits", { user_id: 99, ccy: "USDT", amount: "1" }, 3639, /There is no user with that id/],
  ["/admin/deposits", { ccy: "USDT", amount: "1" }, 3639, /either a user_id or a cell/],
  ["/admin/deposits", { user_id: 1, cell: "sys:ins_margin", ccy: "USDT", amount: "1" }, 3639, /either a user_id or/],
  ["/admin/deposits", { cell: "sys:fee", ccy: "USDT", amount: "1" }, 3639, /A cell that can be funded is one of/],
  ["/admin/deposits", { user_id: 1, ccy: "USDT", amount: "1", note: "a".repeat(257) }, 3639, /note must be/],
  ["/admin/adjustments", { user_id: 1, ccy: "USDT", amount: "1" }, 3639, /note is required/],
  ["/admin/adjustments", { ...ADJUSTMENT, note: "" }, 3639, /note must be a line of 1 to 256 characters/],
  ["/admin/adjustments", { ...ADJUSTMENT, amount: "0" }, 3639, /amount must be a decimal other than 0/],
  ["/admin/adjustments", { ...ADJUSTMENT, amount: "--1" }, 3639, /amount must be a plain decimal/],
  ["/admin/adjustments", { ...ADJUSTMENT, amount: "1e3" }, 3639, /amount must be a plain decimal/],
  ["/admin/adjustments", { ...ADJUSTMENT, amount: -1e-9 }, 3639, /at most 8 decimals/],
  ["/admin/adjustments", { ...ADJUSTMENT, amount: -1 }, 3109, /The user has 0\.00000000 USDT available/],
  ["/admin/adjustments", { ...ADJUSTMENT, user_id: 99 }, 3639, /There is no user with that id/],
  ["/admin/adjustments", { ...ADJUSTMENT, ccy: "EUR" }, 3639, /The asset EUR is not listed/],
  ["/admin/adjustments", { ...ADJUSTMENT, cell: "ext" }, 3639, /A cell that can adjust is one of/],
  ["/admin/assets", { ccy: "ETH" }, 3639, /scale is required/],
  ["/admin/assets", { ccy: "ETH", scale: 19 }, 3639, /scale must be a whole number from 0 to 18/],
  ["/admin/assets", { ccy: "ETH", scale: 8, precision: 6 }, 3639, /scale and precision .* cannot differ/],
  ["/admin/assets", { ccy: "eth", scale: 8 }, 3639, /capital letters and digits/],
  ["/admin/assets", { ccy: "BTC", scale: 8 }, 3639, /The asset BTC is listed already/],
  ["/admin/assets", { ccy: "ETH", scale: 18, max_units: "100" }, 3639, /L2/],
  ["/admin/assets", { ccy: "ETH", scale: 8, chains: {} }, 3639, /chains must be a list of at most 32 objects/],
  ["/admin/assets", { ccy: "ETH", scale: 8, chains: [null] }, 3639, /chains must be a list/],
  ["/admin/assets", { ccy: "ETH", scale: 8, chains: [{}] }, 3639, /in item 1, chain is required/],
  [
    "/admin/assets",
    { ccy: "ETH", scale: 8, chains: [{ chain: "E", deposit_enabled: 1 }] },
    3639,
    /in item 1, deposit_/,
  ],
  ["/admin/markets", {}, 3639, /market is required/],
  [
    "/admin/markets",
    { market: "ETHUSDT" },
    3639,
    /the market ETHUSDT is not listed; to list it, base_ccy, .* are required/,
  ],
  [
    "/admin/markets",
    { ...BTCUSDT, market: "X2", maker_fee_rate: undefined },
    3639,
    /to list it, maker_fee_rate is required/,
  ],
  ["/admin/markets", { ...BTCUSDT, market: "btcusdt" }, 3639, /capital letters and digits/],
  ["/admin/markets", { ...BTCUSDT, market: "X2", base_ccy: "EUR" }, 3639, /The asset EUR is not listed/],
  ["/admin/markets", { ...BTCUSDT, market: "X2", base_ccy_precision: 8 }, 3639, /L1/],
  ["/admin/markets", { ...BTCUSDT, market: "X2", taker_fee_rate: "1" }, 3639, /L5/],
  ["/admin/markets", { ...BTCUSDT, market: "X2", max_amount: "9999999999" }, 3639, /L3/],
  [
    "/admin/markets",
    { ...BTCUSDT, market: "X2", market_type: "FUTURES" },
    3639,
    /contract_type, leverage, level are req/,
  ],
  ["/admin/markets", { ...BTCUSDT, market: "X2", market_type: "MARGIN" }, 3639, /market_type must be one of SPOT, FUT/],
  ["/admin/markets", { market: "BTCUSDT", tick_size: "0.1" }, 3639, /tick_size is of futures markets only/],
  [
    "/admin/index-prices",
    { market: "BTCUSDT", market_type: "FUTURES", sources: [{ exchange: "a", price: 1 }] },
    3639,
    /./,
  ],
  ["/admin/markets", { market: "BTCUSDT", min_amount: "0.0000001" }, 3639, /./],
  ["/admin/markets", { market: "BTCUSDT", online_at: 4e12 }, 3639, /cannot go back to counting down/],
  [
    "/admin/markets",
    { market: "BTCUSDT", delisted_at: "soon" },
    3639,
    /delisted_at must be ms, or a time with its zone/,
  ],
  ["/admin/markets", { market: "BTCUSDT", index_sources: [{ exchange: "a" }] }, 3639, /in item 1, weight is required/],
  ["/admin/markets", { market: "BTCUSDT", index_sources: [{ exchange: "a b", weight: "1" }] }, 3639, /index source/],
  ["/admin/index-prices", { market: "BTCUSDT" }, 3639, /sources is required/],
  ["/admin/index-prices", { market: "BTCUSDT", sources: [] }, 3639, /at least one/],
  ["/admin/index-prices", { market: "NONE", sources: [{ exchange: "a", price: "1" }] }, 3639, /The market NONE is not/],
  ["/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "a", price: "0" }] }, 3639, /above 0/],
  ["/admin/index-prices", { market: "BTCUSDT", sources: [{ exchange: "a", price: "1", weight: "2" }] }, 3639, /weight/],
  ["/admin/cancel-only", { cancel_only: true }, 3639, /reason is required/],
  ["/admin/cancel-only", { cancel_only: "on", reason: "x" }, 3639, /cancel_only must be true or false/],
  ["/admin/maintenance", {}, 3639, /scope is required/],
  ["/admin/maintenance", { ...WINDOW, scope: "SPOT" }, 3639, /scope must be a list of at most 3 items/],
  ["/admin/maintenance", { ...WINDOW, scope: [] }, 3639, /scope must name one or more/],
  ["/admin/maintenance", { ...WINDOW, scope: ["AMM"] }, 3639, /each one of SPOT, FUTURES, ALL_SITE/],
  ["/admin/maintenance", { ...WINDOW, started_at: undefined }, 3639, /started_at is required/],
  ["/admin/maintenance", { ...WINDOW, started_at: "soon" }, 3639, /started_at must be ms, or a time with its zone/],
  ["/admin/maintenance", { ...WINDOW, ended_at: 9e15 }, 3639, /ended_at must be ms, or a time with its zone/],
  ["/admin/maintenance", { ...WINDOW, ended_at: 4e12 }, 3639, /started_at must lie before ended_at/],
  ["/admin/maintenance", { ...WINDOW, started_at: 1, ended_at: 2 }, 3639, /ended_at must lie in the future/],
  ["/admin/maintenance", { ...WINDOW, protect_duration_start: 5e12 }, 3639, /protect_duration_start must lie before/],
  ["/admin/maintenance", { ...WINDOW, announce_enabled: true }, 3639, /announce_enabled needs an announce_url/],
  ["/admin/maintenance", { ...WINDOW, announce_url: "a\nb" }, 3639, /announce_url must be/],
  ["/admin/clock", { speed: 0 }, 3639, /speed must be a number above 0/],
  ["/admin/clock", { speed: 100_001 }, 3639, /speed must be/],
  ["/admin/clock", { speed: "fast" }, 3639, /speed must be/],
  ["/admin/clock", { advance_ms: -1 }, 3639, /advance_ms must be/],
  ["/admin/clock", { advance_ms: 1e300 }, 3639, /advance_ms must be/],
  ["/admin/clock", { freeze: "yes" }, 3639, /freeze must be true or false/],
  ["/admin/clock", { hold_index: "yes" }, 3639, /hold_index must be true or false/],
];

async function preparedVenue(venue: AdminVenue): Promise<void> {
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "first" });
}

test("bad input of any kind is refused with a sentence and changes nothing", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await preparedVenue(venue);
  const before = venue.stateHash();
  for (const [path, body, code, message] of BAD) {
    const reply = await venue.post(path, body);
    const what = `${path} ${typeof body === "string" ? body : JSON.stringify(body)}`;
    assert.deepEqual([reply.status, reply.code, reply.data], [200, code, {}], `${what}: ${reply.message}`);
    assert.match(reply.message, message, what);
    assert.equal(venue.stateHash(), before, what);
  }
});

test("whatever JSON stands in a field, no call fails and no logged command makes the engine throw", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await preparedVenue(venue);
  const values = [null, true, 0, -1, 1e308, "", "x", "\u0000", "9".repeat(400), [], [[]], [{}], [null], {}, { a: {} }];
  // The one would change the token that the test itself uses, the other is answered as a wrong token is.
  const others = new Set(["/admin/operator-tokens", "/admin/enrolment"]);
  for (const { method, path, fields } of ADMIN_CALLS.filter((each) => !others.has(each.path))) {
    for (const name of Object.keys(fields)) {
      for (const value of values) {
        const full = {
          ...BTCUSDT,
          user_id: 1,
          ccy: "USDT",
          name: "n",
          amount: "1",
          reason: "r",
          sources: [],
          ...WINDOW,
          [name]: value,
        };
        const reply = await venue.send(
          method,
          path.replace("USER_ID", "1").replace("ACCESS_ID", "A").replace("MAINTENANCE_ID", "1"),
          method === "POST" ? full : undefined,
        );
        assert.ok(reply.status === 200 && reply.code !== 4003, `${path} ${name} ${JSON.stringify(value)}`);
      }
    }
  }
  assert.deepEqual((await venue.get("/admin/audit")).data.breaches, []);
});
