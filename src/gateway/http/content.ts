/** Services for pages and files that are the same for everybody: with a tag to ask again by, compressed once. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { RequestContext } from "./request-context.ts";
import type { Methods } from "./server.ts";

export interface Content {
  /** Content-Type. */
  readonly type: string;
  readonly body: string | Buffer;
  /** A flat list of further names and values. */
  readonly headers?: readonly string[];
  /**
   * Whether the body at this path never becomes another one, as where its hash is in the name: then caches do not ask
   * again.
   */
  readonly isImmutable?: boolean;
  /**
   * The body as it was compressed beforehand, by coding. Without, it is compressed at the first request that takes it
   * so.
   */
  readonly compressed?: Partial<Readonly<Record<Coding, Buffer>>>;
}

/** Content codings, the denser first: of those that a client takes the first is used. */
const CODINGS = ["br", "gzip"] as const;
export type Coding = (typeof CODINGS)[number];

/** The headers of every page of the venue: no framing, no referrer, and scripts and styles from this origin only. */
export const STRICT_PAGE_HEADERS = pageHeaders("'self'");

/**
 * As STRICT_PAGE_HEADERS, for pages whose programs write styles into their markup, as that of the API reference does.
 */
export const PAGE_HEADERS = pageHeaders("'self' 'unsafe-inline'");

function pageHeaders(styles: string): readonly string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return [
    "Content-Security-Policy",
    policy.join("; "),
    "X-Frame-Options",
    "DENY",
    "Referrer-Policy",
    "no-referrer",
    "Cross-Origin-Opener-Policy",
    "same-origin",
  ];
}

/** Below this a compressed answer saves nothing. */
const GZIP_BYTES_MIN = 1_024;

/** GET and HEAD of a content that `load` gives at the first request. */
export function contentMethods(load: () => Content): Methods {
  let prepared: Prepared | undefined;
  const service = (context: RequestContext) => {
    prepared ??= new Prepared(load());
    prepared.answer(context);
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
  readonly #compressed: Partial<Record<Coding, Buffer>>;

  constructor(content: Content) {
    this.#body = Buffer.from(content.body);
    this.#tag = `"${createHash("sha256").update(this.#body).digest("base64url").slice(0, 22)}"`;
    this.#compressed = { ...content.compressed };
    const fixed = [
      "Content-Type",
      content.type,
      "ETag",
      this.#tag,
      "Cache-Control",
      // What may change caches keep but ask each time: a venue that is updated shows its new pages at once.
      content.isImmutable === true ? "public, max-age=31536000, immutable" : "no-cache",
      "Vary",
      "Accept-Encoding",
    ];
    this.#headers = [...fixed, ...(content.headers ?? [])];
  }

  answer(context: RequestContext): void {
    if (context.header("if-none-match") === this.#tag) {
      context.answerUnchanged(this.#headers);
      return;
    }
    const accepted = context.header("accept-encoding") ?? "";
    const coding = CODINGS.find((each) => takes(accepted, each) && this.#hasCompressed(each));
    if (coding === undefined) context.answerContent(this.#headers, this.#body);
    else context.answerContent([...this.#headers, "Content-Encoding", coding], this.#compressed[coding] as Buffer);
  }

  #hasCompressed(coding: Coding): boolean {
    if (coding === "gzip" && this.#body.length >= GZIP_BYTES_MIN) this.#compressed.gzip ??= gzipSync(this.#body);
    return this.#compressed[coding] !== undefined;
  }
}

/** Whether Accept-Encoding names a coding, and not with the weight 0, which refuses it (RFC 9110, 12.5.3). */
function takes(accepted: string, coding: Coding): boolean {
  return accepted.split(",").some((each) => {
    const [name, ...weights] = each.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight));
  });
}
