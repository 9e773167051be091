/**
 * Queries of accounts about their spot and margin balances on the legacy sockets: asset.query, asset.account_query,
 * asset.account_query_all.
 */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { marginBalancesOf } from "../../current/records/margin.ts";
import { spotBalances } from "../../current/records/spot-balances.ts";
import { accountIdOf, marketOfAccount, SPOT_ACCOUNT } from "../../legacy/accounts.ts";
import type { LegacySocketCalls } from "../../legacy/sockets/generation.ts";
import { callerOf } from "../../legacy/sockets/listed.ts";
import { namedAssets } from "../../legacy/sockets/named-assets.ts";
import type { ChannelContext } from "../../ws/channel.ts";
import { invalidArgument, SocketRefused } from "../../ws/refused.ts";

/** A LegacyWsAsset. */
interface Holding {
  readonly available: string;
  readonly frozen: string;
}

/** By currency. */
type Holdings = Readonly<Record<string, Holding>>;

interface AccountAsked {
  readonly account_id: number;
  readonly currencies: readonly string[];
}

const NO_ACCOUNT = invalidArgument("account_id must be that of a margin market, or 0.");
const NOT_OF_ACCOUNT = invalidArgument("each currency must be one of the margin account's market.");

export const legacyBalanceCalls: LegacySocketCalls = (context) => (context.kind === "spot" ? callsOf(context) : {});

function callsOf({ backend: { state } }: ChannelContext): ReturnType<LegacySocketCalls> {
  const spot = (userId: number): Holdings =>
    Object.fromEntries(spotBalances(state, userId).map(({ ccy, available, frozen }) => [ccy, { available, frozen }]));

  /** The margin accounts of a user, that of a market or all, by their ids. */
  const margin = (userId: number, market?: Market): Readonly<Record<string, Holdings>> =>
    Object.fromEntries(
      marginBalancesOf(state, userId, market).map(({ margin_account, base_ccy, quote_ccy, available, frozen }) => {
        const { id } = state.marketNamed(margin_account, false) as Market;
        const of = (side: "base_ccy" | "quote_ccy") => ({ available: available[side], frozen: frozen[side] });
        const account = accountIdOf(state, { account: "margin", marketId: id });
        return [String(account), { [base_ccy]: of("base_ccy"), [quote_ccy]: of("quote_ccy") }];
      }),
    );

  /** Of the named currencies those without anything are 0; without names there is what there is. */
  const told = (holdings: Holdings, assets: readonly Asset[]): string => {
    if (assets.length === 0) return JSON.stringify(holdings);
    const nothing = ({ scale }: Asset) => ({ available: formatDecimal(0n, scale), frozen: formatDecimal(0n, scale) });
    return JSON.stringify(
      Object.fromEntries(assets.map((asset) => [asset.ccy, holdings[asset.ccy] ?? nothing(asset)])),
    );
  };

  return {
    "asset.query": (client, params) => {
      const assets = namedAssets(state, params as unknown as Pick<AccountAsked, "currencies">);
      return assets instanceof SocketRefused ? assets : { data: told(spot(callerOf(client).userId), assets) };
    },

    "asset.account_query": (client, params) => {
      const { account_id: id, ...names } = params as unknown as AccountAsked;
      const assets = namedAssets(state, names);
      if (assets instanceof SocketRefused) return assets;
      const userId = callerOf(client).userId;
      if (id === SPOT_ACCOUNT) return { data: told(spot(userId), assets) };
      const market = marketOfAccount(state, id);
      if (market === undefined) return NO_ACCOUNT;
      const own = [market.baseAssetId, market.quoteAssetId];
      if (assets.some((asset) => !own.includes(asset.id))) return NOT_OF_ACCOUNT;
      return { data: told(margin(userId, market)[String(id)] ?? {}, assets) };
    },

    "asset.account_query_all": (client) => {
      const userId = callerOf(client).userId;
      return { data: JSON.stringify({ [SPOT_ACCOUNT]: spot(userId), ...margin(userId) }) };
    },
  };
}
