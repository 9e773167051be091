import { jsonChunk, jsonOf, type Section } from "../snapshot/section.ts";
import type { State } from "../state.ts";
import { WordBuffer } from "../words.ts";

const STOP_ROW_WORDS = 8;

/** Rows in ascending id, and the client ids of those that have one. */
export const stopsSection: Section = {
  name: "stops",
  version: 1,
  write: stopBytes,
  read: (state, [rows, clientIds]) => loadStops(state, WordBuffer.over(rows as Uint8Array), clientIds as Uint8Array),
};

function stopBytes({ stops, markets }: State): Uint8Array<ArrayBuffer>[] {
  const slots = stops.byId(markets.flatMap(({ id }) => stops.ofMarket(id)));
  const rows = new WordBuffer(slots.length * STOP_ROW_WORDS);
  const clientIds: [number, string][] = [];
  slots.forEach((slot, place) => {
    const at = place * STOP_ROW_WORDS;
    rows.f64[at] = stops.stopId(slot);
    rows.f64[at + 1] = stops.trigger(slot);
    rows.i64[at + 2] = stops.price(slot);
    rows.i64[at + 3] = stops.amount(slot);
    rows.f64[at + 4] = stops.createdAt(slot);
    rows.f64[at + 5] = stops.updatedAt(slot);
    rows.i32[at * 2 + 12] = stops.flags(slot);
    rows.i32[at * 2 + 13] = stops.userId(slot);
    rows.i32[at * 2 + 14] = stops.marketId(slot);
    const clientId = stops.clientId.get(slot);
    if (clientId !== undefined) clientIds.push([place, clientId]);
  });
  return [rows.bytes, jsonChunk(clientIds)];
}

function loadStops({ stops }: State, rows: WordBuffer, clientIds: Uint8Array): void {
  const named = new Map(jsonOf(clientIds) as [number, string][]);
  for (let place = 0; place * STOP_ROW_WORDS < rows.length; place++) {
    const at = place * STOP_ROW_WORDS;
    const slot = stops.allocate();
    stops.setStopId(slot, rows.f64[at] as number);
    stops.setTrigger(slot, rows.f64[at + 1] as number);
    stops.setPrice(slot, rows.i64[at + 2] as bigint);
    stops.setAmount(slot, rows.i64[at + 3] as bigint);
    stops.setCreatedAt(slot, rows.f64[at + 4] as number);
    stops.setUpdatedAt(slot, rows.f64[at + 5] as number);
    stops.setFlags(slot, rows.i32[at * 2 + 12] as number);
    stops.setUserId(slot, rows.i32[at * 2 + 13] as number);
    stops.setMarketId(slot, rows.i32[at * 2 + 14] as number);
    const clientId = named.get(place);
    if (clientId !== undefined) stops.clientId.set(slot, clientId);
    stops.enter(slot);
  }
}
