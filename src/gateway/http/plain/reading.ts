/**
 * Reads the connections of a listener into one piece of memory that all of them share. Node makes new memory of 64 KiB for each read, gives
 * most of it back, wraps the rest and hands it through a stream: of what a request costs it, a sixth. Whose piece holds more than its turn
 * allows is not read on until that is read, slice by slice; see reading-turns.ts.
 */
import { Socket, type SocketConstructorOpts } from "node:net";
import { Duplex } from "node:stream";
import type { Held, Share } from "../reading-turns.ts";

/** As much as Node reads at once. */
const BYTES = 65_536;
const shared = Buffer.allocUnsafeSlow(BYTES);

/** Is lent a piece until it returns; gives how many bytes of it are read. It is given the rest again. */
export type Reader = (piece: Buffer) => number;

/** What Node's socket stands on. */
type Handled = { _handle?: { readonly useUserBuffer?: unknown } | null };

/** A socket that does not begin to read from its connection while a piece of it is held, whoever resumes it. */
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
  #held: Buffer | undefined;
  /** Whether it waits for its turn. */
  #isWaiting = false;

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
    const onread = { buffer: shared, callback: (bytes: number) => this.#take(bytes) };
    const options = { handle, allowHalfOpen: true, pauseOnCreate: true, onread };
    const socket = new HeldSocket(options as unknown as SocketConstructorOpts);
    socket.onResume = () => this.#wait();
    socket.once("close", () => {
      this.#setHeld(undefined);
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

  /** Goes on with another reader, which is given this first, in its turn. The memory is its own. */
  restart(reader: Reader, piece: Buffer): void {
    this.#reader = reader;
    this.#setHeld(piece);
    this.#wait();
  }

  /** Where nothing can be held: what comes from now on is the stream's. */
  release(): void {
    this.#reader = undefined;
    this.socket.off("data", this.#onData);
  }

  get heldBytes(): number {
    return this.#held?.length ?? 0;
  }

  readSlice(): boolean {
    this.#isWaiting = false;
    const held = this.#held;
    if (held === undefined || this.socket.isPaused()) return false;
    const taken = this.#read(held);
    // The reader may have restarted it, or closed it.
    if (this.#held !== held) return false;
    if (taken < held.length) {
      if (taken > 0) this.#setHeld(held.subarray(taken));
      this.#isWaiting = true;
      return true;
    }
    this.#setHeld(undefined);
    if (!this.socket.isPaused()) this.socket.resume();
    return false;
  }

  cut(): void {
    this.#setHeld(undefined);
    this.socket.destroy();
  }

  readonly #onData = (piece: Buffer) => void this.#reader?.(piece);

  /** False where no more is to be read for now. */
  #take(bytes: number): boolean {
    const piece = shared.subarray(0, bytes);
    if (this.#held !== undefined) {
      this.#setHeld(Buffer.concat([this.#held, piece]));
      return false;
    }
    const taken = this.#share.mayRead ? this.#read(piece) : 0;
    // The reader may have handed it over.
    if (taken === bytes || this.socket.destroyed) return this.#held === undefined;
    this.#setHeld(Buffer.from(piece.subarray(taken)));
    this.#wait();
    return false;
  }

  #read(piece: Buffer): number {
    const began = performance.now();
    const taken = this.#reader?.(piece) ?? piece.length;
    this.#share.spend(performance.now() - began);
    return taken;
  }

  #setHeld(held: Buffer | undefined): void {
    const before = this.heldBytes;
    this.#held = held;
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
