/**
 * Whether the bundles of terminal and console are there and made of what lies in `web/` now.
 *
 * Plain JavaScript without dependencies, because the bootstrap asks before it knows which Node will run.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the build says and takes besides the sources. */
const ALONGSIDE = ["package-lock.json", "scripts/build-web.ts", "scripts/notices.ts"];

/**
 * Whether nothing has to be built: the bundle is of these sources, or there are none to build it of, as in a package.
 *
 * @param {string} root the repository
 */
export function isBuilt(root) {
  if (!existsSync(join(root, "web", "src"))) return true;
  try {
    return readFileSync(join(root, "web", "dist", "built-from"), "utf8") === sourceHash(root);
  } catch {
    return false;
  }
}

/**
 * Of everything that the bundle is made of.
 *
 * @param {string} root
 */
export function sourceHash(root) {
  const hash = createHash("sha256");
  for (const path of [
    ...ALONGSIDE,
    "web/index.html",
    "web/console.html",
    ...["web/src", "client"].flatMap((folder) => filesBelow(root, folder)),
  ]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function filesBelow(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`],
    );
}
