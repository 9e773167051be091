/**
 * Where money can be. Users' cells have an available and a frozen part; the venue's own cells use the available part only.
 * New kinds are appended: their position travels in records and snapshots.
 */
export const CELL_KINDS = [
  "spot",
  "margin",
  "fee",
  "insurance_futures",
  "insurance_margin",
  "lending_pool",
  "interest",
  "outside",
  "futures",
  "isolated_long",
  "isolated_short",
  "clearing",
] as const;
export type CellKind = (typeof CELL_KINDS)[number];

export const CELL = {
  spot: 0,
  margin: 1,
  fee: 2,
  insuranceFutures: 3,
  insuranceMargin: 4,
  lendingPool: 5,
  interest: 6,
  outside: 7,
  /** Cash of a futures account, per user and settlement asset. */
  futures: 8,
  /** Margin of an isolated position, per user, market and side. */
  isolatedLong: 9,
  isolatedShort: 10,
  /** What the profits of a futures market have been paid from, per market: with Σ σ·O of its positions it is 0. */
  clearing: 11,
} as const;

/** Owner of the venue's own cells. */
export const VENUE = -1;

/** Names under which an operator may fund a cell of the venue. */
export const FUNDABLE_CELLS: ReadonlyMap<string, number> = new Map([
  ["sys:ins_futures", CELL.insuranceFutures],
  ["sys:ins_margin", CELL.insuranceMargin],
  ["sys:lend_pool", CELL.lendingPool],
]);

/** Names of the venue's cells that an operator may let pay or take an adjustment of a user's balance. */
export const ADJUSTING_CELLS: ReadonlyMap<string, number> = new Map([["sys:fee", CELL.fee], ...FUNDABLE_CELLS]);

/**
 * One whole number per (kind, owner, place): place is the asset, or for accounts of a market 2 * market + (quote ? 1 : 0),
 * or for cells of a futures market the market.
 * Owner below 2^31, place below 2^17 and kind below 2^5 share 53 bits.
 */
export function cellKey(kind: number, userId: number, place: number): number {
  return (userId + 1) * 4_194_304 + kind * 131_072 + place;
}
export const PLACE_MAX = 131_071;
