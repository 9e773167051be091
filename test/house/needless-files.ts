import { posix } from "node:path";
import { importsOf } from "./imports.ts";
import type { SourceProgram } from "./program.ts";

/** Where the program begins, what others import, and what that runs in a process of its own. */
const ENTRIES = ["src/cli/main.ts", "src/lab/library/index.ts"];

/** What stays in src though the program does not reach it, and why. */
export const KEPT: Readonly<Record<string, string>> = {
  "src/engine/trading/plain-book.ts": "the readable twin of the fast book, which reads best beside it",
};

/** The files of src that the running program never loads, so that only tests or scripts can use them. */
export function needlessFiles({ files }: SourceProgram): string[] {
  const reached = new Set<string>();
  const ahead = [...ENTRIES];
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    const file = files.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const { specifier } of importsOf(file)) {
      if (specifier?.startsWith(".")) ahead.push(posix.normalize(posix.join(posix.dirname(path), specifier)));
    }
  }
  return [...files.keys()].filter((path) => isModule(path) && !reached.has(path) && KEPT[path] === undefined);
}

/** Scripts in plain JavaScript are what pages send to browsers. */
function isModule(path: string): boolean {
  return path.startsWith("src/") && path.endsWith(".ts") && !path.endsWith(".test.ts");
}
