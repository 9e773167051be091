import { FLAG } from "../../command.ts";
import * as eventForm from "../../event.ts";
import type { Market } from "../../listing/market.ts";
import * as money from "../../money/int64.ts";
import { refusalNumber } from "../../refusal.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import * as emits from "../../trading/emit.ts";
import * as fillings from "../../trading/fills.ts";
import { isSameUser } from "../../trading/match.ts";
import { MEETING, type QuoteTrial, type ReplacedQuote, type Settlement } from "../../trading/settlement.ts";
import { markOf } from "../funding/mark.ts";
import { noteResult } from "../liquidation/fund-budget.ts";
import { fundCovers } from "../liquidation/inventory.ts";
import { makerCoversFill } from "../liquidation/maker-loss.ts";
import { type FuturesSpec, tradeValue } from "../positions/contract.ts";
import { LIQUIDATOR } from "../positions/futures-account.ts";
import { isHedge, openRow, rowOf } from "../positions/futures-seat.ts";
import { isFarFromMark } from "../positions/loss.ts";
import * as accepting from "./accept.ts";
import * as filling from "./fill.ts";
import * as holding from "./held-order.ts";
import * as moving from "./move-contract.ts";
import { ContractQuoteTrial } from "./quote-trial.ts";
import { closeAvailable } from "./reduce-only.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { DEAL_FLAG } = eventForm;
const { emitDeal } = emits;
const { fillsOf, lowerResting, lowerTaker, rememberLots } = fillings;
const { contractFlags, noteQuotePrices, refuseContract, refuseContractChange, refuseContractLots } = accepting;
const { fillContract, reducibleLots, settleContract } = filling;
const { holdOrder, isReducing, releaseOrder, weigh } = holding;
const { holdMoved, mayMove } = moving;
const ACCOUNTS = FLAG.futures | FLAG.margin;
const FUTURES = FLAG.futures;
const MARKED_DEAL = DEAL_FLAG.futures;
const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const SIDE_MISMATCH = refusalNumber("position_side_mismatch");
const TRADES = MEETING.trades;
const ENDS_MAKER = MEETING.endsMaker;
const STOPS_TAKER = MEETING.stopsTaker;

/**
 * Futures markets: instead of money for goods, the positions of both sides change; freezes are sums beside the ledger.
 * Source: domain 4.
 */
class FuturesSettlement implements Settlement {
  readonly marketType = "FUTURES";
  readonly keepsPositions = true;
  readonly auction = undefined;

  refuseAccount(_state: State, _market: Market, flags: number): number {
    return (flags & ACCOUNTS) === FUTURES ? 0 : MARKET_NOT_FOUND;
  }

  refuseUser(): number {
    return 0;
  }

  /** Orders that close a position of their user, and none that would open one on the other side when that has gone. */
  onlyReduces(_state: State, _userId: number, _market: Market, flags: number): boolean {
    return isReducing(flags);
  }

  /** The mode does not change while a stop order waits, so that this holds when it fires. */
  refuseStop(state: State, userId: number, flags: number): number {
    return ((flags & FLAG.sided) !== 0) === isHedge(state, userId) ? 0 : SIDE_MISMATCH;
  }

  orderFlags(flags: number): number {
    return contractFlags(flags);
  }

  cutToReduce(state: State, { draft }: Scratch, userId: number, market: Market, flags: number): void {
    const most = closeAvailable(state, rowOf(state, userId, market.id), (flags & FLAG.sell) === 0);
    if (most > 0n && most < draft.left) draft.left = most;
  }

  openSeat(state: State, userId: number, market: Market): number {
    return state.futures.seats.seat(openRow(state, userId, market));
  }

  refuseOrder(state: State, scratch: Scratch, userId: number, market: Market, _seat: number, flags: number): number {
    return refuseContract(state, scratch, userId, market, flags);
  }

  refuseLots(scratch: Scratch, market: Market, flags: number): number {
    return refuseContractLots(scratch, market, flags);
  }

  refuseChange(state: State, scratch: Scratch, market: Market, slot: number): number {
    return refuseContractChange(state, scratch, market, slot);
  }

  canMove(state: State, scratch: Scratch, market: Market, slot: number, seat: number, flags: number): boolean {
    return mayMove(state, scratch, market, slot, seat, flags);
  }

  tryQuotes(state: State, market: Market, seat: number, earlier: readonly ReplacedQuote[]): QuoteTrial {
    return new ContractQuoteTrial(state, market, seat, earlier);
  }

  draftQuote(state: State, scratch: Scratch, market: Market, flags: number): void {
    noteQuotePrices(state, scratch, market, flags);
  }

  enter({ orders, seats, users, futures }: State, { contract }: Scratch, market: Market, slot: number): void {
    const seat = orders.seat(slot);
    const userId = seats.userId(seat);
    const maker = users.futuresMakerFeeRateE8(userId);
    const taker = users.futuresTakerFeeRateE8(userId);
    orders.setMakerFeeRateE8(slot, maker < 0 ? market.makerFeeRateE8 : maker);
    orders.setTakerFeeRateE8(slot, taker < 0 ? market.takerFeeRateE8 : taker);
    futures.held.enter(slot, futures.seats.rowOf(seat), contract.freezePrice);
  }

