/**
 * The accounts of legacy spot calls: 0 is the spot account, every other number the margin account of one market, the
 * same for every user. Source: contract/legacy/README.md, Names.
 */
import type { Account } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { MarginSpec } from "../../engine/margin/margin-state.ts";
import type { State } from "../../engine/state.ts";
import type { Refusing } from "../reading/answering.ts";
import { inMarket, inMarketOrAll, inPastMarketOrAll } from "../reading/named-markets.ts";
import { invalidParameter } from "../refused.ts";

/** The id of the spot account. */
export const SPOT_ACCOUNT = 0;

/** The id of the account in which something of this market lies; margin accounts are those of margin markets. */
export function accountIdOf(
  { margin }: State,
  { account, marketId }: { readonly account: Account; readonly marketId: number },
): number {
  return account === "margin" ? (margin.terms.get(marketId) as MarginSpec).accountId : SPOT_ACCOUNT;
}

/** The market whose margin accounts have this id; undefined when none have. */
export function marketOfAccount({ margin, markets }: State, id: number): Market | undefined {
  for (const [marketId, { accountId }] of margin.terms) if (accountId === id) return markets[marketId];
  return undefined;
}

/** The market and the account that a call names. */
interface Asked {
  readonly market?: string | undefined;
  readonly account_id: number;
}

type Serve<InMarket, Result> = (market: InMarket, account: Account) => Result;

/** Serves a call in the market and account that it names, or refuses it. */
export function inAccount<Result>(
  state: State,
  call: Refusing & { readonly params: Asked & { readonly market: string } },
  serve: Serve<Market, Result>,
): Result | undefined {
  const { market: name, account_id: id } = call.params;
  return inMarket(state, "spot", call, name, (market) => {
    if (id === SPOT_ACCOUNT) return serve(market, "spot");
    if (marketOfAccount(state, id) === market) return serve(market, "margin");
    call.refuse(invalidParameter(`account_id must be 0, or that of the margin account of ${name}.`));
    return undefined;
  });
}

/**
 * As `inAccount`, for calls that may leave the market open: a margin account has its own. The past knows delisted ones,
 * too.
 */
export function inAccountOrAll<Result>(
  state: State,
  call: Refusing & { readonly params: Asked },
  serve: Serve<Market | undefined, Result>,
  when: "now" | "past" = "now",
): Result | undefined {
  const { account_id: id } = call.params;
  const find = when === "past" ? inPastMarketOrAll : inMarketOrAll;
  return find(state, "spot", call, call.params.market, (market) => {
    if (id === SPOT_ACCOUNT) return serve(market, "spot");
    const own = marketOfAccount(state, id);
    if (own === undefined || (market !== undefined && market !== own)) {
      call.refuse(invalidParameter("account_id must be 0, or that of a margin account of the market."));
      return undefined;
    }
    return serve(own, "margin");
  });
}
