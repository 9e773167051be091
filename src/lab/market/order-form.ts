import type { Side } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";

/** The account that a market trades from. */
export function accountOf({ futures }: Market): "spot" | "futures" {
  return futures === undefined ? "spot" : "futures";
}

/** The fields that all orders of makers and takers have in common; type, amount and price are still missing. */
export function orderIn(market: Market, userId: number, side: Side) {
  return {
    kind: "place_order",
    userId,
    marketId: market.id,
    account: accountOf(market),
    side,
    amountIn: "base",
    hidden: false,
    stpMode: "none",
    clientId: "",
  } as const;
}

/** Lots that an order of the market may have, as near to these as it may. */
export function within({ minAmount, maxAmount }: Market, lots: bigint): bigint {
  return lots < minAmount ? minAmount : lots > maxAmount ? maxAmount : lots;
}
