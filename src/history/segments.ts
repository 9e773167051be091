/**
 * Rows by user are kept in segments of this many bits of the id space. A new row then lands in the newest segment, whose
 * pages are few and in memory, wherever the user's older rows lie: writing stays as fast with a million users as with
 * ten. A query walks the segments from the newest on, about 1 µs each, and stops when its page is full.
 *
 * They are filled once per batch, which costs a third of what indexes cost that SQLite keeps row by row: see `settle`.
 */
export const SEGMENT_SHIFT = 16;

export function segmentOf(id: number): bigint {
  return BigInt(id) >> BigInt(SEGMENT_SHIFT);
}
