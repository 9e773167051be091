import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

/**
 * Ends this process by becoming another one. Where a process cannot be replaced (Windows, a Node older than 22), it
 * stands in for the other one instead: it passes signals on and ends as that one ends. Stdio is inherited either way.
 *
 * Plain JavaScript, because it runs on the machine's own Node (18 or later).
 *
 * @param {string} node the Node to run
 * @param {string[]} argv its arguments
 */
export function become(node, argv) {
  if (process.platform !== "win32" && typeof process.execve === "function") {
    process.execve(node, [node, ...argv]);
  }
  const child = spawn(node, argv, { stdio: "inherit" });
  /** @type {NodeJS.Signals[]} */
  const forwarded = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
}
