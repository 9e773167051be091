/** Whose a pool is, in the eyes of the judge. */
import type { Market } from "../../../../src/engine/listing/market.ts";
import type { Funds } from "../funds.ts";
import type { Court } from "../laws/law.ts";

/** Shares of a pool by who holds them, `undefined` for all the honest together. */
export interface Holding {
  readonly all: bigint;
  readonly of: ReadonlyMap<Funds | undefined, bigint>;
}

/** Who holds which shares of the pools that there are, by market id. */
export function holdingsIn(court: Court): Map<number, Holding> {
  const found = new Map<number, Holding>();
  for (const { id, pool, delisted } of court.stage.state.markets as readonly Market[]) {
    if (pool === undefined || delisted) continue;
    const of = new Map<Funds | undefined, bigint>();
    for (const [userId, { shares }] of pool.providers) {
      const funds = court.fundsOf(userId);
      of.set(funds, (of.get(funds) ?? 0n) + shares);
    }
    found.set(id, { all: [...of.values()].reduce((sum, shares) => sum + shares, 0n), of });
  }
  return found;
}

/** What of something is a strategy's by its shares. */
export function partOf({ all, of }: Holding, funds: Funds, whole: bigint): bigint {
  return all === 0n ? 0n : (whole * (of.get(funds) ?? 0n)) / all;
}
