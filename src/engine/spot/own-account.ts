import { USER_FLAG } from "../accounts/user.ts";
import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import { larger, smaller } from "../money/extremes.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { bestAgainst } from "../trading/against.ts";
import { refuseOwing } from "../trading/check.ts";
import { isSameUser } from "../trading/match.ts";
import { declareAccount, type SpotAccount } from "./account.ts";
import { bearsResting, fairPrice, insolventOrders, isSureToStaySolvent, owesAsset, refuseResult } from "./solvency.ts";

const OWES = USER_FLAG.indebted;
const SELL = FLAG.sell;
const PLACE = 0;

/** The spot account: it trades with what it has, and a user who owes something is asked what the order comes to. */
class OwnAccount implements SpotAccount {
  readonly isHeldToIndex = false;

  refuseMarket(): number {
    return 0;
  }

  refuseUser(): number {
    return 0;
  }

  /** At which price is asked later, by the result. */
  isTowardsDebt(state: State, userId: number, { baseAssetId, quoteAssetId }: Market, flags: number): boolean {
    const [gives, gets] = (flags & SELL) === 0 ? [quoteAssetId, baseAssetId] : [baseAssetId, quoteAssetId];
    return owesAsset(state, userId, gets) && !owesAsset(state, userId, gives);
  }

  openSeat({ ledger, seats }: State, userId: number, { id, baseAssetId, quoteAssetId }: Market): number {
    const baseCell = ledger.spotCell(userId, baseAssetId);
    const quoteCell = ledger.spotCell(userId, quoteAssetId);
    return seats.add(userId, id, PLACE, baseCell, quoteCell);
  }

  givingCell({ ledger }: State, userId: number, { baseAssetId, quoteAssetId }: Market, flags: number): number {
    return ledger.findSpotCell(userId, (flags & SELL) === 0 ? quoteAssetId : baseAssetId);
  }

  refuseDrafted(state: State, { draft }: Scratch, userId: number, market: Market, flags: number): number {
    return owes(state, userId) ? refuseInsolvent(state, userId, market, flags, draft.price, draft.left) : 0;
  }

  /** Beyond the indexes it is refused, as long as there is somebody to meet within them. */
  boundAtMarket(state: State, userId: number, market: Market, flags: number, bound: bigint): bigint {
    if (bound === 0n || !owes(state, userId) || refuseOwing(state, userId) === undefined) return bound;
    const sells = (flags & SELL) !== 0;
    const fair = fairPrice(state, market, sells);
    const best = bestAgainst(state, market, flags);
    if (fair === undefined || best === undefined || (sells ? best < fair : best > fair)) return bound;
    return sells ? larger(fair, bound) : smaller(fair, bound);
  }

  refuseAtMarket(state: State, userId: number, market: Market, flags: number, worst: bigint, lots: bigint): number {
    return owes(state, userId) ? refuseInsolvent(state, userId, market, flags, worst, lots) : 0;
  }

  canTake(): boolean {
    return true;
  }

  canMake(state: State, { trade }: Scratch, market: Market): boolean {
    const { taker, maker } = trade;
    return state.users.owing === 0 || isSameUser(state, taker, maker) || bearsResting(state, market, maker, trade.lots);
  }

  isSure(state: State, market: Market, slot: number): boolean {
    return isSureToStaySolvent(state, market, slot);
  }

  unmeetable(state: State, market: Market): number[] {
    return insolventOrders(state, market);
  }

  noteFill(): void {}
}

/** Whether it is not enough that a user has the funds. */
function owes({ users }: State, userId: number): boolean {
  return (users.flags(userId) & OWES) !== 0;
}

/** Whether a user who owes could bear a spot order filled whole at a price; 0 = yes. See solvency.ts. */
function refuseInsolvent(
  state: State,
  userId: number,
  market: Market,
  flags: number,
  price: bigint,
  lots: bigint,
): number {
  const taker = market.quotes === undefined ? state.users.takerFeeRateE8(userId) : -1;
  const feeRateE8 = taker < 0 ? market.takerFeeRateE8 : taker;
  return refuseResult(state, userId, market, { sells: (flags & SELL) !== 0, price, lots, feeRateE8 });
}

declareAccount(PLACE, new OwnAccount());
