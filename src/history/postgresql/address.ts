/** Where a history lies that is kept in PostgreSQL. */

/**
 * The parameters that may follow the database's name: a folder with the server's socket in the place of the host, and
 * how the connection is secured.
 */
const PARAMETERS = new Set(["host", "sslmode", "sslrootcert"]);

/** Completes a sentence about one that is none. */
export const ADDRESS_EXPECTED = "an address such as postgres://user:password@host:5432/database, or none";

/** The address, when the text is one: with a user, a host and a database. */
export function readAddress(raw: unknown): string | undefined {
  if (typeof raw !== "string" || !/^postgres(?:ql)?:\/\//.test(raw) || !URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  const isKnown = [...url.searchParams.keys()].every((name) => PARAMETERS.has(name));
  return url.username !== "" && /^\/[^/]+$/.test(url.pathname) && url.hostname !== "" && isKnown && url.hash === ""
    ? raw
    : undefined;
}

/** The address as it may be shown: without what opens it. */
export function shownAddress(address: string): string {
  const { hostname, port, pathname, username, searchParams } = new URL(address);
  const place = searchParams.get("host") ?? `${hostname}${port === "" ? "" : `:${port}`}`;
  return `${decodeURIComponent(pathname.slice(1))} at ${place}, as ${decodeURIComponent(username)}`;
}
