import assert from "node:assert/strict";
import { createHmac } from "node:crypto";

/**
 * What every call is answered with. `data` is looked into by name in tests, and checked against the contract elsewhere.
 */
export interface Envelope {
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what came; naming every shape would say it twice.
  readonly data: any;
  readonly pagination?: { readonly has_next: boolean; readonly total?: number };
}

export interface ApiKeyPair {
  readonly accessId: string;
  readonly secret: string;
}

/** A client of the current API that signs what it sends when it has a key. */
export class ApiClient {
  readonly base: string;
  readonly key: ApiKeyPair | undefined;
  readonly #now: () => number;

  constructor(base: string, now: () => number, key?: ApiKeyPair) {
    this.base = base;
    this.key = key;
    this.#now = now;
  }

  get(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<Envelope> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return this.send("GET", text === "" ? path : `${path}?${text}`);
  }

  /** `body` is sent as JSON, or as it is when it is a text already. */
  post(path: string, body: unknown): Promise<Envelope> {
    return this.send("POST", path, typeof body === "string" ? body : JSON.stringify(body));
  }

  /** As `get` and `post`, for calls that must succeed: gives the data. */
  async read(path: string, query?: Readonly<Record<string, string | number | undefined>>): Promise<Envelope["data"]> {
    return succeeded(await this.get(path, query));
  }

  async act(path: string, body: unknown): Promise<Envelope["data"]> {
    return succeeded(await this.post(path, body));
  }

  /** Every answered request has HTTP status 200, refused or not. */
  async send(method: string, target: string, body?: string | Buffer): Promise<Envelope> {
    const response = await this.fetch(method, target, body);
    const text = await response.text();
    assert.equal(response.status, 200, `${method} ${target}: ${text}`);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    return JSON.parse(text) as Envelope;
  }

  /** The whole answer, for who looks at its headers. */
  fetch(method: string, target: string, body?: string | Buffer): Promise<Response> {
    const headers = this.headersFor(method, target, body);
    return fetch(this.base + target, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  headersFor(method: string, target: string, body: string | Buffer = ""): Record<string, string> {
    if (this.key === undefined) return {};
    const timestamp = String(this.#now());
    const signature = createHmac("sha256", this.key.secret)
      .update(`${method}${target}`)
      .update(body)
      .update(timestamp)
      .digest("hex");
    return { "X-SVC-KEY": this.key.accessId, "X-SVC-SIGN": signature, "X-SVC-TIMESTAMP": timestamp };
  }
}

export function succeeded(envelope: Envelope): Envelope["data"] {
  assert.equal(envelope.code, 0, envelope.message);
  assert.equal(envelope.message, "OK");
  return envelope.data;
}
