import type { Fields } from "../record.ts";

/** The figures of an order, with what each counts: what its events carry, what history keeps and what surfaces show. */
export const ORDER_FIELDS = {
  orderId: "id",
  userId: "id",
  marketId: "id",
  /** 0 for market orders. */
  price: "ticks",
  amount: "asked",
  left: "asked",
  filledLots: "lots",
  filledValue: "value",
  baseFee: "base",
  /** Of a futures order its whole fee. */
  quoteFee: "value",
  discountFee: "deduction",
  /** What its closing of positions came to; 0 of spot orders. */
  realizedPnl: "value",
  makerFeeRateE8: "rateE8",
  takerFeeRateE8: "rateE8",
  lastFilledLots: "lots",
  lastFilledPrice: "ticks",
  createdAt: "ms",
  updatedAt: "ms",
  clientId: "text",
} as const satisfies Fields;
