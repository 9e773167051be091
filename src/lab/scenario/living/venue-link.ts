/**
 * A living venue as a scenario sees it: the operators' interface, and the API for the orders of its background traders.
 */
import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

/** Calls of the operators' interface; throws when one is refused. */
export interface OperatorLink {
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  text(method: string, path: string): Promise<string>;
}

export interface KeyOfTrader {
  readonly accessId: string;
  readonly secret: string;
}

interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

/** Too many requests at once: the background traders wait and try again. */
const LIMITED = 4213;
const TRIES_MAX = 50;
const LIMITED_WAIT_MS = 100;

/** Someone who calls the API with a key. */
export class ApiCaller {
  readonly #url: string;
  readonly #key: KeyOfTrader;
  /** Calls that were refused. */
  refused = 0;

  get accessId(): string {
    return this.#key.accessId;
  }

  constructor(url: string, key: KeyOfTrader) {
    this.#url = url;
    this.#key = key;
  }

  /** The answer, refused or not. */
  async send(method: "GET" | "POST", path: string, body?: object): Promise<Envelope> {
    const text = body === undefined ? "" : JSON.stringify(body);
    for (let tries = 1; ; tries++) {
      const timestamp = String(Date.now());
      const signature = createHmac("sha256", this.#key.secret)
        .update(`${method}${path}${text}${timestamp}`)
        .digest("hex");
      const response = await fetch(this.#url + path, {
        method,
        headers: {
          "content-type": "application/json",
          "X-SVC-KEY": this.#key.accessId,
          "X-SVC-SIGN": signature,
          "X-SVC-TIMESTAMP": timestamp,
        },
        ...(text === "" ? {} : { body: text }),
      });
      const envelope = (await response.json()) as Envelope;
      if (envelope.code !== 0) this.refused++;
      if (envelope.code !== LIMITED || tries === TRIES_MAX) return envelope;
      await pause(LIMITED_WAIT_MS);
    }
  }
}
