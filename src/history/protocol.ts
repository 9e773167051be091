import type { OrderRecord } from "../engine/event.ts";
import type { StopRecord } from "../engine/stops/stop-event.ts";
import type { KlinesQuery, TradedSecond, TradedSecondsQuery } from "./candle-queries.ts";
import type { MarketDealsQuery, OrderDealsQuery, PublicDeal, UserDeal, UserDealsQuery } from "./deal-queries.ts";
import type { HistoryStep } from "./fault.ts";
import type {
  BasisQuery,
  BasisRow,
  FundingRatesQuery,
  FundingRow,
  PremiumRow,
  PremiumsQuery,
} from "./funding-queries.ts";
import type { HistoryFileOptions } from "./history-file.ts";
import type { Candle } from "./kline.ts";
import type { DeleveragingRow, DeleveragingsQuery, LiquidationRow, LiquidationsQuery } from "./liquidation-queries.ts";
import type { EndedOrdersQuery, FinishedOrdersQuery } from "./order-queries.ts";
import type { Page } from "./page.ts";
import type {
  EndedPosition,
  FinishedPositionsQuery,
  PositionChangeRow,
  PositionChangesQuery,
} from "./position-queries.ts";
import type { StatementLine, StatementQuery } from "./statement-queries.ts";
import type { FiredStopsQuery } from "./stop-queries.ts";
import type { TransferPage, TransfersQuery } from "./transfer-queries.ts";

/** What can be asked of history, and what each question is answered with. */
export interface HistoryQueries {
  finishedOrders: { query: FinishedOrdersQuery; answer: Page<OrderRecord> };
  endedOrders: { query: EndedOrdersQuery; answer: OrderRecord[] };
  firedStops: { query: FiredStopsQuery; answer: Page<StopRecord> };
  userDeals: { query: UserDealsQuery; answer: Page<UserDeal> };
  orderDeals: { query: OrderDealsQuery; answer: Page<UserDeal> };
  marketDeals: { query: MarketDealsQuery; answer: PublicDeal[] };
  statement: { query: StatementQuery; answer: Page<StatementLine> };
  klines: { query: KlinesQuery; answer: Candle[] };
  finishedPositions: { query: FinishedPositionsQuery; answer: Page<EndedPosition> };
  positionChanges: { query: PositionChangesQuery; answer: Page<PositionChangeRow> };
  fundingRates: { query: FundingRatesQuery; answer: Page<FundingRow> };
  premiums: { query: PremiumsQuery; answer: Page<PremiumRow> };
  basis: { query: BasisQuery; answer: BasisRow[] };
  liquidations: { query: LiquidationsQuery; answer: Page<LiquidationRow> };
  deleveragings: { query: DeleveragingsQuery; answer: Page<DeleveragingRow> };
  transfers: { query: TransfersQuery; answer: TransferPage };
  tradedSeconds: { query: TradedSecondsQuery; answer: TradedSecond[] };
}

export type QueryName = keyof HistoryQueries;

export type HistoryWorkerData = HistoryFileOptions;

/** Messages are worked off in the order in which they were posted. */
export type ToHistoryWorker =
  | { readonly kind: "append"; readonly events: Uint8Array<ArrayBuffer>; readonly lastSeq: number }
  | { readonly kind: "query"; readonly id: number; readonly name: QueryName; readonly query: unknown }
  | { readonly kind: "flush"; readonly id: number }
  | { readonly kind: "close" };

export type FromHistoryWorker =
  | { readonly kind: "open"; readonly appliedSeq: number; readonly setAside: string | undefined }
  /** `bytes` of appended events are in the file, up to and with command `seq`. */
  | { readonly kind: "committed"; readonly bytes: number; readonly seq: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: unknown }
  | { readonly kind: "rejected"; readonly id: number; readonly message: string }
  | { readonly kind: "fault"; readonly step: HistoryStep; readonly code: string; readonly message: string };
