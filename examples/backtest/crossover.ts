/**
 * A strategy and its backtest: the venue's time is moved minute by minute, and fees, spread and depth are those of a
 * living book.
 */
import type { StartedVenue } from "bourse";
import { Client } from "bourse/client";

const MARKET = { market: "BTCUSDT", market_type: "SPOT" } as const;
const AMOUNT = "0.05";
const MINUTE_MS = 60_000;

export interface Result {
  readonly trades: number;
  /** What the account is worth at the last price, in USDT. */
  readonly worth: number;
  readonly stateHash: string;
}

/** Holds bitcoin while the mean of the last `fast` minutes lies above that of the last `slow` ones. */
export async function backtest(venue: StartedVenue, minutes: number, fast = 3, slow = 9): Promise<Result> {
  const key = await venue.admin.createAccount("strategy", { USDT: "10000" });
  const client = new Client({ url: venue.url, key });
  let trades = 0;
  let isIn = false;
  for (let minute = 0; minute < minutes; minute++) {
    await venue.admin.advance(MINUTE_MS);
    const candles = await client.get("/spot/kline", { market: MARKET.market, period: "1min", limit: slow + 1 });
    if (!candles.ok) throw new Error(candles.message);
    // The last candle is that of the minute that has just begun.
    const closes = candles.data.slice(0, -1).map(({ close }) => Number(close));
    if (closes.length < slow) continue;
    const wantsIn = mean(closes.slice(-fast)) > mean(closes);
    if (wantsIn === isIn) continue;
    const side = wantsIn ? "buy" : "sell";
    // In the currency of the market, so that what was bought less its fee is what is sold.
    const amount = wantsIn ? AMOUNT : await held(client, "BTC");
    const order = { ...MARKET, side, type: "market", amount, ccy: "BTC" } as const;
    const done = await client.post("/spot/order", order);
    if (!done.ok) throw new Error(done.message);
    isIn = wantsIn;
    trades++;
  }
  const ticker = await client.get("/spot/ticker", { market: [MARKET.market] });
  if (!ticker.ok) throw new Error(ticker.message);
  const worth = Number(await held(client, "USDT")) + Number(await held(client, "BTC")) * Number(ticker.data[0]?.last);
  const { state_hash: stateHash } = await venue.admin.status();
  client.close();
  return { trades, worth, stateHash };
}

async function held(client: Client, ccy: string): Promise<string> {
  const balance = await client.get("/assets/spot/balance");
  if (!balance.ok) throw new Error(balance.message);
  return balance.data.find((row) => row.ccy === ccy)?.available ?? "0";
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}
