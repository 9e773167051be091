/** Sends the order that is written. */
import { type Accessor, createSignal } from "solid-js";
import { user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { post } from "../api/client.ts";
import type { OrderSide } from "../api/records.ts";
import { isDecimal } from "../number/decimal.ts";
import { grouped } from "../number/show.ts";
import { say } from "../ui/toasts.tsx";
import { marketTypeIn } from "./account-choice.tsx";
import { type Draft, sideWord } from "./draft.ts";
import type { FaultPlace } from "./faults.ts";
import { isHedged } from "./position-mode.ts";

export interface Sending {
  /** The side whose order is on its way. */
  readonly pending: Accessor<OrderSide | undefined>;
  readonly send: (side: OrderSide) => Promise<void>;
}

export function createSending(draft: Draft): Sending {
  const [pending, setPending] = createSignal<OrderSide>();
  const send = async (side: OrderSide) => {
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
      say(`${draft.isStop() ? "Stop order" : "Order"} placed: ${what}.`, "good");
      draft.setShare("0");
    } catch (error) {
      draft.faults.refused(error);
    }
    setPending(undefined);
  };
  return { pending, send };
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
