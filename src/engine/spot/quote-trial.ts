import { FLAG } from "../command.ts";
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { CHECK } from "../trading/check.ts";
import type { QuoteTrial, ReplacedQuote } from "../trading/settlement.ts";
import { refusePrice } from "./accept.ts";
import { spotAccountOf } from "./account.ts";
import { freezeOf, noteFreeze } from "./value.ts";

/** Checks quotes of a spot market: what each needs is taken off what is available once earlier quotes are gone. */
export class SpotQuoteTrial implements QuoteTrial {
  private readonly state: State;
  private readonly market: Market;
  private readonly seat: number;
  /** Units that are left to give, by side. */
  private readonly free: [buys: bigint, sells: bigint];

  constructor(state: State, market: Market, seat: number, earlier: readonly ReplacedQuote[]) {
    const { orders, seats, ledger } = state;
    this.state = state;
    this.market = market;
    this.seat = seat;
    this.free = [ledger.available(seats.givingCell(seat, 0)), ledger.available(seats.givingCell(seat, 1))];
    for (const { slot, stays } of earlier) {
      this.free[orders.side(slot) as 0 | 1] += freezeOf(
        market,
        orders.flags(slot),
        orders.price(slot),
        orders.left(slot) - stays,
      );
    }
  }

  refuse(scratch: Scratch, flags: number): number {
    const { state, market, seat, free } = this;
    const { draft } = scratch;
    const refusal = refusePrice(state, scratch, market, flags);
    if (refusal !== 0) return refusal;
    noteFreeze(scratch, market, flags);
    const side = (flags & FLAG.sell) as 0 | 1;
    if (free[side] < draft.needs) return CHECK.insufficient;
    free[side] -= draft.needs;
    return spotAccountOf(flags).refuseDrafted(state, scratch, state.seats.userId(seat), market, flags);
  }

  end(): void {}
}
