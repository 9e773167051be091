import type { PlaceOrder, Side } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { parseDecimal } from "../../engine/money/decimal.ts";
import { Backoff } from "./backoff.ts";
import type { TakerHabits } from "./dev-markets.ts";
import { fundsFor, holdingOf, worthOfLots } from "./funds.ts";
import { orderIn, within } from "./order-form.ts";
import { FINE } from "./price-walk.ts";
import { type Best, bestOf } from "./quotes.ts";
import type { Random } from "./random.ts";
import type { Venue } from "./venue.ts";

/**
 * Sizes double so many times at most: a half of the orders is up to 2 units, a quarter up to 4 ... the last up to 256.
 */
const DOUBLINGS_MAX = 7;
/** The mean size of an order, in hundredths of a unit: a half 1.5, a quarter 3 ... the last two 192. */
export const MEAN_SIZE_PERCENT = 675n;
/** Of the orders, so many in a thousand are market orders; the rest are ioc at up to SLACK beyond the best price. */
const MARKET_PER_MILLE = 600;
/** Of the market orders that buy, so many name what they spend instead of what they get. */
const BY_BUDGET_PER_MILLE = 500;
const SLACK_BP = 5n;
/** The most by which the likelihood of a purchase leans from one half to either side, in thousandths. */
const LEAN_PER_MILLE_MAX = 450n;
/** An order that stands this far on the wrong side of the market's worth is an opportunity. */
const OPPORTUNITY_BP = 1n;
const BASIS_POINTS = 10_000n;

interface Quotes {
  readonly bid: Best | undefined;
  readonly ask: Best | undefined;
}

/**
 * Those who take in one market: they come at random, trade a random amount and see to it that they keep some of both.
 */
export class Takers {
  readonly #venue: Venue;
  readonly #habits: TakerHabits;
  readonly #random: Random;
  readonly #backoff = new Backoff();

  constructor(venue: Venue, habits: TakerHabits, random: Random) {
    this.#venue = venue;
    this.#habits = habits;
    this.#random = random;
  }

  /** Whether somebody arrives in this quantum of time; in lively times more do. */
  arrives(livelinessPercent = 100): boolean {
    return this.#random.below(100_000) < this.#habits.arrivalPerMille * livelinessPercent;
  }

  /** One of them trades, if there is somebody to trade with. `worth` in millionths of a tick. */
  trade(market: Market, worth: bigint, nowMs: number): void {
    if (!this.#backoff.isOver(nowMs)) return;
    const { state } = this.#venue;
    const { names } = this.#habits;
    const userId = state.users.byName.get(names[this.#random.below(names.length)] as string);
    const quotes = { bid: bestOf(state, market, 0), ask: bestOf(state, market, 1) };
    if (userId === undefined) return;
    const order = this.#opportunity(market, userId, worth, quotes) ?? this.#anyOrder(market, userId, quotes);
    if (order === undefined || !this.#canPay(market, order, quotes)) return;
    this.#venue.submit(order, (outcome) => {
      if (outcome.refusal === 0) this.#backoff.accepted();
      else this.#backoff.refused(nowMs);
    });
  }

  /** Somebody bids more, or asks less, than the market is worth: taken with an ioc at its price. */
  #opportunity(market: Market, userId: number, worth: bigint, { bid, ask }: Quotes): PlaceOrder | undefined {
    const margin = (worth * OPPORTUNITY_BP) / BASIS_POINTS;
    const isDear = bid !== undefined && bid.price * FINE > worth + margin;
    const isCheap = ask !== undefined && ask.price * FINE < worth - margin;
    if (!isDear && !isCheap) return undefined;
    const [side, best] = isDear ? (["sell", bid] as const) : (["buy", ask as Best] as const);
    const most = unitOf(this.#habits, market) << BigInt(DOUBLINGS_MAX);
    const lots = within(market, best.lots < most ? best.lots : most);
    return { ...orderIn(market, userId, side), type: "ioc", amount: lots, price: best.price };
  }

  /** Undefined when nobody quotes. Where only one side does, that one is taken. */
  #anyOrder(market: Market, userId: number, { bid, ask }: Quotes): PlaceOrder | undefined {
    const holding = holdingOf(this.#venue.state, userId, market);
    const wished = leaningSide(this.#random, this.#habits, market, holding);
    const side = ask === undefined ? "sell" : bid === undefined ? "buy" : wished;
    const best = side === "buy" ? ask : bid;
    if (best === undefined) return undefined;
    const lots = within(market, this.#size(market));
    const head = orderIn(market, userId, side);
    if (!this.#random.chance(MARKET_PER_MILLE)) {
      const slack = (best.price * SLACK_BP) / BASIS_POINTS;
      const price = side === "buy" ? best.price + slack : best.price - slack;
      return { ...head, type: "ioc", amount: lots, price: price > market.maxPrice ? market.maxPrice : price };
    }
    const mayNameBudget = side === "buy" && market.futures === undefined;
    if (mayNameBudget && this.#random.chance(BY_BUDGET_PER_MILLE)) {
      return { ...head, type: "market", amountIn: "quote", amount: worthOfLots(market, best.price, lots), price: 0n };
    }
    return { ...head, type: "market", amount: lots, price: 0n };
  }

  /** Lots: half of the draws are of 1 to 2 units, a quarter of 2 to 4, and so on. */
  #size(market: Market): bigint {
    const unit = unitOf(this.#habits, market);
    let doublings = 0;
    while (doublings < DOUBLINGS_MAX && this.#random.chance(500)) doublings++;
    const base = unit << BigInt(doublings);
    return base + (base * BigInt(this.#random.below(1_000))) / 1_000n;
  }

  /** Whether the account has what the order gives, at a price twice as bad as the best. */
  #canPay(market: Market, order: PlaceOrder, { bid, ask }: Quotes): boolean {
    const { userId, side, amount } = order;
    const funds = fundsFor(this.#venue.state, userId, market, side);
    const best = (side === "buy" ? ask : bid) as Best;
    const cost = order.amountIn === "quote" ? amount : funds.costOf(best.price, amount);
    return funds.available >= cost * 2n;
  }
}

/** The less somebody holds of what is wanted, the more likely that it buys. */
export function leaningSide(random: Random, habits: TakerHabits, market: Market, holding: bigint): Side {
  const wanted = parseDecimal(habits.wantedAmount, market.amountPrecision) ?? 0n;
  const swing = parseDecimal(habits.swingAmount, market.amountPrecision) ?? 1n;
  const lean = ((wanted - holding) * 500n) / swing;
  const bounded =
    lean > LEAN_PER_MILLE_MAX ? LEAN_PER_MILLE_MAX : lean < -LEAN_PER_MILLE_MAX ? -LEAN_PER_MILLE_MAX : lean;
  return random.chance(500 + Number(bounded)) ? "buy" : "sell";
}

/** Lots of the smallest order. */
export function unitOf({ unitAmount }: TakerHabits, market: Market): bigint {
  return parseDecimal(unitAmount, market.amountPrecision) ?? market.minAmount;
}
