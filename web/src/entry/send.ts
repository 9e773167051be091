/** Sends the order that is written. */
import { type Accessor, createSignal } from "solid-js";
import { user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { post } from "../api/client.ts";
import type { OrderSide } from "../api/records.ts";
import { sockets } from "../api/venue.ts";
import { compare, type Decimal, isDecimal, isPositive } from "../number/decimal.ts";
import { grouped, shown } from "../number/show.ts";
import { confirmation } from "../ui/settings.ts";
import { say } from "../ui/toasts.tsx";
import { marketTypeIn } from "./account-choice.tsx";
import { bracketFault, exitAt, exitsOfBracket, trails } from "./bracket.ts";
import { type Condition, type Draft, RESTING, sideWord } from "./draft.ts";
import { EXITS, exitFault, exitsOf } from "./exits.ts";
import type { FaultPlace } from "./faults.ts";
import { leverageIn } from "./leverage.ts";
import type { OrderQuestion } from "./order-question.tsx";
import { ORDER_TYPES } from "./order-types.ts";
import type { Outlook } from "./outlook.ts";
import { planExits } from "./planned-exits.ts";
import { isHedged } from "./position-mode.ts";
import { firstTriggerText, marginText, valueText } from "./sums.tsx";
import { trailOf } from "./trail.ts";
import { warningsOf } from "./warnings.ts";

export interface Sending {
  /** The side whose order is on its way. */
  readonly pending: Accessor<OrderSide | undefined>;
  /** Sends the order, or asks first whether it is meant so. */
  readonly send: (side: OrderSide) => Promise<void>;
  /** The question that is asked now, and the function that ends the asking. */
  readonly question: Accessor<OrderQuestion | undefined>;
  readonly leave: () => void;
  /** Why nothing can be sent now; undefined where an order can be. */
  readonly hindrance: Accessor<string | undefined>;
}

export function createSending(draft: Draft, outlook: Outlook): Sending {
  const [pending, setPending] = createSignal<OrderSide>();
  const [question, setQuestion] = createSignal<OrderQuestion>();
  const hindrance = () => hindranceIn(draft);
  const send = async (side: OrderSide) => {
    if (hindrance() !== undefined) return;
    draft.faults.clear();
    draft.setSide(side);
    if (user() === undefined) {
      openSignIn();
      return;
    }
    const missing = missingIn(draft) ?? exitsAgainst(draft, outlook);
    if (missing !== undefined) {
      draft.faults.set(missing[0], { text: missing[1], rule: undefined });
      return;
    }
    const warnings = warningsOf(draft, outlook);
    const asks = confirmation() === "all" || (confirmation() === "market" && draft.isMarket());
    if (warnings.length === 0 && !asks) {
      await place(side);
      return;
    }
    // What is asked about is what is sent, whatever becomes of the form meanwhile.
    const order = orderOf(draft, side);
    const exits = exitsOf(draft);
    const title = `${sideWord(draft.market(), side)} ${draft.market().market}?`;
    const lines = linesOf(draft, outlook);
    setQuestion({ title, lines, warnings, side, send: () => void place(side, order, exits) });
  };
  const place = async (side: OrderSide, order = orderOf(draft, side), exits = exitsOf(draft)) => {
    setPending(side);
    const { market, type, condition, isMarket } = draft;
    const isAtOnce = !RESTING.includes(type());
    const at = isMarket() ? "at the market" : `at ${grouped(draft.price())}`;
    const what = `${sideWord(market(), side)} ${grouped(draft.amount())} ${draft.amountCcy()} ${at}`;
    try {
      const path = pathOf(draft);
      const taken = await post<{ readonly order_id: number; readonly filled_amount: Decimal }>(path, order);
      // What an order that ends at once came to is told by its fill.
      if (condition() !== "none" || !isAtOnce) say(`${PLACED[condition()]} placed: ${what}.`, "good");
      draft.setShare("0");
      if (exits !== undefined) {
        const position_side = isHedged() ? (side === "buy" ? "long" : "short") : undefined;
        await planExits({ order_id: taken.order_id, market: market().market, position_side, exits }, taken, isAtOnce);
      }
    } catch (error) {
      draft.faults.refused(error);
    }
    setPending(undefined);
  };
  return { pending, send, question, leave: () => setQuestion(undefined), hindrance };
}

/** An exit that cannot be meant so. */
function exitsAgainst(draft: Draft, outlook: Outlook): readonly [place: FaultPlace, sentence: string] | undefined {
  if (!draft.hasExits() && !draft.isBracket()) return undefined;
  for (const [kind] of EXITS) {
    const against = draft.isBracket() ? bracketFault(draft, kind) : exitFault(draft, outlook, kind);
    if (against !== undefined) return [kind, against];
  }
  return undefined;
}

/** The order as it is read once more before it is sent. */
function linesOf(draft: Draft, outlook: Outlook): OrderQuestion["lines"] {
  const { market, isMarket, isFutures, isStop, isTrail, isOco } = draft;
  const price = (text: Decimal) => `${grouped(text)} ${market().quoteCcy}`;
  const at = outlook.liquidationAt();
  const lines: (readonly [string, string] | undefined)[] = [
    ["Type", typeText(draft)],
    isTrail() ? ["First trigger", firstTriggerText(draft)] : undefined,
    isStop() ? ["Trigger", price(draft.trigger())] : undefined,
    isOco() ? ["Or at the market from", price(draft.trigger())] : undefined,
    ["Price", isMarket() ? "at the market" : price(draft.price())],
    ["Amount", `${grouped(draft.amount())} ${draft.amountCcy()}`],
    draft.isIceberg() ? ["Shown at a time", `${grouped(draft.display())} ${draft.amountCcy()}`] : undefined,
    [isFutures() ? "Value" : "Total", valueText(draft, outlook)],
    isFutures() ? ["Margin", marginText(market(), outlook)] : undefined,
    at === undefined || at === "none" ? undefined : ["Liquidation price", `≈ ${shown(at, market().priceDecimals)}`],
    ...EXITS.map(([kind, word]) => {
      const exit = exitAt(draft, kind);
      return exit === undefined
        ? undefined
        : ([trails(draft, kind) ? `${word}, at first` : word, price(exit)] as const);
    }),
  ];
  return lines.flatMap((each) => (each === undefined ? [] : [each]));
}

function typeText({ type, condition }: Draft): string {
  if (condition() === "trail") return "Trailing stop, then Market";
  const word = ORDER_TYPES.find(([each]) => each === type())?.[1] ?? type();
  if (condition() === "stop") return `Stop, then ${word}`;
  if (condition() === "oco") return `${word}, one cancels the other`;
  return condition() === "bracket" ? `${word}, then take profit or stop loss` : word;
}

const PLACED: Readonly<Record<Condition, string>> = {
  none: "Order",
  stop: "Stop order",
  trail: "Trailing stop",
  oco: "Pair of orders",
  bracket: "Bracket",
};

function pathOf({ market, condition, isIceberg }: Draft): string {
  const { product } = market();
  if (isIceberg() && (condition() === "none" || condition() === "stop")) return `/v2/ext/${product}/iceberg-order`;
  switch (condition()) {
    case "trail":
      return `/v2/ext/${product}/trailing-stop`;
    case "oco":
      return `/v2/ext/${product}/oco`;
    case "bracket":
      return `/v2/ext/${product}/bracket`;
    default:
      return `/v2/${product}/${condition() === "stop" ? "stop-order" : "order"}`;
  }
}

/** An order is not sent on figures that are old, or that nobody has said. */
function hindranceIn(draft: Draft): string | undefined {
  if (user() === undefined) return undefined;
  if (sockets[draft.market().product].state() !== "open") return "Not connected: prices may be old.";
  if (draft.isFutures() && leverageIn(draft.market()) === undefined)
    return "The venue has not said yet what leverage holds.";
  return undefined;
}

/** Returns the field that has to be filled in before the venue can be asked, with a sentence; undefined: none. */
function missingIn(draft: Draft): readonly [place: FaultPlace, sentence: string] | undefined {
  if (draft.isTrail() && trailOf(draft) === undefined) return ["trail", "Enter how far the price has to turn."];
  if ((draft.isStop() || draft.isOco()) && !isDecimal(draft.trigger()))
    return ["trigger", "Enter the price that triggers the order."];
  if (draft.isOco() && !RESTING.includes(draft.type()))
    return ["form", "An order of which one cancels the other is a limit or a maker only order."];
  if (!draft.isMarket() && !isDecimal(draft.price())) return ["price", "Enter a price."];
  const amount = draft.knownAmount();
  if (amount === undefined) return ["amount", "Enter an amount."];
  const display = draft.display();
  if (draft.isIceberg() && !(isDecimal(display) && isPositive(display) && compare(display, amount) < 0))
    return ["display", "Enter how much the book shows at a time: less than the amount."];
  return undefined;
}

/** The body of the request. */
function orderOf(draft: Draft, side: OrderSide): object {
  return { market: draft.market().market, market_type: marketTypeIn(draft.market()), ...fieldsOf(draft, side) };
}

function fieldsOf(draft: Draft, side: OrderSide): object {
  const [amount, position] = [draft.amount(), positionOf(draft, side)];
  const reference = draft.isFutures() ? { trigger_price_type: draft.triggerType() } : {};
  const trigger = { trigger_price: draft.trigger(), ...reference };
  const order = {
    side,
    type: draft.type(),
    amount,
    ...(draft.isMarket() ? {} : { price: draft.price() }),
    ...visibilityOf(draft),
    ...position,
  };
  switch (draft.condition()) {
    case "trail":
      return { side, amount, ...trailOf(draft), ...reference, ...position };
    case "oco":
      // The order, and one at the market from the trigger on.
      return { orders: [order, { side, type: "market", amount, ...trigger, ...position }] };
    case "bracket":
      // The entry with its exits, whose amounts follow what is filled.
      return { ...order, ...exitsOfBracket(draft), ...reference };
    default:
      return {
        ...order,
        ...(draft.isMarket() && !draft.isFutures() ? { ccy: draft.amountCcy() } : {}),
        ...(draft.isStop() ? trigger : {}),
      };
  }
}

/** The part of the order that others see in the book: all of it, some, or nothing. */
function visibilityOf({ isIceberg, display, isHidden, isMarket }: Draft): object {
  if (isIceberg()) return { display_amount: display() };
  return isHidden() && !isMarket() ? { is_hide: true } : {};
}

function positionOf(draft: Draft, side: OrderSide): object {
  return draft.isFutures() && isHedged() ? { position_side: side === "buy" ? "long" : "short" } : {};
}
