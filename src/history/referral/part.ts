import { parseDecimal } from "../../engine/money/decimal.ts";
import { definePart } from "../part.ts";
import {
  agentTotalsOf,
  type RebateQuery,
  rebateDaysOf,
  rebateDetailsOf,
  refereeTotalsOf,
  type TotalsQuery,
} from "./referral-queries.ts";
import { rebateRows } from "./tables.ts";

const units = (value: string) => parseDecimal(value, 8) ?? 0n;

/** Rebates, day by day. */
export const referral = definePart({
  name: "referral",
  version: 1,
  tables: [rebateRows],
  backfill: "none",
  migrations: {},
  begin: ({ inserter }) => {
    const insert = inserter(rebateRows, "keep");
    return {
      rareEvents: {
        rebates_paid: ({ dayMs, refereeId, referrerId, uplineId, firstDeal, referrer, upline, ...told }) =>
          insert({
            day_ms: dayMs,
            referee_id: refereeId,
            referrer_id: referrerId,
            upline_id: uplineId ?? 0,
            spot_value: units(told.spotValue),
            spot_fee: units(told.spotFee),
            futures_value: units(told.futuresValue),
            futures_fee: units(told.futuresFee),
            spot_usd: BigInt(referrer.spotUsd),
            spot_coin: BigInt(referrer.spotCoin),
            futures_usd: BigInt(referrer.futuresUsd),
            futures_coin: BigInt(referrer.futuresCoin),
            upline_usd: BigInt(upline.spotUsd) + BigInt(upline.futuresUsd),
            upline_coin: BigInt(upline.spotCoin) + BigInt(upline.futuresCoin),
            first_deal_ms: firstDeal?.atMs ?? 0,
            first_deal_value: units(firstDeal?.value ?? "0"),
          }),
      },
    };
  },
  queries: ({ db }) => ({
    /** The trade of each of these invited users and the fees and rebates from it, by user id. */
    refereeTotals: (query: TotalsQuery) => refereeTotalsOf(db, query),
    /** The trade of the users whom each of these agents invited and the fees and rebates from it, by the agent's id. */
    agentTotals: (query: TotalsQuery) => agentTotalsOf(db, query),
    /** Days on which a user got rebates, newest first. */
    rebateDays: (query: RebateQuery) => rebateDaysOf(db, query),
    /** The same by invited user. */
    rebateDetails: (query: RebateQuery) => rebateDetailsOf(db, query),
  }),
});
