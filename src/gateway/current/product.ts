/**
 * The two products of the venue on the wire: spot (with margin) under `/spot`, futures under `/futures`. Their trading
 * endpoints differ in the markets that they name and in what their records show; the handlers are the same.
 */
import type { Account } from "../../engine/command.ts";
import type { Product } from "../reading/product.ts";
import type { MarketType } from "./types.generated.ts";

/** Endpoints that both products have, by method and by what follows the product in their path. */
export type Both<Method extends "GET" | "POST", Rest extends string> = `${Method} /${Product}/${Rest}`;

/** The account that a market type of the wire names. */
export function accountOf(marketType: MarketType): Account {
  return marketType === "FUTURES" ? "futures" : marketType === "MARGIN" ? "margin" : "spot";
}

/** The product of a market type of the wire. */
export function productOf(marketType: MarketType): Product {
  return marketType === "FUTURES" ? "futures" : "spot";
}
