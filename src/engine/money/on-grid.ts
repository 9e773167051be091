/** Decimals that somebody asks with, as integers of a market's grid. */
import { OFF_GRID, TOO_LARGE } from "../command.ts";
import { parseDecimal } from "./decimal.ts";

/**
 * `text`, a plain decimal, in units of 10^-scale. What has more decimals or more digits than that becomes OFF_GRID or
 * TOO_LARGE, which the engine refuses in its place in the order of checks.
 */
export function onGrid(text: string, scale: number): bigint {
  const units = parseDecimal(text, scale);
  if (units === undefined) return OFF_GRID;
  return units > TOO_LARGE ? TOO_LARGE : units;
}
