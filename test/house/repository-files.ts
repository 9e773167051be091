import { readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./program.ts";

/** Folders that git ignores. */
const IGNORED = new Set([".git", ".setup-lock", "data", "node_modules", "screenshots"]);
/** What builds leave, and other tests may be building at this moment. */
const BUILT = /^(?:web\/dist|dist$|artifacts$|npm-shrinkwrap\.json$|[^/]*\.tgz$)/;

/** Paths of the repository's files relative to its root, with `/` between folders, in sorted order. */
export function repositoryFiles(folder = ""): string[] {
  const entries = readdirSync(join(repositoryRoot, folder), { withFileTypes: true });
  return entries
    .filter((entry) => !IGNORED.has(entry.name) && !entry.name.endsWith(".log"))
    .map((entry) => ({ path: folder === "" ? entry.name : `${folder}/${entry.name}`, entry }))
    .filter(({ path }) => !BUILT.test(path))
    .flatMap(({ path, entry }) => (entry.isDirectory() ? repositoryFiles(path) : [path]))
    .sort();
}
