/**
 * `node scripts/bootstrap.js PROGRAM ARGS...` installs what is missing and runs PROGRAM, a file of this repository,
 * with the pinned Node. The npm scripts go through here, so a fresh clone needs no other step.
 *
 * Plain JavaScript, because it runs on the machine's own Node (18 or later).
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { become } from "./become.js";
import { ensureSetup } from "./setup.js";
import { ENGINE_FLAGS, findNode } from "./venue-node.js";
import { isBuilt } from "./web-bundle.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [program, ...args] = process.argv.slice(2);

if (program === undefined) {
  process.stderr.write("Usage: node scripts/bootstrap.js PROGRAM ARGS...\n");
  process.exit(2);
}

try {
  // What lies in src runs with the dependencies of production; everything else is a tool of development.
  await ensureSetup(root, { dev: !program.startsWith("src/") });
} catch (error) {
  process.stderr.write(`bourse set-up: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
// Modules are compiled once, and not at every call: a verb of the command line takes half the time.
process.env["NODE_COMPILE_CACHE"] ??= join(root, "node_modules", ".cache", "compiled");
if (program === "src/cli/main.ts" && args[0] === "start") buildTerminal();
become(findNode(root) ?? process.execPath, [...ENGINE_FLAGS, join(root, program), ...args]);

/**
 * Builds the terminal where its bundle is missing or of other sources. Anyone who installed without the tools of
 * development is not made to have them: the venue serves all the same, and its page says what to do.
 */
function buildTerminal() {
  if (isBuilt(root) || !existsSync(join(root, "node_modules", "vite"))) return;
  process.stderr.write("bourse set-up: building the terminal\n");
  const build = [join(root, "scripts/build-web.ts"), "--if-needed"];
  const { status } = spawnSync(findNode(root) ?? process.execPath, build, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0)
    process.stderr.write("bourse set-up: the terminal could not be built; the venue starts without it\n");
}
