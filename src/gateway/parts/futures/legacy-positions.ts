/** Positions, margin and funds of futures in the legacy generation: /perpetual/v1/{position,market,asset}/… */
import type { Command } from "../../../engine/command.ts";
import { shownPrice } from "../../../engine/futures/positions/figures.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { PositionChangeRow } from "../../../history/positions/position-queries.ts";
import type { Backend } from "../../backend.ts";
import type { LegacyCall, LegacyHandlers } from "../../legacy/call.ts";
import { answerOffset } from "../../legacy/pages.ts";
import { POSITION_TYPE, SIDE } from "../../legacy/records/order-shape.ts";
import { perpetualAssetOf } from "../../legacy/records/perpetual-assets.ts";
import { perpetualPositionOf } from "../../legacy/records/perpetual-positions.ts";
import { trimmed } from "../../legacy/records/spot-orders.ts";
import { exactSeconds } from "../../legacy/records/time.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import { execute } from "../../reading/execute.ts";
import { pageFromHistory } from "../../reading/from-history.ts";
import { futuresFunds } from "../../reading/futures-funds.ts";
import { type Printers, rateText } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { openSlot, openSlots } from "../../reading/open-positions.ts";
import { invalidParameter, Refused } from "../../refused.ts";
import { positionNamed } from "./legacy-orders.ts";

