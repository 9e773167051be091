/**
 * Workload W2: one market whose orders hardly rest. A few traders quote at a time; each order is placed, changed and
 * cancelled within a few messages, so that most orders open and close a price of their own. The middle of the market
 * goes one of four ways, and the wilder it goes, the wider the quotes lie, by up to some hundred thousand prices where
 * ticks are fine. Seeded: the same path and seed give the same messages.
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

/** A way the middle of the market goes, and the book that stands around it. */
interface Shape {
  readonly course: "still" | "walk" | "swings" | "crash";
  /** How far swings go, as a share of the middle. */
  readonly swing?: number;
  /** How far from the middle quotes lie at most, as a share of it. */
  readonly reach: number;
  /** Ticks in one of the market's usual ones. */
  readonly fineness?: number;
  /** Orders under way at a time, where they are not as many as usual. */
  readonly underWay?: number;
}

const SHAPES = {
  still: { course: "still", reach: 0.000_02 },
  ordinary: { course: "walk", reach: 0.001 },
  "swings of 25 %": { course: "swings", swing: 0.25, reach: 0.005 },
  "swings of 40 %": { course: "swings", swing: 0.4, reach: 0.008 },
  "crash and recovery": { course: "crash", reach: 0.01 },
  "ordinary, ticks 64 times finer": { course: "walk", reach: 0.001, fineness: 64 },
  "swings of 40 %, ticks 64 times finer": { course: "swings", swing: 0.4, reach: 0.008, fineness: 64 },
  "crash and recovery, ticks 64 times finer": { course: "crash", reach: 0.01, fineness: 64 },
  "thin book, quotes up to 15 % away": { course: "walk", reach: 0.15, underWay: 24 },
} as const satisfies Readonly<Record<string, Shape>>;
export type Path = keyof typeof SHAPES;
export const PATHS = Object.keys(SHAPES) as Path[];

/** Whether quotes lie further apart on a path than a few tens of thousands of prices. */
export function isWide(path: Path): boolean {
  const { fineness = 1, reach }: Shape = SHAPES[path];
  return reach * fineness > WIDE;
}

const MIDDLE = 3_000_000;
/** Reach in usual ticks from which a path is wide. */
const WIDE = 0.05;
/** Orders under way at a time. */
const UNDER_WAY = 8;
/** The share of new prices that lie beyond the middle and trade, if anybody is there. */
const AGGRESSIVE = 0.05;
const SWINGS = 12;
const WALK_STEP = 0.000_02;
const WALK_PULL = 0.000_01;

export function makeMessages(path: Path, count: number, seed: number): Messages {
  const { underWay: underWayMax = UNDER_WAY, ...shape }: Shape = SHAPES[path];
  const random = xorshift(seed);
  const middleAt = middles(shape, count, random);
  const kinds = new Uint8Array(count);
  const orderIds = new Int32Array(count);
  const sides = new Uint8Array(count);
  const prices = new BigInt64Array(count);
  const lots = new BigInt64Array(count);
  const underWay: { readonly orderId: number; readonly side: number; changed: boolean }[] = [];
  let placed = 0;

  for (let index = 0; index < count; index++) {
    const middle = middleAt(index);
    const pick = Math.floor(random() * underWayMax);
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
    const reach = middle * shape.reach * random();
    const away = Math.round(1 + (random() < AGGRESSIVE ? -reach : reach));
    prices[index] = BigInt(Math.round(order.side === 0 ? middle - away : middle + away));
    lots[index] = BigInt(1 + Math.floor(random() * 100));
  }
  return { count, kinds, orderIds, sides, prices, lots };
}

/** The middle of the market at each message, in ticks. */
function middles({ course, swing = 0, fineness = 1 }: Shape, count: number, random: () => number) {
  const start = MIDDLE * fineness;
  let walk = 0;
  return (index: number): number => {
    switch (course) {
      case "still":
        return start;
      case "walk":
        walk += (random() - 0.5) * WALK_STEP - walk * WALK_PULL;
        return start * (1 + walk);
      case "swings":
        return start * (1 + swing * Math.sin((index / count) * SWINGS * 2 * Math.PI));
      case "crash":
        return start * crashed(index / count);
    }
  };
}

/** Quiet, then two thirds lost within a twentieth of the time, then slowly back. */
function crashed(at: number): number {
  if (at < 0.3) return 1;
  if (at < 0.35) return 1 - ((at - 0.3) / 0.05) * 0.65;
  return 0.35 + ((at - 0.35) / 0.65) * 0.65;
}
