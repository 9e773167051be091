/**
 * `node scripts/build-executable.ts [--platform PLATFORM-PROCESSOR] [--to FILE]` makes one file that runs without
 * anything installed: the Node of a platform with the program in it, by Node's own build of single executables. The
 * package is built first (`npm pack` does it, or scripts/build-package.ts). For another platform than this one its
 * package with Node must lie in node_modules, or `--node` names its binary.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { constants, zstdCompressSync } from "node:zlib";
import { NODE_BINARIES, sha256Of } from "./node-binaries.js";
import { noticesOf } from "./notices.ts";
import { ENGINE_FLAGS } from "./venue-node.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const own = `${process.platform}-${process.arch}`;

const { values } = parseArgs({
  options: { platform: { type: "string", default: own }, to: { type: "string" }, node: { type: "string" } },
});
const binary = NODE_BINARIES.get(values.platform);
if (binary === undefined) {
  console.error(`--platform is one of ${[...NODE_BINARIES.keys()].join(", ")}.`);
  process.exit(2);
}
const ending = values.platform.startsWith("win32") ? ".exe" : "";
const output = resolve(values.to ?? join(root, "artifacts", `bourse-${values.platform}${ending}`));
const node = resolve(values.node ?? join(root, "node_modules", binary.package, "bin", `node${ending}`));
if ((await sha256Of(node)) !== binary.sha256) {
  console.error(`${node} is not the Node for ${values.platform} that scripts/node-binaries.js pins.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "bourse-executable-"));
try {
  build();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build(): void {
  const archive = Buffer.concat([...programFiles()].flatMap(([path, body]) => entryOf(path, body)));
  const program = join(folder, "program");
  writeFileSync(program, zstdCompressSync(archive, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }));
  const config = join(folder, "config.json");
  const settings = {
    ...{ main: join(root, "scripts", "executable", "main.cjs"), output, executable: node },
    ...{ disableExperimentalSEAWarning: true, useSnapshot: false, useCodeCache: false },
    execArgv: [...ENGINE_FLAGS],
    execArgvExtension: "env",
    assets: { program },
  };
  writeFileSync(config, JSON.stringify(settings));
  mkdirSync(dirname(output), { recursive: true });
  execFileSync(process.execPath, [`--build-sea=${config}`], { stdio: ["ignore", 2, 2] });
  chmodSync(output, 0o755);
  console.log(`${output}  ${Math.round(statSync(output).size / 1_048_576)} MiB`);
}

/** Lengths of path and body, then both; main.cjs reads it. */
function entryOf(path: string, body: Buffer): Buffer[] {
  const name = Buffer.from(path);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(name.length, 0);
  head.writeUInt32LE(body.length, 4);
  return [head, name, body];
}

/**
 * The compiled program, the documents that it serves, and what production needs of node_modules, with the licence of
 * everything.
 */
function programFiles(): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const add = (folder: string, without: (path: string) => boolean) => {
    for (const entry of globSync("**/*", { cwd: join(root, folder), withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/");
      if (entry.isFile() && !without(path)) files.set(path, readFileSync(join(root, path)));
    }
  };
  add("dist", (path) => path.endsWith(".d.ts"));
  add("docs", (path) => !path.endsWith(".md"));
  const carriers = new Set([...NODE_BINARIES.values()].map((each) => each.package));
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true)
    .map(([path]) => path)
    .filter((path) => !carriers.has(path.slice("node_modules/".length)));
  // Declarations, maps and other forms of the same are read by nobody here.
  for (const path of installed) add(path, (file) => /\.(?:d\.[cm]?ts|map|md|markdown)$/.test(file));
  files.set("NOTICES-OF-PACKAGES.txt", Buffer.from(noticesOf(installed.map((path) => join(root, path)).sort())));
  files.set("package.json", Buffer.from(JSON.stringify({ type: "module", private: true })));
  files.set("start.cjs", Buffer.from('"use strict";\nimport("./dist/src/cli/main.js");\n'));
  return files;
}
