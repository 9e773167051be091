import { FLAG } from "../../command.ts";
import type { Market } from "../../listing/market.ts";
import { feeOn } from "../../money/rate.ts";
import type { Scratch } from "../../scratch.ts";
import type { State } from "../../state.ts";
import type { QuoteTrial, ReplacedQuote } from "../../trading/settlement.ts";
import { type FuturesSpec, tradeValue } from "../positions/contract.ts";
import { refuseContractQuote } from "./accept.ts";
import { refreshFreeze, weigh } from "./held-order.ts";

/** The sums of a seat's regular orders of one side. */
type Sums = readonly [lots: bigint, value: bigint, fees: bigint];

/**
 * Checks quotes of a futures market by the sums of their seat: the earlier quotes are taken out of them, each new one
 * that may rest is added, and at the end they are put back as they were. So every quote is held to the same rules as a
 * single order.
 */
export class ContractQuoteTrial implements QuoteTrial {
  private readonly state: State;
  private readonly market: Market;
  private readonly userId: number;
  private readonly row: number;
  private readonly takerRateE8: number;
  private readonly before: readonly [buys: Sums, sells: Sums];

  constructor(state: State, market: Market, seat: number, earlier: readonly ReplacedQuote[]) {
    const { seats, users, futures, orders } = state;
    this.state = state;
    this.market = market;
    this.userId = seats.userId(seat);
    this.row = futures.seats.rowOf(seat);
    const own = users.futuresTakerFeeRateE8(this.userId);
    this.takerRateE8 = own < 0 ? market.takerFeeRateE8 : own;
    this.before = [this.sumsOf(0), this.sumsOf(1)];
    for (const { slot, stays } of earlier) {
      weigh(state, market, slot, -1n);
      if (stays > 0n) this.add(orders.side(slot), futures.held.freezePrice(slot), stays, orders.takerFeeRateE8(slot));
    }
    refreshFreeze(state, this.row);
  }

  refuse(scratch: Scratch, flags: number): number {
    const { state, market, userId, row, takerRateE8 } = this;
    const { contract, draft } = scratch;
    const refusal = refuseContractQuote(state, scratch, userId, row, market, flags, takerRateE8);
    if (refusal !== 0) return refusal;
    this.add(flags & FLAG.sell, contract.freezePrice, draft.left, takerRateE8);
    refreshFreeze(state, row);
    return 0;
  }

  end(): void {
    const { row, before } = this;
    const { seats } = this.state.futures;
    for (const [side, [lots, value, fees]] of before.entries()) {
      seats.setLots(row, side, lots);
      seats.setValue(row, side, value);
      seats.setFees(row, side, fees);
    }
    refreshFreeze(this.state, row);
  }

  private sumsOf(side: number): Sums {
    const { seats } = this.state.futures;
    return [seats.lots(this.row, side), seats.value(this.row, side), seats.fees(this.row, side)];
  }

  private add(side: number, freezePrice: bigint, lots: bigint, takerRateE8: number): void {
    const { row, market } = this;
    const { seats } = this.state.futures;
    const value = tradeValue(market.futures as FuturesSpec, freezePrice, lots);
    seats.setLots(row, side, seats.lots(row, side) + lots);
    seats.setValue(row, side, seats.value(row, side) + value);
    seats.setFees(row, side, seats.fees(row, side) + feeOn(value, BigInt(takerRateE8)));
  }
}
