/** Records of positions as the contract prints them. Source: domain 4.7. */

import type { ExitKind } from "../../../engine/futures/exits/exit.ts";
import { closeAvailable } from "../../../engine/futures/orders/reduce-only.ts";
import { atMark, backingOf, factsOf, marginOf } from "../../../engine/futures/positions/account-sums.ts";
import { levelAt } from "../../../engine/futures/positions/contract.ts";
import {
  bankruptcyPrice,
  liquidationPrice,
  marginRateE8,
  riskRateE8,
  shownPrice,
} from "../../../engine/futures/positions/figures.ts";
import type { State } from "../../../engine/state.ts";
import type { EndedPosition, PositionChangeRow } from "../../../history/positions/position-queries.ts";
import type { AdlLevels } from "../../reading/adl-levels.ts";
import { longRateText, type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import type {
  FinishedPosition,
  Position,
  PositionFunding,
  PositionMarginChange,
  PositionTrigger,
  TpslPriceType,
} from "../types.generated.ts";

/** The exit fields of a position that no price closes. */
const NO_TRIGGERS = {
  take_profit_price: "",
  stop_loss_price: "",
  take_profit_type: "",
  stop_loss_type: "",
} as const;

/** An open position at the present mark. */
export function positionOf(state: State, printers: Printers, levels: AdlLevels, slot: number): Position {
  const { positions } = state.futures;
  const printer = printers.of(positions.marketId(slot));
  const { market, terms } = printer;
  const facts = factsOf(state, slot);
  const at = atMark(state, slot);
  const isIsolated = positions.isIsolated(slot);
  const backing = backingOf(state, slot);
  const { amount, entryCost, settleCost, isShort } = facts;
  const bankrupt = isIsolated ? bankruptcyPrice(terms, facts, marginOf(state, slot)) : 0n;
  return {
    position_id: positions.positionId(slot),
    market: market.name,
    market_type: "FUTURES",
    side: isShort ? "short" : "long",
    margin_mode: isIsolated ? "isolated" : "cross",
    open_interest: printer.amount(amount),
    close_avbl: printer.amount(closeAvailable(state, positions.seat(slot), isShort)),
    ath_position_amount: printer.amount(positions.topAmount(slot)),
    unrealized_pnl: printer.value(at.unrealized),
    realized_pnl: printer.value(positions.realized(slot)),
    avg_entry_price: printer.price(shownPrice(terms, amount, entryCost)),
    cml_position_value: printer.value(entryCost),
    max_position_value: printer.value(positions.topCost(slot)),
    ...exitsOf(state, printer, slot),
    leverage: String(facts.leverage),
    margin_avbl: printer.value(isIsolated ? marginOf(state, slot) : at.initial),
    ath_margin_size: printer.value(positions.topMargin(slot)),
    position_margin_rate: longRateText(marginRateE8(backing, settleCost)),
    maintenance_margin_rate: rateText(at.maintenanceRateE8),
    maintenance_margin_value: printer.value(at.maintenance),
    liq_price: printer.priceOrNothing(liquidationPrice(terms, facts, backing, market.maxPrice)),
    bkr_price: printer.priceOrNothing(bankrupt),
    adl_level: levels.of(slot),
    settle_price: printer.price(shownPrice(terms, amount, settleCost)),
    settle_value: printer.value(settleCost),
    risk_rate: longRateText(riskRateE8(backing, at)),
    created_at: positions.createdAt(slot),
    updated_at: positions.updatedAt(slot),
    stop_loss_list: exitList(state, printer, slot, "stop_loss"),
    take_profit_list: exitList(state, printer, slot, "take_profit"),
  };
}

/** Returns the exits that close the whole position, in the position's own fields; empty texts where there is none. */
function exitsOf(state: State, printer: MarketPrinter, slot: number) {
  const whole = (kind: ExitKind) => exitList(state, printer, slot, kind).find((entry) => entry.is_all);
  const [profit, loss] = [whole("take_profit"), whole("stop_loss")];
  return {
    take_profit_price: profit?.price ?? "",
    stop_loss_price: loss?.price ?? "",
    take_profit_type: profit?.type ?? "",
    stop_loss_type: loss?.type ?? "",
  } as const;
}

/** All that closes it, or part of it, at a profit or at a loss, by ascending id. */
function exitList({ futures }: State, printer: MarketPrinter, slot: number, kind: ExitKind): PositionTrigger[] {
  const { exits, positions } = futures;
  const ofKind = exits.ofPosition(slot).filter((exit) => exits.kind(exit) === kind);
  return ofKind.map((exit) => ({
    id: exits.exitId(exit),
    price: printer.price(BigInt(exits.trigger(exit))),
    type: exits.triggerType(exit) as TpslPriceType,
    amount: printer.amount(exits.isWhole(exit) ? positions.amount(slot) : exits.amount(exit)),
    is_all: exits.isWhole(exit),
    created_at: exits.createdAt(exit),
  }));
}

/**
 * A position that has ended: nothing is left of it but what it came to, and the average price of what was closed last.
 */
export function finishedPositionOf(printers: Printers, ended: EndedPosition): FinishedPosition {
  const printer = printers.of(ended.marketId);
  const { market, terms } = printer;
  const nothing = printer.value(0n);
  return {
    position_id: ended.positionId,
    market: market.name,
    market_type: "FUTURES",
    side: ended.isShort ? "short" : "long",
    margin_mode: ended.isIsolated ? "isolated" : "cross",
    open_interest: printer.amount(0n),
    close_avbl: printer.amount(0n),
    ath_position_amount: printer.amount(ended.topAmount),
    unrealized_pnl: nothing,
    realized_pnl: printer.value(ended.realized),
    avg_entry_price: printer.price(shownPrice(terms, ended.amount, ended.entryCost)),
    cml_position_value: nothing,
    max_position_value: printer.value(ended.topCost),
    ...NO_TRIGGERS,
    leverage: String(ended.leverage),
    margin_avbl: nothing,
    ath_margin_size: printer.value(ended.topMargin),
    position_margin_rate: NOTHING,
    maintenance_margin_rate: rateText(levelAt(terms, ended.topAmount).maintenanceRateE8),
    maintenance_margin_value: nothing,
    liq_price: NOTHING,
    bkr_price: NOTHING,
    adl_level: 1,
    settle_price: printer.price(shownPrice(terms, ended.amount, ended.settleCost)),
    settle_value: nothing,
    risk_rate: NOTHING,
    created_at: ended.createdAt,
    updated_at: ended.updatedAt,
    stop_loss_list: [],
    take_profit_list: [],
    finished_type: ended.finishedType,
  };
}

/** A change of margin or leverage, or a settlement. Of a cross position no margin is set apart, which shows as 0. */
export function marginChangeOf(printers: Printers, row: PositionChangeRow): PositionMarginChange {
  const printer = printers.of(row.marketId);
  return {
    ...changedPosition(printer, row),
    leverage: String(row.leverage),
    liq_price: printer.priceOrNothing(row.liqPrice),
    bkr_price: printer.priceOrNothing(row.bkrPrice),
    settle_price: printer.price(shownPrice(printer.terms, row.amount, row.settleCost)),
    open_interest: printer.amount(row.amount),
    margin_avbl: printer.value(row.margin),
    margin_change: printer.value(row.change),
    created_at: row.createdAt,
  };
}

/** Returns the funding that a position paid, below 0, or received at a collection. */
export function fundingOf(printers: Printers, row: PositionChangeRow): PositionFunding {
  const printer = printers.of(row.marketId);
  return {
    ...changedPosition(printer, row),
    ccy: printer.settle.ccy,
    side: row.isShort ? "short" : "long",
    open_interest: printer.amount(row.amount),
    settle_price: printer.price(shownPrice(printer.terms, row.amount, row.settleCost)),
    funding_rate: rateText(row.rateE8),
    funding_value: printer.value(row.change),
    created_at: row.createdAt,
  };
}

function changedPosition({ market }: MarketPrinter, row: PositionChangeRow) {
  return {
    market: market.name,
    market_type: "FUTURES",
    position_id: row.positionId,
    margin_mode: row.isIsolated ? "isolated" : "cross",
  } as const;
}
