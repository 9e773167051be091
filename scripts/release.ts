/**
 * `npm run tool release -- VERSION [--to FOLDER] [--artifacts-only]` makes a release: moves "Unreleased" of the
 * CHANGELOG under the version, sets it in package.json and package-lock.json, keeps golden venues of its rules,
 * commits, tags, and builds every artifact into a folder with the checksums of all. Nothing leaves the machine: pushing
 * the tag, and `npm publish` by the workflow of this repository, are somebody's own acts.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { released } from "./changelog.ts";
import { NODE_BINARIES, sha256Of } from "./node-binaries.js";
import { bringsRules } from "./rules-of-release.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: "string" }, "artifacts-only": { type: "boolean", default: false } },
});
const [version = ""] = positionals;
const artifactsOnly = values["artifacts-only"];
if (!artifactsOnly && !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error(
    "Usage: npm run tool release -- VERSION [--to FOLDER] [--artifacts-only], with a version such as 1.2.3",
  );
  process.exit(2);
}
const folder = resolve(values.to ?? "artifacts");

if (!artifactsOnly) {
  if (git("status", "--porcelain") !== "") fail("Commit or stash what is changed first.");
  if (git("tag", "--list", `v${version}`) !== "") fail(`There is a tag v${version} already.`);
  writeFileSync("CHANGELOG.md", released(readFileSync("CHANGELOG.md", "utf8"), version, today()));
  keepRules();
  run("npm", "version", "--no-git-tag-version", "--ignore-scripts", version);
  git("commit", "--all", "--message", `Release ${version}`);
  git("tag", "--annotate", `v${version}`, "--message", `bourse ${version}`);
}
await buildArtifacts();

/**
 * Makes the golden venues of new rules, and records what new versions of sections write: later programs are held to
 * them.
 */
function keepRules(): void {
  const kept = readdirSync("test/golden").flatMap((name) => /^rules-(\d+)$/.exec(name)?.[1] ?? []);
  if (bringsRules(version, kept.map(Number))) run(process.execPath, "test/golden/make.ts");
  run(process.execPath, "test/golden/record-forms.ts");
  git("add", "test/golden");
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

async function buildArtifacts(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) rmSync(join(folder, old), { recursive: true });
  run("npm", "pack", "--pack-destination", folder);
  for (const file of ["sbom.cdx.json", "THIRD-PARTY-NOTICES.txt"]) copyFileSync(join("dist", file), join(folder, file));
  for (const [platform, { package: carrier }] of NODE_BINARIES) {
    const ending = platform.startsWith("win32") ? ".exe" : "";
    if (!existsSync(join("node_modules", carrier, "bin", `node${ending}`))) {
      console.error(`Left out: the executable for ${platform}, since npm installs ${carrier} there only.`);
      continue;
    }
    const executable = join(folder, `bourse-${platform}${ending}`);
    run(process.execPath, "scripts/build-executable.ts", "--platform", platform, "--to", executable);
    if (platform !== `${process.platform}-${process.arch}` || process.platform !== "linux") continue;
    if (spawnSync("umoci", ["--version"]).status !== 0) {
      console.error("Left out: the images, which need umoci and skopeo.");
      continue;
    }
    for (const variant of ["dev", "production"]) {
      const archive = join(folder, `bourse-image-${variant}-${platform}.tar`);
      run(
        process.execPath,
        "scripts/build-image.ts",
        "--executable",
        executable,
        "--variant",
        variant,
        "--to",
        archive,
      );
    }
  }
  const files = readdirSync(folder).sort();
  const sums = await Promise.all(files.map(async (file) => `${await sha256Of(join(folder, file))}  ${file}\n`));
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  console.log(sums.join(""));
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", 2, 2] });
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}
