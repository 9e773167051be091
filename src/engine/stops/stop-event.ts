/** The events of stop orders, as records of 64-bit words like those of event.ts. */
import { aimOf, clientIdAt, type OrderTraits, orderTraits, type TriggerType, triggerTypeOf } from "../command.ts";
import type { Fields, RecordOf } from "../record.ts";
import type { WordBuffer } from "../words.ts";
import { flagsAt } from "../words.ts";
import type { CONDITION_FIELDS } from "./condition.ts";

export const STOP_EVENTS = ["put", "modify", "cancel", "active_success", "active_fail"] as const;
export type StopEventName = (typeof STOP_EVENTS)[number];

/** Where the price stood when the trigger was set: from above it fires when falling, from below when rising. */
export const TRIGGER_DIRECTIONS = ["higher", "lower"] as const;
export type TriggerDirection = (typeof TRIGGER_DIRECTIONS)[number];

/**
 * Bits of a stop order's flags beside those of FLAG; the event's stand in events only. `conditional`: it has a
 * condition, see condition.ts; `follows`: its trail has begun; `dormant`: it waits for the entry that it protects to be
 * filled, and for no price.
 */
export const STOP_FLAG = {
  eventShift: 13,
  eventMask: 7,
  lower: 1 << 16,
  conditional: 1 << 17,
  follows: 1 << 11,
  dormant: 1 << 12,
} as const;

/**
 * The figures of a stop order, with what each counts. The amount and the price are those of the order that it becomes.
 */
export const STOP_FIELDS = {
  stopId: "id",
  userId: "id",
  marketId: "id",
  /** 0 for market orders. */
  price: "ticks",
  amount: "asked",
  trigger: "ticks",
  createdAt: "ms",
  updatedAt: "ms",
  clientId: "text",
} as const satisfies Fields;

/**
 * A stop order as it stands: what an event carries and what a query reads. Traits are those of the order that it
 * becomes.
 */
export interface StopRecord
  extends OrderTraits,
    RecordOf<typeof STOP_FIELDS>,
    Partial<RecordOf<typeof CONDITION_FIELDS>> {
  /** The price that the trigger is compared with. */
  readonly triggerType: TriggerType;
  readonly direction: TriggerDirection;
  /** Of conditional ones of futures: it only reduces a position. */
  readonly reduces?: boolean;
}

export interface StopEvent {
  readonly kind: "stop";
  readonly event: StopEventName;
  readonly stop: StopRecord;
  /** Of active_success: the order that it became. Else 0. */
  readonly orderId: number;
  /** Of active_fail: the number of what its order was refused for. Else 0. */
  readonly refusal: number;
}

/** Words of a stop record before its condition or its client id, and of a condition. */
export const STOP_WORDS = 10;
export const CONDITION_WORDS = 6;

/** The word of a stop record of these flags at which its client id begins. */
export function clientIdWord(flags: number): number {
  return (flags & STOP_FLAG.conditional) === 0 ? STOP_WORDS : STOP_WORDS + CONDITION_WORDS;
}

/**
 * Layout of a stop record, in words: 0 head + market, 1 user + flags, 2 stop id, 3 price, 4 amount, 5 trigger, 6
 * created, 7 updated, 8 order id, 9 refusal; of conditional ones 10 trail, 11 trail rate, 12 activation, 13 extreme, 14
 * group, 15 display; then the client id.
 */
export function decodeStop(buffer: WordBuffer, at: number): StopEvent {
  const { i32, f64, i64 } = buffer;
  const flags = flagsAt(buffer, at);
  return {
    kind: "stop",
    event: stopEventName(buffer, at),
    stop: {
      stopId: f64[at + 2] as number,
      userId: i32[at * 2 + 2] as number,
      marketId: i32[at * 2 + 1] as number,
      ...orderTraits(flags),
      price: i64[at + 3] as bigint,
      amount: i64[at + 4] as bigint,
      trigger: i64[at + 5] as bigint,
      triggerType: triggerTypeOf(flags),
      direction: directionOf(flags),
      createdAt: f64[at + 6] as number,
      updatedAt: f64[at + 7] as number,
      clientId: clientIdAt(buffer, at + clientIdWord(flags), flags),
      ...conditionAt(buffer, at + STOP_WORDS, flags),
    },
    orderId: f64[at + 8] as number,
    refusal: f64[at + 9] as number,
  };
}

function conditionAt({ f64, i64 }: WordBuffer, at: number, flags: number): Partial<StopRecord> {
  if ((flags & STOP_FLAG.conditional) === 0) return {};
  return {
    trail: i64[at] as bigint,
    trailRateE8: f64[at + 1] as number,
    activation: i64[at + 2] as bigint,
    extreme: i64[at + 3] as bigint,
    groupId: f64[at + 4] as number,
    display: i64[at + 5] as bigint,
    ...reducesIn(flags),
  };
}

/** Whether an order of these flags only reduces a position, where it does. */
export function reducesIn(flags: number): { readonly reduces?: true } {
  return aimOf(flags) === "trade" ? {} : { reduces: true };
}

export function stopEventName(buffer: WordBuffer, at: number): StopEventName {
  return STOP_EVENTS[(flagsAt(buffer, at) >> STOP_FLAG.eventShift) & STOP_FLAG.eventMask] as StopEventName;
}

export function directionOf(flags: number): TriggerDirection {
  return (flags & STOP_FLAG.lower) === 0 ? "higher" : "lower";
}
