/** The client's end of a connection, of which nothing but bytes is known. */
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectSecurely } from "node:tls";
import { runningLimit } from "./running-time.ts";

/** More of what came than this is not kept. */
const KEPT_CHARS = 262_144;
/** Generous: a busy machine is slow, a hang is forever. */
const DEADLINE_MS = 60_000;

export class Peer {
  /** What was received so far, up to a bound. */
  text = "";
  readonly #wire: Socket;
  /** The wire itself, or TLS over it. */
  readonly #stream: Socket;
  #isOver = false;
  #stir: () => void = () => {};

  private constructor(wire: Socket, stream: Socket) {
    this.#wire = wire;
    this.#stream = stream;
    const over = () => {
      this.#isOver = true;
      this.#stir();
    };
    for (const each of new Set([wire, stream])) each.on("error", () => {}).once("close", over);
    stream.once("end", over);
    stream.on("data", (piece: Buffer) => {
      if (this.text.length < KEPT_CHARS) this.text += piece.toString("latin1");
      this.#stir();
    });
  }

  /** Returns when it is connected, or refused. `isSecure`: through TLS, no matter who the other side says it is. */
  static async open(to: NetConnectOpts, isSecure = false): Promise<Peer> {
    const wire = connect({ ...to, noDelay: true, allowHalfOpen: true } as NetConnectOpts);
    const stream = isSecure ? connectSecurely({ socket: wire, rejectUnauthorized: false }) : wire;
    const peer = new Peer(wire, stream);
    await new Promise<void>((resolve) => {
      for (const event of [isSecure ? "secureConnect" : "connect", "close"]) stream.once(event, () => resolve());
      wire.once("close", () => resolve());
    });
    return peer;
  }

  /** The other side has closed, or ended what it sends. */
  get isOver(): boolean {
    return this.#isOver;
  }

  write(sent: string | Buffer): void {
    if (!this.#stream.writable) return;
    if (typeof sent === "string") this.#stream.write(sent, "latin1");
    else this.#stream.write(sent);
  }

  /** Waits for what is received to match; false when the other side ends before. */
  async until(awaited: RegExp | ((text: string) => boolean)): Promise<boolean> {
    const isThere = () => (awaited instanceof RegExp ? awaited.test(this.text) : awaited(this.text));
    await this.#wait(isThere, `${awaited} did not come`);
    return isThere();
  }

  /** Waits for the other side to close, or to end what it sends. */
  async over(): Promise<void> {
    await this.#wait(() => this.#isOver, "the other side did not close");
  }

  async #wait(isSo: () => boolean, complaint: string): Promise<void> {
    const limit = runningLimit(DEADLINE_MS);
    while (!isSo() && !this.#isOver) {
      if (limit.signal.aborted) throw new Error(`${complaint}; this came: ${this.text.slice(0, 300)}`);
      const late = new AbortController();
      const moved = new Promise<void>((resolve) => {
        this.#stir = resolve;
      });
      await Promise.race([moved, pause(1_000, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
    }
    limit.end();
  }

  /** Takes nothing more. */
  stopReading(): void {
    this.#stream.pause();
  }

  /** Says that it sends nothing more, and reads on. */
  halfClose(): void {
    this.#stream.end();
    this.#stream.resume();
  }

  /** Ends the connection as a program that dies does: TCP says so at once, whatever is under way. */
  reset(): void {
    if (this.#wire.remoteAddress === undefined) this.#wire.destroy();
    else this.#wire.resetAndDestroy();
  }

  /** Closes both directions. */
  close(): void {
    this.#stream.destroy();
    this.#wire.destroy();
  }
}
