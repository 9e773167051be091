/**
 * Exits out and in again, as one chunk of a snapshot: rows in ascending id, each naming its position by seat and side.
 */
import type { State } from "../../state.ts";
import { WordBuffer } from "../../words.ts";
import { EXIT_FLAG } from "./exit.ts";

const EXIT_WORDS = 6;

export function exitBytes({ futures, markets }: State): Uint8Array<ArrayBuffer> {
  const { exits, positions } = futures;
  const slots = markets.flatMap(({ id }) => exits.ofMarket(id));
  slots.sort((left, right) => exits.exitId(left) - exits.exitId(right));
  const rows = new WordBuffer(slots.length * EXIT_WORDS);
  slots.forEach((slot, place) => {
    const at = place * EXIT_WORDS;
    rows.f64[at] = exits.exitId(slot);
    rows.f64[at + 1] = exits.trigger(slot);
    rows.i64[at + 2] = exits.amount(slot);
    rows.f64[at + 3] = exits.createdAt(slot);
    rows.f64[at + 4] = exits.updatedAt(slot);
    rows.i32[at * 2 + 10] = positions.seat(exits.position(slot));
    rows.i32[at * 2 + 11] = exits.flags(slot);
  });
  return rows.bytes;
}

/** Takes the chunk over into a state whose positions are there. */
export function loadExits({ futures, seats: allSeats }: State, rows: WordBuffer): void {
  const { exits, seats } = futures;
  for (let at = 0; at < rows.length; at += EXIT_WORDS) {
    const slot = exits.allocate();
    const row = rows.i32[at * 2 + 10] as number;
    const flags = rows.i32[at * 2 + 11] as number;
    exits.setExitId(slot, rows.f64[at] as number);
    exits.setTrigger(slot, rows.f64[at + 1] as number);
    exits.setAmount(slot, rows.i64[at + 2] as bigint);
    exits.setCreatedAt(slot, rows.f64[at + 3] as number);
    exits.setUpdatedAt(slot, rows.f64[at + 4] as number);
    exits.setPosition(slot, seats.position(row, (flags & EXIT_FLAG.short) !== 0));
    exits.setMarketId(slot, allSeats.marketId(seats.seat(row)));
    exits.setFlags(slot, flags);
    exits.enter(slot);
  }
}
