/**
 * A stranger's folder: the package as `npm pack` makes it, installed where nothing else is, in a shell that knows
 * nothing of this repository.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { registryTrouble } from "../../scripts/registry.js";
import { withLock } from "../../scripts/setup-lock.js";
import { repositoryRoot } from "../house/program.ts";

/** What npm must still be told: where packages come from. */
const KEPT = /^npm_config_(registry|cache|proxy|https?_proxy|noproxy|cafile)$/i;

/**
 * The environment of a stranger: no folder of this repository in PATH, nor the Node in it, and no words of npm or of
 * Node's runner.
 */
export function strangersEnvironment(): NodeJS.ProcessEnv {
  const PATH = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(repositoryRoot))
    .join(delimiter);
  const env: NodeJS.ProcessEnv = { ...process.env, PATH };
  for (const name of Object.keys(env)) if (/^(npm_|NODE_)/i.test(name) && !KEPT.test(name)) delete env[name];
  return env;
}

export interface Stranger {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** The package itself, as `npm pack` made it. */
  readonly tarball: string;
  /** Runs a program in the folder, returns what it printed, and fails with all of it when the program does. */
  run(program: string, args: readonly string[]): string;
  remove(): void;
}

/** Lets one test at a time build what is packed: each build begins by removing the one before. */
export function alone(build: () => void): Promise<void> {
  return withLock(join(repositoryRoot, "node_modules", ".packing"), () => Promise.resolve(build()));
}

/** Packs the repository and installs the package in an empty folder. */
export async function stranger(): Promise<Stranger> {
  const folder = mkdtempSync(join(tmpdir(), "bourse-stranger-"));
  const env = strangersEnvironment();
  const run = (program: string, args: readonly string[], cwd = folder): string => {
    try {
      return execFileSync(program, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`${program} ${args.join(" ")} failed.\n${stdout}${stderr}`, { cause: error });
    }
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const pack = ["pack", "--pack-destination", folder];
    let tarball = "";
    await alone(() => {
      tarball = join(folder, run("npm", pack, repositoryRoot).trim().split("\n").at(-1) as string);
      if (existsSync(join(repositoryRoot, "npm-shrinkwrap.json")))
        throw new Error("Packing has left npm-shrinkwrap.json behind, which npm would prefer to package-lock.json.");
    });
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    if ((await registryTrouble({ cwd: folder, env })) === undefined) {
      run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball]);
    } else {
      layOut(folder, tarball, run);
    }
    return { folder, env, tarball, run: (program, args) => run(program, args), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

interface LockEntry {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/**
 * Does what npm would do, without a network: the package unpacked, beside the packages of production that this checkout
 * has.
 */
function layOut(folder: string, tarball: string, run: (program: string, args: readonly string[]) => string): void {
  const { name } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { name: string };
  const own = join(folder, "node_modules", name);
  mkdirSync(own, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === "" || dev === true || devOptional === true || !existsSync(join(repositoryRoot, path))) continue;
    // Packages within packages come along with the outer one.
    if (path.lastIndexOf("node_modules/") > 0) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repositoryRoot, path), join(folder, path), { recursive: true });
  }
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  run("ln", ["-s", `../${name}/bin/bourse.js`, join(bin, "bourse")]);
  run("chmod", ["+x", join(own, "bin", "bourse.js")]);
}
