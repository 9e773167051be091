/** Where money can be. */
import { Codes } from "../codes.ts";
import { holds, RULES_VERSION, type Rule } from "../rules-version.ts";

export interface CellTraits {
  /** Users' cells have an available and a frozen part; the venue's own cells use the available part only. */
  readonly owner: "user" | "venue";
  /**
   * The range of its available units: 0 and more; or 0 and less, as far as custody goes, for the cell that owes all the
   * others; or anything, which its part checks.
   */
  readonly sign: "positive" | "negative" | "any";
  /**
   * The place that tells cells of one kind and owner apart: the asset, the market and which of its assets, or the
   * market.
   */
  readonly place: "asset" | "market_asset" | "market";
  /** The account that it belongs to, in the contract's words; of users' cells. */
  readonly account?: string | undefined;
  /** The name under which an operator may let it pay or take an adjustment of a user's balance. */
  readonly adjustsAs?: string | undefined;
  /** Whether an operator may fund it under that name, too. */
  readonly isFundable?: boolean | undefined;
  /** The rule with which operators may; before it there was no such name. */
  readonly since?: Rule | undefined;
}

/**
 * Kinds of cells; a part declares its own, and enters their names in `CellKinds`. A key has five bits for the code.
 */
export const CELLS = new Codes<CellTraits>("cell", 31);

export const CELL = CELLS.declare({
  spot: { code: 0, owner: "user", sign: "positive", place: "asset", account: "SPOT" },
  margin: { code: 1, owner: "user", sign: "positive", place: "market_asset", account: "MARGIN" },
  fee: { code: 2, owner: "venue", sign: "positive", place: "asset", adjustsAs: "sys:fee" },
  insurance_futures: {
    code: 3,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:ins_futures",
    isFundable: true,
  },
  insurance_margin: {
    code: 4,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:ins_margin",
    isFundable: true,
  },
  lending_pool: {
    code: 5,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:lend_pool",
    isFundable: true,
  },
  interest: {
    code: 6,
    owner: "venue",
    sign: "positive",
    place: "asset",
    adjustsAs: "sys:interest",
    isFundable: true,
    since: "interestFunded",
  },
  outside: { code: 7, owner: "venue", sign: "negative", place: "asset" },
  /** Cash of a futures account, per user and settlement asset; it may owe what its positions have gained. */
  futures: { code: 8, owner: "user", sign: "any", place: "asset", account: "FUTURES" },
  /** Margin of an isolated position, per user, market and side. */
  isolated_long: { code: 9, owner: "user", sign: "positive", place: "market", account: "FUTURES" },
  isolated_short: { code: 10, owner: "user", sign: "positive", place: "market", account: "FUTURES" },
  /** Pays the profits of a futures market, per market: with Σ σ·O of its positions it is 0. */
  clearing: { code: 11, owner: "venue", sign: "any", place: "market" },
});

type Own = typeof CELL;

/** The names of all kinds of cells. */
export interface CellKinds extends Own {}

export type CellKind = keyof CellKinds;

/** Owner of the venue's own cells. */
export const VENUE = -1;

/** The kind of cell of this number. */
export function cellKind(code: number): CellKind {
  return CELLS.nameOf(code) as CellKind;
}

/** The account that cells of a kind belong to, in the contract's words; undefined of the venue's. */
export function accountOfCells(kind: CellKind): string | undefined {
  return CELLS.traitsOf(CELLS.codeOf(kind)).account;
}

/** Whether cells of a kind are of one market each. */
export function isOfMarket(kind: CellKind): boolean {
  return CELLS.traitsOf(CELLS.codeOf(kind)).place !== "asset";
}

/** The kinds of cells that belong to this account. */
export function cellsOf(account: string): CellKind[] {
  return CELLS.those((cell) => cell.account === account) as CellKind[];
}

/** Under which rules an operator asks: a state, or the newest. */
type Under = Parameters<typeof holds>[0];
const NEWEST: Under = { rulesVersion: RULES_VERSION };

/** The kind of the cell that an operator may fund under this name. */
export function fundableCell(name: string, under = NEWEST): number | undefined {
  return cellNamed(name, fundableNames(under));
}

/** The kind of the venue's cell that may pay or take an adjustment under this name. */
export function adjustingCell(name: string, under = NEWEST): number | undefined {
  return cellNamed(name, adjustingNames(under));
}

/** Names under which an operator may fund a cell of the venue. */
export function fundableNames(under = NEWEST): string[] {
  return CELLS.those((cell) => cell.isFundable === true && isKnown(cell, under)).map(nameForOperators);
}

/** Names of the venue's cells that an operator may let pay or take an adjustment of a user's balance. */
export function adjustingNames(under = NEWEST): string[] {
  return CELLS.those((cell) => cell.adjustsAs !== undefined && isKnown(cell, under)).map(nameForOperators);
}

function isKnown({ since }: CellTraits, under: Under): boolean {
  return since === undefined || holds(under, since);
}

function cellNamed(name: string, names: readonly string[]): number | undefined {
  if (!names.includes(name)) return undefined;
  return CELLS.codeOf(CELLS.those((cell) => cell.adjustsAs === name)[0] as string);
}

function nameForOperators(kind: string): string {
  return CELLS.traitsOf(CELLS.codeOf(kind)).adjustsAs as string;
}

/** Whether a cell of this kind may hold so much. */
export function isSoundAmount(kind: number, available: bigint): boolean {
  const { sign } = CELLS.traitsOf(kind);
  return sign === "any" || (sign === "positive" ? available >= 0n : available <= 0n);
}

/**
 * One whole number per (kind, owner, place): place is the asset, or for accounts of a market 2 * market + (quote ? 1 :
 * 0), or for cells of a futures market the market. Owner below 2^31, place below 2^17 and kind below 2^5 share 53 bits.
 */
export function cellKey(kind: number, userId: number, place: number): number {
  return (userId + 1) * 4_194_304 + kind * 131_072 + place;
}
export const PLACE_MAX = 131_071;

/** A number for a user and an asset, of rows of which a user has one for each asset. */
export function userAssetKey(userId: number, assetId: number): number {
  return userId * 131_072 + assetId;
}
