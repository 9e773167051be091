/** Own orders and positions as lines in the chart. */
import type { Market } from "../market/markets.ts";
import type { ChartView } from "./chart-view.ts";

export function PriceLines(_props: { view: ChartView; market: Market }) {
  return null;
}
