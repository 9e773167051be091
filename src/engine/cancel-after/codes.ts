/** Codes of cancelling by the clock that travel in records; they never change. */
import { DUE_RANKS } from "../due.ts";

/**
 * Behind what is due of markets at the same time: an opening or a settlement at the very moment still meets the orders.
 */
export const CANCEL_AFTER_RANK = DUE_RANKS.declare({ cancel_after: { code: 50 } });
