/** A bot over ccxt that keeps half of an account's worth in bitcoin. */
import ccxt from "ccxt";

export type Exchange = InstanceType<typeof ccxt.coinex>;

/** ccxt's own client of this API, pointed at a venue. */
export function exchangeAt(url: string, key: { readonly accessId: string; readonly secretKey: string }): Exchange {
  const exchange = new ccxt.coinex({ apiKey: key.accessId, secret: key.secretKey });
  const api = exchange.urls.api as Record<string, string>;
  for (const [name, address] of Object.entries(api)) api[name] = address.replace("https://api.coinex.com", url);
  return exchange;
}

/**
 * Buys or sells so much that both halves are worth the same; leaves a difference under `tolerance` of the whole alone.
 */
export async function rebalance(exchange: Exchange, tolerance = 0.01): Promise<"bought" | "sold" | "left"> {
  const symbol = "BTC/USDT";
  const [balance, ticker] = await Promise.all([exchange.fetchBalance(), exchange.fetchTicker(symbol)]);
  const price = ticker.last as number;
  const bitcoin = ((balance.total as unknown as Record<string, number>)["BTC"] ?? 0) * price;
  const dollars = (balance.total as unknown as Record<string, number>)["USDT"] ?? 0;
  const missing = (dollars - bitcoin) / 2;
  if (Math.abs(missing) < (dollars + bitcoin) * tolerance) return "left";
  await exchange.loadMarkets();
  const amount = Number(exchange.amountToPrecision(symbol, Math.abs(missing) / price));
  const side = missing > 0 ? "buy" : "sell";
  // A limit some way off, so that a thin book costs no more than that.
  const limit = price * (missing > 0 ? 1.01 : 0.99);
  await exchange.createOrder(symbol, "limit", side, amount, limit, { timeInForce: "IOC" });
  return missing > 0 ? "bought" : "sold";
}
