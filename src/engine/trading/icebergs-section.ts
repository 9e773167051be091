import type { Section } from "../snapshot/section.ts";
import { WordBuffer } from "../words.ts";

const ROW_WORDS = 3;

/** Order id, peak and slice of each iceberg that rests, by ascending id: the section of orders puts them into books. */
export const icebergsSection: Section = {
  name: "icebergs",
  version: 1,
  write: ({ orders: { icebergs } }) => {
    const ids = [...icebergs.keys()].sort((one, other) => one - other);
    const rows = new WordBuffer(ids.length * ROW_WORDS);
    ids.forEach((id, place) => {
      const iceberg = icebergs.get(id);
      rows.f64[place * ROW_WORDS] = id;
      rows.i64[place * ROW_WORDS + 1] = iceberg?.peak ?? 0n;
      rows.i64[place * ROW_WORDS + 2] = iceberg?.shown ?? 0n;
    });
    return [rows.bytes];
  },
  read: ({ orders }, [bytes]) => {
    const { f64, i64, length } = WordBuffer.over(bytes as Uint8Array);
    for (let at = 0; at < length; at += ROW_WORDS) {
      orders.icebergs.set(f64[at] as number, { peak: i64[at + 1] as bigint, shown: i64[at + 2] as bigint });
    }
  },
};
