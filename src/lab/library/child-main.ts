/**
 * The program of a venue in a process of its own: it starts as it is told, and stops when it is told or when the
 * process that started it is gone.
 */
import process from "node:process";
import type { FromChild, ToChild } from "./child-messages.ts";
import { startHere } from "./here.ts";
import type { Running } from "./running.ts";

let running: Promise<Running> | undefined;

process.on("message", (message: ToChild) => {
  if (message.kind === "start") running ??= startHere(message.given, fail);
  else stop();
  running?.then(({ stop: _, ...rest }) => message.kind === "start" && say({ kind: "ready", ...rest }), fail);
});
process.on("disconnect", stop);
// Ctrl-C reaches the whole group; the process that started this one says when it is to stop, or goes away.
process.on("SIGINT", () => {});

function stop(): void {
  if (running === undefined) process.exit(0);
  running
    .then(({ stop: end }) => end())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (!process.connected) process.exit(1);
  process.send?.({ kind: "failed", message } satisfies FromChild, () => process.exit(1));
}

function say(message: FromChild): void {
  if (process.connected) process.send?.(message);
}