export function legacyPositionHandlers(backend: Backend, printers: Printers): LegacyHandlers {
  const { state, history } = backend;
  const levels = new AdlLevels(state);

  type Changing =
    | "POST /perpetual/v1/position/adjust_margin"
    | "POST /perpetual/v1/position/stop_loss"
    | "POST /perpetual/v1/position/take_profit";

  /** Carries out what changes a position, and answers with the position. */
  const change = (call: LegacyCall<Changing>, marketId: number, command: Command): void =>
    execute(backend, call, command, (outcome) => {
      const { positionId } = outcome.result as { positionId: number };
      const slot = openSlot(state, call.caller.userId, marketId, positionId);
      if (slot === NONE) call.refuse("no_position");
      else call.answer(perpetualPositionOf(state, printers, levels, slot));
    });

  type Exiting = "POST /perpetual/v1/position/stop_loss" | "POST /perpetual/v1/position/take_profit";
  const setExit = (call: LegacyCall<Exiting>, exit: "stop_loss" | "take_profit", price: string): void => {
    const { userId } = call.caller;
    inMarket(state, "futures", call, call.params.market, (market) => {
      const positionSide = positionNamed(backend, userId, market, call.params.position_id);
      if (positionSide instanceof Refused) {
        call.refuse(positionSide);
        return;
      }
      const of = { userId, marketId: market.id, positionSide, exit };
      // An index does not trigger the end of a position: 3 is an older way to write the mark.
      const triggerType = call.params.stop_type === 1 ? "latest_price" : "mark_price";
      const command: Command = /^0(?:\.0*)?$/.test(price)
        ? { kind: "cancel_exits", ...of, exitId: undefined }
        : { kind: "set_exit", ...of, triggerType, price, amount: undefined };
      change(call, market.id, command);
    });
  };

  return {
    "GET /perpetual/v1/asset/query": (call) => {
      const { userId } = call.caller;
      const funds = state.assets.flatMap((asset) => futuresFunds(state, userId, asset) ?? []);
      call.answer(Object.fromEntries(funds.map((each) => [each.asset.ccy, perpetualAssetOf(each)])));
    },

    "GET /perpetual/v1/position/pending": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const slots = openSlots(state, caller.userId, market);
        call.answer(slots.map((slot) => perpetualPositionOf(state, printers, levels, slot)));
      });
    },

    "POST /perpetual/v1/position/adjust_margin": (call) => {
      const { userId } = call.caller;
      const { market: name, amount, type } = call.params;
      inMarket(state, "futures", call, name, ({ id: marketId }) => {
        const signed = type === ADDS ? amount : `-${amount}`;
        change(call, marketId, { kind: "adjust_margin", userId, marketId, positionSide: undefined, amount: signed });
      });
    },

    "POST /perpetual/v1/position/stop_loss": (call) => setExit(call, "stop_loss", call.params.stop_loss_price),
    "POST /perpetual/v1/position/take_profit": (call) => setExit(call, "take_profit", call.params.take_profit_price),

    "POST /perpetual/v1/market/adjust_leverage": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const leverage = Number(trimmed(params.leverage));
        if (!Number.isSafeInteger(leverage)) {
          call.refuse(invalidParameter("leverage must be one that the market offers."));
          return;
        }
        const marginMode = params.position_type === POSITION_TYPE.isolated ? "isolated" : "cross";
        const set = { userId: caller.userId, marketId, marginMode, leverage };
        execute(backend, call, { kind: "set_leverage", ...set }, (outcome) => {
          const inForce = outcome.result as { marginMode: keyof typeof POSITION_TYPE; leverage: number };
          call.answer({ position_type: POSITION_TYPE[inForce.marginMode], leverage: String(inForce.leverage) });
        });
      });
    },

    "GET /perpetual/v1/market/funding_history": (call) => {
      const { params } = call;
      return inMarket(state, "futures", call, params.market, async ({ id: marketId, name }) => {
        const { settle } = printers.of(marketId);
        const page = await pageFromHistory((query) => history.fundingRates(query), {
          marketId,
          startTime: params.start_time,
          endTime: params.end_time,
          page: 1,
          limit: params.limit,
          offset: params.offset,
        });
        answerOffset(call, page, ({ collectedAt, rateE8, actualRateE8 }) =>
          JSON.stringify({
            time: exactSeconds(collectedAt),
            market: name,
            asset: settle.ccy,
            funding_rate: rateText(rateE8),
            funding_rate_real: rateText(actualRateE8),
          }),
        );
      });
    },

    "GET /perpetual/v1/position/funding": (call) => {
      const { caller, params } = call;
      return inPastMarketOrAll(state, "futures", call, params.market, async (market) => {
        // Rows lie by market: of every market that the account has ever used as many as could be shown.
        const last = params.offset + params.limit;
        const found: PositionChangeRow[] = [];
        for (const marketId of market === undefined ? usedMarkets(caller.userId) : [market.id]) {
          const { start_time: startTime, end_time: endTime } = params;
          const query = {
            kind: "funding",
            userId: caller.userId,
            marketId,
            startTime,
            endTime,
            page: 1,
            limit: last,
          } as const;
          const page = await pageFromHistory((each) => history.positionChanges(each), query);
          if (page instanceof Refused) {
            call.refuse(page);
            return;
          }
          found.push(...page.rows);
        }
        const newest = found.sort((one, other) => other.createdAt - one.createdAt);
        const shown = { rows: newest.slice(params.offset, last), hasNext: newest.length > last };
        answerOffset(call, shown, (row) => JSON.stringify(fundingOf(caller.userId, row)));
      });
    },
  };

  function usedMarkets(userId: number): number[] {
    const markets = [...state.seats.ofUser(userId)].map((seat) => state.seats.marketId(seat));
    return markets.filter((marketId) => state.markets[marketId]?.futures !== undefined);
  }

  /** A PerpetualFundingRecord. */
  function fundingOf(userId: number, row: PositionChangeRow) {
    const printer = printers.of(row.marketId);
    return {
      user_id: userId,
      time: exactSeconds(row.createdAt),
      market: printer.market.name,
      asset: printer.settle.ccy,
      type: row.change < 0n ? PAID : RECEIVED,
      position_id: row.positionId,
      side: row.isShort ? SIDE.sell : SIDE.buy,
      amount: printer.amount(row.amount),
      price: printer.price(shownPrice(printer.terms, row.amount, row.settleCost)),
      funding_rate: rateText(row.rateE8),
      real_funding_rate: rateText(row.rateE8),
      funding: printer.value(row.change),
      value: printer.value(row.settleCost),
    };
  }
}

/** The numbers of this generation for what is added to a margin, and for funding that was paid or received. */
const ADDS = 1;
const PAID = 1;
const RECEIVED = 2;
