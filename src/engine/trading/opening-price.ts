import type { Level } from "./book.ts";

/** The one price of an auction, in ticks, and what trades at it. */
export interface Opening {
  readonly price: bigint;
  readonly lots: bigint;
}

/** A price that some order has, and what would be wanted and offered at it. */
interface Candidate {
  readonly price: bigint;
  readonly lots: bigint;
  /** Lots wanted less lots offered. */
  readonly surplus: bigint;
}

/**
 * The price at which most can trade; of several the one that leaves the least unserved; of several the highest where
 * all of them leave buyers unserved, the lowest where all leave sellers, else the one nearest to `reference`, or
 * without one (0) to the middle of them, and of two as near the lower. Undefined when nothing can trade. Linear in the
 * levels.
 *
 * `bids` and `asks` are best first, with all lots of each price; those that no order of the other side reaches may be
 * left out. Worked: bids 5 @ 102, 3 @ 100 against asks 4 @ 99, 2 @ 101 trade 5 at 101 or 102, where 1 and 1 are left;
 * sellers both times, so at 101. Source: domain 2.12.
 */
export function openingPrice(bids: readonly Level[], asks: readonly Level[], reference: bigint): Opening | undefined {
  let best: Candidate[] = [];
  for (const candidate of candidates(bids, asks)) {
    const rank = best[0] === undefined ? 1 : compare(candidate, best[0]);
    if (rank > 0) best = [candidate];
    else if (rank === 0) best.push(candidate);
  }
  const [lowest, highest] = [best[0], best.at(-1)];
  if (lowest === undefined || highest === undefined || lowest.lots === 0n) return undefined;
  if (best.every(({ surplus }) => surplus > 0n)) return highest;
  if (best.every(({ surplus }) => surplus < 0n)) return lowest;
  return nearest(best, reference > 0n ? reference : (lowest.price + highest.price) / 2n);
}

/** Every price of the two sides, ascending, with what is wanted at it or above and what is offered at it or below. */
function* candidates(bids: readonly Level[], asks: readonly Level[]): Generator<Candidate> {
  let wanted = bids.reduce((sum, { lots }) => sum + lots, 0n);
  let offered = 0n;
  let bidAt = bids.length - 1;
  let askAt = 0;
  for (;;) {
    const [bid, ask] = [bids[bidAt], asks[askAt]];
    if (bid === undefined && ask === undefined) return;
    const price = bid === undefined || (ask !== undefined && ask.price < bid.price) ? (ask as Level).price : bid.price;
    if (ask?.price === price) {
      offered += ask.lots;
      askAt++;
    }
    yield { price, lots: wanted < offered ? wanted : offered, surplus: wanted - offered };
    if (bid?.price === price) {
      wanted -= bid.lots;
      bidAt--;
    }
  }
}

/** Above 0: the first is the better one; below: the second; 0: neither trades more nor leaves less. */
function compare(first: Candidate, second: Candidate): number {
  if (first.lots !== second.lots) return first.lots > second.lots ? 1 : -1;
  const [left, right] = [magnitude(first.surplus), magnitude(second.surplus)];
  return left === right ? 0 : left < right ? 1 : -1;
}

/** Of ascending prices the nearest to `reference`, of two as near the lower. */
function nearest(ascending: readonly Candidate[], reference: bigint): Candidate {
  const distance = ({ price }: Candidate) => magnitude(price - reference);
  return ascending.reduce((near, next) => (distance(next) < distance(near) ? next : near));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
