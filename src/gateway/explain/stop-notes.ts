/**
 * The lifecycle trace of stop orders in the ring: their events, and beside each the price that they watched, which no
 * event has.
 */
import { REFERENCE, TRIGGER_TYPES } from "../../engine/command.ts";
import { decodeDeal, decodeEvent, EVENT, eventKind, type JsonEvent, type RareEvent } from "../../engine/event.ts";
import type { Market } from "../../engine/listing/market.ts";
import type { State } from "../../engine/state.ts";
import { decodeStop, type StopEvent } from "../../engine/stops/stop-event.ts";
import { latestWatched, referencePrice } from "../../engine/trading/reference-price.ts";
import { readAscii, recordWords, type WordBuffer, wordsFor, writeAscii } from "../../engine/words.ts";
import type { Figures } from "../refused.ts";
import type { Entry } from "./event-ring.ts";

/** The effect of one command on a stop order. */
export interface StopStep extends Pick<StopEvent, "event" | "stop" | "orderId" | "refusal"> {
  readonly seq: number;
  readonly timeMs: number;
  /** The number of the command's kind, see KIND. */
  readonly commandKind: number;
  /**
   * Ticks of the price that it watches: where it fired the one that reached the trigger, else as it stood. 0: there was
   * none.
   */
  readonly watched: bigint;
  /** Where its order was refused, what that was decided by. */
  readonly figures: Figures | undefined;
  /** Rare things that happened in the same command, by their types. */
  readonly rareEvents: readonly RareEvent["type"][];
}

/**
 * The kind of a note, beside those of lifecycle-trace.ts. Layout, in words: 0 head + market, 1 stop id, 2 ticks
 * watched, 3 length of the figures, 4.. figures as JSON.
 */
const STOP_NOTE = 102;
const NOTE_WORDS = 4;
/** Longer figures are not remembered. */
const FIGURES_CHARS_MAX = 1_000;

/** Figures as they may be noted. */
export function figuresText(figures: Figures | undefined): string {
  const text = figures === undefined ? "" : JSON.stringify(figures).replaceAll(/[^\x20-\x7e]/g, "?");
  return text.length > FIGURES_CHARS_MAX ? "" : text;
}

/** Words of a note beyond those that are never more than its event's. */
export function wordsBeyond(figures: string): number {
  return wordsFor(figures.length);
}

/** Writes the note of the stop event at word `at` of a command's events, which begin at `from`. */
export function noteStop(
  ring: WordBuffer,
  state: State,
  market: Market,
  events: WordBuffer,
  [from, at]: readonly [from: number, at: number],
  figures: string,
): void {
  const words = NOTE_WORDS + wordsFor(figures.length);
  const event = decodeStop(events, at);
  const place = ring.open(words);
  ring.i32[place * 2] = STOP_NOTE | (words << 8);
  ring.i32[place * 2 + 1] = market.id;
  ring.f64[place + 1] = event.stop.stopId;
  ring.i64[place + 2] = watchedBy(state, market, events, from, at, event);
  ring.f64[place + 3] = figures.length;
  writeAscii(ring, place + NOTE_WORDS, figures);
}

/**
 * The price that fired it may be gone by the end of the command: its own order, or one before it, has traded at others.
 */
function watchedBy(
  state: State,
  market: Market,
  events: WordBuffer,
  from: number,
  to: number,
  { event, stop, orderId }: StopEvent,
): bigint {
  const reference = TRIGGER_TYPES.indexOf(stop.triggerType);
  const now = referencePrice(state, market, reference);
  const hasFired = event === "active_success" || event === "active_fail";
  if (!hasFired || reference !== REFERENCE.latest_price) return now;
  const reaches = (price: bigint) => (stop.direction === "higher" ? price <= stop.trigger : price >= stop.trigger);
  let reached: bigint | undefined;
  for (let at = from; at < to; at += recordWords(events, at)) {
    if (eventKind(events, at) !== EVENT.deal || events.i32[at * 2 + 1] !== market.id) continue;
    const { price, taker } = decodeDeal(events, at);
    const watched = latestWatched(state, market, price);
    if (taker.orderId !== orderId && reaches(watched)) reached = watched;
  }
  return reached ?? (reaches(now) ? now : 0n);
}

/** Everything that one command did to a stop order, in its order. */
export function stopStepsIn(entry: Entry, stopId: number): readonly StopStep[] {
  const { seq, timeMs, commandKind, buffer } = entry;
  const steps: StopStep[] = [];
  const rareEvents: RareEvent["type"][] = [];
  let noted: Pick<StopStep, "watched" | "figures"> = { watched: 0n, figures: undefined };
  for (let at = entry.from; at < entry.to; at += recordWords(buffer, at)) {
    const kind = eventKind(buffer, at);
    if (kind === EVENT.json) rareEvents.push((decodeEvent(buffer, at) as JsonEvent).event.type);
    if ((kind !== STOP_NOTE && kind !== EVENT.stop) || buffer.f64[at + (kind === STOP_NOTE ? 1 : 2)] !== stopId)
      continue;
    if (kind === STOP_NOTE) noted = noteAt(buffer, at);
    else {
      const { event, stop, orderId, refusal } = decodeStop(buffer, at);
      steps.push({ seq, timeMs, commandKind, event, stop, orderId, refusal, ...noted, rareEvents });
    }
  }
  return steps;
}

function noteAt(buffer: WordBuffer, at: number): Pick<StopStep, "watched" | "figures"> {
  const text = readAscii(buffer, at + NOTE_WORDS, buffer.f64[at + 3] as number);
  return { watched: buffer.i64[at + 2] as bigint, figures: text === "" ? undefined : (JSON.parse(text) as Figures) };
}
