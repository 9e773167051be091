/**
 * Finds requests that Node let through although they are malformed, or that proxies in front might read differently.
 */
import type { IncomingMessage } from "node:http";
import type { HttpLimits } from "./limits.ts";

export interface Fault {
  readonly status: 400 | 431;
  readonly message: string;
}

/** The first thing that is wrong with the head of a request; undefined when nothing is. */
export function faultOf(request: IncomingMessage, limits: Pick<HttpLimits, "headersMax">): Fault | undefined {
  const { rawHeaders, headers } = request;
  if (rawHeaders.length > limits.headersMax * 2) {
    return { status: 431, message: `The request has more than ${limits.headersMax} headers.` };
  }
  const isVersion11 = request.httpVersion === "1.1";
  if (!isVersion11 && request.httpVersion !== "1.0") return malformed("The request must be of HTTP/1.1 or HTTP/1.0.");
  const target = request.url as string;
  if (target.charCodeAt(0) !== SLASH) return malformed("The request target must be a path that begins with a slash.");
  // A fragment never leaves its client (RFC 9110, 7.1); a proxy may cut it off and ask for something else.
  if (target.indexOf("#") >= 0) return malformed("The request target must not hold a number sign; encode it as %23.");
  const hosts = hostHeadersOf(rawHeaders);
  if (hosts > 1 || (hosts === 0 && isVersion11)) return malformed("The request must carry exactly one Host header.");
  if (hosts === 1 && !isHost(headers.host as string)) return malformed("The Host header must name a host.");
  const length = headers["content-length"];
  if (length !== undefined && !LENGTH.test(length)) {
    return malformed("The Content-Length must be a whole number without leading zeros.");
  }
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || !isVersion11)) {
    return malformed("The body may be sent whole or chunked, in no other transfer coding.");
  }
  return undefined;
}

function malformed(message: string): Fault {
  return { status: 400, message };
}

const SLASH = 0x2f;

/** Some take a leading zero for octal. */
const LENGTH = /^(?:0|[1-9][0-9]*)$/;

/** A name, an IPv4 address or an IPv6 address in brackets, and perhaps a port. No list, no user, no path, no spaces. */
const HOST = /^(?:[A-Za-z0-9._~%-]{1,255}|\[[0-9A-Fa-f:.]{2,64}\])(?::[0-9]{0,5})?$/;

/** Requests come with the same few hosts again and again. */
let lastHost = "";

/** Whether a Host header names one host. */
export function isHost(host: string): boolean {
  if (host === lastHost) return host !== "";
  if (!HOST.test(host)) return false;
  lastHost = host;
  return true;
}

/** Node keeps the first of several Host headers and drops the rest, so they are counted where all still stand. */
function hostHeadersOf(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts;
}
