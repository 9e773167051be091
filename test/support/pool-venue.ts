import { proportionE8 } from "../../src/engine/amm/pool.ts";
import { poolLevels } from "../../src/engine/amm/quotes.ts";
import { formatDecimal } from "../../src/engine/money/decimal.ts";
import type { BookMaker } from "../../src/engine/state.ts";
import { type Done, Venue } from "./venue.ts";

/** A venue with DSCUSDT of E6, amounts of 2 and prices of 6 decimals, and a pool that nobody has anything in yet. */
export class PoolVenue extends Venue {
  constructor(
    makeBook?: BookMaker,
    terms: Readonly<Record<string, string | number>> = { type: "infinite" },
    rulesVersion?: number,
  ) {
    super(makeBook, rulesVersion);
    this.listAsset("DSC");
    this.listAsset("USDT");
    this.listMarket("DSC", "USDT", { amountPrecision: 2, pricePrecision: 6, minAmount: "0.01", maxAmount: "10000000" });
    this.setPool(terms);
  }

  setPool(terms: Readonly<Record<string, string | number>>): void {
    const { type, ...rest } = terms;
    this.accept({ kind: "set_pool", market: "DSCUSDT", type: String(type), ...rest });
  }

  add(userId: number, baseAmount: string, quoteAmount: string): Done {
    return this.execute({ kind: "add_liquidity", userId, market: "DSCUSDT", baseAmount, quoteAmount });
  }

  remove(userId: number): Done {
    return this.execute({ kind: "remove_liquidity", userId, market: "DSCUSDT" });
  }

  /** Somebody whose funds are the pool of E6: a million coins at 0.076500. */
  addProvider(name = "provider"): number {
    const userId = this.addUser(name, { DSC: "1000000", USDT: "76500" });
    const { refusal, detail } = this.add(userId, "1000000", "76500");
    if (refusal !== undefined) throw new Error(`${refusal}: ${detail}`);
    return userId;
  }

  get pool() {
    const { pool } = this.marketNamed("DSCUSDT");
    if (pool === undefined) throw new Error("There is no pool.");
    return pool;
  }

  /** What the pool holds, as "1000000 DSC + 76500 USDT" with all decimals. */
  reserves(): string {
    const { cells } = this.pool;
    const { ledger } = this.state;
    return `${formatDecimal(ledger.available(cells.base), 8)} + ${formatDecimal(ledger.available(cells.quote), 8)}`;
  }

  /** The pot of dividends, in the same way. */
  pots(): string {
    const { cells } = this.pool;
    const { ledger } = this.state;
    return (
      `${formatDecimal(ledger.available(cells.basePot), 8)} + ` +
      `${formatDecimal(ledger.available(cells.quotePot), 8)}`
    );
  }

  proportion(userId: number): string {
    const shares = this.pool.providers.get(userId)?.shares ?? 0n;
    return formatDecimal(BigInt(proportionE8(this.pool, shares)), 8);
  }

  /** The best levels that the pool quotes, as "652.74 @ 0.076600". */
  quotes(side: "buy" | "sell", count = 1): string[] {
    const market = this.marketNamed("DSCUSDT");
    const levels = poolLevels(this.state, market, side === "buy" ? 0 : 1);
    return [...levels.take(count)].map(({ price, lots }) => `${formatDecimal(lots, 2)} @ ${formatDecimal(price, 6)}`);
  }
}
