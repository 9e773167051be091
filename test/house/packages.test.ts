import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { repositoryRoot } from "./program.ts";

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface LockEntry extends Manifest {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
}

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"] as const;

/** A version, or that of another package under a name of its own. */
const EXACT = /^(?:npm:[^@]+@)?(\d+\.\d+\.\d+)$/;

const manifest = readJson<Manifest>("package.json");
const lockfile = readJson<{ packages: Readonly<Record<string, LockEntry>> }>("package-lock.json");

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(join(repositoryRoot, name), "utf8")) as T;
}

describe("packages", () => {
  test("every version in package.json is exact", () => {
    const loose = KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {})).filter(
      ([, version]) => !EXACT.test(version),
    );
    assert.deepEqual(loose, []);
  });

  test("the lockfile says the same as package.json", () => {
    for (const kind of KINDS) assert.deepEqual(lockfile.packages[""]?.[kind] ?? {}, manifest[kind] ?? {});
    for (const [name, version] of KINDS.flatMap((kind) => Object.entries(manifest[kind] ?? {}))) {
      assert.equal(lockfile.packages[`node_modules/${name}`]?.version, EXACT.exec(version)?.[1], name);
    }
  });

  test("every package is known by its content, not by the place it came from", () => {
    for (const [path, entry] of Object.entries(lockfile.packages)) {
      if (path === "") continue;
      assert.match(entry.integrity ?? "", /^sha512-/, path);
      assert.equal(entry.resolved, undefined, path);
    }
  });

  test("no package runs a script of its own when it is installed", () => {
    // Not by ignore-scripts in .npmrc: npm pack would then pass over the script that builds what it packs.
    assert.match(readFileSync(join(repositoryRoot, "scripts", "setup.js"), "utf8"), /"--ignore-scripts"/);
    const wishful = Object.entries(lockfile.packages).filter(([, entry]) => entry.hasInstallScript);
    const names = wishful.map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
    assert.deepEqual(manifest.allowScripts, Object.fromEntries(names.sort().map((name) => [name, false])));
  });

  test("the same Node is pinned for every platform", () => {
    const nodes = Object.entries(manifest.optionalDependencies ?? {}).filter(([name]) => name.startsWith("node-"));
    assert.equal(nodes.length, 5);
    assert.deepEqual([...new Set(nodes.map(([, version]) => version))], [process.versions.node]);
  });
});
