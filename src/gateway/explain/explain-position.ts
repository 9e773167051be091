/**
 * The life of a position in words: how it stands, or how it came to its end, and of a liquidation the figures that made
 * it due.
 */

import { markOf } from "../../engine/futures/funding/mark.ts";
import { positionsIn } from "../../engine/futures/positions/account-sums.ts";
import { levelAt, signOf, valueAtMark } from "../../engine/futures/positions/contract.ts";
import { positionAtMark, shownPrice } from "../../engine/futures/positions/figures.ts";
import type { FinishedType, PositionEvent } from "../../engine/futures/positions/position-event.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";
import { positionOf } from "../current/records/positions.ts";
import { AdlLevels } from "../reading/adl-levels.ts";
import { type MarketPrinter, rateText } from "../reading/market-printer.ts";
import type { Because, ExplainGround } from "./explain-order.ts";
import type { PositionStep } from "./lifecycle-trace.ts";

const ENDED: Readonly<Record<Exclude<FinishedType, "">, Because>> = {
  limit: { because: "Its user closed it by a limit order.", rule: "4.6" },
  market: { because: "Its user closed it by a market order.", rule: "4.6" },
  market_close_all: { because: "Its user closed all of it at market.", rule: "4.2" },
  take_profit: { because: "Its take profit closed it.", rule: "4.10" },
  stop_loss: { because: "Its stop loss closed it.", rule: "4.10" },
  liq: {
    because: "It was liquidated: at the mark what stood behind it was no more than its maintenance margin.",
    rule: "4.13",
  },
  adl: { because: "It was closed against one that the venue had taken over: auto-deleveraging.", rule: "4.15" },
  sys: { because: "The venue closed it: its market left the list.", rule: "4.17" },
};

/** Returns everything that is known of a position; undefined when no position of this id is remembered. */
export async function explainPosition(ground: ExplainGround, positionId: number): Promise<object | undefined> {
  const { state, history, printers, lifecycleTrace } = ground;
  const steps = lifecycleTrace?.positionSteps(positionId) ?? [];
  const slot = slotOfPosition(state, positionId);
  const events = steps.map((step) => stepText(printers.of(step.position.marketId), step));
  if (slot !== NONE) {
    const print = printers.of(state.futures.positions.marketId(slot));
    return {
      user_id: state.futures.positions.userId(slot),
      ...positionOf(state, printers, new AdlLevels(state), slot),
      mark_price: print.priceOrNothing(markOf(state, print.market)),
      because: "It is open: at the mark what stands behind it is more than its maintenance margin.",
      rule: "4.13",
      events,
    };
  }
  const ended = await history.endedPosition({ positionId });
  const last = steps.at(-1);
  const finishedType = last?.position.finishedType || ended?.finishedType;
  if (finishedType === undefined) return undefined;
  const marketId = last?.position.marketId ?? (ended as NonNullable<typeof ended>).marketId;
  const print = printers.of(marketId);
  return {
    position_id: positionId,
    user_id: last?.position.userId ?? ended?.userId ?? 0,
    market: print.market.name,
    side: (last?.position.isShort ?? ended?.isShort) ? "short" : "long",
    finished_type: finishedType,
    ...(ended === undefined ? {} : { realized_pnl: print.value(ended.realized), ended_at: ended.updatedAt }),
    ...ENDED[finishedType],
    ...liquidationOf(print, steps),
    events,
  };
}

/** The figures right before the position was taken over, at the mark that made it due. */
function liquidationOf(print: MarketPrinter, steps: readonly PositionStep[]): object {
  const at = steps.findIndex(({ liquidated }) => liquidated !== undefined);
  const { liquidated, mark, seq, timeMs } = steps[at] ?? {};
  // In the command that takes it over it may have been settled before; what it was then is the step before its last.
  const before = steps[at - 1]?.position;
  if (liquidated === undefined || mark === undefined || before === undefined) return {};
  const { terms } = print;
  const facts = {
    amount: before.amount,
    entryCost: before.entryCost,
    settleCost: before.settleCost,
    isShort: before.isShort,
    leverage: before.leverage,
  };
  const standing = positionAtMark(terms, facts, mark);
  return {
    liquidation: {
      ...{ seq, time: timeMs },
      mark_price: print.price(mark),
      amount: print.amount(before.amount),
      value_at_mark: print.value(valueAtMark(terms, mark, before.amount, signOf(terms, before.isShort))),
      entry_price: print.price(shownPrice(terms, before.amount, before.entryCost)),
      unrealized_pnl: print.value(standing.unrealized),
      margin_mode: before.isIsolated ? "isolated" : "cross",
      margin: before.isIsolated ? print.value(before.margin) : "what the account had",
      maintenance_margin_rate: rateText(levelAt(terms, before.amount).maintenanceRateE8),
      maintenance_margin: print.value(standing.maintenance),
      liq_price: print.priceOrNothing(BigInt(liquidated.liqPrice)),
      bkr_price: print.priceOrNothing(BigInt(liquidated.bkrPrice)),
    },
  };
}

function stepText(print: MarketPrinter, { seq, timeMs, position, mark }: PositionStep) {
  const { reason, finishedType, amount, orderId, dealId, pnl, fee, marginChange } = position;
  return {
    seq,
    time: timeMs,
    event: finishedType === "" ? reason : `ended: ${finishedType}`,
    amount: print.amount(amount),
    change: changeOf(print, position),
    entry_price: priceOf(print, position),
    mark_price: print.priceOrNothing(mark),
    pnl: print.value(pnl),
    fee: print.value(fee),
    margin_change: print.value(marginChange),
    order_id: orderId,
    deal_id: dealId,
  };
}

function changeOf(print: MarketPrinter, { reason, lots }: PositionEvent): string {
  if (reason !== "increase" && reason !== "reduce") return "";
  return `${reason === "increase" ? "+" : "-"}${print.amount(lots)}`;
}

function priceOf(print: MarketPrinter, { amount, entryCost }: PositionEvent): string {
  return print.priceOrNothing(shownPrice(print.terms, amount, entryCost));
}

/** Positions are few beside orders, and nobody asks often. */
export function slotOfPosition(state: State, positionId: number): number {
  const { positions } = state.futures;
  for (const { id, futures } of state.markets) {
    if (futures === undefined) continue;
    for (const slot of positionsIn(state, id)) if (positions.positionId(slot) === positionId) return slot;
  }
  return NONE;
}
