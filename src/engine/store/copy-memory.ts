/** Bytes that are touched in a step: about a millisecond where memory is new to the process. */
const STEP_BYTES = 256 * 1024;

/**
 * Memory for the copy of a large state. What a process has never touched is slow to write to, 16 µs for 4 KB on some
 * machines, a hundred times the copy itself: so the memory is touched step by step beforehand, and the copy, which has
 * to be made at once, finds it ready. What does not fit any more takes new memory.
 */
export class CopyMemory {
  private readonly standsStill: boolean;
  private ready: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** `standsStill`: until all is written from the copy, the state does not change, so that what is only read stays. */
  constructor(standsStill = false) {
    this.standsStill = standsStill;
  }

  /** Makes so many bytes ready. */
  *prepare(bytes: number): Generator<void> {
    this.ready = new Uint8Array(bytes);
    for (let at = 0; at < bytes; at += STEP_BYTES) {
      this.ready.fill(0, at, at + STEP_BYTES);
      yield;
    }
  }

  /** These bytes as they stand now, to be read. */
  view(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.standsStill ? bytes : this.copy(bytes);
  }

  /** A copy of these bytes, which begins on a word. */
  copy(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    const room = Math.ceil(bytes.byteLength / 8) * 8;
    if (room > this.ready.byteLength) return bytes.slice();
    const copied = this.ready.subarray(0, bytes.byteLength);
    this.ready = this.ready.subarray(room);
    copied.set(bytes);
    return copied;
  }
}
