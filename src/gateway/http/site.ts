/** Routes of several parts of the gateway put together: API generations, documents, pages. All paths are fixed. */
import type { Methods, Site } from "./server.ts";

/** Services by path, then by method. */
export type Routes = ReadonlyMap<string, Methods>;

/** One site from several sets of routes. Throws when two of them claim the same path. */
export function siteOf(...parts: readonly Routes[]): Site {
  const all = new Map<string, Methods>();
  for (const part of parts) {
    for (const [path, methods] of part) {
      if (all.has(path)) throw new Error(`Two parts of the gateway claim the path ${path}.`);
      all.set(path, methods);
    }
  }
  return (path) => all.get(path);
}
