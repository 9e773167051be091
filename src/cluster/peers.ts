/**
 * The nodes' way to each other: one connection from each to each that it has something to say to or to ask, sealed
 * under the venue's key.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, Socket } from "node:net";
import { ownErrors } from "../net/socket-errors.ts";
import { BadFrame, type Frame, type Sealer } from "./frame.ts";

/** Before a frame: its length, big-endian. */
const LENGTH_BYTES = 4;
const NONCE_BYTES = 16;
/** A forwarded group, or a megabyte of a log, with its head. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024;
/** Of who has not shown the venue's key yet. */
const GREETING_BYTES_MAX = 1_024;
const GREETING_MS = 5_000;
/** Connections that are open to this node: every other one has one, and a few are being made anew. */
const CONNECTIONS_MAX = 64;
/** Bytes that may wait for a node that does not read; what comes beyond them is lost, and said again later. */
const WAITING_BYTES_MAX = 32 * 1024 * 1024;
/** A connection that was lost is made anew no sooner than this. */
const AGAIN_MS = 50;
const CONNECT_MS = 1_000;
const ANSWER_MS = 1_000;
/** A connection over which nothing is heard for so long although something was said is made anew. */
const SILENT_MS = 5_000;

/** Where a node listens, and as which process. */
export interface Peer {
  readonly address: string;
  readonly boot: string;
}

/** A message to another node: a head with its kind, and bytes. */
export interface Said {
  readonly head: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array | undefined;
}

export interface PeersOptions {
  readonly boot: string;
  readonly sealer: Sealer;
  /** Another node says something; `reply` says something to it over the same connection. */
  onSaid(frame: Frame, reply: (said: Said) => void): void;
  /** It asks; undefined: there is nothing to say to that. */
  onAsked(question: unknown): Said | undefined;
  /** A connection to a node is there, or nobody listens where it was. */
  onReached(peer: Peer): void;
  onGone(peer: Peer): void;
  onNote(text: string): void;
}

/** Frames over a socket: each under its number and the other side's nonce, so that none can be played again. */
class Wire {
  readonly #socket: Socket;
  readonly #sealer: Sealer;
  #buffer: Uint8Array = new Uint8Array(0);
  #bytesMax = GREETING_BYTES_MAX;
  #said = 0;
  #heard = 0;
  #sayTo = "";
  #hearFrom = "";

  constructor(socket: Socket, sealer: Sealer, onFrame: (frame: Frame) => void, onBad: (error: Error) => void) {
    this.#socket = socket;
    this.#sealer = sealer;
    socket.setNoDelay(true);
    socket.on("data", (bytes: Buffer) => {
      this.#buffer = this.#buffer.length === 0 ? bytes : Buffer.concat([this.#buffer, bytes]);
      try {
        this.#take(onFrame);
      } catch (error) {
        socket.destroy();
        if (error instanceof BadFrame) onBad(error);
        else throw error;
      }
    });
  }

  /** From now on each side's frames are for the nonce that the other one drew. */
  open(own: string, other: string): void {
    this.#hearFrom = own;
    this.#sayTo = other;
    this.#bytesMax = FRAME_BYTES_MAX;
  }

