import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a bench to its end, of which a missed gate is none. Gives its lines and the figures of its last one. */
export async function runBench(
  file: string,
  args: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly figures: Readonly<Record<string, number>> }> {
  const child = spawn(process.execPath, [file, ...args, "--json"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  // A test that is given up must not leave it behind.
  process.once("exit", () => child.kill("SIGKILL"));
  let told = "";
  let complaints = "";
  child.stdout.on("data", (text: Buffer) => (told += text));
  child.stderr.on("data", (text: Buffer) => (complaints += text));
  await new Promise((resolve) => child.once("close", resolve));
  const lines = told.trimEnd().split("\n");
  const last = lines.at(-1) as string;
  assert.ok(last.startsWith('{"bench":'), `${file} ended with ${last}\n${complaints}`);
  return { lines, figures: JSON.parse(last) };
}
