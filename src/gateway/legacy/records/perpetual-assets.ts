/** Futures accounts as the legacy generation prints them. */
import { isolatedMargin } from "../../../engine/futures/positions/figures.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { atLeast0 } from "../../current/records/futures-balances.ts";
import type { FuturesFunds } from "../../reading/futures-funds.ts";
import type { PerpetualAsset } from "../types.generated.ts";

export function perpetualAssetOf({ asset, sums, margin, unrealized }: FuturesFunds): PerpetualAsset {
  const show = (units: bigint) => formatDecimal(units, asset.scale);
  const free = show(atLeast0(isolatedMargin(sums)));
  return {
    available: free,
    frozen: show(sums.frozen),
    transfer: free,
    balance_total: show(sums.cash + margin),
    margin: show(margin + sums.initial),
    profit_unreal: show(unrealized),
  };
}
