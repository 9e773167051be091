/** A venue with the listing of the exchange itself, and ccxt on it: unmodified, only its addresses changed. */
import type ccxt from "ccxt";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import type { ApiKeyPair } from "../support/api-client.ts";
import { VenueProcess } from "../support/venue-process.ts";
import type { World } from "./ccxt-walk.ts";

export type Streams = InstanceType<typeof ccxt.pro.coinex>;

/** An address of the chain's main network, as a person would withdraw to. */
const OUTSIDE = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/**
 * So many minutes the books stand 1.7 % below the indexes: enough of the 480 of a collection that something is paid.
 */
const APART_MINUTES = 20;

/** Longer than between two collections of funding. */
const FUNDING_MS = 9 * 3_600_000;

export interface Place {
  readonly world: World;
  /**
   * A client of the walker for the sockets of each kind of market: ccxt takes every push for one of its default type,
   * and subscribes to the tickers of no second market once it has those of one.
   */
  readonly streams: Readonly<Record<"spot" | "linear" | "inverse", Streams>>;
  /** Time as the venue has it. */
  readonly nowMs: () => Promise<number>;
  readonly close: () => Promise<void>;
}

/** Points a client at a venue. */
export function pointAt<C extends { urls: { api?: unknown } }>(client: C, url: string): C {
  const api = client.urls.api as Record<string, string | Record<string, string>>;
  for (const [name, at] of Object.entries(api)) {
    if (typeof at === "string") api[name] = at.replace("https://api.coinex.com", url);
  }
  if (typeof api["ws"] === "object") {
    const socketUrl = url.replace("http", "ws");
    Object.assign(api["ws"], { spot: `${socketUrl}/v2/spot/`, swap: `${socketUrl}/v2/futures/` });
  }
  return client;
}

/** Starts one with two traders, whose books are the only ones. `make` makes a client with a key. */
export async function openPlace(make: (key: ApiKeyPair, defaultType: "spot" | "swap") => Streams): Promise<Place> {
  const venue = await VenueProcess.start(
    IN_MEMORY,
    ...["--listing", "live", "--makers", "off", "--clock", "virtual", "--limits", "off", "--strict", "on"],
  );
  const funds = { BTC: "20", USDT: "1000000" };
  const clients: Streams[] = [];
  const trader = async (name: string) => {
    const { userId } = await venue.trader(name, funds);
    const permissions = ["read", "trade", "withdraw"];
    const key = await venue.admin("/admin/api-keys", { user_id: userId, permissions });
    const open = async (defaultType: "spot" | "swap") => {
      const client = pointAt(make({ accessId: key.access_id, secret: key.secret_key }, defaultType), venue.url);
      // ccxt asks for this before it opens addresses without TLS.
      await client.loadHttpProxyAgent();
      clients.push(client);
      return client;
    };
    return { userId, client: await open("spot"), open };
  };
  const { userId, client, open } = await trader("walker");
  const { client: other } = await trader("other");
  await venue.admin("/admin/withdraw-addresses", { user_id: userId, chain: "BTC", address: OUTSIDE });
  const setIndex = async (price: string) => {
    const sources = [{ exchange: "test", price }];
    await venue.admin("/admin/index-prices", { market: "BTCUSDT", sources });
    for (const market of ["BTCUSDT", "BTCUSD"]) {
      await venue.admin("/admin/index-prices", { market, market_type: "FUTURES", sources });
    }
  };
  await setIndex("60000");
  await other.transfer("USDT", 500_000, "spot", "swap");
  await other.transfer("BTC", 10, "spot", "swap");
  for (const [symbol, amount] of [
    ["BTC/USDT", 2],
    ["BTC/USDT:USDT", 2],
    ["BTC/USD:BTC", 100_000],
  ] as const) {
    await other.createOrder(symbol, "limit", "sell", amount, 60_000);
    await other.createOrder(symbol, "limit", "buy", amount, 59_900);
    await other.createOrder(symbol, "limit", "sell", amount / 100, 59_900);
  }
  const mineBlocks = () => venue.admin("/admin/chains/BTC/blocks", { count: 10 });
  return {
    streams: { spot: client, linear: await open("swap"), inverse: await open("swap") },
    nowMs: async () => Number(await client.fetchTime()),
    world: {
      ...{ client, other, outside: OUTSIDE, kept: {} },
      mineBlocks,
      passFunding: async () => {
        // Premiums are taken at ticks, while the index is fresh.
        for (let half = 0; half < 2 * APART_MINUTES; half++) {
          await setIndex("61000");
          await venue.admin("/admin/clock", { advance_ms: 30_000 });
        }
        await venue.admin("/admin/clock", { advance_ms: FUNDING_MS, hold_index: true });
        await setIndex("60000");
      },
      deposit: async (address) => {
        await venue.admin("/admin/chains/BTC/transactions", { ccy: "BTC", to_address: address, amount: "0.5" });
        await mineBlocks();
      },
    },
    close: async () => {
      for (const each of clients) await each.close();
      await venue.end("SIGTERM");
    },
  };
}
