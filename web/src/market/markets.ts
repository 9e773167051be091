/** The markets of both products, each with its last 24 hours, live. */
import { createMemo, createRoot, createSignal } from "solid-js";
import { createStore } from "solid-js/store";
import { get, sentenceOf } from "../api/client.ts";
import { gather } from "../api/frame.ts";
import type { FuturesMarket, FuturesTicker, Product, SpotMarket, SpotTicker } from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { type Decimal, unit } from "../number/decimal.ts";
import { place } from "../ui/place.ts";
import type { ReadState } from "../ui/read-state.tsx";

/** The properties of a market that its orders are made of. */
export interface Market {
  /** `spot/BTCUSDT`: a spot and a futures market may have the same name. */
  readonly key: string;
  readonly product: Product;
  readonly market: string;
  readonly baseCcy: string;
  readonly quoteCcy: string;
  readonly amountDecimals: number;
  readonly priceDecimals: number;
  readonly tick: Decimal;
  readonly minAmount: Decimal;
  readonly makerFeeRate: Decimal;
  readonly takerFeeRate: Decimal;
  readonly status: string;
  readonly isOpen: boolean;
  /** ms; 0: it stays. */
  readonly delistedAt: number;
  readonly isMargin: boolean;
  readonly hasPool: boolean;
  /** Amounts are contracts of one unit of the quote currency, money is the base currency. */
  readonly isInverse: boolean;
  readonly leverages: readonly number[];
}

/** The last 24 hours, and of futures what the position is valued by. */
export interface Ticker {
  readonly last: Decimal;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly volume: Decimal;
  readonly value: Decimal;
  readonly mark_price?: Decimal;
  readonly index_price?: Decimal;
  readonly next_funding_rate?: Decimal;
  readonly next_funding_time?: number;
  readonly latest_funding_rate?: Decimal;
  readonly open_interest_size?: Decimal;
}

const PRODUCTS: readonly Product[] = ["spot", "futures"];

const [markets, setMarkets] = createSignal<readonly Market[]>([]);
const [isRead, setIsRead] = createSignal(false);
const [fault, setFault] = createSignal("");
const [tickers, setTickers] = createStore<Record<string, Ticker>>({});
const [staleIndexes, setStaleIndexes] = createStore<Record<string, boolean>>({});

export { isRead as areMarketsRead, markets };

/** How far the reading of the list of markets has come, without which there is nothing to trade. */
export const marketsRead: ReadState = {
  isRead,
  fault: () => (isRead() ? "" : fault()),
  again: () => void tryMarkets(),
};

export const tickerOf = (key: string): Ticker | undefined => tickers[key];
export const hasStaleIndex = (key: string): boolean => staleIndexes[key] === true;
export const marketOf = (product: Product, market: string): Market | undefined =>
  markets().find((each) => each.product === product && each.market === market);

/** The market that is traded in now. */
export const market = createRoot(() =>
  createMemo(
    () => {
      const now = place();
      if (now.kind !== "trade" || now.market === undefined) return undefined;
      return marketOf(now.product, now.market);
    },
    undefined,
    // Anyone who follows a market must not start over because its list was read again.
    { equals: (one, other) => JSON.stringify(one) === JSON.stringify(other) },
  ),
);

/** Returns the currency that money of a market is counted in: profits, margins and fees. */
export function moneyOf(of: Market): string {
  return of.isInverse ? of.baseCcy : of.quoteCcy;
}

/** Returns the currency that amounts of a market are counted in. */
export function amountCcyOf(of: Market): string {
  return of.isInverse ? of.quoteCcy : of.baseCcy;
}

const MARKETS_READ_MS = 60_000;

async function readMarkets(): Promise<void> {
  const [spot, futures] = await Promise.all([
    get<SpotMarket[]>("/v2/spot/market"),
    get<FuturesMarket[]>("/v2/futures/market"),
  ]);
  const lists = await Promise.all(
    PRODUCTS.map((product) => get<(SpotTicker | FuturesTicker)[]>(`/v2/${product}/ticker`)),
  );
  gather(() => {
    for (const [at, product] of PRODUCTS.entries()) {
      for (const ticker of lists[at] ?? []) keepTicker(product, ticker);
    }
    setMarkets([...spot.map(spotMarket), ...futures.map(futuresMarket)]);
    setIsRead(true);
  });
}

