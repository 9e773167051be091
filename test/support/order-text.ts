import assert from "node:assert/strict";
import {
  type ModifyOrder,
  OFF_GRID,
  ORDER_TYPES,
  type PlaceOrder,
  STP_MODES,
  TOO_LARGE,
} from "../../src/engine/command.ts";
import type { Asset } from "../../src/engine/listing/asset.ts";
import type { Market } from "../../src/engine/listing/market.ts";
import { parseDecimal } from "../../src/engine/money/decimal.ts";

/**
 * An order as a trader would write it: "buy 0.5 @ 30010.00", a limit order; "sell 0.25 @ 30005.50 maker_only hidden";
 * "buy 100 USDT", a market order that spends 100 USDT; "sell 0.5", one that sells 0.5; further words: stp:cm, id:mine,
 * margin.
 */
export function parseOrder(market: Market, assets: readonly Asset[], userId: number, text: string): PlaceOrder {
  const words = text.split(" ");
  const side = words.shift();
  assert.ok(side === "buy" || side === "sell", text);
  const amount = words.shift() ?? "";
  const quote = assets[market.quoteAssetId] as Asset;
  const base = assets[market.baseAssetId] as Asset;
  const inQuote = words[0] === quote.ccy;
  if (inQuote || words[0] === base.ccy) words.shift();
  const price = words[0] === "@" ? words.splice(0, 2)[1] : undefined;
  const type = ORDER_TYPES.find((name) => words.includes(name)) ?? (price === undefined ? "market" : "limit");
  const told = new Map(words.filter((word) => word !== type).map((word) => [word.split(":")[0], word.split(":")[1]]));
  const stp = told.get("stp") ?? "none";
  const order: PlaceOrder = {
    kind: "place_order",
    userId,
    marketId: market.id,
    account: told.has("margin") ? "margin" : "spot",
    side,
    type,
    amountIn: inQuote ? "quote" : "base",
    amount: onGrid(amount, inQuote ? quote.scale : market.amountPrecision),
    price: price === undefined ? 0n : onGrid(price, market.pricePrecision),
    hidden: told.has("hidden"),
    stpMode: STP_MODES.find((mode) => mode === stp) ?? assert.fail(text),
    clientId: told.get("id") ?? "",
  };
  for (const word of ["margin", "hidden", "stp", "id"]) told.delete(word);
  assert.equal(told.size, 0, `${text} says something that nobody understands.`);
  return order;
}

/** "amount 0.5", "price 30000" or both. */
export function parseModify(market: Market, text: string): Pick<ModifyOrder, "kind" | "amount" | "price"> {
  const amount = /\bamount (\S+)/.exec(text)?.[1];
  const price = /\bprice (\S+)/.exec(text)?.[1];
  return {
    kind: "modify_order",
    amount: amount === undefined ? undefined : onGrid(amount, market.amountPrecision),
    price: price === undefined ? undefined : onGrid(price, market.pricePrecision),
  };
}

/** As the gateway hands numbers on: what does not fit the grid is marked, what exceeds int64 is cut down to it. */
function onGrid(text: string, precision: number): bigint {
  const value = parseDecimal(text, precision) ?? OFF_GRID;
  return value > TOO_LARGE ? TOO_LARGE : value;
}
