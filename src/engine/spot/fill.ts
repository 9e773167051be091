/**
 * The effects of a fill in a spot market: money for goods, fees, and the figures that both orders keep of it.
 * Source: domain 2.5 and 2.6.
 */
import { FLAG } from "../command.ts";
import { tradePosting } from "../ledger/ledger.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import * as rates from "../money/rate.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import * as emits from "../trading/emit.ts";
import * as fillings from "../trading/fills.ts";
import * as interruptions from "../trading/interruption.ts";
import type { Quotes } from "../trading/quotes.ts";
import { spotAccountOf } from "./account.ts";
import * as deductions from "./deduct.ts";
import * as values from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { feeOn } = rates;
const { baseUnits, quoteUnits } = values;
const { emitDeal } = emits;
const { fillsOf, rememberLots } = fillings;
const { decideDeductions, payDeductions } = deductions;
const { notePrice } = interruptions;
const BUYER_GIVES = tradePosting("buyer_gives");
const SELLER_GIVES = tradePosting("seller_gives");
const BUYER_GETS = tradePosting("buyer_gets");
const SELLER_GETS = tradePosting("seller_gets");
const FEE = POSTING.fee;
/** An order with this flag trades with another account than the spot account. */
const OTHER_ACCOUNT = FLAG.margin;

/**
 * Executes the trade: money, what each order remembers of it, and the deal. What is left of the two is the caller's to
 * lower.
 */
export function execute(state: State, scratch: Scratch, market: Market): void {
  const { trade } = scratch;
  const { orders } = state;
  const { taker, maker } = trade;
  const takerSells = orders.side(taker) === 1;
  const buyerRate = takerSells ? orders.makerFeeRateE8(maker) : orders.takerFeeRateE8(taker);
  const sellerRate = takerSells ? orders.takerFeeRateE8(taker) : orders.makerFeeRateE8(maker);
  trade.dealId = state.nextDealId++;
  trade.value = quoteUnits(market, trade.price, trade.lots);
  trade.units = baseUnits(market, trade.lots);
  trade.baseFee = feeOn(trade.units, BigInt(buyerRate));
  trade.quoteFee = feeOn(trade.value, BigInt(sellerRate));
  const deducts =
    state.users.deducting > 0 && market.quotes === undefined ? decideDeductions(state, scratch, market) : 0;
  pay(state, scratch, market, takerSells);
  remember(state, scratch, taker, takerSells);
  remember(state, scratch, maker, !takerSells);
  if (deducts !== 0) payDeductions(state, scratch, deducts);
  state.lastPrice[market.id] = trade.price;
  if (market.interruption !== undefined) notePrice(state, market, trade.price);
  if (((orders.flags(taker) | orders.flags(maker)) & OTHER_ACCOUNT) !== 0) {
    noteFill(state, market, taker);
    noteFill(state, market, maker);
  }
  emitDeal(state, scratch, market, deducts);
}

/** As `execute`, with who quotes beside the orders as the maker. */
export function executeWithQuotes(state: State, scratch: Scratch, market: Market, quotes: Quotes): void {
  const { trade } = scratch;
  const { orders } = state;
  const { taker } = trade;
  const takerSells = orders.side(taker) === 1;
  const rate = BigInt(orders.takerFeeRateE8(taker));
  trade.dealId = state.nextDealId++;
  trade.value = quoteUnits(market, trade.price, trade.lots);
  trade.units = baseUnits(market, trade.lots);
  trade.baseFee = takerSells ? 0n : feeOn(trade.units, rate);
  trade.quoteFee = takerSells ? feeOn(trade.value, rate) : 0n;
  quotes.pay(state, scratch, takerSells);
  quotes.shareFees(state, scratch, market);
  remember(state, scratch, taker, takerSells);
  state.lastPrice[market.id] = trade.price;
  if (market.interruption !== undefined) notePrice(state, market, trade.price);
  if ((orders.flags(taker) & OTHER_ACCOUNT) !== 0) noteFill(state, market, taker);
  emitDeal(state, scratch, market, 0);
}

/** Tells the account of an order that it has traded. */
function noteFill(state: State, market: Market, slot: number): void {
  spotAccountOf(state.orders.flags(slot)).noteFill(state, market, slot);
}

/**
 * Posts the trade: the buyer pays quote and receives base less its fee, the seller the reverse; the maker gives from
 * what its order froze, the taker from what is available. Both fees go to the venue, and in a market with quotes in
 * part to who quotes.
 */
function pay(state: State, scratch: Scratch, market: Market, takerSells: boolean): void {
  const { trade } = scratch;
  const { orders, seats, ledger, events } = state;
  const { dealId } = trade;
  const buyerSeat = orders.seat(takerSells ? trade.maker : trade.taker);
  const sellerSeat = orders.seat(takerSells ? trade.taker : trade.maker);
  if (takerSells) {
    ledger.post(events, seats.quoteCell(buyerSeat), 0n, int64(0n - trade.value), BUYER_GIVES, dealId);
    ledger.post(events, seats.baseCell(sellerSeat), int64(0n - trade.units), 0n, SELLER_GIVES, dealId);
  } else {
    ledger.post(events, seats.baseCell(sellerSeat), 0n, int64(0n - trade.units), SELLER_GIVES, dealId);
    ledger.post(events, seats.quoteCell(buyerSeat), int64(0n - trade.value), 0n, BUYER_GIVES, dealId);
  }
  ledger.post(events, seats.baseCell(buyerSeat), int64(trade.units - trade.baseFee), 0n, BUYER_GETS, dealId);
  ledger.post(events, seats.quoteCell(sellerSeat), int64(trade.value - trade.quoteFee), 0n, SELLER_GETS, dealId);
  if (market.quotes !== undefined) {
    market.quotes.shareFees(state, scratch, market);
    return;
  }
  if (trade.baseFee > int64(0n)) {
    ledger.post(events, ledger.feeCell(market.baseAssetId), trade.baseFee, 0n, FEE, dealId);
  }
  if (trade.quoteFee > int64(0n)) {
    ledger.post(events, ledger.feeCell(market.quoteAssetId), trade.quoteFee, 0n, FEE, dealId);
  }
}

/** Adds the trade to the fills of an order. */
function remember(state: State, scratch: Scratch, slot: number, sells: boolean): void {
  const { trade } = scratch;
  const { fills } = state;
  const row = fillsOf(state, slot);
  if (sells) fills.setQuoteFee(row, int64(fills.quoteFee(row) + trade.quoteFee));
  else fills.setBaseFee(row, int64(fills.baseFee(row) + trade.baseFee));
  rememberLots(state, scratch, row);
}
