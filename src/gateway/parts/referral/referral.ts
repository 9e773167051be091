/** The endpoints by which inviters see the users they invited, and the rebates from them. */

import { formatDecimal } from "../../../engine/money/decimal.ts";
import { referralOf } from "../../../engine/referral/referral-state.ts";
import type { State } from "../../../engine/state.ts";
import type { RebateQuery, RebateTotals } from "../../../history/referral/referral-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { AgentReferee, RebateDetail, RebateRecord, Referee } from "../../current/types.generated.ts";
import { fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { rateText } from "../../reading/market-printer.ts";
import { Refused } from "../../refused.ts";

interface PageAsked {
  readonly page: number;
  readonly limit: number;
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly search?: string | undefined;
}

export function referralHandlers(backend: Backend): Handlers {
  const { state, history } = backend;
  return {
    "GET /refer/referee": async (call) => {
      const { caller, params } = call;
      const { referees } = referralOf(state);
      const { start_time: from = 0, end_time: to = Number.POSITIVE_INFINITY } = params;
      const all = invitedBy(state, caller.userId, params.search).filter((userId) => {
        const boundAt = referees.get(userId)?.boundAt ?? 0;
        return boundAt >= from && boundAt <= to;
      });
      const of = cut(all, params);
      const totals = await fromHistory(history.refereeTotals({ userId: caller.userId, of }));
      if (totals instanceof Refused) return call.refuse(totals);
      const byId = new Map(totals.map((each) => [each.id, each]));
      call.answer(
        of.map((userId) => refereeOf(state, userId, byId.get(userId))),
        pages(all, params),
      );
    },
    "GET /refer/agent-referee": async (call) => {
      const { caller, params } = call;
      const { agents } = referralOf(state);
      const all = [...agents]
        .filter(([userId, { ofUserId }]) => ofUserId === caller.userId && isSought(state, userId, params.search))
        .map(([userId]) => userId);
      const of = cut(all, params);
      const totals = await fromHistory(history.agentTotals({ userId: caller.userId, of }));
      if (totals instanceof Refused) return call.refuse(totals);
      const byId = new Map(totals.map((each) => [each.id, each]));
      call.answer(
        of.map((userId) => agentOf(state, userId, byId.get(userId))),
        pages(all, params),
      );
    },
    "GET /refer/referee-rebate/record": async (call) => {
      const asked = queryOf(call.caller.userId, "referrer", call.params);
      const page = await pageFromHistory((query) => history.rebateDays(query), asked);
      if (page instanceof Refused) return call.refuse(page);
      call.answer(
        page.rows.map((row) => recordOf(row, "referrer")),
        { hasNext: page.hasNext, total: page.total },
      );
    },
    "GET /refer/agent-rebate/record": async (call) => {
      const asked = queryOf(call.caller.userId, "upline", call.params);
      const page = await pageFromHistory((query) => history.rebateDays(query), asked);
      if (page instanceof Refused) return call.refuse(page);
      call.answer(
        page.rows.map((row) => recordOf(row, "upline")),
        { hasNext: page.hasNext, total: page.total },
      );
    },
    "GET /refer/referee-rebate/detail": async (call) => {
      const { params, caller } = call;
      const of = params.search === undefined ? undefined : invitedBy(state, caller.userId, params.search);
      const asked = { ...queryOf(caller.userId, "referrer", params), of };
      const page = await pageFromHistory((query) => history.rebateDetails(query), asked);
      if (page instanceof Refused) return call.refuse(page);
      const rows = page.rows.map((row, at) => detailOf(state, row, page.days[at] as number, "referrer"));
      call.answer(rows, { hasNext: page.hasNext, total: page.total });
    },
    "GET /refer/agent-rebate/detail": async (call) => {
      const { params, caller } = call;
      const of = params.search === undefined ? undefined : invitedByAgents(state, caller.userId, params.search);
      const asked = { ...queryOf(caller.userId, "upline", params), of };
      const page = await pageFromHistory((query) => history.rebateDetails(query), asked);
      if (page instanceof Refused) return call.refuse(page);
      const rows = page.rows.map((row, at) => detailOf(state, row, page.days[at] as number, "upline"));
      call.answer(rows, { hasNext: page.hasNext, total: page.total });
    },
  };
}

/** The most users that a search of details is narrowed to. */
const FOUND_MAX = 1_000;

function invitedBy(state: State, userId: number, search: string | undefined): number[] {
  const all = (referralOf(state).invited.get(userId) ?? []).filter((invited) => isSought(state, invited, search));
  return search === undefined ? all : all.slice(0, FOUND_MAX);
}

function invitedByAgents(state: State, userId: number, search: string): number[] {
  const agents = [...referralOf(state).agents].filter(([, { ofUserId }]) => ofUserId === userId);
  return agents.flatMap(([agentId]) => invitedBy(state, agentId, search)).slice(0, FOUND_MAX);
}

/** By id, or by a part of the name. */
function isSought({ users }: State, userId: number, search: string | undefined): boolean {
  return (
    search === undefined || search === "" || `${userId}` === search || (users.names[userId] ?? "").includes(search)
  );
}

function cut(all: readonly number[], { page, limit }: PageAsked): number[] {
  return all.slice((page - 1) * limit, page * limit);
}

function pages(all: readonly number[], { page, limit }: PageAsked) {
  return { hasNext: page * limit < all.length, total: all.length };
}

function queryOf(userId: number, as: RebateQuery["as"], asked: PageAsked): RebateQuery {
  const { page, limit, start_time: startTime, end_time: endTime } = asked;
  return { userId, as, startTime, endTime, page, limit };
}

const text = (units: bigint) => formatDecimal(units, 8);

function got(row: RebateTotals, as: RebateQuery["as"]): { readonly usd: bigint; readonly coin: bigint } {
  if (as === "upline") return { usd: row.uplineUsd, coin: row.uplineCoin };
  return { usd: row.spotUsd + row.futuresUsd, coin: row.spotCoin + row.futuresCoin };
}

function recordOf(row: RebateTotals, as: RebateQuery["as"]): RebateRecord {
  const { usd, coin } = got(row, as);
  return {
    created_at: row.id,
    deal_user_number: row.users,
    total_spot_value: text(row.spotValue),
    total_spot_fee: text(row.spotFee),
    total_futures_value: text(row.futuresValue),
    total_futures_fee: text(row.futuresFee),
    total_deal_value: text(row.spotValue + row.futuresValue),
    total_deal_fee: text(row.spotFee + row.futuresFee),
    total_deal_rebate_usdt: text(usd),
    total_deal_rebate_cet: text(coin),
  };
}

function detailOf(state: State, row: RebateTotals, dayMs: number, as: RebateQuery["as"]): RebateDetail {
  const { usd, coin } = got(row, as);
  return {
    created_at: dayMs,
    uid: `${row.id}`,
    account_name: state.users.names[row.id] ?? "",
    spot_value: text(row.spotValue),
    spot_fee: text(row.spotFee),
    futures_value: text(row.futuresValue),
    futures_fee: text(row.futuresFee),
    deal_value: text(row.spotValue + row.futuresValue),
    deal_fee: text(row.spotFee + row.futuresFee),
    deal_rebate_usdt: text(usd),
    deal_rebate_cet: text(coin),
  };
}

function refereeOf(state: State, userId: number, row: RebateTotals = NOTHING): Referee {
  const own = referralOf(state);
  const referee = own.referees.get(userId);
  const code = own.codeOf(userId);
  return {
    uid: `${userId}`,
    account_name: state.users.names[userId] ?? "",
    registered_at: state.users.createdAt[userId] ?? 0,
    vip_level: vipLevelOf(state, userId),
    bound_at: referee?.boundAt ?? 0,
    refer_code: code?.code ?? "",
    referrer_rebate_rate: rateText(code?.referrerRateE8 ?? 0),
    referee_rebate_rate: rateText(code?.refereeRateE8 ?? 0),
    first_deposit_time: referee?.firstDepositAt ?? 0,
    first_deposit_value: text(referee?.firstDepositValue ?? 0n),
    total_deposit_value: text(referee?.depositValue ?? 0n),
    first_deal_time: row.firstDealMs,
    first_deal_value: text(row.firstDealValue),
    total_spot_value: text(row.spotValue),
    total_spot_fee: text(row.spotFee),
    total_spot_rebate_usdt: text(row.spotUsd),
    total_spot_rebate_cet: text(row.spotCoin),
    total_futures_value: text(row.futuresValue),
    total_futures_fee: text(row.futuresFee),
    total_futures_rebate_usdt: text(row.futuresUsd),
    total_futures_rebate_cet: text(row.futuresCoin),
    total_deal_value: text(row.spotValue + row.futuresValue),
    total_deal_fee: text(row.spotFee + row.futuresFee),
    total_deal_rebate_usdt: text(row.spotUsd + row.futuresUsd),
    total_deal_rebate_cet: text(row.spotCoin + row.futuresCoin),
  };
}

/** The user's fee level where its name is a number, else 0. */
function vipLevelOf({ users }: State, userId: number): number {
  const level = users.feeTermsOf(userId).level ?? "";
  return /^\d{1,9}$/.test(level) ? Number(level) : 0;
}

function agentOf(state: State, userId: number, row: RebateTotals = NOTHING): AgentReferee {
  const own = referralOf(state);
  const agent = own.agents.get(userId);
  return {
    uid: `${userId}`,
    account_name: state.users.names[userId] ?? "",
    rebate_rate: rateText(agent?.rateE8 ?? 0),
    invite_number: own.invited.get(userId)?.length ?? 0,
    invite_deal_number: row.users,
    invite_deal_value: text(row.spotValue + row.futuresValue),
    invite_deal_fee: text(row.spotFee + row.futuresFee),
    invite_rebate_usdt: text(row.uplineUsd),
    invite_rebate_cet: text(row.uplineCoin),
    remark: agent?.remark ?? "",
  };
}

const NOTHING: RebateTotals = {
  id: 0,
  users: 0,
  spotValue: 0n,
  spotFee: 0n,
  futuresValue: 0n,
  futuresFee: 0n,
  spotUsd: 0n,
  spotCoin: 0n,
  futuresUsd: 0n,
  futuresCoin: 0n,
  uplineUsd: 0n,
  uplineCoin: 0n,
  firstDealMs: 0,
  firstDealValue: 0n,
};
