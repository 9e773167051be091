/** Balance and position figures, straight from their definitions, with fractions that round once. */
import { down, e8, least, most, near, per, plus, type Ratio, ratio, times, up } from "./rational.ts";
import { type PlainPosition, priceOf, sigma } from "./records.ts";
import type { PlainFutures } from "./venue.ts";

export interface AccountView {
  readonly cash: bigint;
  readonly frozen: bigint;
  readonly crossMargin: bigint;
  readonly theoretical: bigint;
  readonly risk: bigint;
  readonly transferable: bigint;
}

export function accountView(plain: PlainFutures, userId: number, asset: number): AccountView {
  const frozen = plain.frozen.get(`${userId} ${asset}`) ?? 0n;
  const { cash, profit, initial } = plain.account(userId, asset);
  const [first, second] = plain.transferable(userId, asset, frozen);
  const [theoretical, risk] = [most(0n, first), most(0n, second)];
  const crossMargin = most(0n, cash + profit - initial - frozen);
  return { cash, frozen, crossMargin, theoretical, risk, transferable: least(theoretical, risk) };
}

/** X: what stands behind a position besides itself. */
export function behind(plain: PlainFutures, position: PlainPosition): bigint {
  if (position.isIsolated) return position.margin;
  const { settles } = plain.market(position.marketId);
  const frozen = plain.frozen.get(`${position.userId} ${settles}`) ?? 0n;
  let backing = plain.cashOf(position.userId, settles) - frozen;
  for (const other of plain.positions) {
    if (other === position || other.userId !== position.userId || other.isIsolated) continue;
    if (plain.market(other.marketId).settles !== settles) continue;
    const { profit, maintenance } = plain.at(other);
    backing += profit - maintenance;
  }
  return backing;
}

export function positionView(plain: PlainFutures, position: PlainPosition) {
  const market = plain.market(position.marketId);
  const { amount, entry, settle, isShort, isIsolated, margin } = position;
  const { value, profit, maintenance, initial, rateE8 } = plain.at(position);
  const backing = behind(plain, position);
  const sign = sigma(market, isShort);
  const equity = backing + profit;
  const inE8 = (share: Ratio) => times(share, ratio(100_000_000n));
  const shown = (cost: bigint) => (cost > 0n ? near(priceOf(market, amount, ratio(cost))) : 0n);
  const onTick = (price: Ratio, round: (value: Ratio) => bigint) =>
    round(per(price, ratio(market.tickSize))) * market.tickSize;
  // Worth so much at the price at which margin and result are just what must be maintained: (O - σX) / (1 - σ·rate).
  const rate = e8(rateE8);
  const last = per(ratio(settle - sign * backing), plus(ratio(1n), times(ratio(-sign), rate)));
  const liq = last.over > 0n ? onTick(priceOf(market, amount, last), isShort ? up : down) : 0n;
  const gone = settle - sign * margin;
  const bkr = gone > 0n && isIsolated ? onTick(priceOf(market, amount, ratio(gone)), isShort ? down : up) : 0n;
  return {
    value,
    unrealized: profit,
    maintenance,
    margin: isIsolated ? margin : initial,
    averagePrice: shown(entry),
    settlePrice: shown(settle),
    marginRateE8: settle === 0n ? 0n : down(inE8(ratio(backing, settle))),
    liqPrice: liq > market.maxPrice ? 0n : liq,
    bkrPrice: bkr,
    riskRateE8: equity <= 0n ? 100_000_000n : up(inE8(ratio(maintenance, equity))),
  };
}
