/**
 * A portfolio by days, worked out from what the ledger has written down, since the venue stores no such series. The
 * rules:
 *
 * - What was held at the end of a day is what is held now, less every change since: exact, and the same as the ledger
 *   had.
 * - It is valued by the day's last price of each currency's spot market against the currency of the figures; where a
 *   day has no candle, by the candle before. A currency without such a market is left out and named.
 * - What came in or left (deposits, withdrawals, transfers to and from accounts that are not counted, loans, pools,
 *   adjustments) is no profit. A day's profit is the change of the value less that.
 * - Spot, futures and savings are counted. What open positions have gained is counted when it is realized; margin
 *   accounts, with what they owe, are not counted.
 */
import type { Statement } from "../api/records.ts";
import { type Decimal, isZero, minus, plus, times } from "../number/decimal.ts";

export const DAY_MS = 86_400_000;
/** The days that are shown, today's included. */
export const DAYS = 30;

/** Kinds of changes that are neither gain nor loss. */
const FLOWS: ReadonlySet<string> = new Set([
  "deposit",
  "withdraw",
  "transfer",
  "sub_transfer",
  "adjust",
  "margin_borrow",
  "margin_repay",
  "amm_add",
  "amm_remove",
]);
const COUNTED: ReadonlySet<string> = new Set(["SPOT", "FUTURES", "FINANCIAL"]);

export type Line = Pick<Statement, "created_at" | "account_type" | "ccy" | "type" | "change">;

export interface PortfolioDay {
  /** Its first millisecond, UTC. */
  readonly at: number;
  readonly value: Decimal;
  /** The value that came in, or left with a minus, by the prices of the day's end. */
  readonly flow: Decimal;
  /** Undefined for the first day that is known: nothing says what there was before. */
  readonly pnl: Decimal | undefined;
}

export interface PortfolioInput {
  /** Amounts that are held now, by currency, over all accounts that are counted. */
  readonly held: ReadonlyMap<string, Decimal>;
  /** Every change since the beginning of the first day. */
  readonly lines: readonly Line[];
  /** The last price of a currency on the day that begins there; undefined where nobody knows. */
  readonly priceOn: (ccy: string, day: number) => Decimal | undefined;
  /** The beginnings of the days, oldest first; the last one is today. */
  readonly days: readonly number[];
}

export function portfolioDays({ held, lines, priceOn, days }: PortfolioInput): readonly PortfolioDay[] {
  const counted = lines.filter(({ account_type }) => COUNTED.has(account_type));
  const byDay = Map.groupBy(counted, ({ created_at }) => dayOf(created_at));
  const now = new Map(held);
  const backwards: PortfolioDay[] = [];
  for (const at of days.toReversed()) {
    const changes = byDay.get(at) ?? [];
    const worth = (amounts: Iterable<readonly [string, Decimal]>) => worthOf(amounts, (ccy) => priceOn(ccy, at));
    const flows = changes.filter(({ type }) => FLOWS.has(type)).map(({ ccy, change }) => [ccy, change] as const);
    backwards.push({ at, value: worth(now), flow: worth(flows), pnl: undefined });
    for (const { ccy, change } of changes) now.set(ccy, minus(now.get(ccy) ?? "0", change));
  }
  const rows = backwards.reverse();
  const told = rows.map((row, index) => {
    const before = rows[index - 1];
    return before === undefined ? row : { ...row, pnl: minus(minus(row.value, before.value), row.flow) };
  });
  // Days before there was anything say nothing.
  return told.slice(
    Math.max(
      0,
      told.findIndex(({ value, flow }) => !isZero(value) || !isZero(flow)),
    ),
  );
}

/** The first millisecond of the day, UTC. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/** The sum of two holdings. */
export function addTo(held: Map<string, Decimal>, ccy: string, amount: Decimal): void {
  held.set(ccy, plus(held.get(ccy) ?? "0", amount));
}

/** Currencies that are held and have no price: their worth is not in the figures. */
export function unpriced(held: ReadonlyMap<string, Decimal>, hasPrice: (ccy: string) => boolean): readonly string[] {
  return [...held].filter(([ccy, amount]) => !isZero(amount) && !hasPrice(ccy)).map(([ccy]) => ccy);
}

function worthOf(
  amounts: Iterable<readonly [string, Decimal]>,
  priceOf: (ccy: string) => Decimal | undefined,
): Decimal {
  let sum = "0";
  for (const [ccy, amount] of amounts) sum = plus(sum, times(amount, priceOf(ccy) ?? "0"));
  return sum;
}
