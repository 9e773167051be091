/** Whether a browser says that a page of the venue's own asks, and no other site through it. */

/** A request, as far as it is looked at. */
export interface Asking {
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Whether a trusted proxy says that it came over TLS. */
  readonly isOverTls?: boolean;
}

/**
 * Programs say nothing of where they come from, and carry no cookie of somebody else. `origin`: where the page stands,
 * such as `https://trade.example.com`; undefined: at whatever host is asked.
 */
export function isFromOwnPage(request: Asking, origin?: string): boolean {
  const router = request.header("sec-fetch-site");
  if (router !== undefined && router !== "same-origin" && router !== "none") return false;
  const from = request.header("origin");
  if (from === undefined) return true;
  if (origin !== undefined) return from === origin;
  const host = request.header("host")?.toLowerCase();
  return from === `http://${host}` || from === `https://${host}`;
}
