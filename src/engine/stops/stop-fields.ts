import type { Fields } from "../record.ts";

/** The figures of a stop order, with what each counts. The amount and the price are those of the order that it becomes. */
export const STOP_FIELDS = {
  stopId: "id",
  userId: "id",
  marketId: "id",
  /** 0 for market orders. */
  price: "ticks",
  amount: "asked",
  trigger: "ticks",
  createdAt: "ms",
  updatedAt: "ms",
  clientId: "text",
} as const satisfies Fields;
