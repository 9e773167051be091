import type { RequestContext } from "./request-context.ts";

/**
 * The time, in ms, for screening requests in one turn of the event loop, over all senders. A signature takes some
 * hundredths of it.
 */
const SCREEN_MS = 1;
/** Bodies are cut until this share of the bound is left, so that one look at all of them makes room for many pieces. */
const ROOM_SHARE = 7 / 8;

export interface UnfinishedOptions {
  /** Of all of them together. */
  readonly bytesMax: number;
  /** Looks at a request whose body is awaited; false when it was refused. */
  readonly screen: (context: RequestContext) => boolean;
  /** Ends one for want of room. */
  readonly cut: (context: RequestContext) => void;
  /** For how many ms one is held off before it is ended, since too many of its address were; 0: it is awaited. */
  readonly waitOf: (context: RequestContext) => number;
  readonly hold: (context: RequestContext, waitMs: number) => void;
}

/**
 * The requests whose body has begun and is not whole: all of them together hold so many bytes and no more. Who goes
 * beyond it costs those their place whose bodies come slowest, which are those of anyone who stalls.
 */
export class UnfinishedBodies {
  readonly #terms: UnfinishedOptions;
  readonly #open = new Set<RequestContext>();
  /**
   * Begun, and not looked at yet. Nearly every body is whole before the turn of the loop ends, and none of this is
   * needed.
   */
  #begun: RequestContext[] = [];
  #isLookDue = false;
  #bytes = 0;

  constructor(terms: UnfinishedOptions) {
    this.#terms = terms;
  }

  /** Bytes held. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The head of a request with a body has come. */
  begin(context: RequestContext): void {
    this.#begun.push(context);
    this.#lookSoon();
  }

  /** Bodies that are not whole hold so many bytes more, or less. */
  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#terms.bytesMax) this.#makeRoom();
  }

  #lookSoon(): void {
    if (this.#isLookDue) return;
    this.#isLookDue = true;
    setImmediate(() => {
      this.#isLookDue = false;
      this.#look(performance.now() + SCREEN_MS);
      if (this.#begun.length > 0) this.#lookSoon();
    });
  }

  /** Until the time is up; those that are left have others read in between. */
  #look(endMs: number): void {
    const begun = this.#begun;
    let at = 0;
    this.#begun = [];
    while (at < begun.length && performance.now() < endMs) {
      const context = begun[at++] as RequestContext;
      if (context.connection.isClosed) context.releaseBody();
      else if (context.isAwaitingBody && this.#terms.screen(context)) this.#awaitOrHold(context);
    }
    this.#begun = [...begun.slice(at), ...this.#begun];
  }

  #awaitOrHold(context: RequestContext): void {
    const waitMs = this.#terms.waitOf(context);
    if (waitMs > 0) this.#terms.hold(context, waitMs);
    else this.#await(context);
  }

  #await(context: RequestContext): void {
    this.#open.add(context);
    context.response.once("close", () => {
      this.#open.delete(context);
      context.releaseBody();
    });
    context.ownBody();
  }

  #makeRoom(): void {
    // One turn of the loop can read more than the bound.
    this.#look(Number.POSITIVE_INFINITY);
    const nowMs = performance.now();
    const speed = ({ unfinishedBytes, startMs }: RequestContext) => unfinishedBytes / Math.max(1, nowMs - startMs);
    const slowestFirst = [...this.#open]
      .map((context) => ({ context, speed: speed(context) }))
      .sort((one, other) => one.speed - other.speed);
    for (const { context } of slowestFirst) {
      if (this.#bytes <= this.#terms.bytesMax * ROOM_SHARE) return;
      if (context.isAwaitingBody) this.#terms.cut(context);
    }
  }
}
