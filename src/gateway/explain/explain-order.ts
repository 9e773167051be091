/** The life of an order in words: why it was not filled, or at this price, or ended, with the book that it met. */
import { KIND } from "../../engine/command.ts";
import type { DealEvent, OrderRecord } from "../../engine/event.ts";
import type { Market } from "../../engine/listing/market.ts";
import { phaseFor } from "../../engine/maintenance/maintenance.ts";
import type { State } from "../../engine/state.ts";
import { readOrder } from "../../engine/trading/emit.ts";
import { NONE } from "../../engine/trading/order.ts";
import type { UserDeal } from "../../history/deals/deal-queries.ts";
import type { History } from "../../history/history.ts";
import type { MarketPrinter, Printers } from "../reading/market-printer.ts";
import type { Refused } from "../refused.ts";
import { type Level, type LifecycleTrace, levelsAgainst, type OrderStep } from "./lifecycle-trace.ts";
import type { Reason } from "./reason.ts";

export interface ExplainGround {
  readonly state: State;
  readonly history: History;
  readonly printers: Printers;
  /** Undefined outside the dev profile. */
  readonly lifecycleTrace: LifecycleTrace | undefined;
  /** Returns everything that is known of a refusal. */
  readonly reasonOf?: ((refused: Refused) => Reason) | undefined;
}

/** A sentence with the section of docs/reference/domain.md that it follows from. */
export interface Because {
  readonly because: string;
  readonly rule: string;
}

export const KIND_NAMES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(KIND).map(([name, number]) => [number, name]),
);
const CANCELS: ReadonlySet<number> = new Set([KIND.cancel_order, KIND.cancel_all_orders, KIND.cancel_by_client_id]);
const DEALS_SHOWN = 100;

/** Returns everything that is known of an order; undefined when no order of this id is remembered. */
export async function explainOrder(ground: ExplainGround, orderId: number): Promise<object | undefined> {
  const { state, history, printers, lifecycleTrace } = ground;
  const steps = lifecycleTrace?.orderSteps(orderId) ?? [];
  const slot = state.orders.find(orderId);
  const order =
    slot === NONE ? (steps.at(-1)?.order ?? (await history.orderOfAnybody({ orderId }))) : readOrder(state, slot);
  if (order === undefined) return undefined;
  const print = printers.of(order.marketId);
  const { market } = print;
  const isOpen = slot !== NONE;
  const why = isOpen ? whyOpen(state, print, order) : whyEnded(print, order, steps.at(-1));
  const head = {
    order_id: orderId,
    user_id: order.userId,
    user: state.users.get(order.userId)?.name ?? "",
    market: market.name,
    market_type: order.account.toUpperCase(),
    ...{ side: order.side, type: order.type, is_hide: order.hidden, stp_mode: order.stpMode },
    price: order.type === "market" ? "market" : print.price(order.price),
    amount: quantity(print, order, order.amount),
    unfilled: quantity(print, order, order.left),
    filled: print.amount(order.filledLots),
    status: isOpen && order.status === "part_filled" ? "part_filled" : isOpen ? "open" : order.status,
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    ...why,
  };
  if (steps.length === 0) {
    const deals = await dealsOf(history, order);
    return {
      ...head,
      ...FORGOTTEN,
      deals: deals.map((deal) => userDealText(print, deal)),
      ...nowText(state, print, order, isOpen),
    };
  }
  const shown = steps.flatMap(({ seq, deals }) => deals.map((deal) => dealText(print, orderId, seq, deal)));
  return {
    ...head,
    events: steps.map((step, at) => stepText(print, step, at === 0)),
    book_met: bookMet(print, steps[0] as OrderStep),
    deals: shown.slice(0, DEALS_SHOWN),
    ...nowText(state, print, order, isOpen),
  };
}

const FORGOTTEN = {
  note:
    "The book that the order met is not remembered: it is kept in the dev profile, of the latest orders. What " +
    "follows is what history and the books say.",
};

/** Why a resting order is not filled, or not whole. */
export function whyOpen(state: State, print: MarketPrinter, order: OrderRecord): Because {
  const { market } = print;
  if (market.status === "bidding") {
    return { because: "The market takes bids for an auction: nothing matches before it opens.", rule: "2.12" };
  }
  if (market.status !== "online") return { because: "The market is not open yet.", rule: "2.12" };
  if (market.suspended) return { because: "The market is suspended.", rule: "2.12" };
  if (phaseFor(state, market.settlement.marketType) !== 0) {
    return { because: "Maintenance, or the protection period after it, keeps the market from trading.", rule: "2.13" };
  }
  const best = levelsAgainst(state, market, order.side)[0];
  const [word, other] = order.side === "buy" ? ["buys at most at", "ask"] : ["sells at least at", "bid"];
  const limit = print.price(order.price);
  if (best === undefined) return { because: `It ${word} ${limit}, and nobody stands on the other side.`, rule: "2.5" };
  const price = print.price(best.price);
  const crosses = order.side === "buy" ? best.price <= order.price : best.price >= order.price;
  if (crosses) {
    const because =
      `It ${word} ${limit} and the best ${other} is ${price}: the deal lies outside what may be made at present, ` +
      "or the other side cannot bear it.";
    return { because, rule: "2.9" };
  }
  return { because: `It ${word} ${limit}; the best ${other} is ${price}.`, rule: "2.5" };
}

