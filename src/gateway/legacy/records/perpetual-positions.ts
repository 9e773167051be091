/**
 * Positions of futures as the legacy generation prints them. Source: contract/legacy/futures-http.json; figures as in
 * domain 4.7.
 */
import type { ExitKind } from "../../../engine/futures/exits/exit.ts";
import { closeAvailable } from "../../../engine/futures/orders/reduce-only.ts";
import { atMark, backingOf, factsOf, marginOf } from "../../../engine/futures/positions/account-sums.ts";
import { levelAt } from "../../../engine/futures/positions/contract.ts";
import { bankruptcyPrice, liquidationPrice, shownPrice } from "../../../engine/futures/positions/figures.ts";
import type { EndingEvent, FinishedType } from "../../../engine/futures/positions/position-event.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { RATE_SCALE } from "../../../engine/money/rate.ts";
import type { State } from "../../../engine/state.ts";
import type { AdlLevels } from "../../reading/adl-levels.ts";
import { feeRatesOf } from "../../reading/fee-rates.ts";
import { type MarketPrinter, NOTHING, type Printers, rateText } from "../../reading/market-printer.ts";
import type { PerpetualFinishType, PerpetualPosition, PerpetualTpSlType } from "../types.generated.ts";
import { POSITION_TYPE } from "./order-shape.ts";
import { exactSeconds } from "./time.ts";

const SIDE = { short: 1, long: 2 } as const;
const OPEN = 1;

/** A rate of 1 in 10^-8. */
const ONE_E8 = 100_000_000n;

/**
 * An open position at the present mark. What this generation tells of liquidations of an open position is 0: here a
 * position that is liquidated is closed in one step.
 */
export function perpetualPositionOf(
  state: State,
  printers: Printers,
  levels: AdlLevels,
  slot: number,
): PerpetualPosition {
  const { positions } = state.futures;
  const printer = printers.of(positions.marketId(slot));
  const { market, terms } = printer;
  const userId = positions.userId(slot);
  const facts = factsOf(state, slot);
  const at = atMark(state, slot);
  const { amount, entryCost, isShort } = facts;
  const isIsolated = positions.isIsolated(slot);
  const backing = backingOf(state, slot);
  const margin = isIsolated ? marginOf(state, slot) : at.initial;
  const liquidated = printer.priceOrNothing(liquidationPrice(terms, facts, backing, market.maxPrice));
  const bankrupt = printer.priceOrNothing(isIsolated ? bankruptcyPrice(terms, facts, margin) : 0n);
  const { maker, taker } = feeRatesOf(state, userId, market);
  const nothing = printer.value(0n);
  const [loss, profit] = [exitOf(state, printer, slot, "stop_loss"), exitOf(state, printer, slot, "take_profit")];
  return {
    position_id: positions.positionId(slot),
    user_id: userId,
    market: market.name,
    type: isIsolated ? POSITION_TYPE.isolated : POSITION_TYPE.cross,
    side: isShort ? SIDE.short : SIDE.long,
    sys: 0,
    finish_type: OPEN,
    create_time: exactSeconds(positions.createdAt(slot)),
    update_time: exactSeconds(positions.updatedAt(slot)),
    amount: printer.amount(amount),
    amount_max: printer.amount(positions.topAmount(slot)),
    amount_max_margin: printer.value(positions.topMargin(slot)),
    close_left: printer.amount(closeAvailable(state, positions.seat(slot), isShort)),
    deal_all: printer.value(entryCost),
    deal_asset_fee: NOTHING,
    fee_asset: "",
    open_price: printer.price(shownPrice(terms, amount, entryCost)),
    open_val: printer.value(entryCost),
    open_val_max: printer.value(positions.topCost(slot)),
    first_price: printer.price(positions.firstPrice(slot)),
    latest_price: printer.price(positions.latestPrice(slot)),
    open_margin: formatDecimal(ONE_E8 / BigInt(facts.leverage), RATE_SCALE),
    open_margin_imply: NOTHING,
    mainten_margin: rateText(at.maintenanceRateE8),
    mainten_margin_amount: printer.value(at.maintenance),
    margin_amount: printer.value(margin),
    profit_real: printer.value(positions.realized(slot)),
    profit_unreal: printer.value(at.unrealized),
    profit_clearing: nothing,
    leverage: String(facts.leverage),
    liq_price: liquidated,
    liq_price_imply: isIsolated ? NOTHING : liquidated,
    bkr_price: bankrupt,
    bkr_price_imply: NOTHING,
    liq_amount: printer.amount(0n),
    liq_order_price: NOTHING,
    liq_order_time: 0,
    liq_profit: nothing,
    liq_time: 0,
    insurance: nothing,
    adl_sort: levels.of(slot),
    adl_sort_val: NOTHING,
    total: levels.sizeOf(slot),
    maker_fee: rateText(maker),
    taker_fee: rateText(taker),
    stop_loss_price: loss.price,
    stop_loss_type: loss.type,
    take_profit_price: profit.price,
    take_profit_type: profit.type,
  };
}

