/**
 * The parts of the sockets that each generation of the API defines: its channels and methods, and the texts of its
 * requests, answers and refusals.
 */

import type { Needs } from "../auth/access.ts";
import type { ApiKey } from "../auth/key-directory.ts";
import type { Login } from "../auth/login.ts";
import type { Renderer } from "../http/renderer.ts";
import type { Refused, WireRefusal } from "../refused.ts";
import type { Channel, ChannelContext, ChannelDeclaration } from "./channel.ts";
import type { Client } from "./client.ts";
import type { MarketKind, SocketChannel, SocketError } from "./contract.ts";
import type { SocketRefusal } from "./errors.ts";
import type { CallAnswer, Method } from "./methods.ts";
import type { Push, PushForm } from "./push.ts";
import type { SocketRefused } from "./refused.ts";
import type { ReadRequest } from "./request.ts";
import type { Told } from "./socket-observer.ts";
import type { Watching } from "./watched-clients.ts";

/** The calls that the hub serves itself, under the method names of each generation. */
export interface HubCalls {
  /** Logs a client in. */
  login(client: Client, asked: LoginAsked): CallAnswer | SocketRefused;
  /** The same by the session of the page that opened the connection. */
  loginBySession(client: Client, csrf: string): CallAnswer | SocketRefused;
  /** Cancels the orders of an account at the end of this connection. */
  cancelOnDisconnect(client: Client, asked: WatchingAsked): CallAnswer;
  /** Numbers what a client is sent over channels from now on. */
  openSession(client: Client): CallAnswer;
  /** Goes on with what the session of an earlier connection followed, behind the last push that it was sent. */
  resume(client: Client, session: string, lastSeq: number): CallAnswer;
}

/** Markets by name; none: all. */
export interface WatchingAsked extends Pick<Watching, "active" | "scope" | "graceMs"> {
  readonly markets: readonly string[];
}

export type LoginAsked = Omit<Login, "remoteAddress">;

export interface SocketGeneration {
  /** The channels as the contract describes them, */
  readonly channels: readonly SocketChannel[];
  /** and what serves them. */
  readonly declared: readonly ChannelDeclaration[];
  /** How calls as over HTTP are refused; a generation without it has none. */
  readonly renderer?: Renderer | undefined;
  /** How pushes of channels are written. */
  readonly push: PushForm;
  /** Reads a message, which is at most `bytesMax` when it is whole. */
  read(message: Buffer, isBinary: boolean, bytesMax: number): ReadRequest;
  /** Its methods on the sockets of a kind. Throws when one of the contract has nothing behind it. */
  methodsOf(
    context: ChannelContext,
    channels: ReadonlyMap<string, Channel>,
    hub: HubCalls,
  ): ReadonlyMap<string, Method>;
  /** `id` and `data` are JSON. */
  answer(id: string, data: string): Push;
  acknowledge(id: string): Push;
  /** Returns the code and the message of a refusal in the contract. */
  errorOf(kind: MarketKind, refusal: SocketRefusal): SocketError;
  /** `message` is the contract's, or goes on behind it; `told` is what it carries beside. */
  refuse(id: string, code: number, message: string, told: Told | undefined): Push;
}

/** Who logs in on the sockets of a generation, and whether the key still holds. */
export interface SocketAuthenticator {
  /** The key behind a login, or the refusal; its time may be as far from the venue's as `windowMs` says. */
  login(login: Login, windowMs: number, nowMs: number): ApiKey | Refused;
  /** The same by the cookie of a session; a generation without it knows no sessions. */
  loginBySession?(token: string | undefined, csrf: string, nowMs: number): ApiKey | Refused;
  /** The venue's time up to which a login is taken; `nowMs` as it was taken at. */
  goodUntil(timestamp: number, windowMs: number, nowMs: number): number;
  /** Why a key may not do now what needs so much; a generation without it has no calls as over HTTP. */
  lackOf?(key: ApiKey, needs: Needs, nowMs: number): Refused | undefined;
  barredNow(key: ApiKey, nowMs: number): WireRefusal | undefined;
  renewed(key: ApiKey, remoteAddress: string): ApiKey | undefined;
}
