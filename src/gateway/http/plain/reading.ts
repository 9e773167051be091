/**
 * Reads the connections of a listener into one piece of memory that all of them share. Node makes new memory of 64 KiB
 * for each read, gives most of it back, wraps the rest and hands it through a stream: of what a request costs it, a
 * sixth. Whose piece holds more than its turn allows is not read on until that is read, slice by slice; see
 * reading-turns.ts.
 */
import { Socket, type SocketConstructorOpts } from "node:net";
import { Duplex } from "node:stream";
import { HELD_BYTES_MAX, type Held, type Share } from "../reading-turns.ts";

/** As much as Node reads at once. */
const BYTES = 65_536;
const shared = Buffer.allocUnsafeSlow(BYTES);
/**
 * A connection is read in pieces of this size, and in larger ones while it fills them and its address may be read at
 * once: hundreds that have something at the same time are each read once before anybody can say no, and what is read of
 * them must be copied.
 */
const FIRST_BYTES = 8_192;
const first = shared.subarray(0, FIRST_BYTES);

/**
 * Memory for pieces that are held, to be used again: made anew each time, pieces of an attack would have the collector
 * of garbage stop everything several times a second. All that a listener holds at most may stay when it is free.
 */
const FREE_MAX = HELD_BYTES_MAX / BYTES;
const free: Buffer[] = [];
/** Held data of at most this size has memory of its own size. */
const OWN_BYTES_MAX = 8_192;

/**
 * Is lent a piece until it returns, whose memory is used again; gives how many bytes of it are read. It is given the
 * rest again, and what came behind it.
 */
export type Reader = (piece: Buffer) => number;

/** Node's handle under a socket. */
type Handled = { _handle?: { readonly useUserBuffer?: unknown } | null };

/** A socket that does not begin to read from its connection while a piece of it is held, no matter who resumes it. */
class HeldSocket extends Socket {
  isHeld = false;
  onResume: () => void = () => {};

  override resume(): this {
    if (!this.isHeld) return super.resume();
    Duplex.prototype.resume.call(this);
    this.onResume();
    return this;
  }

  override _read(size: number): void {
    if (!this.isHeld) super._read(size);
  }
}

/** A connection whose pieces go to a reader. */
export class Reading implements Held {
  readonly socket: Socket;
  readonly #heldSocket: HeldSocket | undefined;
  readonly #share: Share;
  #reader: Reader | undefined;
  /** Where the next piece is read into. */
  #next = first;
  #held: Buffer | undefined;
  /** Of the held piece, what is not read yet. */
  #heldFrom = 0;
  #heldTo = 0;
  /** Whether it waits for its turn. */
  #isWaiting = false;
  #isDropped = false;

  /** `accepted` is not read yet; `socket` stands in its place, and takes it along when it closes. */
  constructor(accepted: Socket, share: Share) {
    this.#share = share;
    const handle = (accepted as unknown as Handled)._handle;
    if (typeof handle?.useUserBuffer !== "function") {
      this.socket = accepted;
      accepted.on("data", this.#onData);
      return;
    }
    (accepted as unknown as Handled)._handle = null;
    const onread = { buffer: () => this.#next, callback: (bytes: number) => this.#take(bytes) };
    const options = { handle, allowHalfOpen: true, pauseOnCreate: true, onread };
    const socket = new HeldSocket(options as unknown as SocketConstructorOpts);
    socket.onResume = () => this.#wait();
    socket.once("close", () => {
      this.#letGo();
      // The server counts the one that it accepted.
      accepted.destroy();
    });
    this.socket = socket;
    this.#heldSocket = socket;
  }

  /** Whether its reader may leave a part of a piece for later. */
  get isShared(): boolean {
    return this.#heldSocket !== undefined;
  }

  /** Begins to read, or goes on with another reader. */
  start(reader: Reader): void {
    this.#reader = reader;
    this.socket.resume();
  }

  /** Where nothing can be held: what comes from now on is the stream's. */
  release(): void {
    this.#reader = undefined;
    this.socket.off("data", this.#onData);
  }

  /** Memory that is taken by what is held, read or not. */
  get heldBytes(): number {
    return this.#held?.length ?? 0;
  }

  readSlice(): boolean {
    this.#isWaiting = false;
    const held = this.#held;
    if (held === undefined || this.socket.isPaused()) return false;
    const taken = this.#read(held.subarray(this.#heldFrom, this.#heldTo));
    // The reader may have closed it.
    if (this.#held !== held) return false;
    this.#heldFrom += taken;
    if (this.#heldFrom < this.#heldTo) {
      // The reader may have had it wait already.
      if (this.#isWaiting) return false;
      this.#isWaiting = true;
      return true;
    }
    this.#letGo();
    if (!this.socket.isPaused()) this.socket.resume();
    return false;
  }

  cut(): void {
    this.#letGo();
    this.socket.destroy();
  }

  /** Drops what is held and what may still come: nothing more of it is read. */
  drop(): void {
    this.#isDropped = true;
    this.#letGo();
  }

  readonly #onData = (piece: Buffer) => void this.#reader?.(piece);

  /** False where no more is to be read for now. */
  #take(bytes: number): boolean {
    if (this.#isDropped) return false;
    const piece = shared.subarray(0, bytes);
    const isFull = bytes === this.#next.length;
    this.#next = isFull && this.#share.mayRead ? shared : first;
    if (this.#held !== undefined) {
      const before = this.#held.subarray(this.#heldFrom, this.#heldTo);
      this.#hold(before, piece);
      return false;
    }
    const taken = this.#share.mayRead ? this.#read(piece) : 0;
    if (taken === bytes || this.socket.destroyed || this.#isDropped) return true;
    this.#hold(piece.subarray(taken));
    this.#wait();
    return false;
  }

  #read(piece: Buffer): number {
    const began = performance.now();
    const taken = this.#reader?.(piece) ?? piece.length;
    this.#share.spend(performance.now() - began);
    return taken;
  }

  /** Keeps what stands in these pieces, and nothing else. */
  #hold(...pieces: readonly [Buffer, ...Buffer[]]): void {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isOwn = bytes <= OWN_BYTES_MAX || bytes > BYTES;
    const held = isOwn ? Buffer.allocUnsafeSlow(bytes) : (free.pop() ?? Buffer.allocUnsafeSlow(BYTES));
    let at = 0;
    for (const piece of pieces) at += piece.copy(held, at);
    this.#letGo();
    this.#setHeld(held, bytes);
  }

  #letGo(): void {
    if (this.#held?.length === BYTES && free.length < FREE_MAX) free.push(this.#held);
    this.#setHeld(undefined, 0);
  }

  #setHeld(held: Buffer | undefined, bytes: number): void {
    const before = this.heldBytes;
    this.#held = held;
    [this.#heldFrom, this.#heldTo] = [0, bytes];
    if (this.#heldSocket !== undefined) this.#heldSocket.isHeld = held !== undefined;
    const grown = this.heldBytes - before;
    if (grown !== 0) this.#share.hold(this, grown);
  }

  #wait(): void {
    if (this.#isWaiting || this.#held === undefined) return;
    this.#isWaiting = true;
    this.#share.wait(this);
  }
}
