import { endResting, freezeOf, giver, statusAtRest, unrest } from "./book.ts";
import { against, meets } from "./checks.ts";
import { chargeFee } from "./fees.ts";
import { least } from "./numbers.ts";
import type { ModelMarket, ModelOrder, ModelParty } from "./records.ts";
import type { ModelVenue } from "./venue.ts";

/** Domain 2.5: trades up to `bound`. Answers whether self-trade protection ends the taker. */
export function match(venue: ModelVenue, market: ModelMarket, taker: ModelOrder, bound: bigint): boolean {
  while (taker.left > 0n) {
    const maker = against(market, taker.side)[0];
    if (maker === undefined || !meets(taker.side, bound, maker.price)) return false;
    if (maker.userId === taker.userId && taker.stpMode !== "none" && taker.type !== "fok") {
      if (taker.stpMode !== "ct") endResting(venue, market, maker);
      if (taker.stpMode !== "cm") return true;
      continue;
    }
    const wanted = taker.amountIn === "base" ? taker.left : taker.left / (maker.price * market.lotTick);
    const lots = least(maker.left, wanted);
    if (lots === 0n) return false;
    fill(venue, market, taker, maker, maker.price, lots);
  }
  return false;
}

/** Domain 2.6: one fill. The maker rests and pays from what it has frozen, the taker from what is available. */
export function fill(
  venue: ModelVenue,
  market: ModelMarket,
  taker: ModelOrder,
  maker: ModelOrder,
  price: bigint,
  lots: bigint,
): void {
  const value = lots * price * market.lotTick;
  const base = lots * market.lot;
  const dealId = venue.nextDealId++;
  pay(venue, market, maker, lots, maker.side === "buy" ? value : base, true);
  pay(venue, market, taker, lots, taker.side === "buy" ? value : base, false);
  for (const order of [taker, maker]) receive(venue, market, order, order.side === "buy" ? base : value);
  const parties = [taker, maker].map((order): ModelParty => {
    const rate = BigInt(order === taker ? order.takerFeeRateE8 : order.makerFeeRateE8);
    const fee = chargeFee(venue, market, order, rate, base, value);
    return { userId: order.userId, orderId: order.orderId, ...fee };
  });
  for (const order of [taker, maker]) {
    order.filledLots += lots;
    order.filledValue += value;
    order.left -= order.amountIn === "base" ? lots : value;
    order.lastFilledLots = lots;
    order.lastFilledPrice = price;
    order.updatedAt = venue.timeMs;
    order.status = order.left === 0n ? "filled" : statusAtRest(order);
  }
  market.latest = price;
  const [takerParty, makerParty] = parties as [ModelParty, ModelParty];
  const deal = { dealId, marketId: market.id, side: taker.side, price, lots, value };
  venue.say({ kind: "deal", deal: { ...deal, taker: takerParty, maker: makerParty } });
  if (maker.left === 0n) unrest(venue, market, maker);
  venue.tell(maker.left === 0n ? "finish" : "update", maker);
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

function receive(venue: ModelVenue, market: ModelMarket, { userId, side }: ModelOrder, units: bigint): void {
  venue.balance(userId, side === "buy" ? market.base.id : market.quote.id).available += units;
}
