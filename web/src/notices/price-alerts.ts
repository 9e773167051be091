/**
 * Prices that somebody wants to hear of, kept in this browser: each is told once, when the last price has come to it.
 */
import { createEffect, createRoot, createSignal } from "solid-js";
import { marketOf, tickerOf } from "../market/markets.ts";
import { compare, type Decimal, isPositive } from "../number/decimal.ts";
import { shown } from "../number/show.ts";
import { tell } from "./notice-list.ts";

export interface PriceAlert {
  /** Key of the market. */
  readonly market: string;
  readonly price: Decimal;
  /** Which way the price has to go. */
  readonly isAbove: boolean;
}

/** More than anybody keeps in mind. */
const ALERTS_MAX = 50;
const KEY = "bourse.alerts";

const [alerts, setAlerts] = createSignal<readonly PriceAlert[]>(read());

export { alerts };

function keep(next: readonly PriceAlert[]): void {
  localStorage.setItem(KEY, JSON.stringify(next));
  setAlerts(next);
}

/** Adds one; a sentence where it cannot be. */
export function addAlert(market: string, price: Decimal): string | undefined {
  const last = tickerOf(market)?.last;
  if (last === undefined || !isPositive(last)) return "This market has no price yet.";
  if (!isPositive(price) || compare(price, last) === 0) return "Enter a price other than the last one.";
  if (alerts().length >= ALERTS_MAX) return `There are ${ALERTS_MAX} alerts already: remove one first.`;
  keep([...alerts(), { market, price, isAbove: compare(price, last) > 0 }]);
  return undefined;
}

export function removeAlert(alert: PriceAlert): void {
  keep(alerts().filter((each) => each !== alert));
}

/** Watches the prices for as long as the page lives. */
export function followPriceAlerts(): void {
  createRoot(() => {
    createEffect(() => {
      const reached = alerts().filter(({ market, price, isAbove }) => {
        const last = tickerOf(market)?.last;
        if (last === undefined || !isPositive(last)) return false;
        return isAbove ? compare(last, price) >= 0 : compare(last, price) <= 0;
      });
      if (reached.length === 0) return;
      keep(alerts().filter((each) => !reached.includes(each)));
      for (const { market, price, isAbove } of reached) {
        const [product, name] = market.split("/") as ["spot" | "futures", string];
        const decimals = marketOf(product, name)?.priceDecimals ?? 2;
        const word = product === "futures" ? `${name} Perp` : name;
        tell(`${word} is ${isAbove ? "at or above" : "at or below"} ${shown(price, decimals)}.`, "plain");
      }
    });
  });
}

function read(): readonly PriceAlert[] {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "[]") as PriceAlert[]).slice(0, ALERTS_MAX);
  } catch {
    return [];
  }
}
