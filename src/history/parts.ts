// Kinds of cells and postings are read by name here, and each part of the engine brings its own.
import "../engine/parts.ts";
import { candles } from "./candles/part.ts";
import { deals } from "./deals/part.ts";
import { funding } from "./funding/part.ts";
import { liquidations } from "./liquidations/part.ts";
import { margin } from "./margin/part.ts";
import { orders } from "./orders/part.ts";
import type { OpenTables } from "./part.ts";
import { payments } from "./payments/part.ts";
import { pools } from "./pools/part.ts";
import { positions } from "./positions/part.ts";
import { referral } from "./referral/part.ts";
import { statement } from "./statement/part.ts";
import { stops } from "./stops/part.ts";
import { subs } from "./subs/part.ts";
import { transfers } from "./transfers/part.ts";

/** The parts of history, a line each. An event goes to the parts in this order. */
export const PARTS = [
  orders,
  stops,
  deals,
  statement,
  candles,
  positions,
  funding,
  liquidations,
  pools,
  transfers,
  subs,
  margin,
  payments,
  referral,
] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Everything that can be asked of history, by name. */
export type HistoryReader = Intersection<ReturnType<(typeof PARTS)[number]["queries"]>>;

/** Who answers, on an open file. */
export function readerOf(file: OpenTables<never>): HistoryReader {
  return Object.assign({}, ...PARTS.map((part) => part.queries(file))) as HistoryReader;
}
