/**
 * Loaded before a program of the tests: lets it start its threads from the bundles that bundles.ts has made. Plain
 * JavaScript, because every process of a run loads it, whichever Node it is.
 */
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import threads from "node:worker_threads";

const sources = new URL("../../src/", import.meta.url);
const folder = process.env["BOURSE_TEST_BUNDLES"];

/**
 * @param {string | URL} file
 * @returns {string | URL}
 */
function bundleOf(file) {
  if (folder === undefined || !(file instanceof URL) || !file.href.startsWith(sources.href)) return file;
  const path = `src-${fileURLToPath(file).slice(fileURLToPath(sources).length)}`;
  const bundle = join(folder, path.replaceAll(/[\\/]/g, "-").replace(/\.ts$/, ".js"));
  return existsSync(bundle) ? pathToFileURL(bundle) : file;
}

class BundledWorker extends threads.Worker {
  /**
   * @param {string | URL} file
   * @param {import("node:worker_threads").WorkerOptions} [options]
   */
  constructor(file, options) {
    super(bundleOf(file), options);
  }
}

threads.Worker = BundledWorker;
syncBuiltinESMExports();
