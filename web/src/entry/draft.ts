/** The order as it is being written: what stands in the form's fields, and what they are counted in. */
import { type Accessor, batch, createEffect, createMemo, createSignal, on, type Setter } from "solid-js";
import type { OrderSide, OrderType } from "../api/records.ts";
import { amountCcyOf, type Market, tickerOf } from "../market/markets.ts";
import { cut, type Decimal, isDecimal, isPositive, unit } from "../number/decimal.ts";
import { createFaults, type Faults } from "./faults.ts";
import { picked, wantedSide } from "./picked.ts";

export type TriggerType = "latest_price" | "mark_price" | "index_price";

/**
 * What has to happen before the order is placed, or beside it: the price comes to a trigger (`stop`), or turns by a
 * trail; or a stop order goes with it of which one cancels the other (`oco`); or a take profit and a stop loss follow
 * what is filled of it (`bracket`).
 */
export type Condition = "none" | "stop" | "trail" | "oco" | "bracket";
export type TrailUnit = "percent" | "price";

/** What the stop loss of a bracket is told by: a price, or a trail in percent or in the quote currency. */
export type LossBy = "trigger" | TrailUnit;

/** The purpose of an exit: it takes a profit or stops a loss. */
export type ExitKind = "take_profit" | "stop_loss";
export type ExitType = "latest_price" | "mark_price";

export interface Draft {
  readonly market: Accessor<Market>;
  readonly side: Accessor<OrderSide>;
  readonly setSide: Setter<OrderSide>;
  readonly type: Accessor<OrderType>;
  readonly setType: (type: OrderType) => void;
  readonly condition: Accessor<Condition>;
  readonly setCondition: (condition: Condition) => void;
  readonly isStop: Accessor<boolean>;
  /** The order is placed at the market, once the price has turned. */
  readonly isTrail: Accessor<boolean>;
  /** A stop order at `trigger` goes with the order. */
  readonly isOco: Accessor<boolean>;
  /** A take profit and a stop loss wait for what is filled. */
  readonly isBracket: Accessor<boolean>;
  readonly isHidden: Accessor<boolean>;
  readonly setIsHidden: (is: boolean) => void;
  /** The book shows `display` of the order at a time. */
  readonly isIceberg: Accessor<boolean>;
  readonly canBeIceberg: Accessor<boolean>;
  readonly setIsIceberg: (is: boolean) => void;
  readonly display: Accessor<string>;
  readonly typeDisplay: (text: string) => void;
  /** As typed: maybe no decimal yet. */
  readonly price: Accessor<string>;
  readonly amount: Accessor<string>;
  readonly trigger: Accessor<string>;
  readonly triggerType: Accessor<TriggerType>;
  readonly setTriggerType: Setter<TriggerType>;
  /** Whether the order brings exits for the position that it leads to. */
  readonly hasExits: Accessor<boolean>;
  readonly setHasExits: Setter<boolean>;
  readonly exits: Readonly<Record<ExitKind, Accessor<string>>>;
  readonly typeExit: (kind: ExitKind, text: string) => void;
  readonly exitType: Accessor<ExitType>;
  readonly setExitType: Setter<ExitType>;
  /** Percent of what is available that the slider stands at. */
  readonly share: Accessor<string>;
  readonly setShare: Setter<string>;
  readonly faults: Faults;
  readonly typePrice: (text: string) => void;
  readonly typeTrigger: (text: string) => void;
  /** The distance of a trail, as typed, and what it is counted in. */
  readonly trail: Accessor<string>;
  readonly typeTrail: (text: string) => void;
  readonly trailUnit: Accessor<TrailUnit>;
  readonly setTrailUnit: (unit: TrailUnit) => void;
  readonly lossBy: Accessor<LossBy>;
  readonly setLossBy: (by: LossBy) => void;
  readonly typeAmount: (text: string) => void;
  /** The amount that a share comes to, with the share. */
  readonly takeShare: (share: string, amount: Decimal) => void;
  readonly countInQuote: (is: boolean) => void;
  readonly isFutures: Accessor<boolean>;
  readonly isMarket: Accessor<boolean>;
  /** Whether the amount may be counted in quote: that of a market order of the spot market that nothing hangs on. */
  readonly canCountInQuote: Accessor<boolean>;
  readonly isInQuote: Accessor<boolean>;
  readonly amountCcy: Accessor<string>;
  readonly amountStep: Accessor<Decimal>;
  /** The amount where it is one that could be ordered. */
  readonly knownAmount: Accessor<Decimal | undefined>;
}

/** Types of orders that may stay open. */
export const RESTING: readonly OrderType[] = ["limit", "maker_only"];

/** Budgets in quote have at most so many decimals. */
const BUDGET_DECIMALS_MAX = 8;

