/**
 * The figures that decided the refusal of a command, read from the state right after the refusal, which has changed
 * nothing of it. The parts use them for their refusals; no answer has them in its body.
 */
import { type Command, FLAG, OFF_GRID, orderFlags, TOO_LARGE } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { formatDecimal } from "../../engine/money/decimal.ts";
import type { State } from "../../engine/state.ts";
import { NONE } from "../../engine/trading/order.ts";
import { findOwn } from "../../engine/trading/resting.ts";
import type { Figures } from "../refused.ts";
import type { MarketPrinter, Printers } from "./market-printer.ts";

export interface AskedFor {
  readonly state: State;
  readonly printers: Printers;
  readonly command: Command;
}

/** The market that a command is about, by its number or its name; by name the spot market. */
export function marketIn({ state, command }: AskedFor): Market | undefined {
  const { marketId, market } = command as unknown as Readonly<Record<string, unknown>>;
  if (typeof marketId === "number") return state.markets[marketId];
  return typeof market === "string" ? state.marketNamed(market, false) : undefined;
}

/** Gives the figures of one refusal; undefined where the command has none to look at. */
export type FigureSource = (asked: AskedFor) => Figures | undefined;

/** A command about orders of a market, with what belongs to it. */
export interface OrderAskedFor {
  readonly state: State;
  readonly market: Market;
  readonly print: MarketPrinter;
  readonly userId: number;
  /** The flags of the order that it places or would change; of other commands 0. */
  readonly flags: number;
  /** Lots, quote units or ticks as they were asked for, undefined where the command names none. */
  readonly amount: bigint | undefined;
  readonly price: bigint | undefined;
  readonly trigger: bigint | undefined;
  readonly orderId: number | undefined;
}

/** A source that looks at the market and the order of a command. */
export function ofOrder(read: (asked: OrderAskedFor) => Figures): FigureSource {
  return ({ state, printers, command }) => {
    // Of commands about orders these are numbers; those of rarer ones are text, and none of this.
    const fields = command as unknown as Readonly<Record<string, unknown>>;
    const market = state.markets[numberIn(fields.marketId) ?? -1];
    if (market === undefined) return undefined;
    const userId = numberIn(fields.userId) ?? 0;
    const orderId = numberIn(fields.orderId);
    return {
      market: market.name,
      ...read({
        state,
        market,
        print: printers.of(market.id),
        userId,
        flags: flagsOf(state, command, userId, market, orderId),
        amount: ticksIn(fields.amount),
        price: ticksIn(fields.price),
        trigger: ticksIn(fields.trigger),
        orderId: orderId ?? numberIn(fields.stopId),
      }),
    };
  };
}

/** Those of the order that it places, or that it would change. */
function flagsOf(state: State, command: Command, userId: number, { id }: Market, orderId = -1): number {
  if (command.kind === "place_order" || command.kind === "place_stop_order") return orderFlags(command);
  const slot = findOwn(state, userId, id, undefined, orderId);
  return slot === NONE ? 0 : state.orders.flags(slot);
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function ticksIn(value: unknown): bigint | undefined {
  return typeof value === "bigint" ? value : undefined;
}

/** Lots, or units of the quote currency, as they were asked for. */
export function amountAsked({ amount, flags, print, market }: OrderAskedFor): string {
  if (amount === undefined) return "none";
  return onGridOr(amount, () =>
    (flags & FLAG.inQuote) !== 0 && market.futures === undefined
      ? formatDecimal(amount, print.quote.scale)
      : print.amount(amount),
  );
}

/** Ticks as they were asked for. */
export function priceAsked(print: MarketPrinter, price: bigint | undefined): string {
  return price === undefined ? "none" : onGridOr(price, () => print.price(price));
}

/** A price that may be missing, and then is 0 or undefined. */
export function priceThere(print: MarketPrinter, price: bigint | undefined): string {
  return price === undefined ? "none" : print.priceOrNothing(price);
}

function onGridOr(value: bigint, print: () => string): string {
  if (value === OFF_GRID) return "off the grid";
  return value === TOO_LARGE ? "too large" : print();
}

/** Who and what a command names: what there is to say of every refusal. */
export function namedIn({ state, command }: AskedFor): Figures {
  const { marketId, ...rest } = command as unknown as Record<string, unknown>;
  const named: Record<string, string | number> = {};
  const market = typeof marketId === "number" ? state.markets[marketId] : undefined;
  if (market !== undefined) named.market = market.name;
  for (const [field, name] of NAMED) {
    const value = rest[field];
    if (typeof value === "number" || typeof value === "string") named[name] = value;
  }
  return named;
}

/** Fields that hold no secret, and what they are called outside. */
const NAMED: readonly (readonly [field: string, name: string])[] = [
  ["market", "market"],
  ["ccy", "ccy"],
  ["chain", "chain"],
  ["userId", "user_id"],
  ["subUserId", "sub_user_id"],
  ["orderId", "order_id"],
  ["stopId", "stop_id"],
  ["positionId", "position_id"],
  ["depositId", "deposit_id"],
  ["withdrawalId", "withdraw_id"],
  ["borrowId", "borrow_id"],
  ["maintenanceId", "maintenance_id"],
  ["amount", "amount"],
  ["leverage", "leverage"],
];
