/** Whether a request asks for a host that no stranger's page can stand for. */
import { isIP } from "node:net";

/**
 * A page in somebody's browser can ask a port under a name that it has made lead here, but not under an address. Old
 * clients send no host, and no browser does. `names` are those that lead here by the operator's word.
 */
export function isOwnHost(header: string | undefined, ...names: readonly (string | undefined)[]): boolean {
  if (header === undefined) return true;
  const host = hostNameOf(header);
  return host === "localhost" || names.some((name) => name?.toLowerCase() === host) || isIP(host) !== 0;
}

/** The name or address in a Host header, without its port. */
export function hostNameOf(header: string): string {
  return header
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
}

/** The names besides addresses and localhost by which a listener may be asked, where it minds who asks. */
export type OwnNames = readonly (string | undefined)[];

/**
 * Whether a socket is asked for by no page, or by one of this machine or of a name that is the venue's own. A browser
 * sends the Origin of its page with every handshake and lets any page open one, so without this a stranger's page could
 * speak over it. `null` is the origin of pages that hide theirs.
 */
export function isOwnOrigin(header: string | undefined, names: OwnNames): boolean {
  if (header === undefined) return true;
  return URL.canParse(header) && isOwnHost(new URL(header).host, ...names);
}
