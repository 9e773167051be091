import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ApiClient } from "../support/api-client.ts";
import { type ApiUser, type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { LegacyClient, type LegacyRequest } from "./client.ts";

const KEYS = "/sub_account/auth/api";
const PASSWORD = "Passw0rd";

describe("sub-accounts of the legacy generation", () => {
  let venue: ApiVenue;
  let current: ApiClient;
  let main: LegacyClient;
  let other: LegacyClient;
  let reader: LegacyClient;
  before(async () => {
    venue = await bitcoinApiVenue();
    const user: ApiUser = await venue.addUser("main", { USDT: "1000", BTC: "1" });
    current = user.client;
    main = new LegacyClient(venue, current);
    reader = new LegacyClient(venue, await venue.addKey(user.userId, ["read"]));
    other = new LegacyClient(venue, (await venue.addUser("other", { USDT: "1000" })).client);
    await current.act("/v2/account/subs", { sub_user_name: "theirs" });
    await register(main, "mine-1");
    await register(main, "mine-2");
    await register(other, "others-1");
  });
  after(() => venue.close());

  async function register(client: LegacyClient, name: string): Promise<void> {
    const made = await client.spot("POST", "/sub_account/register", { sub_user_name: name, password: PASSWORD });
    assert.deepEqual([made.code, made.message, made.data], [0, "Success", {}]);
  }

  const give = (more: LegacyRequest = {}, client = main) =>
    client.spot("POST", "/sub_account/transfer", {
      ...{ coin_type: "USDT", amount: "10", transfer_account: "mine-1" },
      ...more,
    });

  test("are seen by the current generation, and those that it made by this one", async () => {
    const { data } = await current.get("/v2/account/subs");
    assert.deepEqual(
      data.map((sub: { sub_user_name: string; permissions: string[] }) => [sub.sub_user_name, sub.permissions.length]),
      [
        ["mine-2", 4],
        ["mine-1", 4],
        ["theirs", 4],
      ],
    );
    const balances = await main.spot("GET", "/sub_account/balance");
    assert.deepEqual(balances.data, { theirs: {}, "mine-1": {}, "mine-2": {} });
  });

  test("are made with a name that is free and a password that is good", async () => {
    const cases: readonly (readonly [LegacyRequest, number])[] = [
      [{ sub_user_name: "x", password: PASSWORD }, 2],
      [{ sub_user_name: "12345", password: PASSWORD }, 2],
      [{ sub_user_name: "mine-1", password: PASSWORD }, 2],
      [{ sub_user_name: "other", password: PASSWORD }, 2],
      [{ sub_user_name: "mine-3" }, 2],
      [{ sub_user_name: "mine-3", password: "Sh0rt" }, 2],
      [{ sub_user_name: "mine-3", password: "password1" }, 2],
      [{ sub_user_name: "mine-3", password: "Password" }, 2],
    ];
    for (const [request, code] of cases) {
      const { code: answered } = await main.spot("POST", "/sub_account/register", request);
      assert.equal(answered, code, JSON.stringify(request));
    }
    assert.equal((await register3(reader)).code, 158);
  });
  const register3 = (client: LegacyClient) =>
    client.spot("POST", "/sub_account/register", { sub_user_name: "mine-3", password: PASSWORD });

  test("take and give money, which both generations tell of", async () => {
    assert.deepEqual((await give()).data, {});
    await current.act("/v2/account/subs/transfer", {
      ...{ from_account_type: "SPOT", to_account_type: "SPOT", ccy: "BTC", amount: "0.5", to_user_name: "mine-2" },
    });
    assert.deepEqual((await give({ transfer_side: "out", amount: 4 })).data, {});
    const balances = await main.spot("GET", "/sub_account/balance");
    assert.deepEqual(balances.data, {
      theirs: {},
      "mine-1": { USDT: { available: "6.00000000", frozen: "0.00000000", lock: "0" } },
      "mine-2": { BTC: { available: "0.50000000", frozen: "0.00000000", lock: "0" } },
    });
    const one = await main.spot("GET", "/sub_account/balance", { sub_user_name: "mine-2", coin_type: "USDT" });
    assert.deepEqual(one.data, { "mine-2": {} });
    const time = Math.floor(venue.control.timeMs / 1_000);
    const usdt = { time, coin_type: "USDT", status: "success" };
    const past = await main.spot("GET", "/sub_account/transfer/history", { coin_type: "USDT" });
    assert.deepEqual(past.data, {
      has_next: false,
      curr_page: 1,
      count: 2,
      data: [
        { ...usdt, transfer_from: "mine-1", transfer_to: "", amount: "4.00000000" },
        { ...usdt, transfer_from: "", transfer_to: "mine-1", amount: "10.00000000" },
      ],
      total: 2,
      total_page: 1,
    });
    const { data: rows } = await current.get("/v2/account/subs/transfer-history", { ccy: "USDT" });
    assert.deepEqual(
      rows.map((row: { from_user_name: string; amount: string }) => [row.from_user_name, row.amount]),
      [
        ["mine-1", "4.00000000"],
        ["main", "10.00000000"],
      ],
    );
    const ofTwo = await main.spot("GET", "/sub_account/transfer/history", {
      sub_user_name: "mine-2",
      start_time: time,
    });
    assert.deepEqual([ofTwo.data.total, ofTwo.data.data[0].coin_type], [1, "BTC"]);
    const later = await main.spot("GET", "/sub_account/transfer/history", { start_time: time + 1 });
    assert.deepEqual([later.data.total, later.data.data], [0, []]);
  });

  test("of somebody else are as good as none, and nobody gives what is not there", async () => {
    const cases: readonly (readonly [LegacyRequest, number])[] = [
      [{ transfer_account: "others-1" }, 40],
      [{ transfer_account: "nobody" }, 40],
      [{ transfer_account: "main" }, 40],
      [{ amount: "1000.00000001" }, 107],
      [{ amount: "0" }, 2],
      [{ amount: "-1" }, 2],
      [{ coin_type: "XYZ" }, 2],
      [{ transfer_side: "sideways" }, 2],
      [{ transfer_account: "" }, 2],
    ];
    for (const [change, code] of cases) assert.equal((await give(change)).code, code, JSON.stringify(change));
    assert.equal((await give({}, other)).code, 40);
    assert.equal((await give({}, reader)).code, 158);
    for (const path of ["/sub_account/frozen", "/sub_account/unfrozen"]) {
      assert.equal((await other.spot("PUT", path, { sub_user_name: "mine-1" })).code, 40);
    }
    const foreign = { sub_user_name: "others-1" };
    for (const path of ["/sub_account/balance", "/sub_account/transfer/history", KEYS]) {
      assert.equal((await main.spot("GET", path, foreign)).code, 40, path);
    }
  });

  const keyOf = (client: LegacyClient, more: LegacyRequest = {}) =>
    client.spot("POST", KEYS, { sub_user_name: "mine-1", allow_trade: true, allowed_ips: [], ...more });

  test("get keys that sign in either generation, are changed, listed and end", async () => {
    const made = await keyOf(main, { remark: "first" });
    assert.equal(made.code, 0, made.message);
    const now = Math.floor(venue.control.timeMs / 1_000);
    const { secret_key: secret, ...shown } = made.data;
    const id = made.data.user_auth_id;
    assert.deepEqual(shown, {
      user_auth_id: id,
      create_time: now,
      remark: "first",
      access_id: shown.access_id,
      allowed_ips: [],
      allow_withdraw: false,
      allow_trade: true,
      is_expires: false,
      expired_time: now + 90 * 86_400,
    });
    const key = { accessId: shown.access_id as string, secret: secret as string };
    const sub = new LegacyClient(venue, { key });
    assert.deepEqual(Object.keys((await sub.spot("GET", "/balance/info")).data), ["USDT"]);
    const { data: balance } = await new ApiClient(venue.base, () => venue.control.timeMs, key).get(
      "/v2/assets/spot/balance",
    );
    assert.equal(balance[0].available, "6.00000000");
    // A sub-account is no main account.
    assert.equal((await give({}, sub)).code, 158);
    assert.equal((await sub.spot("GET", "/sub_account/balance")).code, 158);

    assert.deepEqual((await main.spot("GET", `${KEYS}/${id}`)).data, shown);
    const { data: seen } = await current.get("/v2/account/subs/api-detail", { api_id: id });
    assert.deepEqual([seen.access_id, seen.remark], [shown.access_id, "first"]);
    const changed = await main.spot("PUT", `${KEYS}/${id}`, { allow_trade: false, allowed_ips: ["192.0.2.0/24"] });
    assert.deepEqual(changed.data, { ...shown, allow_trade: false, allowed_ips: ["192.0.2.0/24"], expired_time: 0 });
    assert.equal((await sub.spot("GET", "/balance/info")).code, 23);
    const second = await current.act("/v2/account/subs/api", {
      ...{ sub_user_name: "mine-1", ip_whitelist: [], trade_enabled: true },
    });
    const list = await main.spot("GET", KEYS, { sub_user_name: "mine-1", page: 1, limit: 1 });
    assert.deepEqual(
      [list.data.has_next, list.data.total, list.data.total_page, list.data.data[0].user_auth_id],
      [true, 2, 2, second.api_id],
    );
    assert.deepEqual((await main.spot("DELETE", `${KEYS}/${id}`)).data, {});
    assert.equal((await sub.spot("GET", "/balance/info")).code, 24);
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      assert.equal((await main.spot(method, `${KEYS}/${id}`)).code, 2, method);
      assert.equal((await other.spot(method, `${KEYS}/${second.api_id}`)).code, 2, method);
    }
    assert.equal((await other.spot("PUT", `${KEYS}/${second.api_id}`, { sub_user_name: "mine-1" })).code, 40);
  });

  test("get no key for a wrong address, a long remark, another's sub-account or by a key that only reads", async () => {
    assert.equal((await keyOf(main, { allowed_ips: ["nowhere"] })).code, 2);
    assert.equal((await keyOf(main, { allowed_ips: Array(51).fill("192.0.2.1") })).code, 2);
    assert.equal((await keyOf(main, { remark: "x".repeat(51) })).code, 2);
    assert.equal((await keyOf(main, { allow_trade: "maybe" })).code, 2);
    assert.equal((await keyOf(main, { sub_user_name: "others-1" })).code, 40);
    assert.equal((await keyOf(reader)).code, 158);
    assert.equal((await main.spot("GET", `${KEYS}/abc`)).code, 2);
  });

  test("are frozen and freed by their main account", async () => {
    const { data: key } = await keyOf(main);
    const sub = new LegacyClient(venue, { key: { accessId: key.access_id, secret: key.secret_key } });
    assert.deepEqual((await main.spot("PUT", "/sub_account/frozen", { sub_user_name: "mine-1" })).data, {});
    assert.equal((await sub.spot("GET", "/balance/info")).code, 158);
    const { data: frozen } = await current.get("/v2/account/subs", { is_frozen: "true" });
    assert.deepEqual(
      frozen.map((each: { sub_user_name: string }) => each.sub_user_name),
      ["mine-1"],
    );
    assert.deepEqual((await main.spot("PUT", "/sub_account/unfrozen", { sub_user_name: "mine-1" })).data, {});
    assert.equal((await sub.spot("GET", "/balance/info")).code, 0);
  });
});
