/** A price that was clicked in the book or among the deals, for the form to take. */
import { createSignal } from "solid-js";
import type { OrderSide } from "../api/records.ts";
import type { Decimal } from "../number/decimal.ts";

export interface Picked {
  readonly price: Decimal;
  /** What stands up to there, where that is known. */
  readonly depth: Decimal | undefined;
}

const [picked, setPicked] = createSignal<Picked | undefined>(undefined, { equals: false });

export { picked };

export function pickPrice(price: Decimal, depth?: Decimal): void {
  setPicked({ price, depth });
}

/** The side that the form is opened for, where something else than the form says so. */
const [wantedSide, setWantedSide] = createSignal<OrderSide | undefined>(undefined, { equals: false });

export { setWantedSide, wantedSide };
