/**
 * `node scripts/compare-node.ts --shasums SHASUMS256.txt --archive node-vVERSION-PLATFORM.tar.gz` compares the pinned
 * checksum of a platform's Node with what Node's own release holds: the archive against the list of the release, and
 * the binary in it against node-binaries.js. Get both files from nodejs.org/dist/vVERSION, and check the list's
 * signature (SHASUMS256.txt.sig) with the keys of Node's releasers first. For Windows the archive is win-x64/node.exe
 * itself.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { NODE_BINARIES, NODE_VERSION, sha256Of } from "./node-binaries.js";

const { values } = parseArgs({ options: { shasums: { type: "string" }, archive: { type: "string" } } });
if (values.shasums === undefined || values.archive === undefined) {
  console.error("Usage: node scripts/compare-node.ts --shasums SHASUMS256.txt --archive ARCHIVE");
  process.exit(2);
}
console.log(await compare(values.shasums, values.archive));

async function compare(shasums: string, archive: string): Promise<string> {
  const name = basename(archive);
  const listed = new Map(
    readFileSync(shasums, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .map(([sum = "", file = ""]) => [file, sum]),
  );
  const isWindows = name === "node.exe";
  const expected = listed.get(isWindows ? "win-x64/node.exe" : name);
  if (expected === undefined) return fail(`${shasums} does not list ${name}.`);
  if ((await sha256Of(archive)) !== expected) return fail(`${archive} is not the archive that ${shasums} lists.`);
  const platform = isWindows
    ? "win32-x64"
    : new RegExp(`^node-v${NODE_VERSION}-([a-z]+-[a-z0-9]+)\\.tar`).exec(name)?.[1];
  const pinned = NODE_BINARIES.get(platform ?? "");
  if (pinned === undefined)
    return fail(`${name} is not Node ${NODE_VERSION} for a platform in scripts/node-binaries.js.`);
  const official = isWindows ? expected : await sha256InArchive(archive);
  if (official !== pinned.sha256)
    return fail(`The binary of the release has ${official}, and scripts/node-binaries.js pins ${pinned.sha256}.`);
  return `${platform}: the pinned binary is the one of the release. Note your name and the date in "compared".`;
}

async function sha256InArchive(archive: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-compare-node-"));
  try {
    execFileSync("tar", ["-xf", archive, "-C", folder, "--strip-components=2", "--wildcards", "*/bin/node"]);
    return await sha256Of(join(folder, "node"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
