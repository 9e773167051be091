/**
 * The book of one market, kept from pushes: the first is whole, then come changes. After each the checksum is compared; a book that
 * differs is thrown away and asked for again.
 */
import { crc32 } from "../api/crc32.ts";
import { type Decimal, isZero, sortKey } from "../number/decimal.ts";

export type Level = readonly [price: Decimal, amount: Decimal];

export interface DepthPush {
  readonly market: string;
  readonly is_full: boolean;
  readonly depth: {
    readonly bids: readonly Level[];
    readonly asks: readonly Level[];
    readonly last: Decimal;
    readonly checksum: number;
    readonly updated_at: number;
  };
}

/** Best first, both. */
export interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Prices whose amount differs from the book before. */
  readonly changed: ReadonlySet<Decimal>;
}

export const EMPTY_BOOK: Book = { bids: [], asks: [], changed: new Set() };

/** The book after a push; undefined where its checksum says that something was missed. */
export function afterPush(before: Book | undefined, push: DepthPush): Book | undefined {
  const { depth, is_full } = push;
  if (!is_full && before === undefined) return undefined;
  const changed = new Set<Decimal>();
  const bids = is_full ? depth.bids : merged(before?.bids ?? [], depth.bids, true);
  const asks = is_full ? depth.asks : merged(before?.asks ?? [], depth.asks, false);
  if (!is_full) for (const [price] of [...depth.bids, ...depth.asks]) changed.add(price);
  return checksumOf(bids, asks) === depth.checksum ? { bids, asks, changed } : undefined;
}

function checksumOf(bids: readonly Level[], asks: readonly Level[]): number {
  return crc32([...bids, ...asks].map(([price, amount]) => `${price}:${amount}`).join(":"));
}

function merged(levels: readonly Level[], changes: readonly Level[], isBids: boolean): readonly Level[] {
  if (changes.length === 0) return levels;
  const byPrice = new Map(levels.map((level) => [level[0], level]));
  for (const level of changes) {
    if (isZero(level[1])) byPrice.delete(level[0]);
    else byPrice.set(level[0], level);
  }
  const sorted = [...byPrice.values()].map((level) => ({ level, key: sortKey(level[0]) }));
  sorted.sort((one, other) => (one.key === other.key ? 0 : one.key < other.key === isBids ? 1 : -1));
  return sorted.map(({ level }) => level);
}
