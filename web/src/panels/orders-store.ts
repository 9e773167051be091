import { createSignal } from "solid-js";
export const [ownPrices] = createSignal<ReadonlySet<string>>(new Set());
