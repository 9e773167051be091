/**
 * Workload W2: one market whose orders hardly rest. A few traders quote at a time; each order is placed, changed and
 * cancelled within a few messages, so that most orders open and close a price of their own. The middle of the market
 * goes one of five ways, and the wilder it goes, the wider the quotes lie. Seeded: the same path and seed give the same
 * messages.
 */
import { xorshift } from "../../test/support/xorshift.ts";

export const KIND = { place: 0, change: 1, cancel: 2 } as const;

/** Message n in place n of every list. */
export interface Messages {
  readonly count: number;
  /** A KIND. */
  readonly kinds: Uint8Array;
  /** Orders are numbered from 1 in the order in which they are placed. */
  readonly orderIds: Int32Array;
  /** 0 buys, 1 sells. */
  readonly sides: Uint8Array;
  /** Ticks, and lots; of a cancel neither means anything, and a change keeps its lots. */
  readonly prices: BigInt64Array;
  readonly lots: BigInt64Array;
}

export const PATHS = ["still", "ordinary", "swings of 25 %", "swings of 40 %", "crash and recovery"] as const;
export type Path = (typeof PATHS)[number];

const MIDDLE = 3_000_000;
/** Orders under way at a time. */
const UNDER_WAY = 8;
/** How far from the middle quotes lie at most, as a share of it. */
const REACH: Readonly<Record<Path, number>> = {
  still: 0.000_02,
  ordinary: 0.001,
  "swings of 25 %": 0.005,
  "swings of 40 %": 0.008,
  "crash and recovery": 0.01,
};
/** The share of new prices that lie beyond the middle and trade, if anybody is there. */
const AGGRESSIVE = 0.05;
const SWINGS = 12;
const WALK_STEP = 0.000_02;
const WALK_PULL = 0.000_01;

export function makeMessages(path: Path, count: number, seed: number): Messages {
  const random = xorshift(seed);
  const middleAt = middles(path, count, random);
  const kinds = new Uint8Array(count);
  const orderIds = new Int32Array(count);
  const sides = new Uint8Array(count);
  const prices = new BigInt64Array(count);
  const lots = new BigInt64Array(count);
  const underWay: { readonly orderId: number; readonly side: number; changed: boolean }[] = [];
  let placed = 0;

  for (let index = 0; index < count; index++) {
    const middle = middleAt(index);
    const pick = Math.floor(random() * UNDER_WAY);
    let order = underWay[pick];
    if (order === undefined) {
      order = { orderId: ++placed, side: random() < 0.5 ? 0 : 1, changed: false };
      underWay.push(order);
      kinds[index] = KIND.place;
    } else if (order.changed) {
      kinds[index] = KIND.cancel;
      underWay.splice(pick, 1);
    } else {
      order.changed = true;
      kinds[index] = KIND.change;
    }
    orderIds[index] = order.orderId;
    sides[index] = order.side;
    // Near the middle more often than far from it.
    const reach = middle * REACH[path] * random();
    const away = Math.round(1 + (random() < AGGRESSIVE ? -reach : reach));
    prices[index] = BigInt(Math.round(order.side === 0 ? middle - away : middle + away));
    lots[index] = BigInt(1 + Math.floor(random() * 100));
  }
  return { count, kinds, orderIds, sides, prices, lots };
}

/** The middle of the market at each message, in ticks. */
function middles(path: Path, count: number, random: () => number): (index: number) => number {
  let walk = 0;
  const swing = (index: number, share: number) => 1 + share * Math.sin((index / count) * SWINGS * 2 * Math.PI);
  return (index) => {
    switch (path) {
      case "still":
        return MIDDLE;
      case "ordinary":
        walk += (random() - 0.5) * WALK_STEP - walk * WALK_PULL;
        return MIDDLE * (1 + walk);
      case "swings of 25 %":
        return MIDDLE * swing(index, 0.25);
      case "swings of 40 %":
        return MIDDLE * swing(index, 0.4);
      default:
        return MIDDLE * crashed(index / count);
    }
  };
}

/** Quiet, then two thirds lost within a twentieth of the time, then slowly back. */
function crashed(at: number): number {
  if (at < 0.3) return 1;
  if (at < 0.35) return 1 - ((at - 0.3) / 0.05) * 0.65;
  return 0.35 + ((at - 0.35) / 0.65) * 0.65;
}
