/** A price that was clicked in the book or among the deals, for the form to take. */
import { createSignal } from "solid-js";
import type { OrderSide } from "../api/records.ts";
import type { Decimal } from "../number/decimal.ts";

export interface Picked {
  readonly price: Decimal;
  /** The order that would take what stands in the book up to there; undefined where only the price is meant. */
  readonly take: { readonly side: OrderSide; readonly amount: Decimal } | undefined;
}

const [picked, setPicked] = createSignal<Picked | undefined>(undefined, { equals: false });

export { picked };

export function pickPrice(price: Decimal, take?: Picked["take"]): void {
  setPicked({ price, take });
}

/** The side that the form is opened for, where something else than the form says so. */
const [wantedSide, setWantedSide] = createSignal<OrderSide | undefined>(undefined, { equals: false });

export { setWantedSide, wantedSide };
