/** How the channels of a socket are followed, as types. */
import type { Failed } from "./answer.ts";
import type { Params } from "./http.generated.ts";
import type { Channels, Methods, WsCancelScope } from "./sockets.generated.ts";

export type Product = keyof Channels;
export type ChannelOf<P extends Product> = Extract<keyof Channels[P], string>;
export type ItemOf<P extends Product, C extends ChannelOf<P>> = Channels[P][C] extends { item: infer Item }
  ? Item
  : never;
export type PushOf<P extends Product, C extends ChannelOf<P>> = Channels[P][C] extends { push: infer Push }
  ? Push
  : never;

/** Methods of a socket that are calls of HTTP, */
export type MethodOf<P extends Product> = Extract<keyof Methods[P], string>;
/** the call that each of them is, */
export type CallOf<P extends Product, M extends MethodOf<P>> = Extract<Methods[P][M], keyof Params>;
/** and what it takes. */
export type MethodParams<P extends Product, M extends MethodOf<P>> = Params[CallOf<P, M>];

/** Which orders go when a connection ends, and how long after. */
export interface CancelOptions extends Omit<FollowOptions, "onLine"> {
  /** ALL unless given. */
  readonly scope?: WsCancelScope | undefined;
  /** All unless given. */
  readonly markets?: readonly string[] | undefined;
  /** ms that the client has to be back; 0 unless given. */
  readonly graceMs?: number | undefined;
  /**
   * `followed`: from now on the end of the line cancels; `lost`: it has ended, and the orders go when the grace is
   * over.
   */
  readonly onLine?: FollowOptions["onLine"];
}

/**
 * `followed`: the venue has acknowledged, for the first time or again; `lost`: nothing comes until it has done so
 * again. Of a client that resumes: `paused`: nothing comes until the line is back; `resumed`: it is, and what came
 * meanwhile comes now.
 */
export type LineState = "followed" | "lost" | "paused" | "resumed";

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
  /**
   * Returns what to do where the venue takes the proof for wrong: sign again, wait for another login, or end what needs
   * one.
   */
  refused(): Promise<"again" | "wait" | "end">;
}

/** Hears how a connection is, such as a page that shows it. */
export interface SocketWatch {
  state(state: "open" | "lost"): void;
  /** ms from a ping to its answer; undefined when it is not known any more. */
  latency(ms: number | undefined): void;
  login(isLoggedIn: boolean): void;
}

/** Quotas of an account, which its calls over HTTP and over sockets share. */
export interface SharedQuotas {
  /** False where there was none in time. */
  take(group: string, cost: number): Promise<boolean>;
  /** An answer has come; `isExhausted`: the venue refused for want of quota. */
  answered(group: string, cost: number, isExhausted: boolean): void;
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
  /** Whether a line that broke is gone on with, without a gap, where the venue can. */
  readonly resume?: boolean | undefined;
  /** Without, calls over the socket wait for no quota. */
  readonly quotas?: SharedQuotas | undefined;
  /** Hands on what was pushed, in order: at once unless given, such as with the next frame of a page. */
  readonly deliver?: ((take: () => void) => void) | undefined;
}
