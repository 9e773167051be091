/** A bot that keeps one bid in a market, one percent below the best ask. */
import type { Client } from "bourse/client";

const MARKET = { market: "BTCUSDT", market_type: "SPOT" } as const;

/** Looks once at the market and does what is to be done. Call it every few seconds. */
export async function keepBid(client: Client, amount: string): Promise<void> {
  const depth = await client.get("/spot/depth", { market: MARKET.market, limit: 5, interval: "0" });
  if (!depth.ok) throw new Error(depth.message);
  const [bestAsk] = depth.data.depth.asks[0] ?? [];
  if (bestAsk === undefined) return;
  const price = (Number(bestAsk) * 0.99).toFixed(2);

  const open = await client.get("/spot/pending-order", { ...MARKET, side: "buy" });
  if (!open.ok) throw new Error(open.message);
  // Without this the bot would leave a bid behind at each price that the market has seen.
  for (const order of open.data) {
    if (Number(order.price) === Number(price)) return;
    const cancelled = await client.post("/spot/cancel-order", { ...MARKET, order_id: order.order_id });
    if (!cancelled.ok && cancelled.code !== ALREADY_GONE) throw new Error(cancelled.message);
  }
  const placed = await client.post("/spot/order", { ...MARKET, side: "buy", type: "limit", amount, price });
  if (!placed.ok) throw new Error(placed.message);
}

/** It was filled meanwhile. */
const ALREADY_GONE = 3600;
