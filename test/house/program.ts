/**
 * The repository's TypeScript as a parsed and resolved program, for the tests that guard the shape of the source.
 *
 * TypeScript's own parser and checker are used, so comments, strings and local names never deceive a guard. Its
 * programming interface is still called unstable; the version is pinned, and only these tests depend on it.
 */
import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { API, type Checker } from "typescript/unstable/sync";

export const repositoryRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface SourceProgram {
  /** The files of the project itself, by path relative to its root with `/` between folders, sorted. */
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly checker: Checker;
  /** Whether the file at an absolute path belongs to the project rather than to a library. */
  isOwn(path: string): boolean;
}

/** Opens the project whose tsconfig.json lies in `root`, hands it to `use`, and closes it whatever happens. */
export function withProgram<T>(root: string, use: (program: SourceProgram) => T): T {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
    const project = snapshot.getProjects()[0];
    if (project === undefined) throw new Error(`TypeScript found no project in ${root}.`);
    const files = new Map<string, SourceFile>();
    for (const path of [...project.rootFiles].sort()) {
      const file = project.program.getSourceFile(path);
      // Somebody may delete a file between the listing and the reading while they work in the same tree.
      if (file === undefined && existsSync(path)) throw new Error(`TypeScript did not read ${path}.`);
      if (file !== undefined) files.set(relative(root, path).split(sep).join("/"), file);
    }
    const own = new Set(project.rootFiles.map((path) => path.toLowerCase()));
    return use({ files, checker: project.checker, isOwn: (path) => own.has(path.toLowerCase()) });
  } finally {
    api.close();
  }
}

/**
 * Visits `node` and everything below it, in the order of the text; a visit that answers `false` skips what is below.
 */
export function walk(node: Node, visit: (node: Node) => boolean): void {
  if (!visit(node)) return;
  node.forEachChild((child) => walk(child, visit));
}

/** Line of a node, counted from 1. */
export function lineOf(file: SourceFile, node: Node): number {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}
