/** Prices as a file has recorded them: CSV with a head, one row for each time. */
import { readFileSync } from "node:fs";
import { ScenarioFault } from "../scenario.ts";

/** A price, so long after the first one. */
export interface RecordedPrice {
  readonly afterMs: number;
  readonly price: number;
}

const ROWS_MAX = 100_000;

/** Columns `time` (ISO 8601 or ms) and `price`, or `close` of candles. Rows ascend by time. Throws ScenarioFault. */
export function readRecorded(file: string): RecordedPrice[] {
  const [head = "", ...rows] = textOf(file).trim().split(/\r?\n/);
  const names = head.split(",").map((name) => name.trim().toLowerCase());
  const timeAt = names.indexOf("time");
  const priceAt = names.includes("price") ? names.indexOf("price") : names.indexOf("close");
  if (timeAt < 0 || priceAt < 0)
    throw new ScenarioFault(`${file} needs a head with time and price, or time and close.`);
  if (rows.length === 0 || rows.length > ROWS_MAX) {
    throw new ScenarioFault(`${file} must have from 1 to ${ROWS_MAX} rows.`);
  }
  let first = Number.NaN;
  let last = -1;
  return rows.map((row, at) => {
    const cells = row.split(",");
    const time = (cells[timeAt] ?? "").trim();
    const timeMs = /^\d+$/.test(time) ? Number(time) : Date.parse(time);
    const price = Number((cells[priceAt] ?? "").trim() || Number.NaN);
    if (at === 0) first = timeMs;
    const afterMs = timeMs - first;
    if (!(afterMs > last && price > 0)) {
      throw new ScenarioFault(`${file}, row ${at + 2}: a row has a time after the one before, and a price above 0.`);
    }
    last = afterMs;
    return { afterMs, price };
  });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ScenarioFault(`The file ${file} cannot be read.`, { cause: error });
  }
}
