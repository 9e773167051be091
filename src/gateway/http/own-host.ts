/** Whether a request asks for a host that no stranger's page can stand for. */
import { isIP } from "node:net";

/**
 * A page in somebody's browser can ask a port under a name that it has made lead here, but not under an address. Old clients send no
 * host, and no browser does. `names` are those that lead here by the operator's word.
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
