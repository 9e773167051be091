/**
 * Recorded markets: what was traded and how books changed, read from CSV of three forms that are told apart by their
 * first line. Ours holds both; those of the archive tardis.dev hold trades, or a book in steps (incremental_book_L2),
 * and are given together.
 */

/** Amounts and prices stay texts: they are the exchange's own figures. */
export interface RecordedRow {
  /** ms since 1970, with a part of one where the recording has it. */
  readonly timeMs: number;
  readonly kind: "trade" | "level" | "snapshot";
  /** Of a trade who took; of a level which side of the book it is. */
  readonly side: "buy" | "sell";
  readonly price: string;
  /** Of a level all that rests there from now on; 0: nothing. */
  readonly amount: string;
  /** For messages. */
  readonly place: string;
}

/** A file holds what no recording does. The message is a sentence that names the line. */
export class RecordingError extends Error {}

const OURS = "time,type,side,price,amount";
const TARDIS_TRADES = "exchange,symbol,timestamp,local_timestamp,id,side,price,amount";
const TARDIS_BOOK = "exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount";
const NUMBER = /^\d{1,18}(?:\.\d{1,18})?$/;
const SIDES: Readonly<Record<string, "buy" | "sell">> = { buy: "buy", sell: "sell", bid: "buy", ask: "sell" };

type Reader = (values: readonly string[], place: string) => RecordedRow | string;

const READERS: Readonly<Record<string, Reader>> = {
  [OURS]: ([time = "", type = "", side = "", price = "", amount = ""], place) => {
    const timeMs = /^\d+(?:\.\d+)?$/.test(time) ? Number(time) : Date.parse(time);
    if (type !== "trade" && type !== "level" && type !== "snapshot") return "the type must be trade, level or snapshot";
    return rowOf({ timeMs, kind: type, side, price, amount, place });
  },
  [TARDIS_TRADES]: ([, , time = "", , , side = "", price = "", amount = ""], place) =>
    // Who took is not always known; then it is taken for a purchase.
    rowOf({
      timeMs: Number(time) / 1_000,
      kind: "trade",
      side: side === "unknown" ? "buy" : side,
      price,
      amount,
      place,
    }),
  [TARDIS_BOOK]: ([, , time = "", , isSnapshot = "", side = "", price = "", amount = ""], place) =>
    rowOf({
      timeMs: Number(time) / 1_000,
      kind: isSnapshot === "true" ? "snapshot" : "level",
      side,
      price,
      amount,
      place,
    }),
};

/** The rows of a file. Throws RecordingError. */
export function parseRecording(text: string, name: string): RecordedRow[] {
  const [header = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r?\n/);
  const read = READERS[header.trim()];
  if (read === undefined) {
    throw new RecordingError(
      `The first line of ${name} must be one of ${[OURS, TARDIS_TRADES, TARDIS_BOOK].join(" or ")}.`,
    );
  }
  const rows: RecordedRow[] = [];
  for (const [at, line] of lines.entries()) {
    const place = `Line ${at + 2} of ${name}`;
    const row = read(
      line.split(",").map((value) => value.trim()),
      place,
    );
    if (typeof row === "string") throw new RecordingError(`${place}: ${row}.`);
    if (row.timeMs < (rows.at(-1)?.timeMs ?? 0))
      throw new RecordingError(`${place}: its time lies before that of the line above.`);
    rows.push(row);
  }
  return rows;
}

/**
 * Several recordings of one market as one, by time; of the same time trades come first, since books show what they
 * left.
 */
export function mergeRecordings(recordings: readonly (readonly RecordedRow[])[]): RecordedRow[] {
  const rank = ({ kind }: RecordedRow) => (kind === "trade" ? 0 : 1);
  if (recordings.length === 1) return [...(recordings[0] as readonly RecordedRow[])];
  return recordings.flat().sort((one, other) => one.timeMs - other.timeMs || rank(one) - rank(other));
}

function rowOf(row: Omit<RecordedRow, "side"> & { readonly side: string }): RecordedRow | string {
  const side = SIDES[row.side];
  if (!Number.isFinite(row.timeMs) || row.timeMs <= 0) return "the time must be ISO 8601 or a number";
  if (side === undefined) return "the side must be buy or sell, bid or ask";
  if (!NUMBER.test(row.price) || Number(row.price) === 0) return "the price must be a decimal above 0";
  if (!NUMBER.test(row.amount)) return "the amount must be a decimal";
  return { ...row, side };
}
