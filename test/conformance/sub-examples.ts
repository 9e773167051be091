/** Examples of the endpoints of sub-accounts. */
import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import type { ApiUser } from "../support/served-venue.ts";
import type { Params, Stage } from "./examples.ts";

/** A sub-account of the caller that has something, and what calls use up. */
export interface SubStage {
  readonly name: string;
  /** A key of it that stays. */
  readonly apiId: number;
  /** A key of it to be used up; its id. */
  makeKey(): Promise<number>;
  /** A name that nobody has yet. */
  newName(): string;
}

export const SUB = "walk-sub";

export const SUB_EXAMPLES: { readonly [Name in EndpointName]?: (stage: Stage) => Params | Promise<Params> } = {
  "POST /account/subs": ({ subs }) => ({
    sub_user_name: subs.newName(),
    permissions: ["FUTURES", "API"],
    remark: "for bots",
  }),
  "GET /account/subs": () => ({ sub_user_name: SUB, is_frozen: false, page: 1, limit: 10 }),
  "GET /account/subs/info": () => ({}),
  "POST /account/subs/frozen": () => ({ sub_user_name: "walk-cold" }),
  "POST /account/subs/unfrozen": () => ({ sub_user_name: "walk-cold" }),
  "POST /account/subs/api": () => ({
    sub_user_name: SUB,
    ip_whitelist: ["192.0.2.1", "2001:db8::/32"],
    trade_enabled: true,
    remark: "for bots",
  }),
  "GET /account/subs/api": () => ({ sub_user_name: SUB, page: 1, limit: 10 }),
  "GET /account/subs/api-detail": ({ subs }) => ({ api_id: subs.apiId }),
  "POST /account/subs/edit-api": ({ subs }) => ({
    sub_user_name: SUB,
    api_id: subs.apiId,
    trade_enabled: false,
    can_trade: true,
    ip_whitelist: [],
    remark: "read only",
  }),
  "POST /account/subs/delete-api": async ({ subs }) => ({ sub_user_name: SUB, api_id: await subs.makeKey() }),
  "POST /account/subs/transfer": () => ({
    from_account_type: "SPOT",
    to_account_type: "SPOT",
    from_user_name: "walk-cold",
    to_user_name: SUB,
    ccy: "USDT",
    amount: "1",
  }),
  "GET /account/subs/transfer-history": ({ venue }) => ({
    sub_user_name: SUB,
    ccy: "USDT",
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
  "GET /account/subs/balance": () => ({ sub_user_name: SUB, market_type: "FUTURES", market: "BTCUSDT" }),
  "GET /account/subs/spot-balance": () => ({ sub_user_name: SUB, ccy: "USDT" }),
};

/** Gives the caller two sub-accounts with money in spot and futures. */
export async function openSubStage({ client }: ApiUser): Promise<SubStage> {
  for (const sub_user_name of [SUB, "walk-cold"]) {
    await client.act("/v2/account/subs", { sub_user_name });
    const given = { from_account_type: "SPOT", to_user_name: sub_user_name, ccy: "USDT", amount: "1000" };
    for (const to_account_type of ["SPOT", "FUTURES"]) {
      await client.act("/v2/account/subs/transfer", { ...given, to_account_type });
    }
  }
  const key = { sub_user_name: SUB, ip_whitelist: [], trade_enabled: true };
  const makeKey = async () => (await client.act("/v2/account/subs/api", key)).api_id as number;
  let names = 0;
  return { name: SUB, apiId: await makeKey(), makeKey, newName: () => `walk-sub-${++names}` };
}