/** How it ended. */
const FINISH_TYPE: Readonly<Record<Exclude<FinishedType, "">, PerpetualFinishType>> = {
  limit: 2,
  market: 2,
  market_close_all: 2,
  take_profit: 2,
  stop_loss: 2,
  sys: 3,
  adl: 4,
  liq: 5,
};

/** A position that has ended: nothing is left of it but what it came to. */
export function endedPerpetualPositionOf(state: State, printers: Printers, last: EndingEvent): PerpetualPosition {
  const printer = printers.of(last.marketId);
  const { market, terms } = printer;
  const { maker, taker } = feeRatesOf(state, last.userId, market);
  const nothing = printer.value(0n);
  const none = printer.amount(0n);
  const isLiquidated = last.finishedType === "liq";
  return {
    position_id: last.positionId,
    user_id: last.userId,
    market: market.name,
    type: last.isIsolated ? POSITION_TYPE.isolated : POSITION_TYPE.cross,
    side: last.isShort ? SIDE.short : SIDE.long,
    sys: 0,
    finish_type: FINISH_TYPE[last.finishedType],
    create_time: exactSeconds(last.createdAt),
    update_time: exactSeconds(last.updatedAt),
    amount: none,
    amount_max: printer.amount(last.topAmount),
    amount_max_margin: printer.value(last.topMargin),
    close_left: none,
    deal_all: nothing,
    deal_asset_fee: NOTHING,
    fee_asset: "",
    open_price: printer.price(shownPrice(terms, last.lots, last.entered)),
    open_val: nothing,
    open_val_max: printer.value(last.topCost),
    first_price: printer.price(last.firstPrice),
    latest_price: printer.price(last.latestPrice),
    open_margin: formatDecimal(ONE_E8 / BigInt(last.leverage), RATE_SCALE),
    open_margin_imply: NOTHING,
    mainten_margin: rateText(levelAt(terms, last.topAmount).maintenanceRateE8),
    mainten_margin_amount: nothing,
    margin_amount: nothing,
    profit_real: printer.value(last.realized),
    profit_unreal: nothing,
    profit_clearing: nothing,
    leverage: String(last.leverage),
    liq_price: NOTHING,
    liq_price_imply: NOTHING,
    bkr_price: NOTHING,
    bkr_price_imply: NOTHING,
    liq_amount: isLiquidated ? printer.amount(last.lots) : none,
    liq_order_price: NOTHING,
    liq_order_time: 0,
    liq_profit: isLiquidated ? printer.value(last.pnl) : nothing,
    liq_time: isLiquidated ? exactSeconds(last.updatedAt) : 0,
    insurance: printer.value(last.covered),
    adl_sort: 1,
    adl_sort_val: NOTHING,
    total: 0,
    maker_fee: rateText(maker),
    taker_fee: rateText(taker),
    stop_loss_price: NOTHING,
    stop_loss_type: 0,
    take_profit_price: NOTHING,
    take_profit_type: 0,
  };
}

/** Returns the stop loss or the take profit that closes the whole position; price 0 and type 0 when there is none. */
function exitOf(
  { futures }: State,
  printer: MarketPrinter,
  slot: number,
  kind: ExitKind,
): { readonly price: string; readonly type: PerpetualTpSlType } {
  const { exits } = futures;
  const exit = exits.ofPosition(slot).find((each) => exits.kind(each) === kind && exits.isWhole(each));
  if (exit === undefined) return { price: NOTHING, type: 0 };
  return {
    price: printer.price(BigInt(exits.trigger(exit))),
    type: exits.triggerType(exit) === "latest_price" ? 1 : 2,
  };
}
