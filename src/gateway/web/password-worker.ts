/**
 * The thread that hashes passwords. On Linux a thread has a priority of its own: this one gives way to the thread that
 * answers requests, and still gets a tenth of a processor that both want.
 */
import { argon2Sync } from "node:crypto";
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { HashOptions } from "./password-thread.ts";

const PRIORITY = 10;

// Elsewhere it would be that of the whole process.
if (process.platform === "linux") setPriority(PRIORITY);

parentPort?.on("message", (terms: HashOptions) => parentPort?.postMessage(argon2Sync("argon2id", terms)));
