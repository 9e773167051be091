/** The form that orders are sent from. */
import { batch, createEffect, createMemo, createResource, createSignal, For, on, Show } from "solid-js";
import { createStore } from "solid-js/store";
import { continueAs, isDev, session, user } from "../account/session.ts";
import { openSignIn } from "../account/sign-in.tsx";
import { post, Refusal, sentenceOf } from "../api/client.ts";
import type { OrderSide, OrderType } from "../api/records.ts";
import { bestAsk, bestBid, book } from "../book/book-store.ts";
import { amountCcyOf, type Market, market, moneyOf, tickerOf } from "../market/markets.ts";
import {
  compare,
  cut,
  type Decimal,
  decimalsOf,
  isDecimal,
  isPositive,
  minus,
  over,
  plus,
  times,
  unit,
} from "../number/decimal.ts";
import { grouped, percent, shown } from "../number/show.ts";
import { futuresBalanceOf, spotAvailable } from "../panels/balances-store.ts";
import { positions, positionsIn } from "../panels/positions-store.ts";
import { go } from "../ui/place.ts";
import { say } from "../ui/toasts.tsx";
import { fillOf, fillOfValue, liquidationPrice, shareOf } from "./estimate.ts";
import { createFeeRates } from "./fees.ts";
import { leverageIn, maintenanceRate } from "./leverage.ts";
import { LeverageButton } from "./leverage-dialog.tsx";
import { type Fault, FaultText, NumberField } from "./number-field.tsx";
import { orderKeys } from "./order-keys.ts";
import { picked, wantedSide } from "./picked.ts";
import { isHedged } from "./position-mode.ts";

export const ORDER_TYPES: ReadonlyArray<readonly [type: OrderType, word: string, hint: string]> = [
  ["limit", "Limit", "Trades up to your price, the rest waits in the book"],
  ["market", "Market", "Trades at once at the prices of the book"],
  ["maker_only", "Maker only", "Refused if it would trade at once: you pay the maker's fee"],
  ["ioc", "IOC", "Immediate or cancel: trades up to your price at once, the rest ends"],
  ["fok", "FOK", "Fill or kill: trades whole and at once up to your price, or not at all"],
];

const SHARES = ["0", "25", "50", "75", "100"];

/** A market order beyond this part of the visible depth says what price it would reach. */
const DEEP_SHARE = "0.2";

/** A wish at the market is not known before: what is set aside for it is this much more than the best price. */
const MARKET_RESERVE = "1.01";

const AMOUNT_CODES = [3109, 3127];
const PRICE_CODES = [3606, 3615, 3622];

type Place = "price" | "amount" | "trigger" | "form";

export function EntryPanel() {
  return (
    <section class="panel entry-panel" aria-label="Order entry">
      <Show when={market()}>{(now) => <EntryForm market={now()} />}</Show>
    </section>
  );
}

