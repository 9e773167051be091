import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue, limitOrder } from "../support/served-venue.ts";

const DAY_MS = 86_400_000;

test("an inviter sees whom he invited, what they traded and what it brought, and so does whose agent he is", async (t) => {
  const venue = await bitcoinApiVenue();
  t.after(() => venue.close());
  const inviter = await venue.addUser("inviter", {});
  const invited = await venue.addUser("invited", { USDT: "100000" });
  const maker = await venue.addUser("maker", { BTC: "10" });
  const upline = await venue.addUser("upline", {});
  const ids = { userId: inviter.userId };
  await venue.operate({ kind: "set_agent", ...ids, ofUserId: upline.userId, rate: "0.1", remark: "north" });
  await venue.operate({ kind: "create_refer_code", ...ids, code: "CODE1", referrerRate: "0.2", refereeRate: "0.1" });
  await venue.operate({ kind: "bind_referee", userId: invited.userId, code: "CODE1" });
  await venue.operate({ kind: "set_index_prices", market: "BTCUSDT", sources: [{ exchange: "one", price: "30000" }] });
  await venue.operate({ kind: "deposit", userId: invited.userId, ccy: "BTC", amount: "0.1", note: "" });
  const depositedAt = venue.control.timeMs;
  await venue.operate({ kind: "deposit", userId: invited.userId, ccy: "USDT", amount: "50", note: "" });
  await venue.operate({ kind: "set_fee_level", level: "3", makerFeeRate: "0.001", takerFeeRate: "0.002" });
  await venue.operate({ kind: "change_user", userId: invited.userId, feeLevel: "3" });
  await maker.client.act("/v2/spot/order", limitOrder("sell", "1", "30000"));
  await invited.client.act("/v2/spot/order", limitOrder("buy", "0.5", "30000"));
  const day = venue.control.timeMs - (venue.control.timeMs % DAY_MS);
  const midnight = day + DAY_MS;
  venue.control.timeMs = midnight;
  await venue.operate({ kind: "tick" });

  const get = async (user: typeof inviter, path: string) => await user.client.get(`/v2/refer/${path}`);
  const referees = await get(inviter, "referee");
  assert.deepEqual(referees.pagination, { total: 1, has_next: false });
  const [referee] = referees.data;
  assert.equal(referee.uid, `${invited.userId}`);
  assert.equal(referee.refer_code, "CODE1");
  assert.equal(referee.total_spot_value, "15000.00000000");
  const fee = Number(referee.total_spot_fee);
  assert.ok(fee > 0);
  assert.equal(Number(referee.total_spot_rebate_usdt), fee * 0.2);
  assert.deepEqual(
    [referee.first_deposit_time, referee.first_deposit_value, referee.total_deposit_value, referee.vip_level],
    [depositedAt, "3000.00000000", "3050.00000000", 3],
  );
  assert.equal(referee.first_deal_value, "15000.00000000");
  assert.deepEqual((await get(inviter, "referee?search=nobody")).data, []);
  assert.deepEqual((await get(invited, "referee")).data, []);

  const record = await get(inviter, "referee-rebate/record");
  assert.deepEqual(record.pagination, { total: 1, has_next: false });
  assert.deepEqual(
    [record.data[0].created_at, record.data[0].deal_user_number, Number(record.data[0].total_deal_rebate_usdt)],
    [day, 1, fee * 0.2],
  );
  assert.deepEqual((await get(inviter, `referee-rebate/record?start_time=${midnight}`)).data, []);
  const detail = await get(inviter, "referee-rebate/detail?search=invit");
  assert.deepEqual([detail.data[0].uid, detail.data[0].created_at], [`${invited.userId}`, day]);
  assert.deepEqual((await get(inviter, "referee-rebate/detail?search=maker")).data, []);

  const [agent] = (await get(upline, "agent-referee")).data;
  assert.deepEqual(
    [agent.uid, agent.remark, agent.invite_number, agent.invite_deal_number, Number(agent.invite_rebate_usdt)],
    [`${inviter.userId}`, "north", 1, 1, fee * 0.1],
  );
  assert.equal(Number((await get(upline, "agent-rebate/record")).data[0].total_deal_rebate_usdt), fee * 0.1);
  assert.equal((await get(upline, "agent-rebate/detail")).data[0].uid, `${invited.userId}`);
  assert.deepEqual((await get(inviter, "agent-rebate/detail")).data, []);

  const lines = (await inviter.client.get("/v2/assets/statement?type=maker_cash_back")).data;
  assert.equal(lines.length, 1);
  assert.equal(lines[0].ccy, "BTC");
});
