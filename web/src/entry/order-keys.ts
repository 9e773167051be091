/** The keys of the trading page and their actions. They do nothing while somebody types. */
import { createSignal, onCleanup, onMount } from "solid-js";
import type { OrderSide, OrderType } from "../api/records.ts";
import { openMarkets } from "../market/market-list.tsx";

const [isHelpOpen, setIsHelpOpen] = createSignal(false);

export { isHelpOpen, setIsHelpOpen };

/** Listed under `?`. */
export const KEYS: ReadonlyArray<readonly [key: string, action: string]> = [
  ["/", "Search markets"],
  ["b", "Buy, or long"],
  ["s", "Sell, or short"],
  ["1 – 5", "Limit, market, maker only, IOC, FOK"],
  ["a", "To the amount"],
  ["↑ ↓", "Price by a tick, amount by a step"],
  ["Enter", "Send the order"],
  ["x", "Cancel the order whose row has the focus"],
  ["Esc", "Leave a field or a dialog"],
  ["?", "This help"],
];

const TYPES: readonly OrderType[] = ["limit", "market", "maker_only", "ioc", "fok"];

interface OrderKeyActions {
  readonly side: (side: OrderSide) => void;
  readonly type: (type: OrderType) => void;
  readonly focusAmount: () => void;
  readonly leave: () => void;
}

export function orderKeys(actions: OrderKeyActions): void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing =
      target instanceof HTMLElement && target.matches("input:not([type=radio]):not([type=checkbox]), select, textarea");
    if (key === "Escape" && typing) actions.leave();
    if (typing || document.querySelector("dialog[open]") !== null) return;
    const type = TYPES[Number(key) - 1];
    if (key === "/") openMarkets();
    else if (key === "?") setIsHelpOpen(true);
    else if (key === "b") actions.side("buy");
    else if (key === "s") actions.side("sell");
    else if (key === "a") actions.focusAmount();
    else if (type !== undefined) actions.type(type);
    else return;
    event.preventDefault();
  };
  onMount(() => document.addEventListener("keydown", onKeyDown));
  onCleanup(() => document.removeEventListener("keydown", onKeyDown));
}