function EntryForm(props: { market: Market }) {
  const [type, setType] = createSignal<OrderType>("limit");
  const [side, setSide] = createSignal<OrderSide>("buy");
  const [isStop, setIsStop] = createSignal(false);
  const [isHidden, setIsHidden] = createSignal(false);
  const [price, setPrice] = createSignal("");
  const [amount, setAmount] = createSignal("");
  const [trigger, setTrigger] = createSignal("");
  const [share, setShare] = createSignal("0");
  const [countsQuote, setCountsQuote] = createSignal(false);
  const [triggerType, setTriggerType] = createSignal("latest_price");
  const [faults, setFaults] = createStore<Partial<Record<Place, Fault>>>({});
  const [pending, setPending] = createSignal<OrderSide>();
  const rates = createFeeRates();
  let priceInput: HTMLInputElement | undefined;
  let amountInput: HTMLInputElement | undefined;

  const isFutures = () => props.market.product === "futures";
  const isMarket = () => type() === "market";
  /** Only a market order of the spot market may be counted in quote. */
  const isInQuote = () => isMarket() && !isFutures() && countsQuote();
  const amountCcy = () => (isInQuote() ? props.market.quoteCcy : amountCcyOf(props.market));
  const amountStep = () =>
    unit(
      isInQuote() ? Math.min(props.market.priceDecimals + props.market.amountDecimals, 8) : props.market.amountDecimals,
    );
  const money = () => moneyOf(props.market);
  const leverage = createMemo(() => leverageIn(props.market));

  const clearFaults = () => setFaults({ price: undefined, amount: undefined, trigger: undefined, form: undefined });

  // Another market: what was typed was meant for the one before.
  createEffect(
    on(
      () => props.market.key,
      () =>
        batch(() => {
          setPrice("");
          setAmount("");
          setTrigger("");
          setShare("0");
          clearFaults();
        }),
    ),
  );
  // A limit price begins at the last one, once it is known.
  createEffect(() => {
    const last = tickerOf(props.market.key)?.last;
    if (price() === "" && last !== undefined && isPositive(last) && document.activeElement !== priceInput)
      setPrice(last);
  });
  createEffect(
    on(
      picked,
      (chosen) => {
        if (chosen === undefined) return;
        if (isStop() && document.activeElement?.id.includes("trigger")) setTrigger(chosen.price);
        else {
          if (isMarket()) setType("limit");
          setPrice(chosen.price);
        }
        setFaults("price", undefined);
      },
      { defer: true },
    ),
  );

  createEffect(
    on(wantedSide, (wanted) => {
      if (wanted !== undefined) setSide(wanted);
    }),
  );

  const levels = (of: OrderSide) => (of === "buy" ? book()?.asks : book()?.bids) ?? [];
  /** What the order is valued at: its price, or what it would meet. */
  const valuedAt = (of: OrderSide): Decimal | undefined => {
    if (!isMarket()) return isDecimal(price()) && isPositive(price()) ? price() : undefined;
    if (isStop() && isDecimal(trigger()) && isPositive(trigger())) return trigger();
    const known = isDecimal(amount()) && isPositive(amount());
    if (!known) return of === "buy" ? bestAsk() : bestBid();
    const met = isInQuote() ? fillOfValue(levels(of), amount()) : fillOf(levels(of), amount());
    return met?.average ?? (of === "buy" ? bestAsk() : bestBid());
  };
  const available = (of: OrderSide): Decimal => {
    if (isFutures()) return futuresBalanceOf(money())?.available ?? "0";
    return spotAvailable(of === "buy" ? props.market.quoteCcy : props.market.baseCcy);
  };
  /** The most that can be ordered, in what the amount is counted in. */
  const most = (of: OrderSide): Decimal => {
    const at = valuedAt(of);
    if (at === undefined) return "0";
    const has = available(of);
    const { market: now } = props;
    if (isFutures()) {
      const behind = times(has, `${leverage().leverage}`);
      // Fees come out of the same money, so that a little has to be left.
      const usable = over(behind, plus("1", times(rates().taker, `${2 * leverage().leverage}`)), 12);
      return cut(now.isInverse ? times(usable, at) : over(usable, at, 12), now.amountDecimals);
    }
    if (of === "sell") return isInQuote() ? cut(times(has, at), 2) : cut(has, now.amountDecimals);
    if (isInQuote()) return cut(has, decimalsOf(amountStep()));
    return cut(over(has, isMarket() ? times(at, MARKET_RESERVE) : at, 12), now.amountDecimals);
  };
  const takeShare = (percentText: string) => {
    setShare(percentText);
    setAmount(cut(over(times(most(side()), percentText), "100", 12), decimalsOf(amountStep())));
    setFaults("amount", undefined);
  };
  const typeAmount = (text: string) => {
    batch(() => {
      setAmount(text);
      setShare("0");
      setFaults("amount", undefined);
    });
  };

  const value = createMemo(() => {
    if (!isDecimal(amount()) || !isPositive(amount())) return undefined;
    if (isInQuote()) return amount();
    const at = valuedAt(side());
    if (at === undefined) return undefined;
    return props.market.isInverse ? over(amount(), at, 12) : times(amount(), at);
  });
  const base = () => {
    if (!isInQuote()) return amount();
    const at = valuedAt(side());
    return at === undefined ? undefined : over(amount(), at, 12);
  };
  const fee = createMemo(() => {
    const worth = value();
    if (worth === undefined) return undefined;
    const rate = type() === "maker_only" ? rates().maker : rates().taker;
    if (isFutures()) return { amount: times(worth, rate), ccy: money() };
    if (side() === "sell") return { amount: times(worth, rate), ccy: props.market.quoteCcy };
    const received = base();
    return received === undefined ? undefined : { amount: times(received, rate), ccy: props.market.baseCcy };
  });
  /** What a market order of some size would reach, where that is far. */
  const reach = createMemo(() => {
    if (!isMarket() || isStop() || !isDecimal(amount()) || !isPositive(amount())) return undefined;
    const met = isInQuote() ? fillOfValue(levels(side()), amount()) : fillOf(levels(side()), amount());
    if (met === undefined) return undefined;
    if (met.isWhole && compare(shareOf(levels(side()), met.amount), DEEP_SHARE) < 0) return undefined;
    return met;
  });
  const wouldHave = (of: OrderSide) => {
    const at = valuedAt(of);
    if (!isFutures() || at === undefined || !isDecimal(amount()) || !isPositive(amount())) return undefined;
    const wanted = of === "buy" ? "long" : "short";
    const held = positionsIn(props.market.market).find((each) => (isHedged() ? each.side === wanted : true));
    if (held !== undefined && held.side !== wanted && compare(amount(), held.open_interest) <= 0)
      return { reduces: true as const };
    const own = held?.side === wanted ? held : undefined;
    const newAmount = held !== undefined && own === undefined ? minus(amount(), held.open_interest) : amount();
    const whole = own === undefined ? newAmount : plus(newAmount, own.open_interest);
    const worthOf = (lots: Decimal, p: Decimal) => (props.market.isInverse ? over(lots, p, 18) : times(lots, p));
    const opened = plus(
      worthOf(newAmount, at),
      own === undefined ? "0" : worthOf(own.open_interest, own.avg_entry_price),
    );
    const entry = props.market.isInverse ? over(whole, opened, 12) : over(opened, whole, 12);
    return { reduces: false as const, whole, entry, opened, isLong: of === "buy", own };
  };
  const [liquidation] = createResource(
    () => {
      const to = wouldHave(side());
      return to === undefined || to.reduces ? undefined : { ...to, terms: leverage() };
    },
    async (to) => {
      const rate = await maintenanceRate(props.market, to.whole);
      if (rate === undefined) return undefined;
      const margin = over(to.opened, `${to.terms.leverage}`, 12);
      const backing = to.terms.mode === "isolated" ? margin : crossBacking(props.market, to.own?.position_id);
      const { isInverse, tick } = props.market;
      const { isLong, whole, entry } = to;
      return {
        price: liquidationPrice({ isLong, isInverse, amount: whole, entry, backing, rate, tick }),
        rate,
        margin,
      };
    },
  );

  const refused = (error: unknown) => {
    const fault: Fault = { text: sentenceOf(error), rule: error instanceof Refusal ? error.rule : undefined };
    const at = error instanceof Refusal ? placeOf(error) : "form";
    setFaults(at, fault);
  };
  const send = async (of: OrderSide) => {
    clearFaults();
    setSide(of);
    if (user() === undefined) {
      openSignIn();
      return;
    }
    const missing = (text: string): Fault => ({ text, rule: undefined });
    if (isStop() && !isDecimal(trigger()))
      return setFaults("trigger", missing("Enter the price that triggers the order."));
    if (!isMarket() && !isDecimal(price())) return setFaults("price", missing("Enter a price."));
    if (!isDecimal(amount()) || !isPositive(amount())) return setFaults("amount", missing("Enter an amount."));
    const order = {
      market: props.market.market,
      market_type: isFutures() ? "FUTURES" : "SPOT",
      side: of,
      type: type(),
      amount: amount(),
      ...(isMarket() ? {} : { price: price() }),
      ...(isMarket() && !isFutures() ? { ccy: amountCcy() } : {}),
      ...(isHidden() && !isMarket() ? { is_hide: true } : {}),
      ...(isStop() ? { trigger_price: trigger() } : {}),
      ...(isStop() && isFutures() ? { trigger_price_type: triggerType() } : {}),
      ...(isFutures() && isHedged() ? { position_side: of === "buy" ? "long" : "short" } : {}),
    };
    setPending(of);
    try {
      await post(`/v2/${props.market.product}/${isStop() ? "stop-order" : "order"}`, order);
      say(
        `${isStop() ? "Stop order" : "Order"} placed: ${words(of)} ${grouped(amount())} ${amountCcy()}${isMarket() ? " at the market" : ` at ${grouped(price())}`}.`,
        "good",
      );
      setShare("0");
    } catch (error) {
      refused(error);
    }
    setPending(undefined);
  };
  const words = (of: OrderSide) => (isFutures() ? (of === "buy" ? "Long" : "Short") : of === "buy" ? "Buy" : "Sell");

  orderKeys({
    side: setSide,
    type: setType,
    focusAmount: () => amountInput?.focus(),
    leave: () => (document.activeElement as HTMLElement | null)?.blur(),
  });

  return (
    <form
      class="form entry"
      aria-label={`Order in ${props.market.market}`}
      onSubmit={(event) => {
        event.preventDefault();
        void send(side());
      }}
    >
      <div class="side-choice" role="radiogroup" aria-label="Side">
        <For each={["buy", "sell"] as const}>
          {(each) => (
            <label class={`side ${each}`} classList={{ chosen: side() === each }}>
              <input type="radio" name="side" checked={side() === each} onChange={() => setSide(each)} />
              {words(each)}
            </label>
          )}
        </For>
      </div>
      <Show when={isFutures()}>
        <LeverageButton market={props.market} />
      </Show>
      <fieldset class="segments types" aria-label="Type of the order">
        <For each={ORDER_TYPES}>
          {([each, word, hint]) => (
            <button type="button" title={hint} aria-pressed={type() === each} onClick={() => setType(each)}>
              {word}
            </button>
          )}
        </For>
      </fieldset>
      <p class="available">
        <span class="quiet">Available</span>
        <Show when={user()} fallback={<span class="quiet">–</span>}>
          <span class="figure">
            {shown(
              cut(available(side()), 8),
              moneyDecimals(
                isFutures() || side() === "buy"
                  ? isFutures()
                    ? money()
                    : props.market.quoteCcy
                  : props.market.baseCcy,
              ),
            )}{" "}
            <span class="quiet">
              {isFutures() ? money() : side() === "buy" ? props.market.quoteCcy : props.market.baseCcy}
            </span>
          </span>
        </Show>
      </p>
      <Show when={isStop()}>
        <NumberField
          name="Trigger"
          value={trigger()}
          set={(text) => {
            setTrigger(text);
            setFaults("trigger", undefined);
          }}
          step={props.market.tick}
          unit={
            <Show when={isFutures()} fallback={props.market.quoteCcy}>
              <select
                aria-label="Price that triggers"
                value={triggerType()}
                onChange={({ currentTarget }) => setTriggerType(currentTarget.value)}
              >
                <option value="latest_price">Last</option>
                <option value="mark_price">Mark</option>
                <option value="index_price">Index</option>
              </select>
            </Show>
          }
          fault={faults.trigger}
        />
      </Show>
      <NumberField
        name="Price"
        ref={(input) => {
          priceInput = input;
        }}
        value={isMarket() ? "" : price()}
        placeholder={isMarket() ? "at the market" : undefined}
        disabled={isMarket()}
        set={(text) => {
          setPrice(text);
          setFaults("price", undefined);
        }}
        step={props.market.tick}
        unit={props.market.quoteCcy}
        fault={faults.price}
      />
      <NumberField
        name="Amount"
        ref={(input) => {
          amountInput = input;
        }}
        value={amount()}
        set={typeAmount}
        step={amountStep()}
        placeholder={`from ${grouped(props.market.minAmount)}`}
        unit={
          <Show when={isMarket() && !isFutures()} fallback={amountCcy()}>
            <select
              aria-label="Currency of the amount"
              value={isInQuote() ? "quote" : "base"}
              onChange={({ currentTarget }) => {
                setCountsQuote(currentTarget.value === "quote");
                setAmount("");
              }}
            >
              <option value="base">{props.market.baseCcy}</option>
              <option value="quote">{props.market.quoteCcy}</option>
            </select>
          </Show>
        }
        fault={faults.amount}
      />
      <div class="share">
        <input
          type="range"
          min="0"
          max="100"
          step="1"
          aria-label="Share of what is available, in percent"
          value={share()}
          disabled={user() === undefined}
          onInput={({ currentTarget }) => takeShare(currentTarget.value)}
        />
        <div class="share-marks">
          <For each={SHARES}>
            {(each) => (
              <button type="button" disabled={user() === undefined} onClick={() => takeShare(each)}>
                {each} %
              </button>
            )}
          </For>
        </div>
      </div>
      <div class="checks">
        <label class="check">
          <input
            type="checkbox"
            checked={isStop()}
            onChange={({ currentTarget }) => setIsStop(currentTarget.checked)}
          />
          Stop
        </label>
        <label class="check" title="Others do not see it in the book; it fills after those that show">
          <input
            type="checkbox"
            checked={isHidden()}
            disabled={isMarket()}
            onChange={({ currentTarget }) => setIsHidden(currentTarget.checked)}
          />
          Hidden
        </label>
      </div>
      <dl class="sums">
        <dt>{isFutures() ? "Value" : "Total"}</dt>
        <dd title={isMarket() ? "From the book as it stands" : "Amount times price"}>
          {value() === undefined
            ? "–"
            : `${isMarket() ? "≈ " : ""}${shown(value() as Decimal, moneyDecimals(money()))} ${money()}`}
        </dd>
        <Show when={isFutures()}>
          <dt>Margin</dt>
          <dd title={`The value at ${leverage().leverage}x`}>
            {value() === undefined
              ? "–"
              : `${shown(over(value() as Decimal, `${leverage().leverage}`, 8, "up"), moneyDecimals(money()))} ${money()}`}
          </dd>
        </Show>
        <dt>Fee</dt>
        <dd
          title={`Makers pay ${percent(rates().maker, 3)}, takers ${percent(rates().taker, 3)}${type() === "limit" ? "; shown is the taker's" : ""}`}
        >
          <Show when={fee()} fallback={`${percent(rates().maker, 3)} / ${percent(rates().taker, 3)}`}>
            {(due) => (
              <>
                ≤ {grouped(cut(due().amount, moneyDecimals(due().ccy) + 2, "up"))} {due().ccy}
              </>
            )}
          </Show>
        </dd>
        <Show when={isFutures()}>
          <dt>Liquidation price</dt>
          <dd title="Worked out from the level's maintenance rate and what stands behind the position now">
            <Show when={wouldHave(side())} fallback="–">
              {(to) => (
                <Show when={!to().reduces} fallback="reduces your position">
                  <Show when={liquidation.latest?.price} fallback="none">
                    {(at) => <>≈ {shown(at(), props.market.priceDecimals)}</>}
                  </Show>
                </Show>
              )}
            </Show>
          </dd>
        </Show>
      </dl>
      <Show when={reach()}>
        {(met) => (
          <p class="reach" role="status">
            <Show
              when={met().isWhole}
              fallback={`More than the ${levels(side()).length} levels that are seen: it would go beyond ${shown(met().reaches, props.market.priceDecimals)}.`}
            >
              A large part of the book: on average {shown(met().average, props.market.priceDecimals)}, as far as{" "}
              {shown(met().reaches, props.market.priceDecimals)}.
            </Show>
          </p>
        )}
      </Show>
      <FaultText fault={faults.form} />
      <div class="send" data-side={side()}>
        <For each={["buy", "sell"] as const}>
          {(each) => (
            <button
              type={side() === each ? "submit" : "button"}
              class={`button ${each}`}
              classList={{ pending: pending() === each }}
              disabled={pending() !== undefined}
              onClick={(event) => {
                event.preventDefault();
                void send(each);
              }}
            >
              {words(each)} {isFutures() ? "" : props.market.baseCcy}
            </button>
          )}
        </For>
      </div>
      <Show when={user() === undefined}>
        <div class="welcome">
          <Show when={session()?.demo_accounts[0]} fallback={<p>Sign in to trade.</p>}>
            {(account) => (
              <>
                <p>Try it: this venue runs for development, its money is play money.</p>
                <button
                  type="button"
                  class="text-button"
                  onClick={() => void continueAs(account()).catch((error) => say(sentenceOf(error), "bad"))}
                >
                  Sign in as {account()}
                </button>
              </>
            )}
          </Show>
        </div>
      </Show>
      <Show
        when={user() !== undefined && isFutures() && !isPositive(available("buy")) && positions.rows().length === 0}
      >
        <div class="welcome">
          <p>Your futures account has no {money()}.</p>
          <button type="button" class="text-button" onClick={() => go({ kind: "account", section: "transfer" })}>
            Transfer {money()} from spot
          </button>
        </div>
      </Show>
      <Show when={isDev() && user() !== undefined && !isFutures() && !isPositive(spotAvailable(props.market.quoteCcy))}>
        <div class="welcome">
          <p>No {props.market.quoteCcy} here yet.</p>
          <button type="button" class="text-button" onClick={() => go({ kind: "account", section: "deposit" })}>
            Deposit {props.market.quoteCcy}
          </button>
        </div>
      </Show>
    </form>
  );
}

/** What stands behind a cross position: the account's cross money less what is set aside, and what the others are worth (domain 4.7). */
function crossBacking(now: Market, ownPosition: number | undefined): Decimal {
  const balance = futuresBalanceOf(moneyOf(now));
  if (balance === undefined) return "0";
  return positions
    .rows()
    .filter((each) => each.margin_mode === "cross" && each.position_id !== ownPosition && each.market !== now.market)
    .reduce<Decimal>(
      (sum, each) => minus(plus(sum, each.unrealized_pnl), each.maintenance_margin_value),
      minus(balance.cross_balance, balance.frozen),
    );
}

/** Which field a refusal is about. */
function placeOf({ code, message }: Refusal): Place {
  if (AMOUNT_CODES.includes(code)) return "amount";
  if (PRICE_CODES.includes(code)) return "price";
  if (/trigger/i.test(message)) return "trigger";
  if (/\bprice\b/i.test(message)) return "price";
  if (/\bamount\b/i.test(message)) return "amount";
  return "form";
}

/** So many decimals are shown of a currency's money. */
function moneyDecimals(ccy: string): number {
  return /^USD/.test(ccy) ? 2 : 6;
}
