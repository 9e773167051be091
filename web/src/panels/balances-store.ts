/** One's balances, live. */
import { ownList } from "../account/own.ts";
import { get } from "../api/client.ts";
import type { FuturesBalance, MarginBalance, SpotBalance } from "../api/records.ts";
import { type Decimal, isZero } from "../number/decimal.ts";

interface SpotPush {
  readonly balance_list: readonly (SpotBalance & { readonly margin_market: string })[];
}

export const spotBalances = ownList<SpotBalance>({
  product: "spot",
  channel: "balance",
  key: "ccy",
  read: () => get<SpotBalance[]>("/v2/assets/spot/balance"),
  changesOf: ({ balance_list }: SpotPush) =>
    balance_list
      .filter(({ margin_market }) => margin_market === "")
      .map(({ ccy, available, frozen }) => ({ put: { ccy, available, frozen } })),
});

/** Of margin accounts the pushes leave out what is owed: they are read. */
export const marginBalances = ownList<MarginBalance>({
  product: "spot",
  channel: "balance",
  key: "margin_account",
  read: () => get<MarginBalance[]>("/v2/assets/margin/balance"),
  changesOf: ({ balance_list }: SpotPush) =>
    balance_list.some(({ margin_market }) => margin_market !== "") ? "reread" : [],
});

/** Pushes say less than the record: it is read after each. */
export const futuresBalances = ownList<FuturesBalance>({
  product: "futures",
  channel: "balance",
  key: "ccy",
  read: () => get<FuturesBalance[]>("/v2/assets/futures/balance"),
  changesOf: () => "reread",
});

/** Undefined until the balances have been read: what nobody knows is not nothing. */
export function spotAvailable(ccy: string): Decimal | undefined {
  if (!spotBalances.isRead()) return undefined;
  return spotBalances.rows().find((each) => each.ccy === ccy)?.available ?? "0";
}

/** Margin accounts that hold or owe something. */
export const marginInUse = () =>
  marginBalances
    .rows()
    .filter(({ available, frozen, repaid }) =>
      [available, frozen, repaid].some(({ base_ccy, quote_ccy }) => !isZero(base_ccy) || !isZero(quote_ccy)),
    );

export function marginAccountOf(market: string): MarginBalance | undefined {
  return marginBalances.rows().find((each) => each.margin_account === market);
}

/** Of the margin account of a market; undefined until the balances have been read. */
export function marginAvailable(market: string, ccy: string): Decimal | undefined {
  if (!marginBalances.isRead()) return undefined;
  const account = marginAccountOf(market);
  if (account === undefined) return "0";
  return account.base_ccy === ccy ? account.available.base_ccy : account.available.quote_ccy;
}

/**
 * Returns the amount that may be ordered with, or that may leave the futures account; undefined until the balances have
 * been read.
 */
export function futuresAvailable(ccy: string, of: "available" | "transferrable" = "available"): Decimal | undefined {
  return futuresBalances.isRead() ? (futuresBalanceOf(ccy)?.[of] ?? "0") : undefined;
}

export function futuresBalanceOf(ccy: string): FuturesBalance | undefined {
  return futuresBalances.rows().find((each) => each.ccy === ccy);
}
