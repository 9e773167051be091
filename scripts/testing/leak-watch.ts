/**
 * Loaded before every test file: fails the file when something it opened (a server, a timer, a child process) keeps its
 * process alive after its last test. Without this, one forgotten handle stops the whole run without a word.
 */
import { after } from "node:test";
import { isMainThread } from "node:worker_threads";

/** Sockets and threads that are being closed need a moment; a leak stays for ever. */
const GRACE_MS = 10_000;

const file = process.argv[1] ?? "";

// Threads and processes that a test starts may load this module too, and are none of its business.
if (isMainThread && file.endsWith(".test.ts")) {
  after(() => {
    const alarm = setTimeout(() => {
      process.stderr.write(`${file} left open after its last test: ${process.getActiveResourcesInfo().join(", ")}\n`);
      process.exit(1);
    }, GRACE_MS);
    alarm.unref();
  });
}
