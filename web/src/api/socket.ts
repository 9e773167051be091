/**
 * One socket of the venue, kept open: it connects again by itself, logs in again, and follows again what is followed. Frames come as
 * gzip; what they say is handed on once a frame, in order.
 */
import { createSignal } from "solid-js";
import { currentCsrf } from "./client.ts";
import { gather } from "./frame.ts";
import type { Product } from "./records.ts";

export type SocketState = "connecting" | "open" | "lost";

/** What to follow on a channel, and how to hear of it. */
export interface Following {
  readonly channel: string;
  /** Of `subscribe`. */
  readonly params: object;
  /** Of `unsubscribe`; nothing is sent where others still follow the same. */
  readonly leave: object;
  /** Only after a login. */
  readonly isSigned?: boolean;
  // Each channel has a record of its own, which its follower knows.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the channel's
  readonly hear: (data: any) => void;
  /** The venue has acknowledged; after a gap, too: what was missed has to be read. */
  readonly onFollowed?: () => void;
}

interface Reply {
  readonly id: number | null;
  readonly code?: number;
  readonly message?: string;
  readonly method?: string;
  readonly data?: unknown;
}

const PING_MS = 10_000;
const PONG_MS = 8_000;
const RETRY_MS_MIN = 500;
const RETRY_MS_MAX = 8_000;

export class VenueSocket {
  readonly product: Product;
  readonly state: () => SocketState;
  /** ms from a ping to its answer; undefined until one is known. */
  readonly latencyMs: () => number | undefined;
  readonly isLoggedIn: () => boolean;
  readonly #setState: (state: SocketState) => void;
  readonly #setLatency: (ms: number | undefined) => void;
  readonly #setLoggedIn: (is: boolean) => void;
  readonly #followings = new Set<Following>();
  readonly #awaited = new Map<number, (reply: Reply) => void>();
  #socket: WebSocket | undefined;
  #decoding: Promise<void> = Promise.resolve();
  #nextId = 1;
  #retryMs = RETRY_MS_MIN;
  #pinging: ReturnType<typeof setInterval> | undefined;

  constructor(product: Product) {
    this.product = product;
    const [state, setState] = createSignal<SocketState>("connecting");
    const [latency, setLatency] = createSignal<number>();
    const [loggedIn, setLoggedIn] = createSignal(false);
    this.state = state;
    this.latencyMs = latency;
    this.isLoggedIn = loggedIn;
    this.#setState = setState;
    this.#setLatency = setLatency;
    this.#setLoggedIn = setLoggedIn;
    this.#connect();
    addEventListener("online", () => this.#connectNow());
  }

  /** Follows until the returned function is called. */
  follow(following: Following): () => void {
    this.#followings.add(following);
    this.#subscribe(following);
    return () => {
      if (!this.#followings.delete(following)) return;
      const isShared = [...this.#followings].some(
        (other) =>
          other.channel === following.channel && JSON.stringify(other.leave) === JSON.stringify(following.leave),
      );
      if (!isShared) this.#send(`${following.channel}.unsubscribe`, following.leave);
    };
  }

  /** There is a session, and it is the one whose cookie came with the handshake. */
  login(): void {
    this.#login();
  }

  /** The session is another one: the cookie that proves it comes with the handshake, so the connection is made anew. */
  renewLogin(): void {
    const before = this.#socket;
    this.#forget();
    this.#connect();
    before?.close();
  }

  /** Asks for everything that a following gives from the start again. */
  refollow(following: Following): void {
    if (this.#followings.has(following)) this.#subscribe(following);
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v2/${this.product}`);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket === socket) this.#onOpen();
    };
    socket.onmessage = ({ data }) => this.#onFrame(socket, data as ArrayBuffer | string);
    socket.onclose = () => this.#onClose(socket);
  }

  #connectNow(): void {
    if (this.state() === "open" || this.#socket?.readyState === WebSocket.CONNECTING) return;
    this.#retryMs = RETRY_MS_MIN;
    this.#connect();
  }

  #onOpen(): void {
    this.#retryMs = RETRY_MS_MIN;
    this.#setState("open");
    for (const following of this.#followings) if (!following.isSigned) this.#subscribe(following);
    this.#login();
    this.#ping();
    this.#pinging = setInterval(() => this.#ping(), PING_MS);
  }

  #onClose(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#setState("lost");
    this.#forget();
    // A crowd that lost its venue at one moment must not come back at one moment.
    const waitMs = this.#retryMs * (0.75 + Math.random() / 2);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
    setTimeout(() => {
      if (this.#socket === socket) this.#connect();
    }, waitMs);
  }

  /** What was known by the connection that is gone. */
  #forget(): void {
    this.#setLatency(undefined);
    this.#setLoggedIn(false);
    clearInterval(this.#pinging);
    this.#awaited.clear();
  }

  #login(): void {
    const session = currentCsrf();
    if (session === undefined) return;
    this.#send("server.sign", { session }, ({ code }) => {
      this.#setLoggedIn(code === 0);
      if (code !== 0) return;
      for (const following of this.#followings) if (following.isSigned) this.#subscribe(following);
    });
  }

  #subscribe(following: Following): void {
    if (following.isSigned && !this.isLoggedIn()) return;
    this.#send(`${following.channel}.subscribe`, following.params, ({ code }) => {
      if (code === 0) following.onFollowed?.();
    });
  }

  #ping(): void {
    const socket = this.#socket;
    const sentAt = performance.now();
    const late = setTimeout(() => socket?.close(), PONG_MS);
    this.#send("server.ping", {}, () => {
      clearTimeout(late);
      if (this.#socket === socket) this.#setLatency(Math.round(performance.now() - sentAt));
    });
  }

  #send(method: string, params: object, onReply?: (reply: Reply) => void): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const id = this.#nextId++;
    if (onReply !== undefined) this.#awaited.set(id, onReply);
    this.#socket.send(JSON.stringify({ id, method, params }));
  }

  #onFrame(socket: WebSocket, frame: ArrayBuffer | string): void {
    // Unpacking takes turns of its own; the chain keeps frames in order.
    this.#decoding = this.#decoding
      .then(async () => {
        const text = typeof frame === "string" ? frame : await unpacked(frame);
        if (this.#socket === socket) this.#hear(JSON.parse(text) as Reply);
      })
      .catch(() => socket.close());
  }

  #hear(reply: Reply): void {
    if (reply.method === undefined) {
      const onReply = reply.id === null ? undefined : this.#awaited.get(reply.id);
      if (reply.id !== null) this.#awaited.delete(reply.id);
      // "require auth" without an id: the login has ended.
      if (reply.id === null && reply.message === "require auth") this.#setLoggedIn(false);
      onReply?.(reply);
      return;
    }
    const channel = reply.method.replace(/\.update$/, "");
    gather(() => {
      for (const following of this.#followings) if (following.channel === channel) following.hear(reply.data);
    });
  }
}

async function unpacked(frame: ArrayBuffer): Promise<string> {
  const stream = new Blob([frame]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}
