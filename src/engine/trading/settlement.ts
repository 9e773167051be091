/**
 * The part of orders and fills that depends on the kind of a market. Trading knows prices, lots and orders: it checks,
 * matches, rests and changes them. Everything that belongs to a product - which accounts trade, what an order must have
 * and holds, what a fill moves - it asks of the settlement of the market, which is chosen once, when the market is
 * listed. Spot and futures markets have one each (spot/settlement.ts, futures/orders/settlement.ts);
 * docs/guides/adding-a-market.md goes through a third. See docs/decisions/0029.
 *
 * - The needs of an order stand in the `draft` of the scratch, a fill under way in its `trade`: amounts go from typed
 *   memory to typed memory.
 * - A method that refuses writes nothing but the scratch.
 * - Each kind is a class of its own, so that a call from the matching loop is one comparison and a direct jump.
 */
import type { Market, MarketType } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";

/** The outcomes of two orders that meet. */
export const MEETING = {
  /** They trade. */
  trades: 0,
  /** The maker's order ends, since its owner could not bear the fill; the taker goes on. */
  endsMaker: 1,
  /** The taker's order ends with what it has left. */
  endsTaker: 2,
  /** The taker trades no more, and what it has left is treated as if it had met nobody. */
  stopsTaker: 3,
} as const;

export interface Settlement {
  readonly marketType: MarketType;
  /**
   * Fills change positions instead of paying money for goods: an order pays one fee in one asset and realizes profits,
   * orders freeze beside the ledger, and triggers wait for an index.
   */
  readonly keepsPositions: boolean;

  // Who trades.

  /** Why orders of the account that the flags name are not in the market, a refusal number; 0 = they may be. */
  refuseAccount(state: State, market: Market, flags: number): number;
  /** Why the account of this user may not be traded with at all; 0 = it may. The account is one of the market's. */
  refuseUser(state: State, userId: number, market: Market, flags: number): number;
  /** Whether an order of these flags can only make smaller what the user has at risk, or what he owes. */
  onlyReduces(state: State, userId: number, market: Market, flags: number): boolean;
  /** Why a user may not leave a stop order of these flags; 0 = he may. */
  refuseStop(state: State, userId: number, flags: number): number;
  /** The flags that an order has which a user asks for with these. */
  orderFlags(flags: number): number;
  /** Cuts the drafted order, which only reduces, to what is left to be reduced; where that is nothing it stays. */
  cutToReduce(state: State, scratch: Scratch, userId: number, market: Market, flags: number): void;
  /** Makes the seat of the account that the flags name. */
  openSeat(state: State, userId: number, market: Market, flags: number): number;

  // What an order must have.

  /**
   * Checks the drafted order and notes the bound of its trades; 0 = nothing to object. `seat` is NONE before the first
   * order.
   */
  refuseOrder(state: State, scratch: Scratch, userId: number, market: Market, seat: number, flags: number): number;
  /** Why the drafted lots are no amount of an order in the market. */
  refuseLots(scratch: Scratch, market: Market, flags: number): number;
  /** Checks the drafted change of the order in `slot`, whose lots have been checked; 0 = nothing to object. */
  refuseChange(state: State, scratch: Scratch, market: Market, slot: number): number;
  /**
   * Whether the order in `slot` may go to the drafted price, at which it meets nobody; false also where `refuseChange`
   * has to look closer. `seat` and `flags` are the order's, and nothing holds its user.
   */
  canMove(state: State, scratch: Scratch, market: Market, slot: number, seat: number, flags: number): boolean;

  /**
   * Begins to check quotes of a user who has a seat, of which those in `earlier` are to be replaced. See
   * market-maker/mass-quote.ts.
   */
  tryQuotes(state: State, market: Market, seat: number, earlier: readonly ReplacedQuote[]): QuoteTrial;
  /** Drafts what `enter` notes of a quote at the drafted price, which has been checked. */
  draftQuote(state: State, scratch: Scratch, market: Market, flags: number): void;

  // What an order holds.

  /** Notes the fee rates of a new order, which it keeps for life, and what else the product keeps of it. */
  enter(state: State, scratch: Scratch, market: Market, slot: number): void;
  /** The order in `slot`, in no book at present, has been given the drafted price and lots. */
  redraft(state: State, scratch: Scratch, slot: number): void;
  /** An order begins to rest. */
  hold(state: State, market: Market, slot: number): void;
  /** An order rests no more. */
  release(state: State, market: Market, slot: number): void;
  /** Before and after a resting order takes the drafted price and lots in its book. */
  beforeChange(state: State, market: Market, slot: number): void;
  afterChange(state: State, scratch: Scratch, market: Market, slot: number): void;
  /** As `afterChange`, after `canMove`. */
  afterMove(state: State, scratch: Scratch, slot: number, seat: number, side: number): void;

  // Fills.

  /**
   * Returns the outcome of the meeting in `trade`, whose lots it may lower; one of MEETING. A maker of NONE is a quote.
   */
  meet(state: State, scratch: Scratch, market: Market, takerFlags: number): number;
  /** Carries the fill in `trade` out and takes it off both orders. */
  execute(state: State, scratch: Scratch, market: Market): void;
  /** Opening auctions; undefined where a market of this kind has none. */
  readonly auction: AuctionSettlement | undefined;

  // What is read.

  /** Units that so many lots are worth at a price. */
  valueOf(market: Market, price: bigint, lots: bigint): bigint;
  /** The asset in which the buyer's or the seller's ordinary fee is taken. */
  feeAssetId(market: Market, ofBuyer: boolean): number;
  /** The mark price, ticks; 0 where there is none. */
  markOf(state: State, market: Market): bigint;
  /** Whether a trigger may be compared with this reference, one of REFERENCE. */
  hasReference(reference: number): boolean;
}

/** A resting quote that a new one replaces, and how many lots of it stay. */
export interface ReplacedQuote {
  readonly slot: number;
  readonly stays: bigint;
}

/** The check of quotes, one after the other, as if each were placed once those before it rest. */
export interface QuoteTrial {
  /**
   * Checks price and money of the drafted quote, whose lots have been checked; 0 = it may rest, unless it would take.
   */
  refuse(scratch: Scratch, flags: number): number;
  /** Leaves the state as it was. */
  end(): void;
}

/** The steps of an opening auction that depend on the product. */
export interface AuctionSettlement {
  /** Resting orders, slots, that their owners could not bear to be filled: they end before anything trades. */
  unmeetable(state: State, market: Market): number[];
  /** Carries out the fill in `trade`, of two resting orders; the caller takes it off them. */
  execute(state: State, scratch: Scratch, market: Market): void;
}
