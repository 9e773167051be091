/** How the channels of a socket are followed, as types. */
import type { Failed } from "./answer.ts";
import type { Channels } from "./sockets.generated.ts";

export type Product = keyof Channels;
export type ChannelOf<P extends Product> = Extract<keyof Channels[P], string>;
export type ItemOf<P extends Product, C extends ChannelOf<P>> = Channels[P][C] extends { item: infer Item }
  ? Item
  : never;
export type PushOf<P extends Product, C extends ChannelOf<P>> = Channels[P][C] extends { push: infer Push }
  ? Push
  : never;

/** `followed`: the venue has acknowledged, for the first time or again; `lost`: nothing comes until it has done so again. */
export type LineState = "followed" | "lost";

export interface FollowOptions {
  readonly onLine?: ((state: LineState) => void) | undefined;
  /** The venue has ended it for good, as where the key was deleted. */
  readonly onEnd?: ((why: Failed) => void) | undefined;
  /** Ends it, acknowledged or not. */
  readonly signal?: AbortSignal | undefined;
}

export interface Following {
  /** Asks for everything that the channel gives from the start again. */
  renew(): void;
  stop(): void;
}

/** How a socket says who asks. */
export interface Proof {
  /** The parameters of `server.sign`; undefined while nobody is signed in: `login` tells when somebody is. */
  params(): Promise<object | undefined>;
  /** What is to be done where the venue takes the proof for wrong: sign again, wait for another login, or end what needs one. */
  refused(): Promise<"again" | "wait" | "end">;
}

/** Hears how a connection is, such as a page that shows it. */
export interface SocketWatch {
  state(state: "open" | "lost"): void;
  /** ms from a ping to its answer; undefined when it is not known any more. */
  latency(ms: number | undefined): void;
  login(isLoggedIn: boolean): void;
}

export interface SocketGround {
  /** Such as `http://127.0.0.1:7400`. */
  readonly url: string;
  readonly open: (url: string) => Promise<WebSocket>;
  /** Without, only what needs no login can be followed. */
  readonly proof?: Proof | undefined;
  /** ms from one ping to the next, and that an answer may take. */
  readonly pingMs?: number | undefined;
  readonly watch?: SocketWatch | undefined;
  /** Hands on what was pushed, in order: at once unless given, such as with the next frame of a page. */
  readonly deliver?: ((take: () => void) => void) | undefined;
}
