import { chargeFee, deductFee } from "../accounts/fees.ts";
import { interrupt, notePrice, reachOf } from "../listing/interruption.ts";
import { bears, funds } from "../margin/account.ts";
import { least } from "../model/numbers.ts";
import type { ModelBalance, ModelMarket, ModelOrder, ModelParty } from "../model/records.ts";
import type { ModelVenue } from "../model/venue.ts";
import { after, earn, type ModelPool } from "../pools/pool.ts";
import { endResting, freezeOf, giver, lowerShown, statusAtRest, unrest } from "./book.ts";
import { firstAgainst, meets, POOL, restingAgainst } from "./checks.ts";
import { neededTo } from "./needs.ts";
import { resultFault } from "./solvency.ts";

/** Domain 2.5: trades up to `bound`, and as far as the market reaches. Answers whether the taker is at its end. */
export function match(venue: ModelVenue, market: ModelMarket, taker: ModelOrder, bound: bigint): boolean {
  let reach = reachOf(venue, market);
  while (taker.left > 0n) {
    const first = firstAgainst(market, taker.side);
    if (first === undefined || !meets(taker.side, bound, first.price)) return false;
    const wanted = taker.amountIn === "base" ? taker.left : taker.left / (first.price * market.lotTick);
    const lots = least(first.left, wanted);
    const isOut = reach !== undefined && (first.price < reach.low || first.price > reach.high);
    if (first.userId === POOL) {
      if (lots === 0n) return false;
      if (!bears(venue, market, taker, first.price, lots, BigInt(taker.takerFeeRateE8))) return true;
      if (isOut) return !interrupt(venue, market, first.price);
      fillFromPool(venue, market, taker, first.price, lots);
      reach ??= reachOf(venue, market);
      continue;
    }
    const maker = restingAgainst(market, taker.side)[0] as ModelOrder;
    if (maker.userId === taker.userId && taker.stpMode !== "none" && taker.type !== "fok") {
      if (taker.stpMode !== "ct") endResting(venue, market, maker);
      if (taker.stpMode !== "cm") return true;
      continue;
    }
    if (lots === 0n) return false;
    if (!bears(venue, market, taker, maker.price, lots, BigInt(taker.takerFeeRateE8))) return true;
    if (!bears(venue, market, maker, maker.price, lots, BigInt(maker.makerFeeRateE8))) {
      endResting(venue, market, maker);
      continue;
    }
    const alone = maker.userId === taker.userId;
    const fault = resultFault(venue, market, maker, lots, BigInt(maker.takerFeeRateE8));
    if (!alone && fault !== undefined) {
      endResting(venue, market, maker);
      continue;
    }
    if (isOut) return !interrupt(venue, market, maker.price);
    fill(venue, market, taker, maker, maker.price, lots, bound);
    reach ??= reachOf(venue, market);
  }
  return false;
}

/** Domain 5.3: one fill with the pool, which pays no fee. */
function fillFromPool(venue: ModelVenue, market: ModelMarket, taker: ModelOrder, price: bigint, lots: bigint): void {
  const pool = market.pool as ModelPool;
  const value = lots * price * market.lotTick;
  const base = lots * market.lot;
  const buys = taker.side === "buy";
  const dealId = venue.nextDealId++;
  giver(venue, market, taker).available -= buys ? value : base;
  receive(venue, market, taker, buys ? base : value);
  Object.assign(pool, after(pool, market, buys ? "sell" : "buy", price, lots));
  earn(pool, 2, base);
  earn(pool, 3, value);
  const fee = chargeFee(venue, market, taker, BigInt(taker.takerFeeRateE8), { base, value });
  taker.filledLots += lots;
  taker.filledValue += value;
  taker.left -= taker.amountIn === "base" ? lots : value;
  taker.lastFilledLots = lots;
  taker.lastFilledPrice = price;
  taker.updatedAt = venue.timeMs;
  market.latest = price;
  notePrice(venue, market, price);
  const feeAssetId = buys ? market.quote.id : market.base.id;
  const maker = { userId: POOL, orderId: 0, fee: 0n, feeAssetId, deducted: false, given: 0n };
  const parties = { taker: { userId: taker.userId, orderId: taker.orderId, ...fee }, maker };
  venue.report({
    kind: "deal",
    deal: { dealId, marketId: market.id, side: taker.side, price, lots, value, ...parties },
  });
}

