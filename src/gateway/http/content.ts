/** Services for pages and files that are the same for everybody: with a tag to ask again by, compressed once. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Exchange } from "./exchange.ts";
import type { Methods } from "./server.ts";

export interface Content {
  /** Content-Type. */
  readonly type: string;
  readonly body: string | Buffer;
  /** A flat list of further names and values. */
  readonly headers?: readonly string[];
}

/** What every page of ours carries: no framing, no referrer, and scripts from this origin only. */
export const PAGE_HEADERS: readonly string[] = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Frame-Options",
  "DENY",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
];

/** Below this a compressed answer saves nothing. */
const GZIP_BYTES_MIN = 1_024;

/** GET and HEAD of a content that `load` gives at the first request. */
export function contentMethods(load: () => Content): Methods {
  let prepared: Prepared | undefined;
  const service = (exchange: Exchange) => {
    prepared ??= new Prepared(load());
    prepared.answer(exchange);
  };
  return new Map([
    ["GET", service],
    ["HEAD", service],
  ]);
}

class Prepared {
  readonly #body: Buffer;
  readonly #tag: string;
  readonly #headers: readonly string[];
  #gzipped: Buffer | undefined;

  constructor(content: Content) {
    this.#body = Buffer.from(content.body);
    this.#tag = `"${createHash("sha256").update(this.#body).digest("base64url").slice(0, 22)}"`;
    // Caches keep it but ask each time: a venue that is updated shows its new pages at once.
    const fixed = [
      "Content-Type",
      content.type,
      "ETag",
      this.#tag,
      "Cache-Control",
      "no-cache",
      "Vary",
      "Accept-Encoding",
    ];
    this.#headers = [...fixed, ...(content.headers ?? [])];
  }

  answer(exchange: Exchange): void {
    if (exchange.header("if-none-match") === this.#tag) {
      exchange.answerUnchanged(this.#headers);
    } else if (this.#body.length >= GZIP_BYTES_MIN && /\bgzip\b/.test(exchange.header("accept-encoding") ?? "")) {
      this.#gzipped ??= gzipSync(this.#body);
      exchange.answerContent([...this.#headers, "Content-Encoding", "gzip"], this.#gzipped);
    } else {
      exchange.answerContent(this.#headers, this.#body);
    }
  }
}
