/** A client of the legacy generation as its samples sign: sorted parameters, MD5 in upper case; SHA-256 for futures. */
import { hash } from "node:crypto";
import type { ApiClient, ApiKeyPair } from "../support/api-client.ts";
import type { ApiVenue } from "../support/served-venue.ts";

export interface LegacyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into freely
  readonly data: any;
}

export type LegacyRequest = Readonly<Record<string, unknown>>;

export type LegacyMethod = "GET" | "POST" | "PUT" | "DELETE";

/** How a request is sent where not as most clients of its surface do. */
export interface Sending {
  readonly scheme?: "md5" | "sha256";
  /** Where the parameters stand. */
  readonly place?: "query" | "json" | "form";
  /** Parameters that take the place of those, those of the signature included. */
  readonly changes?: LegacyRequest;
  /** In place of the digest; undefined: none is sent. */
  readonly authorization?: (digest: string) => string | undefined;
}

export class LegacyClient {
  readonly #venue: ApiVenue;
  readonly #key: ApiKeyPair;

  constructor(venue: ApiVenue, { key }: Pick<ApiClient, "key">) {
    this.#venue = venue;
    this.#key = key ?? { accessId: "", secret: "" };
  }

  /** A signed spot call below /v1. */
  spot(
    method: LegacyMethod,
    path: string,
    params: LegacyRequest = {},
    changes: LegacyRequest = {},
  ): Promise<LegacyAnswer> {
    return this.signed(method, `/v1${path}`, params, { changes });
  }

  /** A signed futures call below /perpetual/v1; POST bodies are forms. */
  futures(method: "GET" | "POST", path: string, params: LegacyRequest = {}): Promise<LegacyAnswer> {
    return this.signed(method, `/perpetual/v1${path}`, params);
  }

  /** A signed call of any path. */
  signed(method: LegacyMethod, path: string, params: LegacyRequest = {}, sending: Sending = {}): Promise<LegacyAnswer> {
    const isFutures = path.startsWith("/perpetual/");
    const { scheme = isFutures ? "sha256" : "md5", changes, authorization = (digest) => digest } = sending;
    const inQuery = method === "GET" || method === "DELETE";
    const { place = inQuery ? "query" : isFutures ? "form" : "json" } = sending;
    const { accessId, secret } = this.#key;
    const who = scheme === "md5" ? { access_id: accessId } : {};
    const when = { [scheme === "md5" ? "tonce" : "timestamp"]: this.#venue.control.timeMs };
    const all = { ...params, ...who, ...when, ...changes };
    const text = signedText(all, secret);
    const digest = scheme === "md5" ? hash("md5", text).toUpperCase() : hash("sha256", text);
    const given = authorization(digest);
    const headers: Record<string, string> = {
      ...(place === "query" ? {} : { "content-type": place === "json" ? "application/json" : FORM }),
      ...(scheme === "md5" ? {} : { AccessId: String(changes?.["access_id"] ?? accessId) }),
      ...(given === undefined ? {} : { authorization: given }),
    };
    if (place === "query") return this.#ask(method, `${path}?${pairsOf(all)}`, { headers });
    return this.#ask(method, path, { headers, body: place === "json" ? JSON.stringify(all) : pairsOf(all) });
  }

  /** An unsigned call. */
  get(path: string, params: LegacyRequest = {}): Promise<LegacyAnswer> {
    const query = pairsOf(params);
    return this.#ask("GET", query === "" ? path : `${path}?${query}`, {});
  }

  async #ask(method: LegacyMethod, path: string, init: RequestInit): Promise<LegacyAnswer> {
    const response = await fetch(this.#venue.base + path, { method, ...init });
    const { code, message, data } = (await response.json()) as LegacyAnswer;
    return { status: response.status, headers: response.headers, code, message, data };
  }
}

const FORM = "application/x-www-form-urlencoded";

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
