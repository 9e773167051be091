import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import type { SourceProgram } from "./program.ts";

/**
 * Files of src that import each other in a circle, directly or through others: each circle in the order of paths, the
 * largest first. Without `withTypes` only imports count that are there when the program runs: which module of such a
 * circle is loaded first decides what it finds in the others.
 */
export function circles({ files }: SourceProgram, withTypes = false): string[][] {
  const imports = new Map<string, string[]>();
  for (const [path, file] of files) {
    if (!path.startsWith("src/") || path.endsWith(".test.ts")) continue;
    const targets = importsOf(file)
      .filter(({ specifier, isType }) => specifier?.startsWith(".") && (withTypes || !isType))
      .map(({ specifier }) => posix.normalize(posix.join(posix.dirname(path), specifier as string)));
    imports.set(path, targets);
  }
  return strongComponents(imports)
    .filter((members) => members.length > 1)
    .map((members) => members.sort())
    .sort((one, other) => other.length - one.length);
}

/** Tarjan's: every set of nodes each of which can be reached from each. */
function strongComponents(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) as number);
    open.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) visit(next);
      else if (!open.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) as number, lowest.get(next) as number));
    }
    if (lowest.get(node) === order.get(node)) found.push(open.splice(open.indexOf(node)));
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
