/**
 * What the model remembers. Units, lots, ticks and rates are bigints; what they count is said in
 * docs/reference/domain.md, section 1.
 */

import type { OrderType, Side, StpMode } from "../../../../src/engine/command.ts";
import type { MaintenancePlan } from "../../../../src/engine/maintenance/command-schemas.ts";
import type { Refusal } from "../../../../src/engine/refusal.ts";
import type { ModelPool } from "../pools/pool.ts";

export interface ModelUser {
  readonly id: number;
  readonly name: string;
  readonly mainId: number | undefined;
  frozen: boolean;
  /** A sub-account by its main account, beside what operators do. */
  frozenByMain: boolean;
  barred: boolean;
  /** Whether it pays fees in the deduction currency where it can. */
  deducts: boolean;
  level: string | undefined;
  /** Own rates; undefined: those of the level, or of the market. */
  makerRate: bigint | undefined;
  takerRate: bigint | undefined;
}

export interface ModelAsset {
  readonly id: number;
  readonly ccy: string;
  readonly scale: number;
  readonly custodyMax: bigint;
}

/** What a user has of an asset. */
export interface ModelBalance {
  readonly userId: number;
  readonly assetId: number;
  available: bigint;
  frozen: bigint;
}

export interface ModelSource {
  readonly exchange: string;
  weight: bigint;
  /** Ticks; 0 before it has spoken. */
  price: bigint;
  at: number;
}

/** An interruption: what its auction is held to, when this one and others of the hour came, and where it ended. */
export interface ModelHalt {
  readonly reference: bigint;
  readonly called: readonly number[];
  readonly prolonged: boolean;
  readonly reopenedAt: number;
  readonly price: bigint;
}

export interface ModelMarket {
  readonly id: number;
  readonly name: string;
  readonly base: ModelAsset;
  readonly quote: ModelAsset;
  readonly amountPrecision: number;
  readonly pricePrecision: number;
  /** `c` and `u` of the domain: quote units of one lot at one tick, base units of one lot. */
  readonly lotTick: bigint;
  readonly lot: bigint;
  minAmount: bigint;
  maxAmount: bigint;
  maxPrice: bigint;
  makerRate: bigint;
  takerRate: bigint;
  status: "counting_down" | "bidding" | "online";
  /** 0: no auction, or one without a second phase. */
  biddingAt: number;
  noCancelAt: number;
  onlineAt: number;
  delistedAt: number;
  delisted: boolean;
  suspended: boolean;
  apiOpen: boolean;
  /** Ticks of the last deal; 0 before the first. */
  latest: bigint;
  sources: ModelSource[];
  /** Ticks; 0 without one. */
  index: bigint;
  indexAt: number;
  /** Nobody says what it is; and when somebody did again, 0 = not yet. */
  isStale: boolean;
  returnedAt: number;
  /** How far a price may go within a window, 10^-8, and how long bids are taken then. */
  interruption: { readonly move: bigint; readonly windowMs: number; readonly auctionMs: number } | undefined;
  /** Prices of the window that has passed, oldest first. */
  recent: { readonly at: number; readonly price: bigint }[];
  /** The last interruption. */
  halt: ModelHalt | undefined;
  pool: ModelPool | undefined;
  /** Resting orders, first in priority first. */
  buys: ModelOrder[];
  sells: ModelOrder[];
}

/** An order in words that its events use too, so that the two can be laid side by side. */
export interface ModelOrder {
  readonly orderId: number;
  readonly userId: number;
  readonly marketId: number;
  readonly account: "spot" | "margin";
  readonly side: Side;
  readonly type: OrderType;
  readonly amountIn: "base" | "quote";
  readonly hidden: boolean;
  readonly stpMode: StpMode;
  readonly clientId: string;
  readonly makerFeeRateE8: number;
  readonly takerFeeRateE8: number;
  readonly createdAt: number;
  /** As much as an iceberg displays at a time; 0: all. Domain 2.21. */
  readonly display: bigint;
  /** Of one that rests: what it displays now. */
  shown: bigint;
  status: "open" | "part_filled" | "filled" | "part_canceled" | "canceled";
  prio: number;
  price: bigint;
  amount: bigint;
  left: bigint;
  filledLots: bigint;
  filledValue: bigint;
  baseFee: bigint;
  quoteFee: bigint;
  discountFee: bigint;
  lastFilledLots: bigint;
  lastFilledPrice: bigint;
  updatedAt: number;
}

/** A waiting stop order. */
export interface ModelStop {
  readonly stopId: number;
  readonly userId: number;
  readonly marketId: number;
  readonly account: "spot" | "margin";
  readonly side: Side;
  readonly type: OrderType;
  readonly amountIn: "base" | "quote";
  readonly hidden: boolean;
  readonly stpMode: StpMode;
  readonly clientId: string;
  readonly createdAt: number;
  price: bigint;
  amount: bigint;
  trigger: bigint;
  direction: "higher" | "lower";
  updatedAt: number;
  /** Of conditional ones. Domain 2.20. */
  readonly trail?: bigint;
  readonly trailRateE8?: number;
  readonly activation?: bigint;
  readonly groupId?: number;
  /** As of its order. */
  readonly display?: bigint;
  readonly triggerType?: "latest_price" | "index_price";
  extreme?: bigint;
  /** Plain ones wait for a price. */
  waits?: "for price" | "to begin" | "follows" | "sleeps";
}

export interface ModelDeal {
  readonly dealId: number;
  readonly marketId: number;
  readonly side: Side;
  readonly price: bigint;
  readonly lots: bigint;
  readonly value: bigint;
  readonly taker: ModelParty;
  readonly maker: ModelParty;
}

export interface ModelParty {
  readonly userId: number;
  readonly orderId: number;
  readonly fee: bigint;
  readonly feeAssetId: number;
  readonly deducted: boolean;
  /** What of the fee went to the providers of a pool. */
  readonly given: bigint;
}

export interface ModelWindow extends MaintenancePlan {
  readonly id: number;
}

export type ModelEvent =
  | { readonly kind: "order"; readonly event: "put" | "update" | "modify" | "finish"; readonly order: ModelOrder }
  | { readonly kind: "deal"; readonly deal: ModelDeal }
  | {
      readonly kind: "stop";
      readonly event: "put" | "modify" | "cancel" | "active_success" | "active_fail";
      readonly stop: ModelStop;
      readonly orderId: number;
      readonly refusal: Refusal | undefined;
    };

/** What a command came to. */
export interface ModelOutcome {
  refusal: Refusal | undefined;
  /** The order, or the stop order, that the command concerns, as the command left it before any stop order fired. */
  order: ModelOrder | undefined;
  stop: ModelStop | undefined;
  /** Auctions that traded, and markets that were interrupted. */
  auctions: number;
  interruptions: number;
  /** Number of the thing that an operator's command made. */
  madeId: number | undefined;
  readonly events: ModelEvent[];
}
