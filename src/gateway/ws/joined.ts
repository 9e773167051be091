import type { Push } from "./push.ts";

/**
 * Pushes that go out in one write. Connections that are sent the same pushes in the same order walk the same path from
 * the root that a turn begins with, so that the joined bytes are put together once for all of them.
 */
export class Joined {
  readonly byteLength: number;
  readonly #before: Joined | undefined;
  readonly #push: Push | undefined;
  /** Where the path goes on; nearly always it does so in one way. */
  #lastPush: Push | undefined;
  #lastNext: Joined | undefined;
  #others: Map<Push, Joined> | undefined;
  #bytes: Buffer | undefined;

  /** Without arguments the root: nothing. */
  constructor(before?: Joined, push?: Push) {
    this.#before = before;
    this.#push = push;
    this.byteLength = before === undefined || push === undefined ? 0 : before.byteLength + push.frame.length;
  }

  /** These pushes and then another. */
  and(push: Push): Joined {
    if (push === this.#lastPush) return this.#lastNext as Joined;
    const next = this.#others?.get(push) ?? new Joined(this, push);
    if (this.#lastPush !== undefined) {
      this.#others ??= new Map();
      this.#others.set(this.#lastPush, this.#lastNext as Joined);
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
    for (let at: Joined | undefined = this; at !== undefined; at = at.#before) {
      if (at.#push !== undefined) frames.push(at.#push.frame);
    }
    return frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames.reverse(), this.byteLength);
  }
}
