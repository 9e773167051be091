/**
 * At a time, this part of the most. A Map keeps the places of what was deleted until it is built anew, and looking for
 * its first entry passes over all of them: one at a time, forgetting in a full map of 100,000 costs its caller up to 50
 * µs and strangers pay nothing for it.
 */
const PART = 64;

/** Makes room in a map that holds `most`: what was put in first is forgotten first. */
export function forgetOldest<Key>(map: Map<Key, unknown>, most: number): void {
  if (map.size < most) return;
  let left = Math.max(1, Math.floor(most / PART));
  for (const key of map.keys()) {
    if (left-- === 0) return;
    map.delete(key);
  }
}
