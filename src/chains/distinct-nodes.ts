/** Nodes that are named twice in different words count as one. */

/** The addresses that lead to different nodes, as far as their words tell: each node by the first of its addresses. */
export function distinctNodes(urls: readonly string[]): readonly string[] {
  return [...new Map(urls.toReversed().map((url) => [placeOf(url), url])).values()].reverse();
}

/**
 * Host, port and path of an address, the same for all its spellings. Who signs in there with which name does not
 * matter.
 */
function placeOf(url: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const host = isLoopback(hostname) ? "localhost" : hostname.replace(/\.$/, "");
  return `${host}:${port || (protocol === "https:" ? "443" : "80")}${pathname.replace(/\/+$/, "")}${search}`;
}

/** Whether an address is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return /^localhost\.?$/.test(hostname) || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
