/** The life of a stop order in words: what it waits for, or when and at which price it fired, and what came of that. */
import { KIND, TRIGGER_TYPES, type TriggerType } from "../../engine/command.ts";
import { markOf } from "../../engine/futures/funding/mark.ts";
import type { Market } from "../../engine/listing/market.ts";
import { refusalOf } from "../../engine/refusal.ts";
import type { State } from "../../engine/state.ts";
import { readStop } from "../../engine/stops/emit-stop.ts";
import type { StopEventName, StopRecord } from "../../engine/stops/stop-event.ts";
import { NONE } from "../../engine/trading/order.ts";
import { firesTriggers, referencePrice } from "../../engine/trading/reference-price.ts";
import { stopOrderText } from "../current/records/stop-orders.ts";
import type { MarketPrinter } from "../reading/market-printer.ts";
import { type Figures, Refused } from "../refused.ts";
import { type Because, type ExplainGround, KIND_NAMES } from "./explain-order.ts";
import type { StopStep } from "./stop-notes.ts";

const WATCHED: Readonly<Record<TriggerType, string>> = {
  latest_price: "the latest price",
  mark_price: "the mark price",
  index_price: "the index price",
};
const EVENTS: Readonly<Record<StopEventName, string>> = {
  put: "accepted",
  modify: "changed",
  cancel: "cancelled",
  active_success: "fired",
  active_fail: "refused when it fired",
};
const CANCELS: ReadonlySet<number> = new Set([KIND.cancel_stop_order, KIND.cancel_stop_by_client_id]);
const RULE = "2.11";

/** How a stop order ended, from what is remembered or from history. */
interface End {
  readonly event: StopEventName;
  readonly atMs: number;
  /** Ticks; undefined where it is not remembered, or it did not fire. */
  readonly watched: bigint | undefined;
  readonly orderId: number;
  readonly refusal: number;
  readonly figures: Figures | undefined;
}

/** Returns everything that is known of a stop order; undefined when no stop order of this id is remembered. */
export async function explainStop(ground: ExplainGround, stopId: number): Promise<object | undefined> {
  const { state, history, printers, lifecycleTrace } = ground;
  const steps = lifecycleTrace?.stopSteps(stopId) ?? [];
  const slot = state.stops.find(stopId);
  const waiting = slot === NONE ? undefined : readStop(state, slot);
  const last = steps.at(-1);
  const fired = waiting === undefined && last === undefined ? await history.firedStopOfAnybody({ stopId }) : undefined;
  const stop = waiting ?? last?.stop ?? fired;
  if (stop === undefined) return undefined;
  const print = printers.of(stop.marketId);
  const end = waiting !== undefined ? undefined : last !== undefined ? endOf(last) : fired && firedEnd(fired);
  return {
    user_id: stop.userId,
    user: state.users.get(stop.userId)?.name ?? "",
    ...JSON.parse(stopOrderText(printers, stop)),
    is_hide: stop.hidden,
    stp_mode: stop.stpMode,
    status: end === undefined ? "waits" : EVENTS[end.event],
    ...(end === undefined ? whyWaiting(state, print, stop) : whyEnded(ground, print, stop, end, last)),
    ...pricesNow(state, print, stop),
    ...(steps.length > 0 ? { events: steps.map((step) => stepText(print, step)) } : FORGOTTEN),
  };
}

const FORGOTTEN = {
  note:
    "The life of the stop order is not remembered: it is kept in the dev profile, of the latest. What is said is " +
    "what history and those that wait say.",
};

function whyWaiting(state: State, print: MarketPrinter, stop: StopRecord): Because {
  const market = print.market as Market;
  const reference = TRIGGER_TYPES.indexOf(stop.triggerType);
  const price = referencePrice(state, market, reference);
  const direction = stop.direction === "higher" ? "to fall" : "to rise";
  const wish = `It waits for ${watchedName(state, market, stop)} ${direction} to ${print.price(stop.trigger)}`;
  if (price === 0n) return { because: `${wish}; there is no such price yet.`, rule: RULE };
  const stands = `${wish}; it is ${print.price(price)}`;
  if (firesTriggers(state, market, reference)) return { because: `${stands}.`, rule: RULE };
  if (market.status !== "online" || market.suspended) {
    return { because: `${stands}. While its market takes no orders no stop order is looked at.`, rule: RULE };
  }
  const because =
    `${stands}. No stop order is looked at while the market or the venue takes no orders, or while that price is ` +
    "stale.";
  return { because, rule: RULE };
}

