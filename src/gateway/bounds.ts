/** Amounts by currency above which something takes more people. */
import { parseSignedDecimal } from "../engine/money/decimal.ts";

/** Decimals of any asset, and some more. */
const SCALE = 30;

/** Whether an amount is above the bound of its currency. What is no amount is not: the engine refuses it. */
export function isAbove(bounds: ReadonlyMap<string, string>, ccy: string, amount: string): boolean {
  const bound = bounds.get(ccy);
  if (bound === undefined) return false;
  const [units, most] = [parseSignedDecimal(amount, SCALE), parseSignedDecimal(bound, SCALE)];
  if (units === undefined || most === undefined) return false;
  return (units < 0n ? -units : units) > most;
}
