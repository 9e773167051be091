/**
 * A request over a socket that is served as the same request over HTTP: answered once, by its id, with the envelope
 * that HTTP has. What the sockets themselves refuse, before it is served, has their own codes.
 */
import type { ApiKey } from "../auth/key-directory.ts";
import type { MessageCall } from "../current/api.ts";
import type { Renderer } from "../http/renderer.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import type { Params } from "../request/validate.ts";
import type { Client } from "./client.ts";
import { OWN_PACKED, Push } from "./push.ts";
import type { SocketRequest } from "./request.ts";
import { type SocketObserver, toldFields } from "./socket-observer.ts";

/** The services and data that the calls of one hub share. */
export interface CallGround {
  readonly renderer: Renderer;
  /** Where the socket stands. */
  readonly path: string;
  readonly observer?: SocketObserver | undefined;
  /** The venue's time, ms. */
  now(): number;
  /** Takes note of what failed unexpectedly. */
  failed(error: unknown, method: string): void;
}

export class SocketCall implements MessageCall {
  readonly given: Params;
  readonly nowMs: number;
  readonly #ground: CallGround;
  readonly #client: Client;
  readonly #request: SocketRequest;
  /** Nobody hears its answer: something went wrong on purpose in the place of it. */
  readonly #isMuted: boolean;
  /** Of the connections of its client, that which asked. */
  readonly #line: number;
  #isAnswered = false;

  constructor(ground: CallGround, client: Client, request: SocketRequest, isMuted: boolean) {
    this.given = request.params as Params;
    this.nowMs = ground.now();
    this.#ground = ground;
    this.#client = client;
    this.#request = request;
    this.#isMuted = isMuted;
    this.#line = client.line;
    client.lateCalls++;
  }

  /** Calls are taken of connections that are logged in. */
  get caller(): ApiKey {
    return this.#client.key as ApiKey;
  }

  get remoteAddress(): string {
    return this.#client.remoteAddress;
  }

  /** Messages have no headers. */
  carry(): void {}

  /** Requests over sockets are remembered where they are refused. */
  noteCommand(): void {}
  noteRefusedElement(): void {}

  answer(envelope: string): void {
    this.#end(envelope.slice(1));
  }

  answerUncached(envelope: string): void {
    this.#end(envelope.slice(1));
  }

  refuse(refusal: Refused | WireRefusal): void {
    const refused = refusal instanceof Refused ? refusal : new Refused(refusal);
    const { renderer, path, observer } = this.#ground;
    const { code, body } = renderer.render(refused);
    const { method } = this.#request;
    const told = this.#isMuted
      ? undefined
      : observer?.hears({ path, method, userId: this.#client.key?.userId ?? 0, code, refused });
    this.#end(`${body.slice(1, -1)}${toldFields(told)}}`, refused.refusal === "rate_limited");
  }

  fail(error: unknown): void {
    this.#ground.failed(error, this.#request.method);
    if (!this.#isAnswered) this.refuse("internal_error");
  }

  goOn(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * `rest` is a JSON object without its first brace. A request that its account's quota let pass does not count for its
   * connection, too.
   */
  #end(rest: string, isOverQuota = false): void {
    if (this.#isAnswered) throw new Error(`The request ${this.#request.method} was answered twice.`);
    this.#isAnswered = true;
    const client = this.#client;
    client.lateCalls--;
    if (!isOverQuota) client.giveBack();
    if (!this.#isMuted && client.line === this.#line)
      client.send(new Push(`{"id":${this.#request.id},${rest}`, OWN_PACKED));
  }
}
