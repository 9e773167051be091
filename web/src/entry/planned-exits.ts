/**
 * Exits that came with an order. The API sets them on positions, so they are set with the first fill: at once where the
 * order has filled, otherwise when the venue tells of a fill. Until then this browser keeps them. An exit of the whole
 * position grows with it, so it is set once.
 */
import { createEffect, createRoot, on } from "solid-js";
import { user, userId } from "../account/session.ts";
import { get, post, Refusal, sentenceOf } from "../api/client.ts";
import { sockets } from "../api/venue.ts";
import { type Decimal, isPositive } from "../number/decimal.ts";
import { positions } from "../panels/positions-store.ts";
import { say } from "../ui/toasts.tsx";
import { EXITS, type Exits } from "./exits.ts";

interface Plan {
  readonly order_id: number;
  readonly market: string;
  /** In hedge mode, where a request has to name it. */
  readonly position_side: "long" | "short" | undefined;
  readonly exits: Exits;
}

/** The fields of an order that tell whether its exits can be set. */
interface OrderState {
  readonly order_id: number;
  readonly filled_amount: Decimal;
}

interface BatchAnswer {
  readonly code: number;
  readonly data: OrderState | null;
}

/** A browser keeps no more plans than an account has open orders in a market, as a rule; the oldest give way. */
const PLANS_MAX = 100;
/** Orders are asked after in portions, as many as the API takes in one question. */
const ASKED_AT_ONCE = 100;

/** The venue knows no such order. */
const NOT_FOUND = 3600;

const keyOf = (userId: number) => `bourse.exits.${userId}`;

function plans(): readonly Plan[] {
  const who = user();
  if (who === undefined) return [];
  try {
    return JSON.parse(localStorage.getItem(keyOf(who.user_id)) ?? "[]") as Plan[];
  } catch {
    return [];
  }
}

function keep(next: readonly Plan[]): void {
  const who = user();
  if (who !== undefined) localStorage.setItem(keyOf(who.user_id), JSON.stringify(next.slice(-PLANS_MAX)));
}

/** Takes a plan out, so that only one page of several carries it out. */
function take(orderId: number): Plan | undefined {
  const all = plans();
  const found = all.find(({ order_id }) => order_id === orderId);
  if (found !== undefined) keep(all.filter((each) => each !== found));
  return found;
}

/** Sees to the exits of an order that the venue has just taken. */
export async function planExits(plan: Plan, order: OrderState, isAtOnce: boolean): Promise<void> {
  if (isPositive(order.filled_amount)) await carryOut(plan);
  else if (!isAtOnce) {
    keep([...plans(), plan]);
    // It may have filled since it was answered.
    await lookAfter();
  }
}

async function carryOut(plan: Plan): Promise<void> {
  for (const [kind, word, action] of EXITS) {
    const price = plan.exits[kind];
    if (price === undefined) continue;
    try {
      await post(`/v2/futures/${action}`, {
        market: plan.market,
        market_type: "FUTURES",
        ...(plan.position_side === undefined ? {} : { position_side: plan.position_side }),
        [`${kind}_price`]: price,
        [`${kind}_type`]: plan.exits.type,
      });
    } catch (error) {
      // Not to be reached: it is tried again when the connection is back.
      if (error instanceof Refusal && error.code === 0)
        keep([...plans(), { ...plan, exits: restOf(plan.exits, kind) }]);
      say(`The ${word.toLowerCase()} in ${plan.market} is not set: ${sentenceOf(error)}`, "bad");
      if (error instanceof Refusal && error.code === 0) break;
    }
  }
  positions.reread();
}

/** Returns the exits that are left to set from a kind on. */
function restOf(exits: Exits, from: (typeof EXITS)[number][0]): Exits {
  return from === "take_profit"
    ? exits
    : { type: exits.type, ...(exits.stop_loss === undefined ? {} : { stop_loss: exits.stop_loss }) };
}

function hear({ event, order }: { readonly event: string; readonly order: OrderState }): void {
  if (isPositive(order.filled_amount)) {
    const plan = take(order.order_id);
    if (plan !== undefined) void carryOut(plan);
  } else if (event === "finish") take(order.order_id);
}

/** Asks after every order whose exits wait: what was pushed while nobody listened is missed otherwise. */
async function lookAfter(): Promise<void> {
  const byMarket = Map.groupBy(plans(), ({ market }) => market);
  for (const [market, waiting] of byMarket) {
    for (let from = 0; from < waiting.length; from += ASKED_AT_ONCE) {
      const order_ids = waiting.slice(from, from + ASKED_AT_ONCE).map(({ order_id }) => order_id);
      const answers = await get<readonly BatchAnswer[]>("/v2/futures/batch-order-status", {
        market,
        order_ids: order_ids.join(","),
      }).catch(() => []);
      for (const [at, { code, data }] of answers.entries()) {
        // An order that ended without a fill is not known any more.
        if (code === 0 && data !== null) hear({ event: "update", order: data });
        else if (code === NOT_FOUND) take(order_ids[at] as number);
      }
    }
  }
}

/** Follows one's futures orders for as long as the page lives. */
export function followPlannedExits(): void {
  sockets.futures.follow({ channel: "order", items: [], hear, onFollowed: () => void lookAfter() });
  createRoot(() => {
    createEffect(on(userId, () => void lookAfter()));
  });
}
