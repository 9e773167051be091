/**
 * Rows of an account kept current: read over HTTP, then changed by pushes. After a gap they are read again, and what
 * became of rows that are gone is asked for.
 */
import type { Answer } from "./answer.ts";
import { compareDecimals } from "./decimal.ts";
import type { Following, LineState } from "./following.ts";
import { sleep } from "./quota.ts";

/** How a kind of rows is read and what its pushes say. */
export interface Tracked<Row, Push> {
  idOf(row: Row): number;
  /** All rows that there are now. */
  read(): Promise<Answer<readonly Row[]>>;
  /** Returns what became of a row that is no more among them; undefined where the venue does not know it any more. */
  fateOf(row: Row): Promise<Row | undefined>;
  changeIn(push: Push): { readonly row: Row; readonly event: string; readonly isGone: boolean };
  follow(hear: (push: Push) => void, onLine: (state: LineState) => void): Promise<Answer<Following>>;
}

/**
 * `event` is the push's, or `read` where the change came to light by reading after a gap; `isGone`: it is no more among
 * the rows.
 */
export interface Change<Row> {
  readonly row: Row;
  readonly event: string;
  readonly isGone: boolean;
}

const READ_AGAIN_MS = 1_000;

export class Tracker<Row extends { readonly updated_at: number }, Push> {
  /** By id. */
  readonly rows = new Map<number, Row>();
  /** Whether the rows are known to be what the venue has. */
  isCurrent = false;
  readonly #tracked: Tracked<Row, Push>;
  readonly #onChange: (change: Change<Row>) => void;
  /** Pushes that came while the rows were read. */
  #held: Push[] | undefined;
  /** Rows whose end came to light by reading: pushes that are older than it may still tell of them. */
  #ended = new Set<number>();
  #hasRead = false;
  #isPaused = false;
  #reading = 0;
  #isClosed = false;
  #following: Following | undefined;
  #waiting: (() => void)[] = [];

  private constructor(tracked: Tracked<Row, Push>, onChange: (change: Change<Row>) => void) {
    this.#tracked = tracked;
    this.#onChange = onChange;
  }

  /** Answers when the rows were read for the first time. What is there then is no change. */
  static async start<Row extends { readonly updated_at: number }, Push>(
    tracked: Tracked<Row, Push>,
    onChange: (change: Change<Row>) => void = () => {},
  ): Promise<Answer<Tracker<Row, Push>>> {
    const tracker = new Tracker(tracked, onChange);
    const answer = await tracked.follow(
      (push) => tracker.#hear(push),
      (state) => tracker.#line(state),
    );
    if (!answer.ok) return answer;
    tracker.#following = answer.data;
    await tracker.current();
    return { ...answer, data: tracker };
  }

  /** Waits until the rows are current. */
  async current(): Promise<void> {
    if (!this.isCurrent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    this.#isClosed = true;
    this.#reading++;
    this.#following?.stop();
  }

  #line(state: LineState): void {
    if (state === "paused" || state === "resumed") {
      // A line that goes on without a gap leaves the rows as right as they were.
      this.#isPaused = state === "paused";
      this.#settle();
      return;
    }
    this.#isPaused = false;
    this.isCurrent = false;
    const turn = ++this.#reading;
    if (state === "followed") void this.#read(turn);
  }

  #hear(push: Push): void {
    if (this.#held !== undefined) this.#held.push(push);
    else this.#apply(push);
  }

  /**
   * Takes in what a push says, unless reading has told as much: where several nodes serve one address, the one that was
   * read may be ahead of the one that pushes.
   */
  #apply(push: Push): void {
    const change = this.#tracked.changeIn(push);
    const { row, isGone } = change;
    const id = this.#tracked.idOf(row);
    const known = this.rows.get(id);
    if (this.#ended.has(id)) {
      if (isGone) this.#ended.delete(id);
      return;
    }
    if (isGone ? known === undefined : known !== undefined && !isNews(row, known)) return;
    if (isGone) this.rows.delete(id);
    else this.rows.set(id, row);
    this.#onChange(change);
  }

  /** Pushes are held until the rows have been read. */
  async #read(turn: number): Promise<void> {
    this.#held = [];
    let answer = await this.#tracked.read();
    while (!answer.ok) {
      await sleep(READ_AGAIN_MS);
      if (this.#isStale(turn)) return;
      answer = await this.#tracked.read();
    }
    if (this.#isStale(turn)) return;
    const fresh = new Map(answer.data.map((row) => [this.#tracked.idOf(row), row]));
    const gone = [...this.rows].filter(([id]) => !fresh.has(id));
    for (const [id, row] of fresh) {
      const known = this.rows.get(id);
      this.rows.set(id, row);
      if (this.#hasRead && (known === undefined || isNews(row, known)))
        this.#onChange({ row, event: "read", isGone: false });
    }
    this.#ended = new Set(gone.map(([id]) => id));
    const fates = await Promise.all(gone.map(async ([, row]) => (await this.#tracked.fateOf(row)) ?? row));
    if (this.#isStale(turn)) return;
    for (const row of fates) {
      this.rows.delete(this.#tracked.idOf(row));
      this.#onChange({ row, event: "read", isGone: true });
    }
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const push of held) this.#apply(push);
    this.#hasRead = true;
    this.#settle();
  }

  #settle(): void {
    this.isCurrent = this.#hasRead && this.#held === undefined && !this.#isPaused;
    if (this.isCurrent) for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #isStale(turn: number): boolean {
    return this.#isClosed || turn !== this.#reading;
  }
}

/** Whether a row says something else than the known one, and is not older. */
function isNews<Row extends { readonly updated_at: number }>(row: Row, known: Row): boolean {
  if (row.updated_at !== known.updated_at) return row.updated_at > known.updated_at;
  return (Object.keys(known) as (keyof Row)[]).some((name) => name in row && !isSame(row[name], known[name]));
}

/** Lists and pushes may write one number in two ways: 0.1 and 0.100000. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return isDecimal(one) && isDecimal(other) && compareDecimals(one, other) === 0;
}

function isDecimal(value: unknown): value is string {
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value);
}
