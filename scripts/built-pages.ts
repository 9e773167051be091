/** The pages as the sources are now, for programs of development that show them. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isBuilt } from "./web-bundle.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Builds the pages where the sources have changed. In a process of its own: the bundler changes the environment of the
 * process that it runs in, and one that ends early would end its caller without a word.
 */
export function builtPages(): void {
  if (isBuilt(ROOT)) return;
  const build = join(ROOT, "scripts", "build-web.ts");
  const { status, signal, stderr } = spawnSync(process.execPath, [build, "--if-needed"], { encoding: "utf8" });
  if (status !== 0)
    throw new Error(`The pages could not be built: ${stderr.trim() || `the bundler ended by ${signal ?? status}`}`);
}
