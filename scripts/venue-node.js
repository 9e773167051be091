/**
 * Which Node runs the venue, and how: the pinned one, wherever npm has put its package, else this very one when it is
 * new enough.
 *
 * Plain JavaScript without dependencies, because it runs on the machine's own Node (18 or later), also where the venue
 * was installed as a package.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ownBinary } from "./node-binaries.js";

/** The first version with all that the venue uses. */
const MAJOR_MIN = 24;

/**
 * The first two let the optimizer inline more of the engine's small readers and writers into its hot functions than it
 * does by default, and the fourth also where a function seldom comes: it keeps 64-bit amounts in registers
 * (docs/decisions/0003-memory-layout.md).
 *
 * The third keeps what is made for a request out of the memory of what lives long. V8 guesses by the place in the code,
 * and once it guesses wrong a dead object there keeps all alive that it has named, the next request too, until the
 * large collection: 4 KB an order were copied instead of 0.3 (docs/background/performance.md, "Orders over HTTP").
 */
export const ENGINE_FLAGS = [
  "--max-inlined-bytecode-size-cumulative=4000",
  "--max-inlined-bytecode-size=1000",
  "--no-allocation-site-pretenuring",
  "--min-inlining-frequency=0",
];

/**
 * Path of the pinned Node among the packages of one folder.
 *
 * @param {string} folder that holds `node_modules`
 * @returns {string | undefined}
 */
export function pinnedNode(folder) {
  const binary = ownBinary();
  if (binary === undefined) return undefined;
  const file = join(folder, "node_modules", binary.package, "bin", process.platform === "win32" ? "node.exe" : "node");
  return existsSync(file) ? file : undefined;
}

/** Whether the Node that runs this can run the venue. */
export function isNewEnough() {
  return Number(process.versions.node.split(".")[0]) >= MAJOR_MIN;
}

/**
 * Path of the Node that runs the venue of a checkout: the pinned one, else this very one when it is new enough. The
 * latter is for platforms without a pinned package.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function findNode(root) {
  return pinnedNode(root) ?? (isNewEnough() ? process.execPath : undefined);
}

/**
 * The same where bourse is a package among others: npm puts the pinned Node beside it, or into the folder of a project
 * further up.
 *
 * @returns {string}
 * @throws {Error} with a sentence for anyone who installed it
 */
export function nodeOfPackage() {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const pinned = pinnedNode(folder);
    if (pinned !== undefined) return pinned;
    const above = dirname(folder);
    if (above === folder) break;
    folder = above;
  }
  if (isNewEnough()) return process.execPath;
  const carrier = ownBinary()?.package;
  const way = carrier === undefined ? "" : ` or install with optional packages, of which ${carrier} brings one along,`;
  throw new Error(
    `bourse needs Node ${MAJOR_MIN} or later, and this is ${process.versions.node}: install a newer one,${way} ` +
      "and start again.",
  );
}