/** `isTypingPrice` says whether somebody is in the field of the price, which then is not filled in. */
export function createDraft(market: Accessor<Market>, isTypingPrice: () => boolean): Draft {
  const [side, setSide] = createSignal<OrderSide>("buy");
  const [type, setType] = createSignal<OrderType>("limit");
  const [condition, setCondition] = createSignal<Condition>("none");
  const [isHidden, setIsHidden] = createSignal(false);
  const [wantsIceberg, setWantsIceberg] = createSignal(false);
  const [display, setDisplay] = createSignal("");
  const [price, setPrice] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [trigger, setTrigger] = createSignal("");
  const [trail, setTrail] = createSignal("");
  const [trailUnit, setTrailUnit] = createSignal<TrailUnit>("percent");
  const [lossTrails, setLossTrails] = createSignal(false);
  const [triggerType, setTriggerType] = createSignal<TriggerType>("latest_price");
  const [wantsExits, setHasExits] = createSignal(false);
  const [takeProfit, setTakeProfit] = createSignal("");
  const [stopLoss, setStopLoss] = createSignal("");
  const [exitType, setExitType] = createSignal<ExitType>("latest_price");
  const [share, setShare] = createSignal("0");
  const [countsQuote, setCountsQuote] = createSignal(false);
  const faults = createFaults();

  const isFutures = () => market().product === "futures";
  const isStop = () => condition() === "stop";
  const isTrail = () => condition() === "trail";
  const isOco = () => condition() === "oco";
  const isBracket = () => condition() === "bracket";
  const isMarket = () => type() === "market" || isTrail();
  const canBeIceberg = () => RESTING.includes(type()) && !isTrail();
  const isIceberg = () => wantsIceberg() && canBeIceberg();
  const canCountInQuote = () => isMarket() && !isTrail() && !isBracket() && !isFutures();
  const isInQuote = () => canCountInQuote() && countsQuote();
  /** An amount that was typed in one currency is none in the other. */
  const recounted = (change: () => void) =>
    batch(() => {
      const before = isInQuote();
      change();
      if (isInQuote() === before) return;
      setAmount("");
      setShare("0");
    });
  const setTrailUnitTo = (wanted: TrailUnit) =>
    batch(() => {
      setTrailUnit(wanted);
      setTrail("");
      faults.set("trail", undefined);
    });
  const amountStep = () => {
    const { priceDecimals, amountDecimals } = market();
    return unit(isInQuote() ? Math.min(priceDecimals + amountDecimals, BUDGET_DECIMALS_MAX) : amountDecimals);
  };

  // Another market: what was typed was meant for the one before.
  createEffect(
    on(
      createMemo(() => market().key),
      () =>
        batch(() => {
          setPrice("");
          setAmount("");
          setTrigger("");
          setTrail("");
          setDisplay("");
          setTakeProfit("");
          setStopLoss("");
          setShare("0");
          faults.clear();
        }),
    ),
  );
  // A limit price begins at the last one, once it is known.
  createEffect(() => {
    const last = tickerOf(market().key)?.last;
    if (price() === "" && last !== undefined && isPositive(last) && !isTypingPrice()) setPrice(last);
  });
  createEffect(
    on(
      picked,
      (chosen) => {
        if (chosen === undefined) return;
        if (isMarket()) recounted(() => setType("limit"));
        setPrice(chosen.price);
        faults.set("price", undefined);
        if (chosen.take === undefined) return;
        // What stands up to there is taken by the other side.
        setSide(chosen.take.side);
        setAmount(cut(chosen.take.amount, market().amountDecimals));
        setShare("0");
        faults.set("amount", undefined);
      },
      { defer: true },
    ),
  );
  createEffect(
    on(wantedSide, (wanted) => {
      if (wanted !== undefined) setSide(wanted);
    }),
  );

  return {
    market,
    side,
    setSide,
    type,
    setType: (wanted) => recounted(() => setType(wanted)),
    condition,
    setCondition: (wanted) =>
      recounted(() => {
        setCondition(wanted);
        // An order of which one cancels the other has to rest.
        if (wanted === "oco" && type() !== "maker_only") setType("limit");
        faults.clear();
      }),
    isStop,
    isTrail,
    isOco,
    isBracket,
    trail,
    typeTrail: (text) => {
      setTrail(text);
      faults.set("trail", undefined);
    },
    trailUnit,
    setTrailUnit: setTrailUnitTo,
    lossBy: () => (lossTrails() ? trailUnit() : "trigger"),
    setLossBy: (by) =>
      batch(() => {
        setLossTrails(by !== "trigger");
        if (by !== "trigger") setTrailUnitTo(by);
        faults.set("stop_loss", undefined);
      }),
    isHidden,
    // What nobody sees has no part that is shown.
    setIsHidden: (is) =>
      batch(() => {
        setIsHidden(is);
        if (is) setWantsIceberg(false);
      }),
    isIceberg,
    canBeIceberg,
    setIsIceberg: (is) =>
      batch(() => {
        setWantsIceberg(is);
        if (is) setIsHidden(false);
        faults.set("display", undefined);
      }),
    display,
    typeDisplay: (text) => {
      setDisplay(text);
      faults.set("display", undefined);
    },
    price,
    amount,
    trigger,
    triggerType,
    setTriggerType,
    hasExits: () => wantsExits() && isFutures() && condition() === "none" && !isIceberg(),
    setHasExits,
    exits: { take_profit: takeProfit, stop_loss: stopLoss },
    typeExit: (kind, text) => {
      (kind === "take_profit" ? setTakeProfit : setStopLoss)(text);
      faults.set(kind, undefined);
    },
    exitType,
    setExitType,
    share,
    setShare,
    faults,
    typePrice: (text) => {
      setPrice(text);
      faults.set("price", undefined);
    },
    typeTrigger: (text) => {
      setTrigger(text);
      faults.set("trigger", undefined);
    },
    typeAmount: (text) =>
      batch(() => {
        setAmount(text);
        setShare("0");
        faults.set("amount", undefined);
      }),
    takeShare: (percentText, worth) =>
      batch(() => {
        setShare(percentText);
        setAmount(worth);
        faults.set("amount", undefined);
      }),
    countInQuote: (is) => recounted(() => setCountsQuote(is)),
    isFutures,
    isMarket,
    canCountInQuote,
    isInQuote,
    amountCcy: () => (isInQuote() ? market().quoteCcy : amountCcyOf(market())),
    amountStep,
    knownAmount: () => (isDecimal(amount()) && isPositive(amount()) ? amount() : undefined),
  };
}

/** Returns the word for a side in this market. */
export function sideWord(market: Market, side: OrderSide): string {
  if (market.product === "futures") return side === "buy" ? "Long" : "Short";
  return side === "buy" ? "Buy" : "Sell";
}