async function tryMarkets(): Promise<void> {
  setFault("");
  await readMarkets().catch((error: unknown) => setFault(sentenceOf(error)));
}

/**
 * Products whose changes are not followed yet: the list is read once both are, so that none is missed and nothing is
 * read twice.
 */
const unfollowed = new Set<Product>(PRODUCTS);
/** The list of one product is better than none where the other one does not come. */
const FOLLOW_WAIT_MS = 5_000;
let fallback: ReturnType<typeof setTimeout> | undefined;

function readWhenFollowed(product: Product): void {
  unfollowed.delete(product);
  clearTimeout(fallback);
  const read = () => void tryMarkets();
  if (unfollowed.size === 0) read();
  else fallback = setTimeout(read, FOLLOW_WAIT_MS);
}

function keepTicker(product: Product, ticker: Ticker & { readonly market: string }): void {
  setTickers(`${product}/${ticker.market}`, (before) => ({ ...before, ...ticker }));
}

for (const product of PRODUCTS) {
  sockets[product].follow({
    channel: "state",
    items: [],
    hear: ({ state_list }: { state_list: (Ticker & { market: string })[] }) => {
      for (const state of state_list) keepTicker(product, state);
    },
    onFollowed: () => readWhenFollowed(product),
  });
  sockets[product].follow({
    channel: "index",
    items: [],
    hear: ({ market: name, is_stale, index_price, mark_price }: IndexPush) => {
      const key = `${product}/${name}`;
      setStaleIndexes(key, is_stale);
      if (tickers[key] === undefined) return;
      setTickers(key, { index_price, ...(mark_price === undefined ? {} : { mark_price }) });
    },
  });
}
setInterval(() => {
  if (!document.hidden) void tryMarkets();
}, MARKETS_READ_MS);

const STATUS_READ_MS = 10_000;

/** Reads how the market that is traded in stands: no push says when it opens or closes. */
export async function rereadMarket(): Promise<void> {
  const now = market();
  if (now === undefined) return;
  const [fresh] = await get<(SpotMarket | FuturesMarket)[]>(`/v2/${now.product}/market`, { market: now.market });
  if (fresh === undefined) return;
  const read = now.product === "spot" ? spotMarket(fresh as SpotMarket) : futuresMarket(fresh as FuturesMarket);
  setMarkets((before) => before.map((each) => (each.key === read.key ? read : each)));
}

setInterval(() => {
  if (!document.hidden) rereadMarket().catch(() => {});
}, STATUS_READ_MS);

interface IndexPush {
  readonly market: string;
  readonly index_price: Decimal;
  readonly mark_price?: Decimal;
  readonly is_stale: boolean;
}

function spotMarket(read: SpotMarket): Market {
  return {
    ...common("spot", read),
    tick: unit(read.quote_ccy_precision),
    isMargin: read.is_margin_available,
    hasPool: read.is_amm_available,
    isInverse: false,
    leverages: [],
  };
}

function futuresMarket(read: FuturesMarket): Market {
  return {
    ...common("futures", read),
    tick: read.tick_size,
    isMargin: false,
    hasPool: false,
    isInverse: read.contract_type === "inverse",
    leverages: read.leverage.map(Number),
  };
}

function common(product: Product, read: SpotMarket | FuturesMarket) {
  return {
    key: `${product}/${read.market}`,
    product,
    market: read.market,
    baseCcy: read.base_ccy,
    quoteCcy: read.quote_ccy,
    amountDecimals: read.base_ccy_precision,
    priceDecimals: read.quote_ccy_precision,
    minAmount: read.min_amount,
    makerFeeRate: read.maker_fee_rate,
    takerFeeRate: read.taker_fee_rate,
    status: read.status,
    delistedAt: read.delisted_at,
    isOpen: read.status === "online" && read.is_api_trading_available,
  };
}
