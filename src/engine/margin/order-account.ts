import { FLAG } from "../command.ts";
import { isIndexFresh } from "../listing/index-freshness.ts";
import type { Market } from "../listing/market.ts";
import { refusalNumber } from "../refusal.ts";
import type { Scratch } from "../scratch.ts";
import { declareAccount, type SpotAccount } from "../spot/account.ts";
import type { State } from "../state.ts";
import { NONE } from "../trading/order.ts";
import {
  isSure,
  isTowardsDebt,
  makerPassesMarginCheck,
  passesMarginCheck,
  takerPassesMarginCheck,
  underMargined,
} from "./margin-check.ts";
import "./codes.ts";
import { refuseMarginOrder } from "./ordering.ts";

const NOT_AVAILABLE = refusalNumber("margin_not_available");
const WORTH_AT_RISK = refusalNumber("margin_worth_at_risk");
const WAITS_FOR_INDEX = refusalNumber("margin_waits_for_index");
const SELL = FLAG.sell;
const PLACE = 1;

/**
 * The margin account as orders of spot markets trade with it: what it owes is others' money, so each fill must leave
 * enough behind.
 */
class MarginOrderAccount implements SpotAccount {
  readonly isHeldToIndex = true;

  refuseMarket({ margin }: State, market: Market): number {
    return margin.terms.has(market.id) ? 0 : NOT_AVAILABLE;
  }

  refuseUser(state: State, userId: number, market: Market): number {
    return refuseMarginOrder(state, userId, market);
  }

  isTowardsDebt(state: State, userId: number, market: Market, flags: number): boolean {
    const row = state.margin.accounts.find(userId, market.id);
    return row !== NONE && isTowardsDebt(state, row, (flags & SELL) !== 0);
  }

  openSeat({ seats, margin: { accounts } }: State, userId: number, { id }: Market): number {
    const row = accounts.find(userId, id);
    return seats.add(userId, id, PLACE, accounts.baseCell(row), accounts.quoteCell(row));
  }

  givingCell({ margin: { accounts } }: State, userId: number, market: Market, flags: number): number {
    return accounts.cell(accounts.find(userId, market.id), (flags & SELL) === 0);
  }

  refuseDrafted(state: State, { draft }: Scratch, userId: number, market: Market, flags: number): number {
    const row = state.margin.accounts.find(userId, market.id);
    const taker = state.users.takerFeeRateE8(userId);
    const feeRateE8 = taker < 0 ? market.takerFeeRateE8 : taker;
    if (passesMarginCheck(state, market, row, (flags & SELL) !== 0, draft.price, draft.left, feeRateE8)) return 0;
    return isIndexFresh(market) ? WORTH_AT_RISK : WAITS_FOR_INDEX;
  }

  boundAtMarket(_state: State, _userId: number, _market: Market, _flags: number, bound: bigint): bigint {
    return bound;
  }

  /** A market order has no price of its own: each of its fills is looked at. */
  refuseAtMarket(): number {
    return 0;
  }

  canTake(state: State, { trade }: Scratch, market: Market): boolean {
    return takerPassesMarginCheck(state, market, trade.taker, trade.price, trade.lots);
  }

  canMake(state: State, { trade }: Scratch, market: Market): boolean {
    return makerPassesMarginCheck(state, market, trade.maker, trade.lots);
  }

  isSure(state: State, market: Market, slot: number): boolean {
    return isSure(state, market, slot);
  }

  unmeetable(state: State, market: Market): number[] {
    return underMargined(state, market);
  }

  /** Has the account looked at when the command is done. */
  noteFill({ orders, seats, margin }: State, market: Market, slot: number): void {
    margin.note(seats.userId(orders.seat(slot)), market.id);
  }
}

declareAccount(PLACE, new MarginOrderAccount());
