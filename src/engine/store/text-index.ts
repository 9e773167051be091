import { fnv1a } from "./fnv.ts";

/** No row: an empty place of the table. */
const NONE = -1;

/** Places that a text is looked for at. In a table that is at most half full hardly any stretch is longer. */
const PROBES_MAX = 64;

/**
 * A hash index from texts to the rows of a list that holds them, for texts that stay. An entry costs eight bytes and is
 * found again without its text when the index grows; a Map takes five times as much, and a million names a second of
 * each start.
 *
 * Texts are chosen by strangers, who may choose them to crowd in one place: what finds no place within PROBES_MAX
 * stands in a Map, whose hashes nobody can foresee.
 */
export class TextIndex {
  private readonly texts: readonly string[];
  /** Row and hash of each place; at most half of them are taken. */
  private table = newTable(64);
  private mask = 63;
  private used = 0;
  private readonly crowded = new Map<string, number>();

  /** `texts`: by row. */
  constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  get size(): number {
    return this.used;
  }

  has(text: string): boolean {
    return this.get(text) !== undefined;
  }

  /** The row that holds `text`. */
  get(text: string): number | undefined {
    const { table, mask, texts } = this;
    const hash = hashOf(text);
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const place = (hash + probe) & mask;
      const row = table[place * 2] as number;
      if (row === NONE) break;
      if (table[place * 2 + 1] === hash && texts[row] === text) return row;
    }
    return this.crowded.get(text);
  }

  /** Enters a row whose text is in none that was entered. */
  insert(row: number): void {
    this.reserve(++this.used);
    this.put(row, hashOf(this.texts[row] as string));
  }

  /** Makes room for `count` rows in all at once. */
  reserve(count: number): void {
    if (count * 2 <= this.mask + 1) return;
    const old = this.table;
    const places = 2 ** (32 - Math.clz32(count * 2 - 1));
    this.table = newTable(places);
    this.mask = places - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== NONE) this.put(old[at] as number, old[at + 1] as number);
    }
  }

  get byteLength(): number {
    return this.table.byteLength;
  }

  private put(row: number, hash: number): void {
    const { table, mask } = this;
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const place = (hash + probe) & mask;
      if (table[place * 2] !== NONE) continue;
      table[place * 2] = row;
      table[place * 2 + 1] = hash;
      return;
    }
    this.crowded.set(this.texts[row] as string, row);
  }
}

/** 32 bits: FNV-1a, its high bits brought down to where the place is taken from. */
function hashOf(text: string): number {
  const hash = fnv1a(text);
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

function newTable(places: number): Int32Array {
  return new Int32Array(places * 2).fill(NONE);
}
