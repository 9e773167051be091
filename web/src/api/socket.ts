/**
 * A socket of the venue as a page has it: the client's, which keeps itself open and follows again what is followed,
 * with signals for what a page shows of it, the page's session for a login, and pushes taken in once a frame.
 */
import { createSignal } from "solid-js";
import { Book, type BookOptions } from "../../../client/book.ts";
import { VenueSocket } from "../../../client/socket.ts";
import { currentCsrf } from "./client.ts";
import { gather } from "./frame.ts";
import type { Product } from "./records.ts";

export type SocketState = "connecting" | "open" | "lost";

/** A channel to follow, and the functions that hear of it. */
export interface Following {
  readonly channel: string;
  /** Empty for all. */
  readonly items: readonly unknown[];
  // Each channel has a record of its own, which its follower knows.
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the channel's
  readonly hear: (data: any) => void;
  /** The venue has acknowledged; after a gap, too: what was missed has to be read. */
  readonly onFollowed?: () => void;
}

const PING_MS = 10_000;

export class PageSocket {
  readonly product: Product;
  readonly state: () => SocketState;
  /** ms from a ping to its answer; undefined until one is known. */
  readonly latencyMs: () => number | undefined;
  readonly isLoggedIn: () => boolean;
  // The channels of both products, by name: what each pushes its follower knows.
  // biome-ignore lint/suspicious/noExplicitAny: see Following
  readonly #socket: VenueSocket<any>;

  constructor(product: Product) {
    this.product = product;
    const [state, setState] = createSignal<SocketState>("connecting");
    const [latency, setLatency] = createSignal<number>();
    const [loggedIn, setLoggedIn] = createSignal(false);
    this.state = state;
    this.latencyMs = latency;
    this.isLoggedIn = loggedIn;
    this.#socket = new VenueSocket(product, {
      url: location.origin,
      open: (url) => {
        const socket = new WebSocket(url);
        socket.binaryType = "arraybuffer";
        return Promise.resolve(socket);
      },
      // The cookie that came with the handshake says whose session it is, and this that the page is its own.
      proof: {
        params: () => {
          const session = currentCsrf();
          return Promise.resolve(session === undefined ? undefined : { session });
        },
        refused: () => Promise.resolve("wait"),
      },
      pingMs: PING_MS,
      watch: { state: setState, latency: setLatency, login: setLoggedIn },
      deliver: gather,
    });
    addEventListener("online", () => this.#socket.connectNow());
  }

  /** Follows until the returned function is called; what needs a login waits for one. */
  follow({ channel, items, hear, onFollowed }: Following): () => void {
    const leaving = new AbortController();
    const onLine = (line: string) => {
      if (line === "followed") onFollowed?.();
    };
    void this.#socket.follow(channel, items as never[], hear, { onLine, signal: leaving.signal });
    return () => leaving.abort();
  }

  /** Keeps the book of a market until the returned function is called. */
  followBook(market: string, options: BookOptions): () => void {
    const leaving = new AbortController();
    void Book.follow(this.#socket, market, { ...options, signal: leaving.signal });
    return () => leaving.abort();
  }

  /** There is a session, and it is the one whose cookie came with the handshake. */
  login(): void {
    this.#socket.login();
  }

  /** The session is another one: the cookie that proves it comes with the handshake, so the connection is made anew. */
  renewLogin(): void {
    this.#socket.reconnect();
  }
}
