import type { Account } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";

/** The two products of the venue: spot (with margin) and futures. Markets of both may have the same name. */
export type Product = "spot" | "futures";

/** The product that an account trades. */
export function productOfAccount(account: Account): Product {
  return account === "futures" ? "futures" : "spot";
}

/** The listed market of this name among those of a product. */
export function marketNamed(state: State, product: Product, name: string): Market | undefined {
  return state.marketNamed(name, product === "futures");
}

/** Whether a market is one of a product's. */
export function isOf(product: Product, { futures }: Market): boolean {
  return (futures !== undefined) === (product === "futures");
}
