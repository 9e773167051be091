import assert from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";

/** The envelope of an answer, and what came with it. */
export interface WebReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what came; naming every shape would say it twice.
  readonly data: any;
}

/** A browser as the venue sees it: keeps the cookie, and sends the word of the header when it knows it. */
export class WebClient {
  readonly base: string;
  cookie: string | undefined;
  csrf: string | undefined;
  /** That of a browser that has asked for an account. */
  signUpCookie: string | undefined;
  /** Sent with every request; undefined leaves one out that would be sent. */
  headers: Record<string, string | undefined>;
  /** What the names of its cookies begin with, as the venue set them. */
  #prefix = "";

  constructor(base: string, headers: Record<string, string | undefined> = {}) {
    this.base = base;
    this.headers = headers;
  }

  get(path: string, headers?: Record<string, string | undefined>): Promise<WebReply> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body: object = {}, headers?: Record<string, string | undefined>): Promise<WebReply> {
    return this.send("POST", path, body, headers);
  }

  /** As `post`, for calls that must succeed: gives the data. */
  async act(path: string, body: object = {}): Promise<WebReply["data"]> {
    const { code, message, data } = await this.post(path, body);
    assert.equal(code, 0, `${path}: ${message}`);
    return data;
  }

  async read(path: string): Promise<WebReply["data"]> {
    const { code, message, data } = await this.get(path);
    assert.equal(code, 0, `${path}: ${message}`);
    return data;
  }

  /** What the venue says of who is signed in; takes the word of the header from it. */
  async session(): Promise<WebReply["data"]> {
    const data = await this.read("/web/session");
    this.csrf = data.csrf ?? undefined;
    return data;
  }

  async send(
    method: string,
    path: string,
    body?: object,
    more: Record<string, string | undefined> = {},
  ): Promise<WebReply> {
    const headers = Object.fromEntries(
      Object.entries({
        cookie: this.#cookies(),
        "x-bourse-csrf": this.csrf,
        ...this.headers,
        ...more,
      }).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const reply = await sent(this.base + path, method, headers, body === undefined ? undefined : JSON.stringify(body));
    for (const set of reply.headers["set-cookie"] ?? []) {
      const [, prefix = "", name, value] = /^(__Host-)?(\w+)=([^;]*)/.exec(set) ?? [];
      this.#prefix = prefix;
      if (name === "bourse_session") this.cookie = value || undefined;
      if (name === "bourse_sign_up") this.signUpCookie = value || undefined;
    }
    if (reply.data?.csrf !== undefined) this.csrf = reply.data.csrf ?? undefined;
    return reply;
  }

  #cookies(): string | undefined {
    const { cookie, signUpCookie } = this;
    const named = {
      theme: "dark",
      [`${this.#prefix}bourse_session`]: cookie,
      [`${this.#prefix}bourse_sign_up`]: signUpCookie,
    };
    const pairs = Object.entries(named).filter(([, value]) => value !== undefined);
    return pairs.length === 1 ? undefined : pairs.map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

/** `fetch` would set headers of its own, and leave out those that only browsers may set. */
function sent(url: string, method: string, headers: Record<string, string>, body?: string): Promise<WebReply> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => {
        const { statusCode: status = 0, headers: got } = response;
        resolve({ status, headers: got, ...JSON.parse(text) });
      });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
