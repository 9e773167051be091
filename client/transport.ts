/**
 * One request and its answer over HTTP, signed where there is a key. What to do about a refusal is the caller's
 * business.
 */
import { type Answer, CLIENT_CODES, failed, outcomeOf } from "./answer.ts";
import type { ApiKey } from "./signer.ts";
import { Signer } from "./signer.ts";
import type { VenueClock } from "./venue-clock.ts";

export interface TransportOptions {
  /** Where the venue is, such as `http://127.0.0.1:7400`; in a page its own origin unless said otherwise. */
  readonly url?: string | undefined;
  readonly key?: ApiKey | undefined;
  /** The SVC of the headers `X-SVC-KEY` and so on. */
  readonly service?: string | undefined;
  /** After so many ms without an answer a request is given up. */
  readonly timeoutMs?: number | undefined;
}

export interface Attempt {
  readonly method: string;
  /** Path with `/v2` and query. */
  readonly target: string;
  readonly body?: string | undefined;
  readonly signed: boolean;
  /** ms that the request may be old when it arrives; the venue's own figure unless said otherwise. */
  readonly windowMs?: number | undefined;
}

/** An answer, and what its headers say of the quota. */
export interface Reply {
  readonly answer: Answer<unknown>;
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  /** Too many requests from this address, rather than of this account. */
  readonly isAddressLimit?: boolean;
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly pagination?: { readonly has_next?: boolean; readonly total?: number };
}

const TIMEOUT_MS = 10_000;
const TOO_MANY = 429;

export class Transport {
  readonly url: string;
  readonly signer: Signer | undefined;
  readonly #clock: VenueClock;
  readonly #service: string;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();

  constructor({ url, key, service = "SVC", timeoutMs = TIMEOUT_MS }: TransportOptions, clock: VenueClock) {
    this.url = (url ?? ownOrigin()).replace(/\/+$/, "");
    this.signer = key === undefined ? undefined : new Signer(key);
    this.#clock = clock;
    this.#service = service;
    this.#timeoutMs = timeoutMs;
  }

  /** Gives up what is under way; later calls fail with the sentence `because`. */
  close(because = "The client was closed."): void {
    this.#closing.abort(new Error(because));
  }

  async send(attempt: Attempt): Promise<Reply> {
    const { method, target, body } = attempt;
    if (attempt.signed && this.signer === undefined) {
      return { answer: failed(CLIENT_CODES.noKey, `${method} ${target} needs a key, and this client has none.`) };
    }
    const { signal } = this.#closing;
    if (signal.aborted) return { answer: failed(CLIENT_CODES.closed, (signal.reason as Error).message) };
    const headers = await this.#headers(attempt);
    try {
      const response = await fetch(this.url + target, {
        method,
        headers,
        signal: AbortSignal.any([AbortSignal.timeout(this.#timeoutMs), signal]),
        ...(body === undefined ? {} : { body }),
      });
      return replyOf(response, await response.text());
    } catch (error) {
      return {
        answer: failed(CLIENT_CODES.noAnswer, `No answer came: ${causeOf(error).replace(/\.$/, "")}.`, "unknown"),
      };
    }
  }

  async #headers({ method, target, body, signed, windowMs }: Attempt): Promise<Record<string, string>> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (!signed || this.signer === undefined) return headers;
    const timestamp = String(this.#clock.now());
    headers[`X-${this.#service}-KEY`] = this.signer.accessId;
    headers[`X-${this.#service}-TIMESTAMP`] = timestamp;
    headers[`X-${this.#service}-SIGN`] = await this.signer.sign(method + target + (body ?? "") + timestamp);
    if (windowMs !== undefined) headers[`X-${this.#service}-WINDOWTIME`] = String(windowMs);
    return headers;
  }
}

function replyOf({ status, headers }: Response, text: string): Reply {
  const limit = numberIn(headers, "x-ratelimit-limit");
  const remaining = numberIn(headers, "x-ratelimit-remaining");
  const isAddressLimit = status === TOO_MANY;
  const requestId = headers.get("x-request-id") ?? undefined;
  const envelope = envelopeIn(text);
  if (envelope === undefined) {
    const message = `The venue answered with status ${status} and nothing that can be read.`;
    return { answer: { ...failed(CLIENT_CODES.noAnswer, message, "unknown"), requestId }, isAddressLimit };
  }
  const { code, message, data, pagination } = envelope;
  if (code === 0) {
    const page = pagination === undefined ? {} : { hasNext: pagination.has_next ?? false, total: pagination.total };
    return { answer: { ok: true, data, requestId, ...page }, limit, remaining };
  }
  const reason = headers.get("x-bourse-reason") ?? undefined;
  const outcome = outcomeOf(code);
  return { answer: { ok: false, code, message, requestId, reason, outcome }, limit, remaining, isAddressLimit };
}

function envelopeIn(text: string): Envelope | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof (read as Envelope | null)?.code === "number" ? (read as Envelope) : undefined;
  } catch {
    return undefined;
  }
}

function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** Node says "fetch failed" and keeps the reason below. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function ownOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (location === undefined) throw new TypeError("Say where the venue is: new Client({ url: … }).");
  return location.origin;
}
