import type { Market } from "../listing/market.ts";
import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import type { Pool, PoolDay, PoolType, Provider } from "./pool.ts";
import { openPool } from "./pool-quotes.ts";
import { newPool } from "./reserves.ts";

/** Pools in order of their markets, with providers in the order in which they came. Reserves are the ledger's. */
export const poolSection: Section = {
  name: "amm",
  version: 1,
  write: (state) => [jsonChunk(state.markets.flatMap(({ pool }) => (pool === undefined ? [] : [textOf(pool)])))],
  read: (state, [json]) => {
    for (const stored of jsonOf(json) as PoolText[]) enterPool(state, stored);
  },
};

interface PoolText {
  readonly marketId: number;
  readonly type: PoolType;
  readonly range: readonly string[] | null;
  readonly gridDigits: number;
  readonly offsets: readonly string[];
  readonly shares: string;
  readonly perShare: readonly string[];
  readonly dayEndsAt: number;
  /** Traded and dividends, of past days and of today. */
  readonly days: readonly (readonly string[])[];
  /** User, shares, time of the last addition, what he has seen, is owed and was paid. */
  readonly providers: readonly (readonly [number, string, number, string[], string[], string[]])[];
}

function textOf(pool: Pool): PoolText {
  const { marketId, type, range, gridDigits, baseOffset, quoteOffset, shares, perShare, dayEndsAt } = pool;
  return {
    marketId,
    type,
    range: range === undefined ? null : texts([range.low, range.high, range.price]),
    gridDigits,
    offsets: texts([baseOffset, quoteOffset]),
    shares: shares.toString(),
    perShare: texts(perShare),
    dayEndsAt,
    days: [...pool.days, pool.today].map(({ traded, dividends }) => texts([traded, dividends])),
    providers: [...pool.providers].map(([userId, { shares, addedAt, seen, owed, dividends }]) => [
      userId,
      shares.toString(),
      addedAt,
      texts(seen),
      texts(owed),
      texts(dividends),
    ]),
  };
}

function enterPool(state: State, stored: PoolText): void {
  const market = state.markets[stored.marketId] as Market;
  const pool = newPool(state, market);
  const [low, high, price] = (stored.range ?? []).map(BigInt);
  const [baseOffset, quoteOffset] = stored.offsets.map(BigInt) as [bigint, bigint];
  const days = stored.days.map((figures): PoolDay => {
    const [traded, dividends] = figures.map(BigInt) as [bigint, bigint];
    return { traded, dividends };
  });
  pool.type = stored.type;
  pool.range = low === undefined || high === undefined || price === undefined ? undefined : { low, high, price };
  pool.gridDigits = stored.gridDigits;
  pool.baseOffset = baseOffset;
  pool.quoteOffset = quoteOffset;
  pool.shares = BigInt(stored.shares);
  pool.perShare.splice(0, pool.perShare.length, ...stored.perShare.map(BigInt));
  pool.dayEndsAt = stored.dayEndsAt;
  pool.today = days.pop() as PoolDay;
  pool.days = days;
  for (const [userId, shares, addedAt, seen, owed, dividends] of stored.providers) {
    const provider: Provider = {
      shares: BigInt(shares),
      addedAt,
      seen: seen.map(BigInt),
      owed: owed.map(BigInt),
      dividends: dividends.map(BigInt),
    };
    pool.providers.set(userId, provider);
  }
  openPool(state, market, pool);
}

function texts(numbers: readonly bigint[]): string[] {
  return numbers.map(String);
}
