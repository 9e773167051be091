/** The router of a port: the routes of several surfaces, documents and pages put together. */

import type { Renderer } from "./renderer.ts";
import type { Methods } from "./server.ts";

/**
 * Services by path, then by method. A segment of a path in braces, such as `{order_id}`, stands for whatever is in its
 * place.
 */
export type Routes = ReadonlyMap<string, Methods>;

/** The texts in the place of the segments in braces, by their names, as they were received. */
export type PathParameters = Readonly<Record<string, string>>;

/** A generation of the API, or the operator's interface, as the listener sees it. */
export interface Surface {
  /**
   * Every path that begins so is answered by its renderer, also where nothing stands; "" for every path that no other
   * surface claims.
   */
  readonly base: string;
  readonly renderer: Renderer;
  readonly routes: Routes;
}

/**
 * The services and the renderer at a path. Without `methods` the path has no service, and `renderer` words the refusal.
 */
export interface Route {
  readonly methods: Methods | undefined;
  /** The path as the surface has it, names in braces and all; "" where nothing stands. */
  readonly pattern: string;
  readonly renderer: Renderer;
  readonly parameters: PathParameters;
}

export interface Router {
  /** Answers where no path could be read. */
  readonly renderer: Renderer;
  /** Returns the route of a path. One slash at its end does not count, unless a route has it. */
  at(path: string): Route;
}

const NO_PARAMETERS: PathParameters = {};

/**
 * Makes one router of several surfaces; the first answers where no other does. Throws when two of them claim a
 * path.
 */
export function routerOf(surfaces: readonly [Surface, ...Surface[]]): Router {
  const { renderer } = surfaces[0];
  const fixed = new Map<string, Route>();
  const patterns: Pattern[] = [];
  const claimed = new Set<string>();
  for (const surface of surfaces) {
    for (const [path, methods] of surface.routes) {
      const shape = path.replaceAll(/\{\w+\}/g, "{}");
      if (claimed.has(shape)) throw new Error(`Two parts of the gateway claim the path ${path}.`);
      claimed.add(shape);
      if (!path.startsWith(surface.base)) throw new Error(`The path ${path} does not begin with ${surface.base}.`);
      const route = { methods, pattern: path, renderer: surface.renderer, parameters: NO_PARAMETERS };
      if (shape === path) fixed.set(path, route);
      else patterns.push({ segments: path.split("/"), route });
    }
  }
  const nothing = surfaces
    .map(({ base, renderer: own }) => ({
      base,
      route: { methods: undefined, pattern: "", renderer: own, parameters: NO_PARAMETERS },
    }))
    .sort((one, other) => other.base.length - one.base.length);
  const standing = (path: string) => fixed.get(path) ?? (patterns.length === 0 ? undefined : matching(patterns, path));
  const nowhere: Route = { methods: undefined, pattern: "", renderer, parameters: NO_PARAMETERS };
  return {
    renderer,
    at: (path) =>
      standing(path) ??
      (path.endsWith("/") ? standing(path.slice(0, -1)) : undefined) ??
      nothing.find(({ base }) => base !== "" && isBelow(base, path))?.route ??
      nowhere,
  };
}

interface Pattern {
  readonly segments: readonly string[];
  readonly route: Route;
}

function matching(patterns: readonly Pattern[], path: string): Route | undefined {
  const segments = path.split("/");
  for (const pattern of patterns) {
    const parameters = parametersOf(pattern.segments, segments);
    if (parameters !== undefined) return { ...pattern.route, parameters };
  }
  return undefined;
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): PathParameters | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, expected] of pattern.entries()) {
    const segment = segments[at] as string;
    if (expected.startsWith("{")) parameters[expected.slice(1, -1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return parameters;
}

/** `/v1` and all that lies below it, but not `/v10`. */
function isBelow(base: string, path: string): boolean {
  return path.startsWith(base) && (path.length === base.length || path[base.length] === "/");
}
