import { orderTraits, triggerTypeOf } from "../command.ts";
import { EVENT } from "../event.ts";
import type { State } from "../state.ts";
import { wordsFor, writeAscii } from "../words.ts";
import {
  clientIdWord,
  directionOf,
  reducesIn,
  STOP_EVENTS,
  STOP_FLAG,
  STOP_WORDS,
  type StopEventName,
  type StopRecord,
} from "./stop-event.ts";
import type { Stops } from "./stop-order.ts";

/** Writes the stop order in `slot` as it stands. Returns the word at which its record starts. */
export function emitStop(state: State, slot: number, event: StopEventName, orderId = 0, refusal = 0): number {
  const { stops, events } = state;
  const clientId = stops.clientId.get(slot) ?? "";
  const flags = stops.flags(slot);
  const words = clientIdWord(flags) + wordsFor(clientId.length);
  const at = events.open(words);
  const { i32, f64, i64 } = events;
  i32[at * 2] = EVENT.stop | (words << 8);
  i32[at * 2 + 1] = stops.marketId(slot);
  i32[at * 2 + 2] = stops.userId(slot);
  i32[at * 2 + 3] = flags | (STOP_EVENTS.indexOf(event) << STOP_FLAG.eventShift);
  f64[at + 2] = stops.stopId(slot);
  i64[at + 3] = stops.price(slot);
  i64[at + 4] = stops.amount(slot);
  i64[at + 5] = BigInt(stops.triggerNow(slot));
  f64[at + 6] = stops.createdAt(slot);
  f64[at + 7] = stops.updatedAt(slot);
  f64[at + 8] = orderId;
  f64[at + 9] = refusal;
  if ((flags & STOP_FLAG.conditional) !== 0) {
    const condition = stops.conditionOf(slot);
    i64[at + STOP_WORDS] = BigInt(condition.trail);
    f64[at + STOP_WORDS + 1] = condition.trailRateE8;
    i64[at + STOP_WORDS + 2] = BigInt(condition.activation);
    i64[at + STOP_WORDS + 3] = BigInt(stops.extreme(slot));
    f64[at + STOP_WORDS + 4] = condition.groupId;
    i64[at + STOP_WORDS + 5] = condition.display;
  }
  writeAscii(events, at + clientIdWord(flags), clientId);
  return at;
}

/** A waiting stop order as a record, for queries. */
export function readStop({ stops }: State, slot: number): StopRecord {
  const flags = stops.flags(slot);
  return {
    stopId: stops.stopId(slot),
    userId: stops.userId(slot),
    marketId: stops.marketId(slot),
    ...orderTraits(flags),
    price: stops.price(slot),
    amount: stops.amount(slot),
    trigger: BigInt(stops.triggerNow(slot)),
    triggerType: triggerTypeOf(flags),
    direction: directionOf(flags),
    createdAt: stops.createdAt(slot),
    updatedAt: stops.updatedAt(slot),
    clientId: stops.clientId.get(slot) ?? "",
    ...conditionIn(stops, slot),
  };
}

function conditionIn(stops: Stops, slot: number): Partial<StopRecord> {
  const flags = stops.flags(slot);
  if ((flags & STOP_FLAG.conditional) === 0) return {};
  const { trail, trailRateE8, activation, groupId, display } = stops.conditionOf(slot);
  return {
    trail: BigInt(trail),
    trailRateE8,
    activation: BigInt(activation),
    extreme: BigInt(stops.extreme(slot)),
    groupId,
    display,
    ...reducesIn(flags),
  };
}
