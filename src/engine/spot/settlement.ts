import { FLAG, REFERENCE } from "../command.ts";
import type { Market } from "../listing/market.ts";
import * as money from "../money/int64.ts";
import { refusalNumber } from "../refusal.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import * as checks from "../trading/check.ts";
import * as fillings from "../trading/fills.ts";
import { NONE } from "../trading/order.ts";
import type { Quotes } from "../trading/quotes.ts";
import { MEETING, type QuoteTrial, type ReplacedQuote, type Settlement } from "../trading/settlement.ts";
import * as accepting from "./accept.ts";
import * as owners from "./account.ts";
import * as filling from "./fill.ts";
import { spotAuction } from "./opening.ts";
import { SpotQuoteTrial } from "./quote-trial.ts";
import * as values from "./value.ts";

// Imported names are looked up at each use, constants of the module itself are not.
const { int64 } = money;
const { refuseLots } = checks;
const { lowerResting, lowerTaker } = fillings;
const { canMoveSpot, refuseSpotChange, refuseSpotOrder } = accepting;
const { spotAccountOf } = owners;
const { execute, executeWithQuotes } = filling;
const { freezeOf, quoteUnits } = values;
const FUTURES = FLAG.futures;
/** An order with this flag trades with another account than the spot account. */
const OTHER_ACCOUNT = FLAG.margin;
const TRADES = MEETING.trades;
const MARKET_NOT_FOUND = refusalNumber("market_not_found");
const LATEST_PRICE = REFERENCE.latest_price;

/** Spot markets: money for goods, at once, out of what an order froze or its taker has available. Source: domain 2. */
export class SpotSettlement implements Settlement {
  readonly marketType = "SPOT";
  readonly keepsPositions = false;
  readonly auction = spotAuction;

  refuseAccount(state: State, market: Market, flags: number): number {
    return (flags & FUTURES) !== 0 ? MARKET_NOT_FOUND : spotAccountOf(flags).refuseMarket(state, market);
  }

  refuseUser(state: State, userId: number, market: Market, flags: number): number {
    return (flags & OTHER_ACCOUNT) === 0 ? 0 : spotAccountOf(flags).refuseUser(state, userId, market);
  }

  onlyReduces(state: State, userId: number, market: Market, flags: number): boolean {
    return spotAccountOf(flags).isTowardsDebt(state, userId, market, flags);
  }

  refuseStop(): number {
    return 0;
  }

  orderFlags(flags: number): number {
    return flags;
  }

  /** Nothing in a spot market only reduces by itself. */
  cutToReduce(): void {}

  openSeat(state: State, userId: number, market: Market, flags: number): number {
    return spotAccountOf(flags).openSeat(state, userId, market);
  }

  refuseOrder(state: State, scratch: Scratch, userId: number, market: Market, seat: number, flags: number): number {
    return refuseSpotOrder(state, scratch, userId, market, seat, flags);
  }

  refuseLots(scratch: Scratch, market: Market): number {
    return refuseLots(scratch, market);
  }

  refuseChange(state: State, scratch: Scratch, market: Market, slot: number): number {
    return refuseSpotChange(state, scratch, market, slot);
  }

  canMove(state: State, scratch: Scratch, market: Market, slot: number, seat: number, flags: number): boolean {
    return canMoveSpot(state, scratch, market, slot, seat, flags);
  }

  tryQuotes(state: State, market: Market, seat: number, earlier: readonly ReplacedQuote[]): QuoteTrial {
    return new SpotQuoteTrial(state, market, seat, earlier);
  }

  draftQuote(): void {}

  enter({ orders, seats, users }: State, _scratch: Scratch, market: Market, slot: number): void {
    // A market with quotes has one rate for everybody.
    const userId = market.quotes === undefined ? seats.userId(orders.seat(slot)) : NONE;
    const maker = userId < 0 ? -1 : users.makerFeeRateE8(userId);
    const taker = userId < 0 ? -1 : users.takerFeeRateE8(userId);
    orders.setMakerFeeRateE8(slot, maker < 0 ? market.makerFeeRateE8 : maker);
    orders.setTakerFeeRateE8(slot, taker < 0 ? market.takerFeeRateE8 : taker);
  }

  redraft(): void {}

  hold({ orders, seats, ledger, events }: State, market: Market, slot: number): void {
    const amount = freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot));
    ledger.freeze(events, seats.givingCell(orders.seat(slot), orders.side(slot)), amount, orders.orderId(slot));
  }

  release({ orders, seats, ledger, events }: State, market: Market, slot: number): void {
    const amount = int64(0n - freezeOf(market, orders.flags(slot), orders.price(slot), orders.left(slot)));
    ledger.freeze(events, seats.givingCell(orders.seat(slot), orders.side(slot)), amount, orders.orderId(slot));
  }

  beforeChange(): void {}

  /** Freezes what is drafted to be needed on top; below 0 it is given back. */
  afterChange(state: State, scratch: Scratch, _market: Market, slot: number): void {
    const { orders } = state;
    this.afterMove(state, scratch, slot, orders.seat(slot), orders.side(slot));
  }

  afterMove(state: State, { draft }: Scratch, slot: number, seat: number, side: number): void {
    const { orders, seats, ledger, events } = state;
    if (draft.needs !== int64(0n))
      ledger.freeze(events, seats.givingCell(seat, side), draft.needs, orders.orderId(slot));
  }

  meet(state: State, scratch: Scratch, market: Market, takerFlags: number): number {
    const { trade } = scratch;
    const { maker } = trade;
    const both = maker === NONE ? takerFlags : takerFlags | state.orders.flags(maker);
    if ((both & OTHER_ACCOUNT) === 0 && state.users.owing === 0) return TRADES;
    if (!spotAccountOf(takerFlags).canTake(state, scratch, market)) return MEETING.endsTaker;
    if (maker === NONE || spotAccountOf(state.orders.flags(maker)).canMake(state, scratch, market)) return TRADES;
    return MEETING.endsMaker;
  }

  execute(state: State, scratch: Scratch, market: Market): void {
    const { trade } = scratch;
    const { taker, maker } = trade;
    if (maker === NONE) {
      executeWithQuotes(state, scratch, market, market.quotes as Quotes);
      lowerTaker(state, scratch, taker);
      return;
    }
    execute(state, scratch, market);
    lowerTaker(state, scratch, taker);
    lowerResting(state, scratch, market, maker);
  }

  valueOf(market: Market, price: bigint, lots: bigint): bigint {
    return quoteUnits(market, price, lots);
  }

  feeAssetId({ baseAssetId, quoteAssetId }: Market, ofBuyer: boolean): number {
    return ofBuyer ? baseAssetId : quoteAssetId;
  }

  markOf(): bigint {
    return 0n;
  }

  hasReference(reference: number): boolean {
    return reference === LATEST_PRICE;
  }
}

export const spotSettlement = new SpotSettlement();
