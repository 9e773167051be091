/** Balances of futures accounts. */
import { crossMargin, isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import type { State } from "../../../engine/state.ts";
import { type FuturesFunds, futuresFunds } from "../../reading/futures-funds.ts";
import type { FuturesBalance } from "../types.generated.ts";

/** Returns the balances of a user's futures accounts that are not empty, in the order of listing. */
export function futuresBalancesOf(state: State, userId: number): FuturesBalance[] {
  const funds = state.assets.flatMap((asset) => futuresFunds(state, userId, asset) ?? []);
  return funds.filter((each) => !isEmpty(each)).map(balanceOf);
}

function isEmpty({ sums, margin, unrealized }: FuturesFunds): boolean {
  return sums.cash === 0n && sums.frozen === 0n && sums.value === 0n && margin === 0n && unrealized === 0n;
}

/** Source: domain 4.8. */
function balanceOf({ asset, sums, margin, unrealized }: FuturesFunds): FuturesBalance {
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const free = show(atLeast0(isolatedMargin(sums)));
  return {
    ccy: asset.ccy,
    account_balance: show(sums.cash + margin),
    cross_balance: show(sums.cash),
    isolated_balance: show(margin),
    available: free,
    frozen: show(sums.frozen),
    margin: show(margin),
    cross_margin_avbl: show(atLeast0(crossMargin(sums))),
    isolated_margin_avbl: free,
    transferrable: free,
    unrealized_pnl: show(unrealized),
  };
}

export function atLeast0(units: bigint): bigint {
  return units > 0n ? units : 0n;
}
