/** A client of the legacy generation as its samples sign: sorted parameters, MD5 in upper case; SHA-256 for futures. */
import { hash } from "node:crypto";
import type { ApiClient } from "../support/api-client.ts";
import type { ApiVenue } from "../support/api-venue.ts";

export interface LegacyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely
  readonly data: any;
}

export type LegacyRequest = Readonly<Record<string, unknown>>;

type Method = "GET" | "POST" | "PUT" | "DELETE";

export class LegacyClient {
  readonly #venue: ApiVenue;
  readonly #accessId: string;
  readonly #secret: string;

  constructor(venue: ApiVenue, { key }: Pick<ApiClient, "key">) {
    this.#venue = venue;
    this.#accessId = key?.accessId ?? "";
    this.#secret = key?.secret ?? "";
  }

  /** A signed spot call below /v1. */
  spot(method: Method, path: string, params: LegacyRequest = {}, changes: LegacyRequest = {}): Promise<LegacyAnswer> {
    const all = { ...params, access_id: this.#accessId, tonce: this.#venue.control.timeMs, ...changes };
    const authorization = hash("md5", signedText(all, this.#secret)).toUpperCase();
    const inQuery = method === "GET" || method === "DELETE";
    return this.#ask(method, `/v1${path}${inQuery ? `?${pairsOf(all)}` : ""}`, {
      headers: { authorization, "content-type": "application/json" },
      ...(inQuery ? {} : { body: JSON.stringify(all) }),
    });
  }

  /** A signed futures call below /perpetual/v1; POST bodies are forms. */
  futures(method: "GET" | "POST", path: string, params: LegacyRequest = {}): Promise<LegacyAnswer> {
    const all = { ...params, timestamp: this.#venue.control.timeMs };
    const text = Object.entries(all)
      .map(([name, value]) => `${name}=${value}`)
      .join("&");
    const authorization = hash("sha256", `${text}&secret_key=${this.#secret}`);
    const headers = { AccessId: this.#accessId, authorization, "content-type": "application/x-www-form-urlencoded" };
    if (method === "GET") return this.#ask(method, `/perpetual/v1${path}?${pairsOf(all)}`, { headers });
    return this.#ask(method, `/perpetual/v1${path}`, { headers, body: pairsOf(all) });
  }

  /** An unsigned call. */
  get(path: string): Promise<LegacyAnswer> {
    return this.#ask("GET", path, {});
  }

  async #ask(method: Method, path: string, init: RequestInit): Promise<LegacyAnswer> {
    const response = await fetch(this.#venue.base + path, { method, ...init });
    const { code, message, data } = (await response.json()) as LegacyAnswer;
    return { status: response.status, headers: response.headers, code, message, data };
  }
}

/** The text of the seed's scheme. */
export function signedText(params: LegacyRequest, secret: string): string {
  const pairs = Object.keys(params)
    .sort()
    .map((name) => `${name}=${textOf(params[name])}`);
  return [...pairs, `secret_key=${secret}`].join("&");
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function pairsOf(params: LegacyRequest): string {
  return new URLSearchParams(Object.entries(params).map(([name, value]) => [name, textOf(value)])).toString();
}
