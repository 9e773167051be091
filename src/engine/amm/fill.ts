/** The pool's side of deals, and the providers' part of all fees of its market. Source: domain 5.3 and 5.5. */
import { tradePosting } from "../ledger/ledger.ts";
import { POSTING } from "../ledger/posting.ts";
import type { Market } from "../listing/market.ts";
import type { Scratch } from "../scratch.ts";
import type { State } from "../state.ts";
import { EARNING, type Pool } from "./pool.ts";
import { worthOfBase } from "./reserves.ts";

/** Of every fee so many percent are the providers', rounded down. */
const DIVIDEND_PERCENT = 50n;
/** Figures per share are kept in 2^-64. */
export const PER_SHARE_BITS = 64n;

const BUYER_GIVES = tradePosting("buyer_gives");
const SELLER_GIVES = tradePosting("seller_gives");
const BUYER_GETS = tradePosting("buyer_gets");
const SELLER_GETS = tradePosting("seller_gets");

/**
 * Posts the trade under way between a taker and the pool, which pays no fee and gives from what it has available, as
 * the taker does.
 */
export function payWithPool(state: State, { trade }: Scratch, pool: Pool, takerSells: boolean): void {
  const { orders, seats, ledger, events } = state;
  const { dealId, value, units, baseFee, quoteFee } = trade;
  const seat = orders.seat(trade.taker);
  const [ofTaker, ofPool] = [
    { base: seats.baseCell(seat), quote: seats.quoteCell(seat) },
    { base: pool.cells.base, quote: pool.cells.quote },
  ] as const;
  const [buyer, seller] = takerSells ? [ofPool, ofTaker] : [ofTaker, ofPool];
  ledger.post(events, buyer.quote, -value, 0n, BUYER_GIVES, dealId);
  ledger.post(events, seller.base, -units, 0n, SELLER_GIVES, dealId);
  ledger.post(events, buyer.base, units - baseFee, 0n, BUYER_GETS, dealId);
  ledger.post(events, seller.quote, value - quoteFee, 0n, SELLER_GETS, dealId);
  credit(pool, EARNING.tradedBase, units);
  credit(pool, EARNING.tradedQuote, value);
  pool.note();
}

/**
 * Posts the fees of the trade under way, half of them to the pot of the providers, if there are any; counts it in the
 * day of the pool.
 */
export function shareFees(state: State, scratch: Scratch, market: Market, pool: Pool): void {
  const { trade } = scratch;
  const base = shareFee(state, scratch, pool, EARNING.dividendBase, market.baseAssetId, trade.baseFee);
  const quote = shareFee(state, scratch, pool, EARNING.dividendQuote, market.quoteAssetId, trade.quoteFee);
  pool.today.traded += trade.value;
  pool.today.dividends += quote + worthOfBase(state, pool, base);
}

/** Returns the providers' part. */
function shareFee(state: State, { trade }: Scratch, pool: Pool, earning: 0 | 1, assetId: number, fee: bigint): bigint {
  if (fee === 0n) return 0n;
  const { ledger, events } = state;
  const part = providersPart(pool, fee);
  ledger.post(events, ledger.feeCell(assetId), fee - part, 0n, POSTING.fee, trade.dealId);
  if (part === 0n) return 0n;
  const pot = earning === EARNING.dividendBase ? pool.cells.basePot : pool.cells.quotePot;
  ledger.post(events, pot, part, 0n, POSTING.fee, trade.dealId);
  credit(pool, earning, part);
  return part;
}

/** Returns the part of a fee in the market of a pool that goes to its providers; 0 while it has none. */
export function providersPart({ shares }: Pool, fee: bigint): bigint {
  return shares === 0n ? 0n : (fee * DIVIDEND_PERCENT) / 100n;
}

/** Adds its part to every share; what does not come to 2^-64 of a unit each is nobody's. */
function credit(pool: Pool, earning: number, units: bigint): void {
  pool.perShare[earning] = (pool.perShare[earning] as bigint) + (units << PER_SHARE_BITS) / pool.shares;
}
