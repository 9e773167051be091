/** A venue in a process of its own, with the Node that is new enough for it. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ENGINE_FLAGS, nodeOfPackage } from "../../../scripts/venue-node.js";
import type { FromChild, ToChild } from "./child-messages.ts";
import type { Given } from "./options.ts";
import type { Running } from "./running.ts";

/** A venue that does not stop by then is ended. */
const STOP_MS = 15_000;
const PROGRAM = fileURLToPath(new URL("./child-main.ts", import.meta.url));

export async function startChild(given: Given, onFault: (fault: Error) => void): Promise<Running> {
  const child = spawn(nodeOfPackage(), [...ENGINE_FLAGS, PROGRAM], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ready = await begun(child, given);
  let isStopping = false;
  child.on("message", (message: FromChild) => {
    if (message.kind === "failed") onFault(new Error(message.message));
  });
  child.once("exit", (code, signal) => {
    if (!isStopping && code !== 1) onFault(new Error(`The venue's process ended with ${signal ?? code}.`));
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    isStopping = true;
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    if (child.connected) child.send({ kind: "stop" } satisfies ToChild);
    await exited;
    clearTimeout(late);
  };
  return { ...ready, stop: () => (stopped ??= stop()) };
}

/** Rejects with the sentence that the venue gave for not starting. */
function begun(child: ChildProcess, given: Given): Promise<Omit<Running, "stop">> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off("message", onMessage);
      child.off("error", onError);
      child.off("exit", onExit);
    };
    const onMessage = (message: FromChild) => {
      settle();
      if (message.kind === "failed") {
        reject(new Error(message.message));
        return;
      }
      const { kind: _, ...ready } = message;
      resolve(ready);
    };
    const onError = (cause: Error) => {
      settle();
      reject(new Error(`The venue's process could not be started: ${cause.message}`, { cause }));
    };
    const onExit = (code: number | null, signal: string | null) => {
      settle();
      reject(new Error(`The venue's process ended with ${signal ?? code} before it was ready.`));
    };
    child.on("message", onMessage);
    child.on("error", onError);
    child.on("exit", onExit);
    child.send({ kind: "start", given } satisfies ToChild);
  });
}