function whyEnded(print: MarketPrinter, order: OrderRecord, last: OrderStep | undefined): Because {
  const average = averageText(print, order);
  if (order.status === "filled") {
    return {
      because: `It was filled${average}: each deal at the price of the order that stood in the book.`,
      rule: "2.6",
    };
  }
  const part = order.filledLots > 0n ? ` What was filled was filled${average}.` : "";
  if (last !== undefined && CANCELS.has(last.commandKind))
    return { because: `Its user cancelled it.${part}`, rule: "2.15" };
  if (last?.rareEvents.includes("quotes_pulled") === true && !wantsAtOnce(order)) {
    return { because: `The market-maker protection of its account had reached a limit.${part}`, rule: "2.18" };
  }
  const isVenues = last !== undefined && (last.commandKind === KIND.tick || last.commandKind === KIND.json);
  if (isVenues && last.rareEvents.length > 0) {
    return { because: `The venue ended it, together with: ${last.rareEvents.join(", ")}.${part}`, rule: "2.14" };
  }
  if (last !== undefined && last.order.stpMode !== "none" && !wantsAtOnce(order)) {
    return { because: `It met an order of its own user, and stp_mode is ${order.stpMode}.${part}`, rule: "2.7" };
  }
  if (!wantsAtOnce(order)) return { because: `It was cancelled.${part}`, rule: "2.15" };
  const limit = order.type === "market" ? "the band of market orders" : `its limit ${print.price(order.price)}`;
  const best = last?.levels[0];
  const rest =
    best === undefined ? "nobody was left on the other side" : `the best price left was ${print.price(best.price)}`;
  return {
    because: `An order of type ${order.type} does not rest: within ${limit} there was no more; ${rest}.${part}`,
    rule: "2.2",
  };
}

function wantsAtOnce({ type }: OrderRecord): boolean {
  return type !== "limit" && type !== "maker_only";
}

function stepText(print: MarketPrinter, step: OrderStep, isFirst: boolean) {
  const { order, deals, levels } = step;
  const best = levels[0];
  return {
    seq: step.seq,
    time: step.timeMs,
    event: isFirst ? "accepted" : step.isEnd ? "ended" : deals.length > 0 ? "filled" : "changed",
    command: KIND_NAMES[step.commandKind] ?? "",
    status: step.isEnd ? order.status : "rests",
    price: order.type === "market" ? "market" : print.price(order.price),
    unfilled: quantity(print, order, order.left),
    deals: deals.length,
    best_opposite: best === undefined ? "none" : print.price(best.price),
    market_status: step.marketStatus,
  };
}

/**
 * Returns the levels of the book that an order met when it came: the amounts that it took and those that it left,
 * together.
 */
function bookMet(print: MarketPrinter, { order, deals, levels }: OrderStep) {
  const taken = new Map<bigint, bigint>();
  for (const { price, lots, taker } of deals) {
    if (taker.orderId === order.orderId) taken.set(price, (taken.get(price) ?? 0n) + lots);
  }
  const left = new Map(levels.map(({ price, lots }) => [price, lots]));
  const prices = [...new Set([...taken.keys(), ...left.keys()])];
  prices.sort((one, other) => (order.side === "buy" ? Number(one - other) : Number(other - one)));
  return prices.map((price) => ({
    price: print.price(price),
    amount: print.amount((taken.get(price) ?? 0n) + (left.get(price) ?? 0n)),
    taken: print.amount(taken.get(price) ?? 0n),
  }));
}

function dealText(
  print: MarketPrinter,
  orderId: number,
  seq: number,
  { dealId, price, lots, taker, maker }: DealEvent,
) {
  const isTaker = taker.orderId === orderId;
  const other = isTaker ? maker : taker;
  return {
    seq,
    deal_id: dealId,
    price: print.price(price),
    amount: print.amount(lots),
    role: isTaker ? "taker" : "maker",
    other_order_id: other.orderId,
    other_user_id: other.userId,
  };
}

function userDealText(print: MarketPrinter, { dealId, price, lots, role, createdAt }: UserDeal) {
  return { deal_id: dealId, time: createdAt, price: print.price(price), amount: print.amount(lots), role };
}

/** The other side as it stands, for an order that waits for it. */
function nowText(state: State, print: MarketPrinter, order: OrderRecord, isOpen: boolean) {
  if (!isOpen) return {};
  return { book_now: levelsAgainst(state, print.market as Market, order.side).map((level) => levelText(print, level)) };
}

function levelText(print: MarketPrinter, { price, lots }: Level) {
  return { price: print.price(price), amount: print.amount(lots) };
}

async function dealsOf(history: History, { userId, account, orderId }: OrderRecord): Promise<readonly UserDeal[]> {
  const { rows } = await history.orderDeals({
    userId,
    account,
    marketId: undefined,
    orderId,
    page: 1,
    limit: DEALS_SHOWN,
  });
  return rows;
}

/** Of what was filled. */
function averageText(print: MarketPrinter, { filledLots, filledValue }: OrderRecord): string {
  if (filledLots === 0n) return "";
  const { market } = print;
  const amount = print.amount(filledLots);
  if (market.futures !== undefined || market.unitsPerLotTick === 0n)
    return `, ${amount} of it worth ${print.value(filledValue)}`;
  return `, ${amount} of it at ${print.price(filledValue / (filledLots * market.unitsPerLotTick))} on average`;
}

function quantity(print: MarketPrinter, { amountIn }: OrderRecord, lotsOrUnits: bigint): string {
  return amountIn === "quote" && print.market.futures === undefined
    ? print.value(lotsOrUnits)
    : print.amount(lotsOrUnits);
}
