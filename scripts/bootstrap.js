/**
 * `node scripts/bootstrap.js PROGRAM ARGS...` installs what is missing and runs PROGRAM, a file of this repository, with
 * the pinned Node. Every npm script goes through here, so a fresh clone needs no other step.
 *
 * Plain JavaScript, because it runs on the machine's own Node (18 or later).
 */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ensureSetup, findNode } from "./setup.js";

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

const node = findNode(root);
if (node === undefined) {
  process.stderr.write("bourse needs Node 24 or later.\n");
  process.exit(1);
}
run(node, [join(root, program), ...args]);

/**
 * Becomes the program, or where a process cannot be replaced (Windows, a Node older than 22), stands in for it: passes
 * signals on and ends as it ends.
 *
 * @param {string} node
 * @param {string[]} argv
 */
function run(node, argv) {
  if (process.platform !== "win32" && typeof process.execve === "function") {
    process.execve(node, [node, ...argv]);
  }
  const child = spawn(node, argv, { stdio: "inherit" });
  /** @type {NodeJS.Signals[]} */
  const forwarded = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`bourse could not be started with ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
}
