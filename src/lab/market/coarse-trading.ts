/**
 * How one market trades when hours pass in seconds. Instead of ladders that two makers keep in place there is one quote
 * a side that follows the price, and at each stop of a step takers come who take what all takers together would have
 * taken since the last one: as many as would have come, or fewer and each of them more where time passes too fast for
 * all.
 *
 * Steps are written ahead of their outcomes: of the state only what a look at it found is known, and what was asked for
 * since then. All others who have orders in the market meet these like any others: a price that goes through
 * them fills them.
 */
import { type Command, FLAG, type PlaceOrder, type Side } from "../../engine/command.ts";
import type { Market } from "../../engine/listing/market.ts";
import { NONE } from "../../engine/trading/order.ts";
import type { SimulatedMarket } from "./dev-markets.ts";
import { holdingOf } from "./funds.ts";
import { priceAt, rungsOf } from "./ladder.ts";
import { accountOf, orderIn, within } from "./order-form.ts";
import type { Random } from "./random.ts";
import { leaningSide, MEAN_SIZE_PERCENT, unitOf } from "./taker.ts";
import type { Venue } from "./venue.ts";

/** The marks of the two quotes. */
const NAMES = { buy: "coarse-buy", sell: "coarse-sell" } as const;
const SIDES = ["buy", "sell"] as const;
/** Deals that come of a taker at an ordinary pace, in percent: some meet several orders of a ladder, or the pool. */
const DEALS_PERCENT = 195;
/**
 * Of what takers would have traded by their habits so much is traded at an ordinary pace, in percent, unless a market
 * says otherwise: they take opportunities besides.
 */
const VOLUME_PERCENT = 170;
/**
 * How far a quote stands off, in percent of the innermost order of a ladder: of many orders, none of which stands
 * exactly there, the best is nearer.
 */
const OFFSET_PERCENT = 94;
/** The most by which the amount that is taken at once varies around the typical one, in thousandths. */
const VOLUME_SPREAD_PER_MILLE = 600;
/** At most this part of a quote is taken at once, so that it stands until the next look. */
const TAKEN_PARTS = 4n;
/** A quote whose total has come to this part of what an order may have makes room for a new one. */
const WORN_PARTS = 2n;

/** A quote that stands, as far as it is known. */
interface Quote {
  readonly orderId: number;
  /** Lots of it that are filled, if all that was asked for since the look has happened. */
  filled: bigint;
  /** Ticks. */
  price: bigint;
}

/** One stop of the price and the trading there. */
export interface Stop {
  /** Quanta that have passed since the last one. */
  readonly quanta: number;
  readonly livelinessPercent?: number;
  /** At most so many takers trade. */
  readonly takersMax?: number;
  /** Which quotes follow the price: both unless given, or only those that takers meet here. */
  readonly quotes?: "met";
}

export class CoarseTrading {
  readonly #venue: Venue;
  readonly #character: SimulatedMarket;
  readonly #random: Random;
  #quotes: Readonly<Record<Side, Quote>> | undefined;
  /** How large a quote is in this market. */
  #sized: { readonly market: Market; readonly lots: bigint } | undefined;
  /** The holding of each taker, lots, if all that was asked for since the look has happened. */
  #holdings: bigint[] = [];

  constructor(venue: Venue, character: SimulatedMarket, random: Random) {
    this.#venue = venue;
    this.#character = character;
    this.#random = random;
  }

  /** Looks at what stands. False: the next step has to make the quotes anew, and then another look has to be taken. */
  look(market: Market): boolean {
    this.#quotes = this.#findQuotes(market);
    this.#holdings = this.#takers.map((userId) => holdingOf(this.#venue.state, userId, market));
    return this.#quotes !== undefined;
  }

