import { divHalfAwayFromZero } from "../../../engine/money/rounding.ts";
import type { BasisRow } from "../../../history/funding/funding-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import { fundingRateOf } from "../../current/records/funding-rate.ts";
import { answerPage, fromHistory, pageFromHistory } from "../../reading/from-history.ts";
import { type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, rowsOf } from "../../reading/named-markets.ts";
import { invalidParameter, Refused } from "../../refused.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Where premiums begin unless asked otherwise, how far they may range and how far they reach back. */
const PREMIUMS_SINCE_MS = 8 * HOUR_MS;
const PREMIUMS_RANGE_MS = DAY_MS;
const PREMIUMS_KEPT_MS = 30 * DAY_MS;
const BASIS_SINCE_MS = 7 * DAY_MS;
const ONE_E8 = 100_000_000n;

export function fundingHandlers({ state, history }: Backend, printers: Printers): Handlers {
  return {
    "GET /futures/funding-rate": (call) => {
      const rows = rowsOf(state, printers, "futures", call.params.market, (printer) => fundingRateOf(state, printer));
      if (rows instanceof Refused) call.refuse(rows);
      else call.answer(rows);
    },

    "GET /futures/funding-rate-history": (call) => {
      const { params } = call;
      return inMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const { start_time: startTime, end_time: endTime, page: number, limit } = params;
        const query = { marketId, startTime, endTime, page: number, limit };
        const page = await pageFromHistory((each) => history.fundingRates(each), query);
        answerPage(call, page, (rows) =>
          rows.map(({ collectedAt, rateE8, actualRateE8 }) => ({
            market: name,
            funding_time: collectedAt,
            theoretical_funding_rate: rateText(rateE8),
            actual_funding_rate: rateText(actualRateE8),
          })),
        );
      });
    },

    "GET /futures/premium-index-history": (call) => {
      const { params, nowMs } = call;
      return inMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const endTime = params.end_time ?? nowMs;
        const startTime = params.start_time ?? Math.max(0, endTime - PREMIUMS_SINCE_MS);
        if (endTime - startTime > PREMIUMS_RANGE_MS) {
          call.refuse(invalidParameter("end_time, which is now unless given, must lie within a day after start_time."));
          return;
        }
        const query = {
          marketId,
          startTime: Math.max(startTime, nowMs - PREMIUMS_KEPT_MS),
          endTime,
          page: params.page,
          limit: params.limit,
        };
        const page = await pageFromHistory((each) => history.premiums(each), query);
        answerPage(call, page, (rows) =>
          rows.map(({ sampledAt, premiumE8 }) => ({
            market: name,
            created_at: sampledAt,
            premium_index: rateText(premiumE8),
          })),
        );
      });
    },

    "GET /futures/basis-history": (call) => {
      const { params, nowMs } = call;
      return inMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const endTime = Math.min(params.end_time ?? nowMs, nowMs);
        const startTime = Math.max(params.start_time ?? 0, endTime - BASIS_SINCE_MS);
        const rows = await fromHistory(history.basis({ marketId, startTime, endTime }));
        if (rows instanceof Refused) call.refuse(rows);
        else call.answer(rows.map((row) => ({ market: name, created_at: row.at, basis_rate: basisText(row) })));
      });
    },
  };
}

function basisText({ latest, index }: BasisRow): string {
  return rateText(Number(divHalfAwayFromZero((latest - index) * ONE_E8, index)));
}
