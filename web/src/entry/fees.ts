/** One's own fee rates of a market; those of everybody for who is not signed in. */
import { createResource } from "solid-js";
import { user } from "../account/session.ts";
import { get } from "../api/client.ts";
import { type Market, market } from "../market/markets.ts";
import type { Decimal } from "../number/decimal.ts";

export interface FeeRates {
  readonly maker: Decimal;
  readonly taker: Decimal;
}

export function createFeeRates(): () => FeeRates {
  const [own] = createResource(
    () => {
      const [now, who] = [market(), user()];
      return now === undefined || who === undefined ? undefined : { now, who: who.user_id };
    },
    async ({ now }: { now: Market }) => {
      const query = { market: now.market, market_type: now.product === "spot" ? "SPOT" : "FUTURES" };
      const rates = await get<{ maker_rate: Decimal; taker_rate: Decimal }>("/v2/account/trade-fee-rate", query).catch(
        () => undefined,
      );
      return rates === undefined ? undefined : { key: now.key, maker: rates.maker_rate, taker: rates.taker_rate };
    },
  );
  return () => {
    const read = own.latest;
    if (read !== undefined && user() !== undefined && read.key === market()?.key) return read;
    return { maker: market()?.makerFeeRate ?? "0", taker: market()?.takerFeeRate ?? "0" };
  };
}