  /** One stop of the price on its way, around `worth`, millionths of a tick. */
  stop(market: Market, worth: bigint, { quanta, livelinessPercent = 100, takersMax = 1, quotes }: Stop): Command[] {
    const maker = this.#venue.state.users.byName.get(this.#character.ladders[0]?.maker as string);
    if (maker === undefined) return [];
    const size = this.#quoteSize(market);
    const inner = this.#character.ladders[0]?.innerOffsetE8 as number;
    const offsetE8 = BigInt(Math.round((inner * OFFSET_PERCENT) / 100));
    const prices = { buy: priceAt(market, worth, "buy", offsetE8), sell: priceAt(market, worth, "sell", offsetE8) };
    const known = this.#quotes;
    const takes = this.#take(market, prices, size, quanta * livelinessPercent, takersMax);
    if (known === undefined) return [...this.#newQuotes(market, maker, prices, size), ...takes];
    const met = quotes === "met" ? SIDES.filter((side) => takes.some((take) => take.side !== side)) : SIDES;
    return [...this.#movedQuotes(market, maker, prices, size, known, met), ...takes];
  }

  get #takers(): number[] {
    const { byName } = this.#venue.state.users;
    return this.#character.takers.names.flatMap((name) => byName.get(name) ?? []);
  }

  /** As much as stands on a side of all ladders. */
  #quoteSize(market: Market): bigint {
    if (this.#sized?.market === market) return this.#sized.lots;
    const all = this.#character.ladders.flatMap((shape) => rungsOf(shape, market) ?? []);
    const lots = all.reduce((sum, rung) => sum + rung.lots, 0n);
    const most = market.maxAmount / (2n * WORN_PARTS);
    this.#sized = { market, lots: within(market, lots < most ? lots : most) };
    return this.#sized.lots;
  }

  #findQuotes(market: Market): Record<Side, Quote> | undefined {
    const { orders, seats, fills, users } = this.#venue.state;
    const userId = users.byName.get(this.#character.ladders[0]?.maker as string);
    const seat = userId === undefined ? NONE : seats.find(userId, market.id, 0);
    const found: Partial<Record<Side, Quote>> = {};
    for (let slot = seat === NONE ? NONE : seats.head(seat); slot !== NONE; slot = orders.seatNext(slot)) {
      const side = (orders.flags(slot) & FLAG.sell) === 0 ? "buy" : "sell";
      if (orders.clientId.get(slot) !== NAMES[side]) continue;
      const filled = fills.filledLots(orders.fillRow(slot));
      if (filled + orders.left(slot) > market.maxAmount / WORN_PARTS) return undefined;
      found[side] = { orderId: orders.orderId(slot), filled, price: orders.price(slot) };
    }
    const { buy, sell } = found;
    return buy && sell && { buy, sell };
  }

  /** Everything that makers have in the market goes: ladders would be in the way of where the price is going. */
  #newQuotes(market: Market, userId: number, prices: Prices, amount: bigint): Command[] {
    const { byName } = this.#venue.state.users;
    const makers = new Set(this.#character.ladders.flatMap(({ maker }) => byName.get(maker) ?? []));
    const clearing = [...makers].map(
      (id) =>
        ({
          kind: "cancel_all_orders",
          userId: id,
          marketId: market.id,
          account: accountOf(market),
        }) as const,
    );
    const placing = SIDES.map(
      (side) =>
        ({
          ...orderIn(market, userId, side),
          type: "limit",
          amount,
          price: prices[side],
          clientId: NAMES[side],
        }) as const,
    );
    return [...clearing, ...placing];
  }

  /**
   * The one that the price moves towards gives way first, so that the two do not meet. Besides the `wanted` ones only a
   * quote is moved that would stand in the way of the other.
   */
  #movedQuotes(
    market: Market,
    userId: number,
    prices: Prices,
    size: bigint,
    quotes: Readonly<Record<Side, Quote>>,
    wanted: readonly Side[],
  ): Command[] {
    const sides = prices.sell >= quotes.sell.price ? (["sell", "buy"] as const) : SIDES;
    return sides.flatMap((side): Command[] => {
      const quote = quotes[side];
      const isInTheWay = side === "buy" ? quote.price >= prices.sell : quote.price <= prices.buy;
      if (!wanted.includes(side) && !isInTheWay) return [];
      quote.price = prices[side];
      const amount = quote.filled + size;
      return [
        { kind: "modify_order", userId, marketId: market.id, orderId: quote.orderId, price: quote.price, amount },
      ];
    });
  }

  #take(market: Market, prices: Prices, size: bigint, lively: number, takersMax: number): PlaceOrder[] {
    const takers = this.#takers;
    if (takers.length === 0) return [];
    const wanted = Math.round((this.#character.takers.arrivalPerMille * lively * DEALS_PERCENT) / 10_000_000);
    const count = Math.max(1, Math.min(takersMax, wanted));
    const typical = this.#typicalLots(market, lively) / BigInt(count);
    const most = size / TAKEN_PARTS / BigInt(count);
    return Array.from({ length: count }, () => this.#takeOnce(market, prices, takers, typical, most));
  }

  #takeOnce(market: Market, prices: Prices, takers: readonly number[], typical: bigint, most: bigint): PlaceOrder {
    const at = this.#random.below(takers.length);
    const side = leaningSide(this.#random, this.#character.takers, market, this.#holdings[at] ?? 0n);
    const spread = BigInt(this.#random.between(1_000 - VOLUME_SPREAD_PER_MILLE, 1_000 + VOLUME_SPREAD_PER_MILLE));
    const lots = (typical * spread) / 1_000n;
    const amount = within(market, lots < most ? lots : most);
    this.#holdings[at] = (this.#holdings[at] ?? 0n) + (side === "buy" ? amount : -amount);
    if (this.#quotes !== undefined) this.#quotes[side === "buy" ? "sell" : "buy"].filled += amount;
    return {
      ...orderIn(market, takers[at] as number, side),
      type: "ioc",
      amount,
      price: prices[side === "buy" ? "sell" : "buy"],
    };
  }

  /** `lively`: quanta that passed, times how lively they were in percent. */
  #typicalLots(market: Market, lively: number): bigint {
    const { takers } = this.#character;
    const unit = unitOf(takers, market);
    const percent = BigInt(takers.volumePercent ?? VOLUME_PERCENT);
    return (unit * MEAN_SIZE_PERCENT * percent * BigInt(takers.arrivalPerMille) * BigInt(lively)) / 1_000_000_000n;
  }
}

type Prices = Readonly<Record<Side, bigint>>;
