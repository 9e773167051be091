/** One's futures positions. A push says that one has changed; what it is worth then follows the mark. */
import { ownList } from "../account/own.ts";
import { getPage, post } from "../api/client.ts";
import type { Position } from "../api/records.ts";
import { gainAt } from "../entry/estimate.ts";
import { isHedged } from "../entry/position-mode.ts";
import { marketOf, tickerOf } from "../market/markets.ts";
import { type Decimal, times } from "../number/decimal.ts";

const READ_MAX = 200;
const BEAT_MS = 5_000;

export const positions = ownList<Position>({
  product: "futures",
  channel: "position",
  key: "position_id",
  read: async () =>
    (await getPage<Position>("/v2/futures/pending-position", { market_type: "FUTURES", limit: READ_MAX })).rows,
  changesOf: () => "reread",
});

// A change of the mark alone is not pushed, and moves what others' positions leave of an account.
setInterval(() => {
  if (!document.hidden && positions.rows().length > 0) positions.reread();
}, BEAT_MS);

export function positionsIn(market: string): readonly Position[] {
  return positions.rows().filter((each) => each.market === market);
}

/** Profit or loss at the mark as it is now, since entry or the last settlement. */
export function pnlOf(position: Position): Decimal {
  const market = marketOf("futures", position.market);
  const mark = tickerOf(`futures/${position.market}`)?.mark_price;
  if (market === undefined || mark === undefined) return position.unrealized_pnl;
  return gainAt(market, position.side === "long", position.open_interest, position.settle_value, mark);
}

/** Returns the fields that name a position in a request: in hedge mode its side, too, and only there. */
export function namesOf({ market, side }: Position) {
  return { market, market_type: "FUTURES", ...(isHedged() ? { position_side: side } : {}) };
}

/** Closes all of a position, or some of it, at the market or by an order at a price that waits. */
export async function closePosition(position: Position, amount?: Decimal, price?: Decimal): Promise<void> {
  await post("/v2/futures/close-position", {
    ...namesOf(position),
    ...(price === undefined ? { type: "market" } : { type: "limit", price }),
    ...(amount === undefined ? {} : { amount }),
  });
}

/**
 * Turns a position to the other side, at the market: one order where an account has one position, two where it may have
 * both.
 */
export async function reversePosition(position: Position): Promise<void> {
  const [side, other] = position.side === "long" ? ["sell", "short"] : ["buy", "long"];
  const order = { market: position.market, market_type: "FUTURES", side, type: "market" };
  if (!isHedged()) {
    await post("/v2/futures/order", { ...order, amount: times(position.open_interest, "2") });
    return;
  }
  await closePosition(position);
  await post("/v2/futures/order", { ...order, amount: position.open_interest, position_side: other });
}
