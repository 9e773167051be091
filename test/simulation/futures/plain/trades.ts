/**
 * What deals do to positions: how each side of one closes and opens, its fees, profit and margin. Source: domain 4.2,
 * 4.6.
 */
import type { DealEvent, OrderRecord } from "../../../../src/engine/event.ts";
import type { PositionEvent } from "../../../../src/engine/futures/positions/position-event.ts";
import { LIQUIDATOR, PlainAccounts } from "./accounts.ts";
import { down, least, most, ratio } from "./rational.ts";
import { feeOf, sigma, traded } from "./records.ts";

/** One part of a deal that an order takes, or of what is like a deal: it closes or it opens. */
export interface Part {
  readonly closes: boolean;
  readonly isShort: boolean;
  readonly lots: bigint;
  readonly value: bigint;
  readonly fee: bigint;
}

export class PlainTrades extends PlainAccounts {
  protected deals = new Map<number, DealEvent>();
  protected readonly orders = new Map<number, OrderRecord>();
  /** By deal and order, what of it positions have not shown yet; nothing before they show the first. */
  protected parts = new Map<string, Part[]>();

  /**
   * Splits a deal into what each side closes and opens. It happens when the positions change; until then only its facts
   * count.
   */
  protected enter(deal: DealEvent): undefined {
    const market = this.market(deal.marketId);
    this.deals.set(deal.dealId, deal);
    const value = traded(market, deal.price, deal.lots);
    this.differ(`value of deal ${deal.dealId}`, deal.value, value);
    for (const party of [deal.taker, deal.maker]) {
      const order = this.orders.get(party.orderId);
      if (order === undefined) {
        this.report(`Nothing is known of order ${party.orderId}, which traded.`);
        continue;
      }
      const rate = party === deal.taker ? order.takerFeeRateE8 : order.makerFeeRateE8;
      this.differ(`fee of order ${order.orderId} in deal ${deal.dealId}`, party.fee, feeOf(value, rate));
      this.parts.set(`${deal.dealId} ${party.orderId}`, []);
    }
  }

  protected partsOf(deal: DealEvent, orderId: number): Part[] {
    const order = this.orders.get(orderId) as OrderRecord;
    const market = this.market(deal.marketId);
    const party = deal.taker.orderId === orderId ? deal.taker : deal.maker;
    const buys = order.side === "buy";
    const whole = { lots: deal.lots, value: deal.value, fee: party.fee };
    if (order.positionSide !== undefined) {
      const isShort = order.positionSide === "short";
      return [{ closes: buys === isShort, isShort, ...whole }];
    }
    const against = this.held(order.userId, market.id, buys)?.amount ?? 0n;
    const lots = least(against, deal.lots);
    if (order.aim !== "trade" && lots < deal.lots) this.report(`Order ${orderId} only reduces and opens a position.`);
    if (lots === 0n) return [{ closes: false, isShort: !buys, ...whole }];
    const rate = deal.taker.orderId === orderId ? order.takerFeeRateE8 : order.makerFeeRateE8;
    const value = traded(market, deal.price, lots);
    const fee = least(feeOf(value, rate), party.fee);
    const closing = { closes: true, isShort: buys, lots, value, fee };
    const rest = { lots: deal.lots - lots, value: deal.value - value, fee: party.fee - fee };
    return rest.lots === 0n ? [{ ...closing, ...whole }] : [closing, { closes: false, isShort: !buys, ...rest }];
  }

  protected take(event: PositionEvent, part: Part): undefined {
    this.tell(event, { reason: part.closes ? "reduce" : "increase", isShort: part.isShort });
    this.tell(event, { lots: part.lots, value: part.value, fee: part.fee });
    if (part.closes) this.reduce(event, part);
    else this.increase(event, part);
  }

  protected increase(event: PositionEvent, { isShort, lots, value, fee }: Part): undefined {
    const { userId, marketId, isIsolated, leverage } = event;
    const market = this.market(marketId);
    let position = this.held(userId, marketId, isShort);
    if (position === undefined) {
      const bare = { amount: 0n, entry: 0n, settle: 0n, margin: 0n, realized: 0n };
      position = { id: event.positionId, userId, marketId, isShort, isIsolated, leverage, ...bare };
      this.positions.push(position);
    }
    this.pay(userId, market.settles, -fee);
    const wanted = position.isIsolated ? down(ratio(value, BigInt(position.leverage))) : 0n;
    const margin = most(0n, least(wanted, this.cashOf(userId, market.settles)));
    this.pay(userId, market.settles, -margin);
    position.amount += lots;
    position.entry += value;
    position.settle += value;
    position.margin += margin;
    position.realized -= fee;
    this.stands(event, position, { marginChange: margin, pnl: 0n });
  }

  protected reduce(event: PositionEvent, { isShort, lots, value, fee }: Part): undefined {
    const { userId, marketId } = event;
    const { settles } = this.market(marketId);
    const position = this.held(userId, marketId, isShort);
    if (position === undefined || position.amount < lots) {
      return this.report(`Order ${event.orderId} reduces what is not there.`);
    }
    const share = (whole: bigint) => down(ratio(whole * lots, position.amount));
    const spent = share(position.settle);
    const profit = sigma(this.market(marketId), isShort) * (value - spent);
    const released = share(position.margin);
    // The loss that a share of the margin does not pay comes from the rest of it, then from cash, then from the fund.
    const short = position.isIsolated ? most(0n, -(released + profit - fee)) : 0n;
    const more = least(short, position.margin - released);
    const missing = short - more;
    const fund = this.cashOf(LIQUIDATOR, settles);
    if (event.covered < 0n || event.covered > least(missing, fund)) {
      this.report(`The fund of ${fund} pays ${event.covered} of ${missing} for position ${position.id}.`);
    }
    this.clear(marketId, -profit);
    this.pay(userId, settles, profit - fee + released + more + event.covered);
    this.pay(LIQUIDATOR, settles, -event.covered);
    const entry = share(position.entry);
    position.amount -= lots;
    position.settle -= spent;
    position.entry -= entry;
    position.margin -= released + more;
    position.realized += profit - fee;
    this.stands(event, position, { marginChange: -(released + more), pnl: profit });
    // What the venue sells on the book, or closes at the mark, it must be able to bear; netting and deleveraging say so
    // themselves.
    if (userId === LIQUIDATOR && (event.orderId > 0 || event.finishedType === "sys")) this.bear(marketId, -profit);
    if (userId === LIQUIDATOR && event.orderId > 0 && profit < 0n) {
      const mark = this.markOf(marketId);
      const isWorse = isShort ? event.latestPrice > mark : event.latestPrice < mark;
      if (isWorse)
        this.report(`The venue sells at ${event.latestPrice} against a mark of ${mark}, and loses ${-profit}.`);
    }
    if (position.amount === 0n) this.positions.splice(this.positions.indexOf(position), 1);
  }
}
