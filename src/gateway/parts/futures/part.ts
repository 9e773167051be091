import { LegacyFuturesAssetChannel } from "../../legacy/sockets/channels/balances.ts";
import { LegacyPositionChannel } from "../../legacy/sockets/channels/positions.ts";
import { LegacyPriceChannel } from "../../legacy/sockets/channels/prices.ts";
import { channel } from "../../ws/channel.ts";
import { FuturesBalanceChannel } from "../../ws/channels/futures-balances.ts";
import { PositionChannel } from "../../ws/channels/positions.ts";
import { PremiumChannel } from "../../ws/channels/premiums.ts";
import { PriceChannel } from "../../ws/channels/prices.ts";
import type { GatewayPart } from "../part.ts";
import { futuresBalanceHandlers } from "./balances.ts";
import { FUTURES_FIGURES } from "./figures.ts";
import { findPositions } from "./find-positions.ts";
import { FUND_BUDGET_CALLS } from "./fund-budget-calls.ts";
import { fundingHandlers } from "./funding.ts";
import { legacyDealHandlers } from "./legacy-deals.ts";
import { legacyFuturesOrderHandlers } from "./legacy-orders.ts";
import { legacyPositionHandlers } from "./legacy-positions.ts";
import { legacyFuturesCalls } from "./legacy-socket-calls.ts";
import { LIQUIDATION_CALLS } from "./liquidation-calls.ts";
import { liquidationHandlers } from "./liquidations.ts";
import { positionExitHandlers } from "./position-exits.ts";
import { POSITION_LIST_CALLS } from "./position-list-call.ts";
import { positionHandlers } from "./positions.ts";

/** Perpetual futures: positions, their margin, funding and liquidation. */
export const futures = {
  name: "futures",
  refusals: {
    position_side_mismatch: {
      v2: 3639,
      v1: 2,
      rule: "4.2",
      message: "Invalid Parameter: position_side is given in hedge mode, and there only.",
    },
    no_mark_price: { v2: 4117, v1: 35, perpetual: 3130, rule: "4.5", message: "The market has no mark price yet." },
    price_outside_index: { v2: 3618, v1: 606, rule: "2.9", message: "The price is too far from the index price." },
    buy_far_from_mark: { v2: 3634, v1: 606, rule: "2.9", message: "The best ask is too far from the mark price." },
    sell_far_from_mark: { v2: 3635, v1: 606, rule: "2.9", message: "The best bid is too far from the mark price." },
    position_limit: {
      v2: 3639,
      v1: 2,
      perpetual: 3108,
      rule: "4.3",
      message: "Invalid Parameter: the position would be larger than the market allows.",
    },
    leverage_above_level: {
      v2: 3639,
      v1: 2,
      perpetual: 3113,
      rule: "4.3",
      message: "Invalid Parameter: the leverage is above that of the position level.",
    },
    exceeds_closable: {
      v2: 3639,
      v1: 2,
      perpetual: 3136,
      rule: "4.2",
      message: "Invalid Parameter: amount is above what can be closed.",
    },
    no_position: {
      v2: 3639,
      v1: 2,
      perpetual: 3120,
      rule: "4.2",
      message: "Invalid Parameter: there is no such position.",
    },
    not_isolated: {
      v2: 3639,
      v1: 2,
      perpetual: 3121,
      rule: "4.9",
      message: "Invalid Parameter: the position is not isolated.",
    },
    leverage_not_offered: {
      v2: 3639,
      v1: 2,
      perpetual: 3113,
      rule: "4.9",
      message: "Invalid Parameter: the market does not offer this leverage.",
    },
    futures_in_use: {
      v2: 3639,
      v1: 2,
      perpetual: 3122,
      rule: "4.9",
      message: "Invalid Parameter: this cannot change with positions or pending orders.",
    },
    exit_fires_at_once: {
      v2: 3639,
      v1: 2,
      rule: "4.10",
      message: "Invalid Parameter: the price has reached the trigger of the take profit or stop loss already.",
    },
    too_many_exits: {
      v2: 3639,
      v1: 2,
      rule: "4.10",
      message: "Invalid Parameter: the position has as many take profits or stop losses as it may.",
    },
    index_stale: {
      v2: 4117,
      v1: 35,
      perpetual: 3130,
      rule: "4.11",
      message:
        "The index of the market is stale: until it is back, positions can only be reduced and nothing is taken out.",
    },
  },
  figures: FUTURES_FIGURES,
  handlers: (backend, printers) => ({
    ...positionHandlers(backend, printers),
    ...positionExitHandlers(backend, printers),
    ...liquidationHandlers(backend, printers),
    ...fundingHandlers(backend, printers),
    ...futuresBalanceHandlers(backend),
  }),
  legacy: (backend, printers) => ({
    ...legacyFuturesOrderHandlers(backend, printers),
    ...legacyPositionHandlers(backend, printers),
    ...legacyDealHandlers(backend, printers),
  }),
  legacySockets: {
    channels: [
      channel("asset", "futures", LegacyFuturesAssetChannel),
      channel("position", "futures", LegacyPositionChannel),
      channel("price", "futures", LegacyPriceChannel),
    ],
    calls: legacyFuturesCalls,
  },
  calls: [...POSITION_LIST_CALLS, ...LIQUIDATION_CALLS, ...FUND_BUDGET_CALLS],
  nouns: {
    position: "show the positions of everybody",
    liquidation: "show the positions that the venue took over",
    "fund-budget": "set and show what insurance funds may lose to jumps of indexes",
  },
  channels: [
    channel("price", "futures", PriceChannel),
    channel("premium", "futures", PremiumChannel),
    channel("position", "futures", PositionChannel),
    channel("balance", "futures", FuturesBalanceChannel),
  ],
  finds: [findPositions],
} satisfies GatewayPart;