function whyEnded(
  { reasonOf }: ExplainGround,
  print: MarketPrinter,
  stop: StopRecord,
  { event, atMs, watched, orderId, refusal, figures }: End,
  last: StopStep | undefined,
): object {
  if (event === "cancel") return { ...whyCancelled(last), ended_at: atMs };
  const isKnown = watched !== undefined && watched !== 0n;
  const reached = !isKnown
    ? `${capital(WATCHED[stop.triggerType])} reached its trigger ${print.price(stop.trigger)}`
    : `${capital(WATCHED[stop.triggerType])} was ${print.price(watched)}, ${sideOf(stop)} its trigger ` +
      `${print.price(stop.trigger)}`;
  const firedAt = {
    fired_at: atMs,
    ...(isKnown ? { fired_price: print.price(watched) } : {}),
  };
  if (event === "active_success") {
    return { because: `${reached}: it became order ${orderId}.`, rule: RULE, ...firedAt, order_id: orderId };
  }
  const name = refusalOf(refusal);
  const reason = name && reasonOf?.(new Refused(name, undefined, undefined, figures));
  const why = reason === undefined ? "" : `: ${reason.message.replace(/\.$/, "")}`;
  return {
    because: `${reached}, and its order was refused as if its user had placed it then${why}. A stop order fires once.`,
    rule: reason?.rule ?? RULE,
    ...firedAt,
    ...(reason === undefined ? {} : { reasons: [reason] }),
  };
}

/** Where the price stood when it fired. */
function sideOf({ direction }: StopRecord): string {
  return direction === "higher" ? "at or below" : "at or above";
}

function whyCancelled(last: StopStep | undefined): Because {
  if (last !== undefined && CANCELS.has(last.commandKind)) return { because: "Its user cancelled it.", rule: RULE };
  const { rareEvents = [] } = last ?? {};
  if (rareEvents.length === 0) return { because: "It was cancelled.", rule: RULE };
  return { because: `The venue cancelled it, together with: ${rareEvents.join(", ")}.`, rule: RULE };
}

function endOf({ event, timeMs, watched, orderId, refusal, figures }: StopStep): End {
  return { event, atMs: timeMs, watched, orderId, refusal, figures };
}

function firedEnd({ orderId, refusal, updatedAt }: StopRecord & Pick<StopStep, "orderId" | "refusal">): End {
  const event = orderId === 0 ? "active_fail" : "active_success";
  return { event, atMs: updatedAt, watched: undefined, orderId, refusal, figures: undefined };
}

/** Returns the price that a stop order watches and all others that it could have watched, as they are now. */
function pricesNow(state: State, print: MarketPrinter, { triggerType }: StopRecord): object {
  const market = print.market as Market;
  const watched = referencePrice(state, market, TRIGGER_TYPES.indexOf(triggerType));
  return {
    watched_price: print.priceOrNothing(watched),
    latest_price: print.priceOrNothing(state.lastPrice[market.id] as bigint),
    index_price: print.priceOrNothing(market.index.price),
    ...(market.futures === undefined ? {} : { mark_price: print.priceOrNothing(markOf(state, market)) }),
  };
}

/** Before the first deal the index stands in for the latest price. */
function watchedName(state: State, market: Market, { triggerType }: StopRecord): string {
  const isStandIn = triggerType === "latest_price" && state.lastPrice[market.id] === 0n;
  return isStandIn ? `${WATCHED.latest_price} (the index, before the first deal)` : WATCHED[triggerType];
}

function stepText(
  print: MarketPrinter,
  { seq, timeMs, commandKind, event, stop, watched, orderId, refusal }: StopStep,
) {
  return {
    seq,
    time: timeMs,
    event: EVENTS[event],
    command: KIND_NAMES[commandKind] ?? "",
    trigger_price: print.price(stop.trigger),
    trigger_direction: stop.direction,
    price: stop.type === "market" ? "market" : print.price(stop.price),
    watched_price: print.priceOrNothing(watched),
    ...(orderId === 0 ? {} : { order_id: orderId }),
    ...(refusal === 0 ? {} : { refusal: refusalOf(refusal) }),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
