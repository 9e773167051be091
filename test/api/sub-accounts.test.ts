import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import {
  type ApiUser,
  type ApiVenue,
  bitcoinApiVenue,
  contract,
  limitOrder,
  listFutures,
} from "../support/served-venue.ts";

const SUBS = "/v2/account/subs";
const ANYWHERE = { ip_whitelist: [], trade_enabled: true };

describe("sub-accounts", () => {
  let venue: ApiVenue;
  let main: ApiUser;
  let other: ApiUser;
  before(async () => {
    venue = await bitcoinApiVenue();
    await venue.listAssets("USD");
    await listFutures(venue);
    main = await venue.addUser("main", { USDT: "1000", BTC: "1" });
    other = await venue.addUser("other", { USDT: "1000" });
    await main.client.act(SUBS, { sub_user_name: "trader" });
    await main.client.act(SUBS, { sub_user_name: "plain", permissions: ["API"], remark: "spot only" });
    await other.client.act(SUBS, { sub_user_name: "others" });
  });
  after(() => venue.close());

  /** A client with a new key of a sub-account of `main`. */
  async function clientOf(sub_user_name: string, more: object = {}): Promise<ApiClient> {
    const key = await main.client.act(`${SUBS}/api`, { sub_user_name, ...ANYWHERE, ...more });
    const pair = { accessId: key.access_id, secret: key.secret_key };
    return new ApiClient(venue.base, () => venue.control.timeMs, pair);
  }

  const give = (more: object) =>
    main.client.post(`${SUBS}/transfer`, {
      ...{ from_account_type: "SPOT", to_account_type: "SPOT", ccy: "USDT", amount: "10" },
      ...more,
    });

  test("are listed newest first with what they may do and are worth", async () => {
    await give({ to_user_name: "plain", ccy: "BTC", amount: "0.5" });
    await give({ to_user_name: "plain", to_account_type: "FUTURES" });
    await venue.operate({
      kind: "set_index_prices",
      market: "BTCUSDT",
      sources: [{ exchange: "one", price: "20000.01" }],
    });
    const { data, pagination } = await main.client.get(SUBS);
    assert.deepEqual(data, [
      {
        sub_user_name: "plain",
        is_frozen: false,
        is_authorized: false,
        permissions: ["API"],
        // Half a bitcoin at the index, rounded down, and 10 USDT in futures.
        balance_usd: "10010.00",
      },
      {
        sub_user_name: "trader",
        is_frozen: false,
        is_authorized: false,
        permissions: ["FUTURES", "MARGIN", "AMM", "API"],
        balance_usd: "0.00",
      },
    ]);
    assert.deepEqual(pagination, { has_next: false, total: 2 });
    const second = await main.client.get(SUBS, { page: 2, limit: 1 });
    assert.deepEqual(
      second.data.map(({ sub_user_name }: { sub_user_name: string }) => sub_user_name),
      ["trader"],
    );
    await give({ from_user_name: "plain", ccy: "BTC", amount: "0.5" });
    await give({ from_user_name: "plain", from_account_type: "FUTURES" });
  });

  test("are those of the caller: another's name is as good as none", async () => {
    const unknown = "Invalid Parameter: sub_user_name must be the name of a sub-account of yours.";
    for (const sub_user_name of ["others", "nobody", "main", "other"]) {
      const refused = [
        await main.client.get(SUBS, { sub_user_name }),
        await main.client.get(`${SUBS}/api`, { sub_user_name }),
        await main.client.get(`${SUBS}/spot-balance`, { sub_user_name }),
        await main.client.get(`${SUBS}/balance`, { sub_user_name, market_type: "SPOT" }),
        await main.client.get(`${SUBS}/transfer-history`, { sub_user_name }),
        await main.client.post(`${SUBS}/frozen`, { sub_user_name }),
        await main.client.post(`${SUBS}/unfrozen`, { sub_user_name }),
        await main.client.post(`${SUBS}/api`, { sub_user_name, ...ANYWHERE }),
        await main.client.post(`${SUBS}/edit-api`, { sub_user_name, api_id: 1 }),
        await main.client.post(`${SUBS}/delete-api`, { sub_user_name, api_id: 1 }),
      ];
      for (const { code, message } of refused) assert.deepEqual([code, message], [3639, unknown]);
      for (const party of [{ from_user_name: sub_user_name }, { to_user_name: sub_user_name }]) {
        assert.equal((await give(party)).code, 3639);
      }
    }
    const { code, message } = await main.client.post(SUBS, { sub_user_name: "others" });
    assert.deepEqual([code, message], [3639, "Invalid Parameter: the name others is taken."]);
  });

  test("a sub-account knows itself, and administers nothing", async () => {
    assert.deepEqual(await main.client.read(`${SUBS}/info`), { user_type: "NORMAL", sub_user_name: null });
    const sub = await clientOf("trader");
    assert.deepEqual(await sub.read(`${SUBS}/info`), { user_type: "SUB_ACCOUNT", sub_user_name: "trader" });
    const refused = [
      await sub.get(SUBS),
      await sub.get(`${SUBS}/api`, { sub_user_name: "trader" }),
      await sub.get(`${SUBS}/api-detail`, { api_id: 1 }),
      await sub.get(`${SUBS}/transfer-history`),
      await sub.get(`${SUBS}/spot-balance`, { sub_user_name: "trader" }),
      await sub.get(`${SUBS}/balance`, { sub_user_name: "trader", market_type: "SPOT" }),
      await sub.post(SUBS, { sub_user_name: "sub-of-a-sub" }),
      await sub.post(`${SUBS}/unfrozen`, { sub_user_name: "trader" }),
      await sub.post(`${SUBS}/api`, { sub_user_name: "trader", ...ANYWHERE }),
      await sub.post(`${SUBS}/edit-api`, { sub_user_name: "trader", api_id: 1 }),
      await sub.post(`${SUBS}/delete-api`, { api_id: 1 }),
      await sub.post(`${SUBS}/transfer`, { to_user_name: "trader" }),
    ];
    for (const { code } of refused) assert.equal(code, 4512);
  });

  test("a secret is shown once, when its key is made", async () => {
    const key = { sub_user_name: "trader", ip_whitelist: ["127.0.0.1"], trade_enabled: false, remark: "mine" };
    const made = await main.client.act(`${SUBS}/api`, key);
    const { secret_key, ...rest } = made;
    assert.match(secret_key, /^[0-9A-Za-z]{32,}$/);
    assert.deepEqual(rest, {
      api_id: made.api_id,
      created_at: venue.control.timeMs,
      access_id: made.access_id,
      ip_whitelist: ["127.0.0.1"],
      trade_enabled: false,
      withdraw_enabled: false,
      is_expired: false,
      expires_at: 0,
      remark: "mine",
    });
    const { api_id } = made;
    assert.deepEqual(await main.client.read(`${SUBS}/api-detail`, { api_id }), { ...made, secret_key: "" });
    const [listed] = await main.client.read(`${SUBS}/api`, { sub_user_name: "trader", limit: 1 });
    assert.deepEqual(listed, rest);
    const edit = { sub_user_name: "trader", api_id };
    const edited = await main.client.act(`${SUBS}/edit-api`, { ...edit, can_trade: true, remark: "yours" });
    assert.deepEqual(edited, { ...made, secret_key: "", trade_enabled: true, remark: "yours" });
    // Of the two spellings the table's wins.
    const both = await main.client.act(`${SUBS}/edit-api`, { ...edit, can_trade: true, trade_enabled: false });
    assert.equal(both.trade_enabled, false);
    assert.equal((await other.client.get(`${SUBS}/api-detail`, { api_id })).code, 3639);
    assert.equal((await other.client.post(`${SUBS}/delete-api`, { api_id })).code, 3639);
    assert.equal((await main.client.post(`${SUBS}/edit-api`, { ...edit, sub_user_name: "plain" })).code, 3639);
    for (const ip_whitelist of [["here"], ["127.0.0.1/40"], [""], Array(51).fill("127.0.0.1")]) {
      assert.equal((await main.client.post(`${SUBS}/edit-api`, { ...edit, ip_whitelist })).code, 3639);
      assert.equal((await main.client.post(`${SUBS}/api`, { ...key, ip_whitelist })).code, 3639);
    }
    await main.client.act(`${SUBS}/delete-api`, { api_id });
    assert.equal((await main.client.get(`${SUBS}/api-detail`, { api_id })).code, 3639);
  });

  test("a key does what it says, from where it says, as long as it lives", async () => {
    const reader = await clientOf("trader", { trade_enabled: false });
    assert.deepEqual(await reader.read("/v2/assets/spot/balance"), []);
    assert.equal((await reader.post("/v2/spot/order", limitOrder("buy", "0.01", "20000"))).code, 4158);
    const elsewhere = await clientOf("trader", { ip_whitelist: ["192.0.2.7"] });
    assert.equal((await elsewhere.get("/v2/account/info")).code, 4007);
    const [{ api_id, access_id }] = await main.client.read(`${SUBS}/api`, { sub_user_name: "trader", limit: 1 });
    assert.equal(access_id, elsewhere.key?.accessId);
    const here = { sub_user_name: "trader", api_id, ip_whitelist: ["127.0.0.0/8"] };
    await main.client.act(`${SUBS}/edit-api`, here);
    assert.equal((await elsewhere.get("/v2/account/info")).code, 0);
    const open = await clientOf("trader");
    await venue.wait(90 * 86_400_000 - 1);
    assert.equal((await open.get("/v2/account/info")).code, 0);
    await venue.wait(1);
    assert.equal((await open.get("/v2/account/info")).code, 4011);
    const keys = await main.client.read(`${SUBS}/api`, { sub_user_name: "trader" });
    assert.deepEqual(
      keys.map(({ is_expired }: { is_expired: boolean }) => is_expired),
      [true, false, true, true],
    );
    await main.client.act(`${SUBS}/delete-api`, { api_id });
    assert.equal((await elsewhere.get("/v2/account/info")).code, 4005);
  });

  test("a frozen sub-account signs nothing, its orders stay, and its main account fetches what it has", async () => {
    const sub = await clientOf("trader");
    await give({ to_user_name: "trader", amount: "100" });
    await sub.act("/v2/spot/order", limitOrder("buy", "0.001", "20000"));
    await main.client.act(`${SUBS}/frozen`, { sub_user_name: "trader" });
    assert.equal((await sub.get("/v2/assets/spot/balance")).code, 4011);
    assert.equal((await sub.post("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" })).code, 4011);
    const names = async (query: object) =>
      (await main.client.read(SUBS, { ...query })).map((each: { sub_user_name: string }) => each.sub_user_name);
    assert.deepEqual(await names({}), ["plain"]);
    assert.deepEqual(await names({ is_frozen: "true" }), ["trader"]);
    assert.deepEqual(await main.client.read(`${SUBS}/spot-balance`, { sub_user_name: "trader" }), [
      { ccy: "USDT", available: "80.00000000", frozen: "20.00000000" },
    ]);
    await give({ from_user_name: "trader", amount: "80" });
    assert.equal((await give({ from_user_name: "trader", amount: "0.00000001" })).code, 3109);
    await main.client.act(`${SUBS}/unfrozen`, { sub_user_name: "trader" });
    await sub.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    const { userId } = { userId: venue.engine.state.users.byName.get("trader") as number };
    await venue.operate({ kind: "change_sub_account", subUserId: userId, frozen: true });
    assert.equal((await main.client.post(`${SUBS}/unfrozen`, { sub_user_name: "trader" })).code, 4011);
    await venue.operate({ kind: "change_sub_account", subUserId: userId, frozen: false });
    assert.equal((await sub.get("/v2/account/info")).code, 0);
    await give({ from_user_name: "trader", amount: "20" });
  });

  test("without a permission a sub-account is refused what it is for, whatever the parameters say of it", async () => {
    const sub = await clientOf("plain");
    await give({ to_user_name: "plain", amount: "100" });
    await give({ to_user_name: "plain", amount: "100", to_account_type: "FUTURES" });
    assert.equal((await sub.post("/v2/futures/order", contract("buy", "0.001", "29000"))).code, 4512);
    assert.equal((await sub.get("/v2/futures/pending-position", { market_type: "FUTURES" })).code, 0);
    const margin = { market_type: "MARGIN" };
    assert.equal((await sub.post("/v2/spot/order", { ...limitOrder("buy", "0.001", "20000"), ...margin })).code, 4512);
    // What is wrong with a parameter is said before.
    assert.equal((await sub.post("/v2/spot/order", { ...limitOrder("buy", "x", "20000"), ...margin })).code, 3639);
    const orders = [limitOrder("buy", "0.001", "20000"), { ...limitOrder("buy", "0.001", "20000"), ...margin }];
    const batch = await sub.act("/v2/spot/batch-order", { orders });
    assert.deepEqual(
      batch.map(({ code }: { code: number }) => code),
      [0, 4512],
    );
    assert.equal((await sub.get("/v2/spot/pending-order", margin)).code, 0);
    await main.client.act(`${SUBS}/frozen`, { sub_user_name: "plain" });
    await venue.operate({
      kind: "change_sub_account",
      subUserId: venue.engine.state.users.byName.get("plain") as number,
      permissions: [],
    });
    assert.equal((await main.client.post(`${SUBS}/api`, { sub_user_name: "plain", ...ANYWHERE })).code, 4512);
    await main.client.act(`${SUBS}/unfrozen`, { sub_user_name: "plain" });
    await sub.act("/v2/spot/cancel-all-order", { market: "BTCUSDT", market_type: "SPOT" });
    await give({ from_user_name: "plain", amount: "100" });
    await give({ from_user_name: "plain", amount: "100", from_account_type: "FUTURES" });
  });

  test("transfers stand in the records of the main account and in the statements of both sides", async () => {
    const since = venue.control.timeMs + 1;
    await venue.wait(1);
    await give({ to_user_name: "trader", amount: "7" });
    await give({ from_user_name: "trader", to_user_name: "plain", amount: "3" });
    await give({ from_user_name: "trader", amount: "4", to_account_type: "FUTURES" });
    const refused = [
      [await give({}), "Invalid Parameter: one of from_user_name and to_user_name must be given."],
      [await give({ from_user_name: "trader", to_user_name: "trader" }), "they must be two"],
      [
        await give({ from_user_name: "trader", to_user_name: "plain", to_account_type: "FUTURES" }),
        "only SPOT to SPOT",
      ],
      [await give({ to_user_name: "trader", to_account_type: "FUTURES", ccy: "ETH" }), "No futures market settles"],
    ] as const;
    for (const [{ code, message }, says] of refused) {
      assert.equal(code, 3639);
      assert.ok(message.toLowerCase().includes(says.toLowerCase()), message);
    }
    assert.equal((await give({ to_user_name: "trader", amount: "1000000" })).code, 3109);

    const history = (query: object) => main.client.get(`${SUBS}/transfer-history`, { start_time: since, ...query });
    const { data, pagination } = await history({ sub_user_name: "trader" });
    const record = { created_at: since, ccy: "USDT", status: "finished" };
    const named = data.map(({ id, ...each }: { id: number }) => each);
    assert.deepEqual(named, [
      {
        ...record,
        from_account_type: "SPOT",
        to_account_type: "FUTURES",
        from_user_name: "trader",
        to_user_name: "main",
        amount: "4.00000000",
      },
      {
        ...record,
        from_account_type: "SPOT",
        to_account_type: "SPOT",
        from_user_name: "trader",
        to_user_name: "plain",
        amount: "3.00000000",
      },
      {
        ...record,
        from_account_type: "SPOT",
        to_account_type: "SPOT",
        from_user_name: "main",
        to_user_name: "trader",
        amount: "7.00000000",
      },
    ]);
    assert.deepEqual(pagination, { has_next: false, total: 3 });
    assert.deepEqual((await history({ sub_user_name: "plain" })).data, [data[1]]);
    assert.deepEqual((await history({ ccy: "BTC" })).data, []);
    assert.deepEqual((await history({ page: 2, limit: 2 })).data, [data[2]]);
    assert.equal((await history({ ccy: "XYZ" })).code, 3639);
    assert.deepEqual((await other.client.get(`${SUBS}/transfer-history`)).data, []);

    const statement = async (client: ApiClient) =>
      (await client.read("/v2/assets/statement", { type: "sub_transfer", start_time: since })).map(
        ({ account_type, change }: { account_type: string; change: string }) => `${account_type} ${change}`,
      );
    assert.deepEqual(await statement(main.client), ["FUTURES 4.00000000", "SPOT -7.00000000"]);
    const sub = await clientOf("trader");
    assert.deepEqual(await statement(sub), ["SPOT -4.00000000", "SPOT -3.00000000", "SPOT 7.00000000"]);
  });

  test("balances are shown to the main account as to the sub-account itself", async () => {
    const sub = await clientOf("trader");
    await give({ to_user_name: "trader", to_account_type: "FUTURES", amount: "6" });
    await give({ to_user_name: "trader", ccy: "BTC", amount: "0.1" });
    const balance = (query: object) => main.client.read(`${SUBS}/balance`, { sub_user_name: "trader", ...query });
    const spot = await sub.read("/v2/assets/spot/balance");
    assert.deepEqual(await balance({ market_type: "SPOT" }), spot);
    assert.deepEqual(await balance({ market_type: "FUTURES" }), await sub.read("/v2/assets/futures/balance"));
    assert.deepEqual(await balance({ market_type: "MARGIN" }), []);
    const ofOne = await main.client.read(`${SUBS}/spot-balance`, { sub_user_name: "trader", ccy: "BTC" });
    assert.deepEqual(ofOne, [{ ccy: "BTC", available: "0.10000000", frozen: "0.00000000" }]);
    const unknown = await main.client.get(`${SUBS}/spot-balance`, { sub_user_name: "trader", ccy: "XYZ" });
    assert.equal(unknown.code, 3639);
  });

  test("keys of a sub-account log in to the sockets as itself, and out when they end", async () => {
    const client = await clientOf("plain", {}).catch(() => undefined);
    assert.equal(client, undefined, "it may have no keys any more");
    const trader = await clientOf("trader");
    const [{ api_id }] = await main.client.read(`${SUBS}/api`, { sub_user_name: "trader", limit: 1 });
    const socket = await venue.socket(trader);
    await socket.must("balance.subscribe", { ccy_list: ["USDT"] });
    await give({ to_user_name: "trader", amount: "1" });
    const { balance_list: told } = await socket.push("balance.update");
    const own = await trader.read("/v2/assets/spot/balance");
    assert.equal(told[0].available, own.find(({ ccy }: { ccy: string }) => ccy === "USDT").available);
    // A change that leaves the address in leaves the login as it is.
    const edit = { sub_user_name: "trader", api_id };
    await main.client.act(`${SUBS}/edit-api`, { ...edit, ip_whitelist: ["127.0.0.1"] });
    await socket.must("balance.subscribe", { ccy_list: ["BTC"] });
    await main.client.act(`${SUBS}/edit-api`, { ...edit, ip_whitelist: ["192.0.2.1"] });
    assert.equal((await socket.ask("balance.subscribe", { ccy_list: ["BTC"] })).code, 21001);
    await main.client.act(`${SUBS}/edit-api`, { ...edit, ip_whitelist: [] });
    for (const end of [
      () => main.client.act(`${SUBS}/frozen`, { sub_user_name: "trader" }),
      () => main.client.act(`${SUBS}/delete-api`, { api_id }),
    ]) {
      const again = await venue.socket(trader);
      await again.must("balance.subscribe", { ccy_list: ["USDT"] });
      await end();
      assert.equal((await again.ask("balance.subscribe", { ccy_list: ["BTC"] })).code, 21001);
      await main.client.act(`${SUBS}/unfrozen`, { sub_user_name: "trader" });
    }
  });
});

