#!/usr/bin/env node
/**
 * `bourse VERB ARGS...` where bourse is a package among others: runs what was built, with the Node that is new enough.
 * In a checkout it does what `bin/bourse` does. Plain JavaScript, because it runs on the machine's own Node (18 or
 * later).
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const at = (/** @type {string} */ path) => new URL(`../${path}`, import.meta.url);
const args = process.argv.slice(2);

if (existsSync(at("src/cli/main.ts"))) {
  process.argv.splice(2, args.length, "src/cli/main.ts", ...args);
  await import(at("scripts/bootstrap.js").href);
} else {
  const { become } = await import(at("dist/scripts/become.js").href);
  const { ENGINE_FLAGS, nodeOfPackage } = await import(at("dist/scripts/venue-node.js").href);
  try {
    const node = nodeOfPackage();
    // The process of a venue holds all keys; the other verbs hold none that the shell does not hold.
    if (args[0] === "start" && node !== process.execPath) {
      const { checkBinary } = await import(at("dist/scripts/node-binaries.js").href);
      await checkBinary(node);
    }
    become(node, [...ENGINE_FLAGS, fileURLToPath(at("dist/src/cli/main.js")), ...args]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
