import { spawn } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";

/** Signals of one kind that come closer together are one wish. */
const SAME_WISH_MS = 500;

/**
 * Ends this process by becoming another one. Where a process cannot be replaced (Windows, a Node older than 22), it
 * stands in for the other one instead: it passes signals on and ends as that one ends. Stdio is inherited either way.
 * What a terminal or a supervisor sends to the whole group comes here and to the other process, and once more from npm;
 * so a signal is passed on once, and Ctrl-C again only when it is pressed again.
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
  /** @type {Map<NodeJS.Signals, number>} */
  const lastMs = new Map();
  for (const signal of forwarded) {
    process.on(signal, () => {
      const sinceMs = Date.now() - (lastMs.get(signal) ?? 0);
      lastMs.set(signal, Date.now());
      if (sinceMs > SAME_WISH_MS) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`${node} could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]));
}
