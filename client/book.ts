/**
 * The book of one market, kept from pushes: the first is whole, then come changes. After each the checksum is compared;
 * a book that differs is thrown away at once and asked for again, and so is one whose line was lost.
 */
import type { Answer } from "./answer.ts";
import { crc32 } from "./crc32.ts";
import { compareDecimals, isZero } from "./decimal.ts";
import type { Following, LineState, Product } from "./following.ts";
import { backoffMs } from "./quota.ts";
import type { VenueSocket } from "./socket.ts";
import type { DepthSubscription, DepthUpdate, Level } from "./sockets.generated.ts";

export interface BookOptions {
  /** Levels per side. */
  readonly limit?: DepthSubscription[1] | undefined;
  /** Price step that levels are merged to; "0" for none. */
  readonly interval?: DepthSubscription[2] | undefined;
  /** Called after each change, and when the book was lost; `isSound` tells which. */
  readonly onChange?: ((book: Book) => void) | undefined;
  /** Closes it, whether or not it has come. */
  readonly signal?: AbortSignal | undefined;
}

const RESYNC_FIRST_MS = 50;
const RESYNC_MOST_MS = 5_000;

export class Book {
  readonly market: string;
  /** Best first, both; empty while the book is not sound. */
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];
  /** Prices that the latest change named; none after a whole book. */
  changed: readonly string[] = [];
  /** Whether the book is known to be what the venue has. */
  isSound = false;
  /** The venue's time of the book, ms. */
  updatedAt = 0;
  /** How often a checksum was wrong. */
  resyncs = 0;
  readonly #onChange: ((book: Book) => void) | undefined;
  #following: Following | undefined;
  #resyncing: ReturnType<typeof setTimeout> | undefined;
  #badInARow = 0;
  /** Of a line that is paused: whether the book was sound until then. */
  #wasSound = false;
  #waiting: (() => void)[] = [];

  constructor(market: string, onChange?: (book: Book) => void) {
    this.market = market;
    this.#onChange = onChange;
  }

  /** Follows until it is closed; the answer comes with the first whole book. A market is followed once on a socket. */
  static async follow<P extends Product>(
    socket: VenueSocket<P>,
    market: string,
    { limit = 50, interval = "0", onChange, signal }: BookOptions = {},
  ): Promise<Answer<Book>> {
    const book = new Book(market, onChange);
    // Every socket has this channel, in the same shape.
    const any = socket as unknown as VenueSocket<"spot">;
    const answer = await any.follow("depth", [[market, limit, interval, false]], (push) => book.take(push), {
      onLine: (state) => book.#line(state),
      signal,
    });
    if (!answer.ok) return answer;
    book.#following = answer.data;
    signal?.addEventListener("abort", () => book.close());
    await book.sound();
    return { ...answer, data: book };
  }

  /** Takes a push in; what it comes to stands in the fields. */
  take({ is_full, depth }: DepthUpdate): void {
    // A change without a book is one from before the whole book that was asked for.
    if (!is_full && !this.isSound) return;
    const bids = is_full ? depth.bids : merged(this.bids, depth.bids, -1);
    const asks = is_full ? depth.asks : merged(this.asks, depth.asks, 1);
    if (checksumOf(bids, asks) !== depth.checksum) {
      this.resyncs++;
      this.#lose();
      this.#resync();
      return;
    }
    this.bids = bids;
    this.asks = asks;
    this.changed = is_full ? [] : [...depth.bids, ...depth.asks].map(([price]) => price);
    this.updatedAt = depth.updated_at;
    this.isSound = true;
    this.#badInARow = 0;
    for (const resolve of this.#waiting.splice(0)) resolve();
    this.#onChange?.(this);
  }

  /** Waits until the book is sound. */
  async sound(): Promise<void> {
    if (!this.isSound) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  close(): void {
    clearTimeout(this.#resyncing);
    this.#following?.stop();
    this.#lose();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** While the line is broken the book may be old; where it goes on without a gap, so does the book. */
  #line(state: LineState): void {
    if (state === "lost") {
      this.isSound ||= this.#wasSound;
      this.#lose();
    }
    const { isSound } = this;
    if (state === "paused") this.isSound = false;
    if (state === "resumed" && this.#wasSound) this.isSound = true;
    this.#wasSound = state === "paused" && isSound;
    if (isSound !== this.isSound && state !== "lost") this.#onChange?.(this);
  }

  #lose(): void {
    if (!this.isSound) return;
    this.isSound = false;
    this.bids = [];
    this.asks = [];
    this.changed = [];
    this.#onChange?.(this);
  }

  /** At once the first time; a venue whose books are never right is not asked all the time. */
  #resync(): void {
    clearTimeout(this.#resyncing);
    const waitMs = this.#badInARow === 0 ? 0 : backoffMs(this.#badInARow, RESYNC_FIRST_MS, RESYNC_MOST_MS);
    this.#badInARow++;
    this.#resyncing = setTimeout(() => this.#following?.renew(), waitMs);
  }
}

export function checksumOf(bids: readonly Level[], asks: readonly Level[]): number {
  return crc32([...bids, ...asks].map(([price, amount]) => `${price}:${amount}`).join(":"));
}

/** The levels after a change, best first: `order` is 1 for rising prices, -1 for falling ones. */
function merged(levels: readonly Level[], changes: readonly Level[], order: 1 | -1): readonly Level[] {
  if (changes.length === 0) return levels;
  const kept = [...levels];
  for (const level of changes) {
    const at = kept.findIndex(([price]) => compareDecimals(price, level[0]) * order >= 0);
    const isThere = at >= 0 && compareDecimals((kept[at] as Level)[0], level[0]) === 0;
    const place = at < 0 ? kept.length : at;
    if (isZero(level[1])) kept.splice(place, isThere ? 1 : 0);
    else kept.splice(place, isThere ? 1 : 0, level);
  }
  return kept;
}