test("each account has short-cycle quotas of its own, whatever its keys, and they share those of the long cycle", async (t) => {
  const venue = await bitcoinApiVenue({ rates: { longLimits: new Map([["1H", 100]]) } });
  t.after(() => venue.close());
  const main = await venue.addUser("main", { USDT: "1000" });
  await main.client.act(SUBS, { sub_user_name: "one-sub" });
  const key = await main.client.act(`${SUBS}/api`, { sub_user_name: "one-sub", ...ANYWHERE });
  const sub = new ApiClient(venue.base, () => venue.control.timeMs, {
    accessId: key.access_id,
    secret: key.secret_key,
  });
  const orderOf = async (client: ApiClient) => {
    const body = JSON.stringify(limitOrder("buy", "0.01", "20000"));
    const { headers } = await client.fetch("POST", "/v2/spot/order", body);
    return [headers.get("X-RateLimit-Remaining"), headers.get("X-RateLimit-LongPeriod-1H-Remaining")].map(Number);
  };
  const [mainShort, mainLong] = (await orderOf(main.client)) as [number, number];
  const [subShort, subLong] = (await orderOf(sub)) as [number, number];
  assert.equal(subShort, mainShort, "an order of the other's has cost nothing");
  assert.equal(subLong, mainLong - 1, "the window is of both together");
});