/**
 * Domain 2.6: one fill. Who rests pays from what it has frozen: the maker, and at the opening of a market the taker
 * too.
 */
export function fill(
  venue: ModelVenue,
  market: ModelMarket,
  taker: ModelOrder,
  maker: ModelOrder,
  price: bigint,
  lots: bigint,
  bound: bigint,
  takerRests = false,
): void {
  const value = lots * price * market.lotTick;
  const base = lots * market.lot;
  const dealId = venue.nextDealId++;
  pay(venue, market, maker, lots, maker.side === "buy" ? value : base, true);
  pay(venue, market, taker, lots, taker.side === "buy" ? value : base, takerRests);
  for (const order of [taker, maker]) {
    receive(venue, market, order, order.side === "buy" ? base : value);
    order.filledLots += lots;
    order.filledValue += value;
    order.left -= order.amountIn === "base" ? lots : value;
    order.lastFilledLots = lots;
    order.lastFilledPrice = price;
    order.updatedAt = venue.timeMs;
    order.status = order.left === 0n ? "filled" : statusAtRest(order);
  }
  const parties = feesOf(venue, market, taker, maker, { base, value }, takerRests ? undefined : bound);
  market.latest = price;
  notePrice(venue, market, price);
  const [takerParty, makerParty] = parties as [ModelParty, ModelParty];
  const deal = { dealId, marketId: market.id, side: taker.side, price, lots, value };
  venue.report({ kind: "deal", deal: { ...deal, taker: takerParty, maker: makerParty } });
  for (const order of takerRests ? [maker, taker] : [maker]) {
    if (order.left === 0n) unrest(venue, market, order);
    lowerShown(venue, market, order, lots);
    venue.tell(order.left === 0n ? "finish" : "update", order);
  }
}

/**
 * Takes the fees of the taker and the maker, in this order. `bound` is how far a taker that does not rest may trade on.
 */
function feesOf(
  venue: ModelVenue,
  market: ModelMarket,
  taker: ModelOrder,
  maker: ModelOrder,
  amounts: { readonly base: bigint; readonly value: bigint },
  bound: bigint | undefined,
): ModelParty[] {
  const given = giver(venue, market, taker);
  const reserve = (balance: ModelBalance) =>
    balance === given && bound !== undefined ? neededTo(venue, market, taker, bound) : 0n;
  return [taker, maker]
    .map((order) => {
      const rate = BigInt(order === taker ? order.takerFeeRateE8 : order.makerFeeRateE8);
      return { order, rate, ordinary: chargeFee(venue, market, order, rate, amounts) };
    })
    .map(({ order, rate, ordinary }) => {
      const fee = deductFee(venue, market, order, rate, amounts, ordinary, reserve);
      return { userId: order.userId, orderId: order.orderId, ...fee };
    });
}

function pay(
  venue: ModelVenue,
  market: ModelMarket,
  order: ModelOrder,
  lots: bigint,
  units: bigint,
  rests: boolean,
): void {
  const balance = giver(venue, market, order);
  if (!rests) {
    balance.available -= units;
    return;
  }
  // What the part was frozen for may be more than what it costs; the difference is free again.
  const frozen = freezeOf(market, { ...order, left: lots });
  balance.frozen -= frozen;
  balance.available += frozen - units;
}

function receive(venue: ModelVenue, market: ModelMarket, order: ModelOrder, units: bigint): void {
  funds(venue, market, order, order.side === "buy" ? market.base : market.quote).available += units;
}
