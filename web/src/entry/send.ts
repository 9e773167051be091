/** Sends the order that is written. */
import { type Accessor, createSignal } from "solid-js";
import { user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { post } from "../api/client.ts";
import type { OrderSide, OrderType } from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { isDecimal } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { say } from "../ui/toasts.tsx";
import { marketTypeIn } from "./account-choice.tsx";
import { type Draft, sideWord } from "./draft.ts";
import type { FaultPlace } from "./faults.ts";
import { leverageIn } from "./leverage.ts";
import { isHedged } from "./position-mode.ts";

export interface Sending {
  /** The side whose order is on its way. */
  readonly pending: Accessor<OrderSide | undefined>;
  readonly send: (side: OrderSide) => Promise<void>;
  /** Why nothing can be sent now; undefined where an order can be. */
  readonly hindrance: Accessor<string | undefined>;
}

export function createSending(draft: Draft): Sending {
  const [pending, setPending] = createSignal<OrderSide>();
  const hindrance = () => hindranceIn(draft);
  const send = async (side: OrderSide) => {
    if (hindrance() !== undefined) return;
    draft.faults.clear();
    draft.setSide(side);
    if (user() === undefined) {
      openSignIn();
      return;
    }
    const missing = missingIn(draft);
    if (missing !== undefined) {
      draft.faults.set(missing[0], { text: missing[1], rule: undefined });
      return;
    }
    setPending(side);
    try {
      await post(`/v2/${draft.market().product}/${draft.isStop() ? "stop-order" : "order"}`, orderOf(draft, side));
      const at = draft.isMarket() ? "at the market" : `at ${grouped(draft.price())}`;
      const what = `${sideWord(draft.market(), side)} ${grouped(draft.amount())} ${draft.amountCcy()} ${at}`;
      // What an order that ends at once came to is told by its fill.
      if (draft.isStop() || RESTING.includes(draft.type())) {
        say(`${draft.isStop() ? "Stop order" : "Order"} placed: ${what}.`, "good");
      }
      draft.setShare("0");
    } catch (error) {
      draft.faults.refused(error);
    }
    setPending(undefined);
  };
  return { pending, send, hindrance };
}

/** Types of orders that may stay open. */
const RESTING: readonly OrderType[] = ["limit", "maker_only"];

/** An order is not sent on figures that are old, or that nobody has said. */
function hindranceIn(draft: Draft): string | undefined {
  if (user() === undefined) return undefined;
  if (sockets[draft.market().product].state() !== "open") return "Not connected: prices may be old.";
  if (draft.isFutures() && leverageIn(draft.market()) === undefined)
    return "The venue has not said yet what leverage holds.";
  return undefined;
}

/** What has to be filled in before the venue can be asked. */
function missingIn(draft: Draft): readonly [place: FaultPlace, sentence: string] | undefined {
  if (draft.isStop() && !isDecimal(draft.trigger())) return ["trigger", "Enter the price that triggers the order."];
  if (!draft.isMarket() && !isDecimal(draft.price())) return ["price", "Enter a price."];
  return draft.knownAmount() === undefined ? ["amount", "Enter an amount."] : undefined;
}

/** The body of the request. */
function orderOf(draft: Draft, side: OrderSide): object {
  const [isFutures, isMarket, isStop] = [draft.isFutures(), draft.isMarket(), draft.isStop()];
  return {
    market: draft.market().market,
    market_type: marketTypeIn(draft.market()),
    side,
    type: draft.type(),
    amount: draft.amount(),
    ...(isMarket ? {} : { price: draft.price() }),
    ...(isMarket && !isFutures ? { ccy: draft.amountCcy() } : {}),
    ...(draft.isHidden() && !isMarket ? { is_hide: true } : {}),
    ...(isStop ? { trigger_price: draft.trigger() } : {}),
    ...(isStop && isFutures ? { trigger_price_type: draft.triggerType() } : {}),
    ...(isFutures && isHedged() ? { position_side: side === "buy" ? "long" : "short" } : {}),
  };
}