  redraft({ futures }: State, { contract }: Scratch, slot: number): void {
    futures.held.setFreezePrice(slot, contract.freezePrice);
  }

  hold(state: State, market: Market, slot: number): void {
    holdOrder(state, market, slot);
  }

  release(state: State, market: Market, slot: number): void {
    releaseOrder(state, market, slot);
  }

  beforeChange(state: State, market: Market, slot: number): void {
    weigh(state, market, slot, -1n);
  }

  afterChange(state: State, { contract }: Scratch, market: Market, slot: number): void {
    state.futures.held.setFreezePrice(slot, contract.freezePrice);
    holdOrder(state, market, slot);
  }

  afterMove(state: State, scratch: Scratch, slot: number): void {
    holdMoved(state, scratch, slot);
  }

  /**
   * The taker stops where there is nothing left that it, which only reduces, could reduce, or where the insurance fund
   * could not bear what the venue would lose. A maker who could not bear the fill loses his order.
   */
  meet(state: State, scratch: Scratch, market: Market, takerFlags: number): number {
    const { trade } = scratch;
    const { orders } = state;
    const { taker, maker } = trade;
    if (isReducing(takerFlags)) {
      const most = reducibleLots(state, taker);
      if (most === 0n) return STOPS_TAKER;
      if (most < trade.lots) trade.lots = most;
      if (isVenues(state, taker) && !isBearable(state, scratch, market)) return STOPS_TAKER;
    }
    const isFar = isFarFromMark(state, market, orders.side(maker) === 1, trade.price);
    return isFar && !isBorne(state, scratch, market) ? ENDS_MAKER : TRADES;
  }

  execute(state: State, scratch: Scratch, market: Market): void {
    const { contract, trade } = scratch;
    const { orders, futures } = state;
    const { taker, maker } = trade;
    const takerRow = futures.held.row(taker);
    const makerRow = futures.held.row(maker);
    const remains = trade.lots < orders.left(maker);
    const takerSells = orders.side(taker) === 1;
    const isOfVenue = isReducing(orders.flags(taker)) && isVenues(state, taker);
    trade.dealId = state.nextDealId++;
    weigh(state, market, maker, -1n);
    fillContract(state, scratch, market);
    remember(state, scratch, taker, takerSells);
    remember(state, scratch, maker, !takerSells);
    state.lastPrice[market.id] = trade.price;
    emitDeal(state, scratch, market, MARKED_DEAL);
    lowerTaker(state, scratch, taker);
    lowerResting(state, scratch, market, maker);
    if (remains) weigh(state, market, maker, 1n);
    settleContract(state, scratch, market, takerRow, makerRow);
    if (isOfVenue) noteResult(state, market, takerSells ? contract.sellerPnl : contract.buyerPnl);
  }

  valueOf(market: Market, price: bigint, lots: bigint): bigint {
    return tradeValue(market.futures as FuturesSpec, price, lots);
  }

  feeAssetId(market: Market): number {
    return (market.futures as FuturesSpec).settleAssetId;
  }

  markOf(state: State, market: Market): bigint {
    return markOf(state, market);
  }

  hasReference(): boolean {
    return true;
  }
}

export const futuresSettlement = new FuturesSettlement();

/** Whether an order sells, or buys back, what the venue has taken over. */
function isVenues({ orders, seats }: State, taker: number): boolean {
  return seats.userId(orders.seat(taker)) === LIQUIDATOR;
}

/** Whether the insurance fund can bear what the venue would lose by the trade. */
function isBearable(state: State, { trade }: Scratch, market: Market): boolean {
  const value = tradeValue(market.futures as FuturesSpec, trade.price, trade.lots);
  return fundCovers(state, market, state.orders.side(trade.taker) === 0, trade.lots, value);
}

/** Whether the maker can bear what it loses by the trade against the mark; nobody loses by trading with himself. */
function isBorne(state: State, { trade }: Scratch, market: Market): boolean {
  const { taker, maker, lots } = trade;
  return isSameUser(state, taker, maker) || makerCoversFill(state, market, maker, lots);
}

/** Adds the trade to the fills of an order: one fee in the settlement asset, and what was closed. */
function remember(state: State, scratch: Scratch, slot: number, sells: boolean): void {
  const { contract, trade } = scratch;
  const { fills } = state;
  const row = fillsOf(state, slot);
  if (sells) {
    fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.quoteFee));
    fills.setRealizedPnl(row, int64(fills.realizedPnl(row) + contract.sellerPnl));
  } else {
    fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.baseFee));
    fills.setRealizedPnl(row, int64(fills.realizedPnl(row) + contract.buyerPnl));
  }
  rememberLots(state, scratch, row);
}