  say({ head, body }: Said): void {
    if (this.#socket.destroyed || this.#socket.writableLength > WAITING_BYTES_MAX) return;
    const frame = this.#sealer.seal(`said ${this.#sayTo} ${this.#said++}`, head, body);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(frame.length);
    this.#socket.cork();
    this.#socket.write(length);
    this.#socket.write(frame);
    this.#socket.uncork();
  }

  #take(onFrame: (frame: Frame) => void): void {
    while (this.#buffer.length >= LENGTH_BYTES) {
      const length = new DataView(this.#buffer.buffer, this.#buffer.byteOffset, LENGTH_BYTES).getUint32(0);
      if (length > this.#bytesMax) throw new BadFrame(`it has ${length} bytes`);
      if (this.#buffer.length < LENGTH_BYTES + length) return;
      const bytes = this.#buffer.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
      this.#buffer = this.#buffer.subarray(LENGTH_BYTES + length);
      onFrame(this.#sealer.open(`said ${this.#hearFrom} ${this.#heard++}`, bytes));
      if (this.#socket.destroyed) return;
    }
  }
}

/** This node's connection to another one. */
class Link {
  readonly #peer: Peer;
  readonly #options: PeersOptions;
  #wire: Wire | undefined;
  #socket: Socket | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #nextId = 1;
  readonly #asked = new Map<number, (frame: Frame | undefined) => void>();
  /** Calls that are made as soon as there is a connection. */
  readonly #thens: (() => void)[] = [];
  /** Since when something has been said and nothing heard. */
  #silentSince: number | undefined;
  #isClosed = false;

  constructor(peer: Peer, options: PeersOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  /** Lost when there is no connection; one is made then. */
  say(said: Said): void {
    const now = performance.now();
    this.#silentSince ??= now;
    // What was cut off without a word is noticed by the system only after minutes.
    if (this.#wire === undefined) this.#connect();
    else if (now - this.#silentSince > SILENT_MS) this.#socket?.destroy();
    else this.#wire.say(said);
  }

  /** Undefined: no answer. */
  ask(question: object, timeoutMs: number): Promise<Frame | undefined> {
    return new Promise((resolve) => {
      const id = this.#nextId++;
      const late = setTimeout(() => answered(undefined), timeoutMs);
      const answered = (frame: Frame | undefined) => {
        clearTimeout(late);
        this.#asked.delete(id);
        resolve(frame);
      };
      this.#asked.set(id, answered);
      const said = { head: { kind: "ask", id, question } };
      if (this.#wire === undefined) this.#connect(() => this.#wire?.say(said));
      else this.#wire.say(said);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.destroy();
    for (const answered of [...this.#asked.values()]) answered(undefined);
  }

  #connect(then?: () => void): void {
    const now = performance.now();
    if (then !== undefined) this.#thens.push(then);
    if (this.#socket !== undefined || this.#isClosed || now - this.#triedAt < AGAIN_MS) return;
    this.#triedAt = now;
    const { address, boot } = this.#peer;
    const { sealer, onReached, onGone, onNote, boot: ownBoot } = this.#options;
    const [, host = "", port = ""] = /^\[?(.*?)\]?:(\d+)$/.exec(address) ?? [];
    const socket = new Socket();
    this.#socket = socket;
    socket.setTimeout(CONNECT_MS, () => socket.destroy());
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    const wire: Wire = new Wire(
      socket,
      sealer,
      (frame) => {
        if (this.#wire !== undefined) {
          this.#heard(frame);
          return;
        }
        const greeting = frame.head as { boot: string; nonce: string };
        if (greeting.boot !== boot) {
          // Another process has come to listen there.
          socket.destroy();
          onGone(this.#peer);
          return;
        }
        socket.setTimeout(0);
        wire.say({ head: { kind: "greeting", boot: ownBoot, nonce, to: greeting.nonce } });
        wire.open(nonce, greeting.nonce);
        this.#wire = wire;
        for (const each of this.#thens.splice(0)) each();
        onReached(this.#peer);
      },
      (error) => onNote(`The node at ${address} said something else than a node of this venue: ${error.message}`),
    );
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" && !this.#isClosed) onGone(this.#peer);
    });
    socket.on("close", () => {
      const wasOpen = this.#wire !== undefined;
      this.#silentSince = undefined;
      this.#socket = undefined;
      this.#wire = undefined;
      this.#thens.length = 0;
      for (const answered of [...this.#asked.values()]) answered(undefined);
      // Whether the process has ended shows at once.
      if (wasOpen) this.#connect();
    });
    socket.connect(Number(port), host);
  }

  #heard(frame: Frame): void {
    this.#silentSince = undefined;
    const { id } = frame.head as { id?: number };
    if (id === undefined) this.#options.onSaid(frame, (said) => this.say(said));
    else this.#asked.get(id)?.(frame);
  }
}

export class Peers {
  readonly #options: PeersOptions;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #links = new Map<string, Link>();

  /** Listens at `host` and `port`, 0 for a free one. */
  static async listen(host: string, port: number, options: PeersOptions): Promise<Peers> {
    const peers = new Peers(options);
    peers.#server.listen(port, host);
    await once(peers.#server, "listening");
    return peers;
  }

  private constructor(options: PeersOptions) {
    this.#options = options;
    this.#server = createServer((socket) => {
      ownErrors(socket);
      this.#accept(socket);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** May be lost. */
  say(to: Peer, said: Said): void {
    this.#linkTo(to).say(said);
  }

  /** Undefined: no answer in time. */
  async ask(peer: Peer, question: object, timeoutMs = ANSWER_MS): Promise<Frame | undefined> {
    return await this.#linkTo(peer).ask(question, timeoutMs);
  }

  async close(): Promise<void> {
    for (const link of this.#links.values()) link.close();
    for (const socket of this.#open) socket.destroy();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  #linkTo(peer: Peer): Link {
    const { address, boot } = peer;
    const key = `${address} ${boot}`;
    const known = this.#links.get(key);
    if (known !== undefined) return known;
    const link = new Link(peer, this.#options);
    this.#links.set(key, link);
    // Those of processes that have ended long ago.
    const [oldest] = this.#links;
    if (this.#links.size > CONNECTIONS_MAX && oldest !== undefined) {
      oldest[1].close();
      this.#links.delete(oldest[0]);
    }
    return link;
  }

  #accept(socket: Socket): void {
    if (this.#open.size >= CONNECTIONS_MAX) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    const { sealer, boot, onSaid, onAsked, onNote } = this.#options;
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    let isOpen = false;
    const late = setTimeout(() => socket.destroy(), GREETING_MS);
    const wire: Wire = new Wire(
      socket,
      sealer,
      (frame) => {
        const head = frame.head as { kind: string; id: number; question: unknown; nonce: string; to: string };
        if (!isOpen) {
          // Its frames are for this connection alone.
          if (head.to !== nonce) throw new BadFrame("it greets another connection");
          clearTimeout(late);
          wire.open(nonce, head.nonce);
          isOpen = true;
        } else if (head.kind === "ask") {
          const answer = onAsked(head.question);
          if (answer !== undefined) wire.say({ ...answer, head: { ...answer.head, id: head.id } });
        } else onSaid(frame, (said) => wire.say(said));
      },
      (error) => onNote(`Somebody who is no node of this venue came to the address of this node: ${error.message}`),
    );
    socket.on("close", () => {
      clearTimeout(late);
      this.#open.delete(socket);
    });
    wire.say({ head: { kind: "greeting", boot, nonce } });
  }
}
