import {
  type Command,
  ORDER_TYPES,
  type OrderType,
  POSITION_SIDES,
  type PositionSide,
  type Side,
} from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import { ScenarioFault } from "./scenario.ts";

const RULE =
  "An order reads USER buy|sell AMOUNT MARKET [@ PRICE] [TYPE] [long|short], or USER close MARKET [long|short].";

/** Finds what an order's words name. */
export interface Names {
  userId(name: string): number;
  market(name: string): Market;
}

/**
 * An order as a line: "ann buy 0.5 BTCUSDT @ 30000", which is a limit order; without a price a market order; with a
 * type (maker_only, ioc, fok) and in hedge mode the position side behind it. "ann close BTCUSDT" closes a position by a
 * market order.
 */
export function orderOf(line: string, names: Names): Command {
  const words = line.trim().split(/\s+/);
  const [user = "", verb = ""] = words.splice(0, 2);
  const userId = names.userId(user);
  if (verb === "close") {
    const marketId = names.market(words.shift() ?? "").id;
    const side = sideAt(words);
    return { kind: "close_position", userId, marketId, type: "market", price: 0n, ...PLAIN, ...side };
  }
  if (verb !== "buy" && verb !== "sell") throw new ScenarioFault(RULE);
  const amount = words.shift() ?? "";
  const market = names.market(words.shift() ?? "");
  const isPriced = words[0] === "@";
  const price = isPriced ? (words.splice(0, 2)[1] ?? "") : "0";
  const given = ORDER_TYPES.find((name) => name === words[0]);
  if (given !== undefined) words.shift();
  const type: OrderType = given ?? (isPriced ? "limit" : "market");
  const lots = parseDecimal(amount, market.amountPrecision);
  const ticks = parseDecimal(price, market.pricePrecision);
  if (lots === undefined) {
    throw new ScenarioFault(`The amount is no decimal with at most ${market.amountPrecision} decimals.`);
  }
  if (ticks === undefined) {
    throw new ScenarioFault(`The price is no decimal with at most ${market.pricePrecision} decimals.`);
  }
  const side: Side = verb;
  const named = sideAt(words);
  return {
    kind: "place_order",
    userId,
    marketId: market.id,
    account: market.futures === undefined ? "spot" : "futures",
    side,
    type,
    amountIn: "base",
    amount: lots,
    price: ticks,
    ...PLAIN,
    ...named,
  };
}

const PLAIN = { hidden: false, stpMode: "none", clientId: "" } as const;

/** The position side that ends a line, if one does; nothing else may be left. */
function sideAt(words: readonly string[]): { positionSide?: PositionSide } {
  const positionSide = POSITION_SIDES.find((name) => name === words[0]);
  if (words.length > (positionSide === undefined ? 0 : 1)) throw new ScenarioFault(RULE);
  return positionSide === undefined ? {} : { positionSide };
}
