import type { Push } from "./push.ts";

/**
 * Pushes that go out in one write. Connections that are sent the same pushes in the same order walk the same path from
 * the root that a turn begins with, so that the coalesced bytes are put together once for all of them.
 */
export class Coalesced {
  readonly byteLength: number;
  readonly #before: Coalesced | undefined;
  readonly #push: Push | undefined;
  /** Where the path goes on; nearly always it does so in one way. */
  #lastPush: Push | undefined;
  #lastNext: Coalesced | undefined;
  #others: Map<Push, Coalesced> | undefined;
  #bytes: Buffer | undefined;

  /** Without arguments the root: nothing. */
  constructor(before?: Coalesced, push?: Push) {
    this.#before = before;
    this.#push = push;
    this.byteLength = before === undefined || push === undefined ? 0 : before.byteLength + push.frame.length;
  }

  /** These pushes and then another. */
  and(push: Push): Coalesced {
    if (push === this.#lastPush) return this.#lastNext as Coalesced;
    const next = this.#others?.get(push) ?? new Coalesced(this, push);
    if (this.#lastPush !== undefined) {
      this.#others ??= new Map();
      this.#others.set(this.#lastPush, this.#lastNext as Coalesced);
    }
    this.#lastPush = push;
    this.#lastNext = next;
    return next;
  }

  /** All frames in their order. Shared: not to be written to. */
  get bytes(): Buffer {
    this.#bytes ??= this.#join();
    return this.#bytes;
  }

  #join(): Buffer {
    const frames: Buffer[] = [];
    for (let at: Coalesced | undefined = this; at !== undefined; at = at.#before) {
      if (at.#push !== undefined) frames.push(at.#push.frame);
    }
    return frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames.reverse(), this.byteLength);
  }
}
