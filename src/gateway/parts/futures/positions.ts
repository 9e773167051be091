/** Positions: closing them, their margin and leverage, and what a caller asks about its own. */

import type { ClosePosition } from "../../../engine/command.ts";
import { decodeOrder } from "../../../engine/event.ts";
import type { AdjustMargin } from "../../../engine/futures/command-schemas.ts";
import { onGrid } from "../../../engine/money/on-grid.ts";
import { NONE } from "../../../engine/trading/order.ts";
import type { PositionChangeKind, PositionChangeRow } from "../../../history/positions/position-queries.ts";
import type { Backend } from "../../backend.ts";
import type { Handlers } from "../../current/api.ts";
import type { Call, Handler } from "../../current/call.ts";
import { closeOrderText } from "../../current/records/orders.ts";
import { finishedPositionOf, fundingOf, marginChangeOf, positionOf } from "../../current/records/positions.ts";
import type { EndpointRecord, MarginMode } from "../../current/types.generated.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import { execute } from "../../reading/execute.ts";
import { answerPage, pageFromHistory } from "../../reading/from-history.ts";
import type { Printers } from "../../reading/market-printer.ts";
import { inMarket, inMarketOrAll, inPastMarket, inPastMarketOrAll } from "../../reading/named-markets.ts";
import { openSlot, openSlots } from "../../reading/open-positions.ts";

export function positionHandlers(backend: Backend, printers: Printers): Handlers {
  const { state, history } = backend;
  const levels = new AdlLevels(state);
  const show = (slot: number) => positionOf(state, printers, levels, slot);

  return {
    "POST /futures/close-position": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, (market) => {
        const close: ClosePosition = {
          kind: "close_position",
          userId: caller.userId,
          marketId: market.id,
          type: params.type,
          // The frame has seen to it that every other type comes with a price.
          price: params.type === "market" ? 0n : onGrid(params.price as string, market.pricePrecision),
          amount: params.amount === undefined ? undefined : onGrid(params.amount, market.amountPrecision),
          hidden: params.is_hide,
          stpMode: params.stp_mode ?? "none",
          positionSide: params.position_side,
          clientId: params.client_id ?? "",
        };
        execute(backend, call, close, (outcome, engine) => {
          call.answer(closeOrderText(printers, decodeOrder(engine.events, outcome.orderEvent)));
        });
      });
    },

    "POST /futures/adjust-position-margin": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const { userId } = caller;
        const { position_side: positionSide, amount } = params;
        const adjust: AdjustMargin = { kind: "adjust_margin", userId, marketId, positionSide, amount };
        execute(backend, call, adjust, (outcome) => {
          const { positionId } = outcome.result as { positionId: number };
          const slot = openSlot(state, userId, marketId, positionId);
          if (slot === NONE) call.refuse("no_position");
          else call.answer(show(slot));
        });
      });
    },

    "POST /futures/adjust-position-leverage": (call) => {
      const { caller, params } = call;
      inMarket(state, "futures", call, params.market, ({ id: marketId }) => {
        const { margin_mode: marginMode, leverage } = params;
        const set = { userId: caller.userId, marketId, marginMode, leverage };
        execute(backend, call, { kind: "set_leverage", ...set }, (outcome) => {
          const inForce = outcome.result as { marginMode: MarginMode; leverage: number };
          call.answer({ margin_mode: inForce.marginMode, leverage: inForce.leverage });
        });
      });
    },

    "GET /futures/pending-position": (call) => {
      const { caller, params } = call;
      inMarketOrAll(state, "futures", call, params.market, (market) => {
        const slots = openSlots(state, caller.userId, market);
        const from = (params.page - 1) * params.limit;
        const shown = slots.slice(from, from + params.limit).map(show);
        call.answer(shown, { hasNext: from + params.limit < slots.length });
      });
    },

    "GET /futures/finished-position": (call) => {
      const { caller, params } = call;
      return inPastMarketOrAll(state, "futures", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.finishedPositions(query), {
          userId: caller.userId,
          marketId: market?.id,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        answerPage(call, page, (rows) => rows.map((ended) => finishedPositionOf(printers, ended)));
      });
    },

    "GET /futures/position-margin-history": changes("margin", (row) => marginChangeOf(printers, row)),
    "GET /futures/position-settle-history": changes("settle", (row) => marginChangeOf(printers, row)),
    "GET /futures/position-funding-history": changes("funding", (row) => fundingOf(printers, row)),
  };

  function changes<Name extends ChangeEndpoint>(
    kind: PositionChangeKind,
    print: (row: PositionChangeRow) => EndpointRecord[Name],
  ): Handler<Name> {
    return (call) => {
      const { caller, params } = call as Call<ChangeEndpoint>;
      return inPastMarket(state, "futures", call, params.market, async (market) => {
        const page = await pageFromHistory((query) => history.positionChanges(query), {
          kind,
          userId: caller.userId,
          marketId: market.id,
          positionId: params.position_id,
          startTime: params.start_time,
          endTime: params.end_time,
          page: params.page,
          limit: params.limit,
        });
        answerPage(call as Call<ChangeEndpoint>, page, (rows) => rows.map(print) as never);
      });
    };
  }
}

type ChangeEndpoint =
  | "GET /futures/position-margin-history"
  | "GET /futures/position-settle-history"
  | "GET /futures/position-funding-history";
