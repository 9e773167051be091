/**
 * Who a client is behind proxies that are trusted to say so: the last address of the header that none of them has. What
 * stands before it in the header came from that client, and may be a lie.
 */
import { isIP } from "node:net";
import { holdsIp } from "../auth/ip-whitelist.ts";
import type { RequestHead } from "./request-context.ts";

export const PROXY_HEADERS = ["x-forwarded-for", "forwarded"] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

export interface ProxyOptions {
  /** Addresses and networks (CIDR) of proxies; empty: there are none, and headers are not believed. */
  readonly trusted: readonly string[];
  /** The one header that they set; the other is not looked at. */
  readonly header: ProxyHeader;
}

export const NO_PROXIES: ProxyOptions = { trusted: [], header: "x-forwarded-for" };

export function isProxy({ trusted }: ProxyOptions, address: string): boolean {
  return trusted.length > 0 && holdsIp(trusted, address);
}

/** The client's address; that of the last known hop where the header names none. */
export function clientOf(terms: ProxyOptions, peer: string, request: Pick<RequestHead, "header">): string {
  if (!isProxy(terms, peer)) return peer;
  const text = request.header(terms.header) ?? "";
  const hops = terms.header === "forwarded" ? hopsOfForwarded(text) : text.split(",");
  let client = peer;
  for (let at = hops.length - 1; at >= 0; at--) {
    const address = addressOf(hops[at] as string);
    // "unknown", a name that hides, or nonsense: nothing is known beyond the one that wrote it.
    if (address === undefined) return client;
    client = address;
    if (!isProxy(terms, address)) return client;
  }
  return client;
}

/** Whether a trusted proxy says that the client came to it over TLS. */
export function isOverTls(terms: ProxyOptions, peer: string, request: Pick<RequestHead, "header">): boolean {
  if (!isProxy(terms, peer)) return false;
  return request.header("x-forwarded-proto") === "https" || /\bproto=https\b/i.test(request.header("forwarded") ?? "");
}

/** RFC 7239: the `for` of each hop. One that names none is a hop that cannot be read. */
function hopsOfForwarded(text: string): string[] {
  return text.split(",").map((hop) => /(?:^|;)\s*for=("[^"]*"|[^;\s]*)/i.exec(hop)?.[1]?.replaceAll('"', "") ?? "");
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`; undefined for anything else. */
function addressOf(hop: string): string | undefined {
  const text = hop.trim();
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const plain = (bracketed ?? text.replace(/^([\d.]+):\d{1,5}$/, "$1")).replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(plain) === 0 || plain.includes("%") ? undefined : plain;
}
