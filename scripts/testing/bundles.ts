/**
 * Puts the program, and each file that a thread begins with, into a few files with all that they import, for the tests
 * of a ring: a thread reads one file in a quarter of the time that it takes for the seven hundred of a history, and
 * every venue of a test starts one. A package has the same.
 *
 * Made of what lies in `src` now, and kept until that changes. A copy of this repository, and a program that is loaded
 * with a planted fault, go on with the sources: bundles-hook.js names the files of this one alone, and comes with
 * NODE_OPTIONS.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kept = join(root, "node_modules", ".cache", "bundles");
const HOOK = new URL("bundles-hook.js", import.meta.url);

/** A module's own place, and a thread that it starts from a file beside its own. */
const OWN_PLACE = /new URL\(\s*"(\.[^"]*worker\.ts)",\s*import\.meta\.url,?\s*\)|import\.meta\.url/g;

/** Lets every process that is started from now on use the bundles for its threads, and tests for the program. */
export async function useBundles(): Promise<void> {
  process.env["BOURSE_TEST_BUNDLES"] = await bundlesOfNow();
  process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${HOOK.href}`.trim();
}

/** Bundles of sources that are no more are kept for so long: a run that began before the change may still use them. */
const KEPT_MS = 86_400_000;

/** The folder of the bundles. */
async function bundlesOfNow(): Promise<string> {
  const sources = globSync(["src/**/*.{ts,js}", "client/*.ts", "scripts/*.js"], { cwd: root });
  const named = sources.filter((path) => !path.endsWith(".test.ts")).map((path) => path.replaceAll("\\", "/"));
  const folder = join(kept, hashOf([...named, "package-lock.json", "scripts/testing/bundles.ts"].sort()));
  if (existsSync(folder)) return folder;
  // Made aside and put in place at the end: another run may look for it meanwhile, or make the same.
  const aside = `${folder}-${process.pid}`;
  await bundle([...named.filter((path) => path.endsWith("worker.ts")), "src/cli/main.ts"], aside);
  if (existsSync(folder)) rmSync(aside, { recursive: true });
  else renameSync(aside, folder);
  for (const name of readdirSync(kept)) {
    const old = join(kept, name);
    if (Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { recursive: true });
  }
  return folder;
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex").slice(0, 16);
}

async function bundle(entries: readonly string[], to: string): Promise<void> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    plugins: [KEEP_PLACES],
    build: {
      ssr: true,
      outDir: to,
      minify: false,
      target: "node24",
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [nameOf(path).slice(0, -".js".length), join(root, path)])),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js", strictExecutionOrder: true },
      },
    },
    // Of the packages the one with the most files.
    ssr: { noExternal: ["kysely"] },
  });
}

/** A module goes on to find what lies beside it, and a thread that starts a thread starts the bundle of that. */
const KEEP_PLACES = {
  name: "keep-places",
  enforce: "pre" as const,
  transform(code: string, id: string): string | undefined {
    if (!id.startsWith(root) || id.includes("node_modules")) return undefined;
    const own = pathToFileURL(id);
    return code.replaceAll(OWN_PLACE, (_, target?: string) => {
      if (target === undefined) return JSON.stringify(own.href);
      return `new URL("./${nameOf(fileURLToPath(new URL(target, own)).slice(root.length))}", import.meta.url)`;
    });
  },
};

/** The bundle of a file of `src`, as bundles-hook.js names it too. */
export function nameOf(path: string): string {
  return path.replaceAll(/[\\/]/g, "-").replace(/\.ts$/, ".js");
}
