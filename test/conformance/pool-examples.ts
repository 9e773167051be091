import type { EndpointName } from "../../src/gateway/current/types.generated.ts";
import { type ApiUser, type ApiVenue, limitOrder } from "../support/served-venue.ts";
import { marketOf } from "../support/venue.ts";
import type { Params } from "./stage-orders.ts";

/** Markets with pools, of which the caller has a part for more than a day. */
export interface PoolStage {
  /** One that the caller has not left yet, each time another. */
  leave(): string;
}

const KEPT = "POOL1";
/** As many as the walk leaves. */
const LEFT = Array.from({ length: 12 }, (_, at) => `POOL${at + 2}`);

export const POOL_EXAMPLES: {
  readonly [Name in EndpointName]?: (stage: { venue: ApiVenue; pools: PoolStage }) => Params;
} = {
  "GET /assets/amm/liquidity": () => ({}),
  "POST /assets/amm/add-liquidity": () => ({ market: KEPT, base_ccy_amount: "2000", quote_ccy_amount: "200" }),
  "POST /assets/amm/remove-liquidity": ({ pools }) => ({ market: pools.leave() }),
  "GET /assets/amm/liquidity-pool": () => ({ market: `${KEPT},BTCUSDT` }),
  "GET /assets/amm/income-history": ({ venue }) => ({
    market: KEPT,
    start_time: 0,
    end_time: venue.control.timeMs,
    page: 1,
    limit: 10,
  }),
};

/** Lists the markets, lets the caller begin their pools, and a day go by. DSC and USDT must be listed. */
export async function openPoolStage(venue: ApiVenue, caller: ApiUser): Promise<PoolStage> {
  for (const market of [KEPT, ...LEFT]) {
    await venue.operate({ ...marketOf("DSC", "USDT"), market });
    await venue.operate({ kind: "set_pool", market, type: "infinite" });
    const amounts = { base_ccy_amount: "1000", quote_ccy_amount: "100" };
    await caller.client.act("/v2/assets/amm/add-liquidity", { market, ...amounts });
  }
  await caller.client.act("/v2/spot/order", { ...limitOrder("buy", "10", "0.12"), market: KEPT });
  await venue.wait(86_400_000);
  const left = [...LEFT];
  return {
    leave() {
      const market = left.pop();
      if (market === undefined) throw new Error("The walk leaves more pools than there are.");
      return market;
    },
  };
}
