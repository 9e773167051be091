/** Queries of accounts about futures on the legacy sockets: asset.query, position.query. */
import type { Asset } from "../../../engine/listing/asset.ts";
import type { Market } from "../../../engine/listing/market.ts";
import { formatDecimal } from "../../../engine/money/decimal.ts";
import { perpetualAssetOf } from "../../legacy/records/perpetual-assets.ts";
import { perpetualPositionOf } from "../../legacy/records/perpetual-positions.ts";
import type { LegacySocketCalls } from "../../legacy/sockets/generation.ts";
import { callerOf } from "../../legacy/sockets/listed.ts";
import { namedAssets } from "../../legacy/sockets/named-assets.ts";
import type { PerpetualAsset } from "../../legacy/types.generated.ts";
import { AdlLevels } from "../../reading/adl-levels.ts";
import { futuresFunds } from "../../reading/futures-funds.ts";
import { openSlots } from "../../reading/open-positions.ts";
import type { ChannelContext } from "../../ws/channel.ts";
import { invalidArgument, SocketRefused } from "../../ws/refused.ts";

export const legacyFuturesCalls: LegacySocketCalls = (context) => (context.kind === "futures" ? callsOf(context) : {});

function callsOf({ backend: { state }, printers, marketNamed }: ChannelContext): ReturnType<LegacySocketCalls> {
  const levels = new AdlLevels(state);
  return {
    "asset.query": (client, params) => {
      const assets = namedAssets(state, params as unknown as { currencies: readonly string[] });
      if (assets instanceof SocketRefused) return assets;
      const told: Record<string, PerpetualAsset> = {};
      // Of the named currencies those without an account are 0; without names there is what there is.
      for (const asset of assets.length === 0 ? state.assets : assets) {
        const funds = futuresFunds(state, callerOf(client).userId, asset);
        if (funds !== undefined) told[asset.ccy] = perpetualAssetOf(funds);
        else if (assets.length > 0) told[asset.ccy] = noFunds(asset);
      }
      return { data: JSON.stringify(told) };
    },

    "position.query": (client, params) => {
      const { markets: names } = params as unknown as { markets: readonly string[] };
      const markets = names.map(marketNamed);
      if (markets.includes(undefined)) return invalidArgument("each of params must be a listed market.");
      const slots = openSlots(state, callerOf(client).userId, undefined).filter(
        (slot) => markets.length === 0 || markets.some((market) => isOf(market as Market, slot)),
      );
      return { data: JSON.stringify(slots.map((slot) => perpetualPositionOf(state, printers, levels, slot))) };
    },
  };

  function isOf({ id }: Market, slot: number): boolean {
    return state.futures.positions.marketId(slot) === id;
  }
}

function noFunds({ scale }: Asset): PerpetualAsset {
  const nothing = formatDecimal(0n, scale);
  return {
    available: nothing,
    frozen: nothing,
    transfer: nothing,
    balance_total: nothing,
    margin: nothing,
    profit_unreal: nothing,
  };
}
