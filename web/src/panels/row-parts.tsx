/** The parts that rows of several lists have in common. */
import { Show } from "solid-js";
import { ORDER_TYPES, TRIGGERS } from "../entry/order-types.ts";
import { type Market, marketOf } from "../market/markets.ts";
import { type Decimal, decimalsOf, isZero } from "../number/decimal.ts";
import { dayAndTime, shown } from "../number/show.ts";
import { Moment } from "../ui/figure.tsx";
import { go } from "../ui/place.ts";
import type { MarketType } from "./orders-store.ts";

export function Time(props: { at: number }) {
  return <Moment at={props.at} shown={dayAndTime(props.at)} />;
}

/** The name of a market, by which one goes there. */
export function MarketLink(props: { market: string; marketType: MarketType }) {
  const product = () => (props.marketType === "FUTURES" ? "futures" : "spot");
  return (
    <button
      type="button"
      class="market-name"
      onClick={() => go({ kind: "trade", product: product(), market: props.market })}
    >
      <b>{props.market}</b>
      <Show when={props.marketType !== "SPOT"}>
        <span class="tag">{props.marketType === "FUTURES" ? "Perp" : "Margin"}</span>
      </Show>
    </button>
  );
}

export function SideWord(props: { side: string }) {
  const isBuy = () => props.side === "buy" || props.side === "long";
  return <span class={isBuy() ? "up" : "down"}>{`${props.side.charAt(0).toUpperCase()}${props.side.slice(1)}`}</span>;
}

export function typeWord(type: string): string {
  return ORDER_TYPES.find(([each]) => each === type)?.[1] ?? type;
}

export function triggerWord(type: string): string {
  return TRIGGERS.find(([each]) => each === type)?.[1] ?? type;
}

export function marketAt(name: string, marketType: MarketType): Market | undefined {
  return marketOf(marketType === "FUTURES" ? "futures" : "spot", name);
}

/** A price with the decimals of its market; nothing for none. */
export function priceText(price: Decimal, of: Market | undefined): string {
  return isZero(price) ? "market" : shown(price, of?.priceDecimals ?? decimalsOf(price), "nearest");
}

export function amountText(amount: Decimal, of: Market | undefined): string {
  return shown(amount, of?.amountDecimals ?? decimalsOf(amount));
}
