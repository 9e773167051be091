import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryRoot } from "./program.ts";

/**
 * Makes a throwaway project of the given files, by path, with this repository's compiler options and dependencies, and
 * hands its folder to `use`. The guards are tried on such projects: a guard that finds nothing must be able to find.
 */
export function withPlanted<T>(files: Readonly<Record<string, string>>, use: (root: string) => T): T {
  const root = mkdtempSync(join(realpathSync(tmpdir()), "bourse-planted-"));
  try {
    for (const name of ["tsconfig.json", "package.json"]) {
      writeFileSync(join(root, name), readFileSync(join(repositoryRoot, name)));
    }
    symlinkSync(join(repositoryRoot, "node_modules"), join(root, "node_modules"), "junction");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return use(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
