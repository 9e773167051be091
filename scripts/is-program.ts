import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Whether the module at `url` (its `import.meta.url`) is the program that runs, by itself or by `npm run tool NAME`,
 * and not one that another imports. `import.meta.main` does not know the second way.
 */
export function isProgram(url: string): boolean {
  const [, program] = process.argv;
  return program !== undefined && realpathSync(program) === fileURLToPath(url);
}
