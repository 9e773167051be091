/**
 * `node scripts/build-package.ts` makes `dist`, the repository as a package runs it: the program as JavaScript, because
 * Node takes no types off files below `node_modules`, with the contract, the pages and the terminal where the program
 * looks for them, and the types of what others may import. `npm pack` calls it.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rolldown } from "vite";
import { noticesOf, packageFolders } from "./notices.ts";
import { billOfMaterials } from "./sbom.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** What the build of the terminal notes for itself. */
const NOT_SERVED = new Set(["built-from", "bundled.json"]);

/** What the launcher of a package needs, and the program does not. */
const PLAIN = ["scripts/become.js"];
/** A file that a module names beside its own, as a module that starts a thread does. */
const WORKER_URL = /new URL\(\s*["'`](\.[^"'`]*)["'`],\s*import\.meta\.url\s*,?\s*\)/g;
/**
 * What `require("bourse")` gets from a Node before 22.10, which takes no modules that way: the call that starts a
 * venue, and everything else with `load`.
 */
const LIBRARY_FOR_REQUIRE = `"use strict";
const load = () => import("../src/lab/library/index.js");
module.exports = { load, startVenue: async (options) => (await load()).startVenue(options) };
`;

/** The one door to a package that is too large to come along as it is. */
const VIEM = "src/chains/evm/viem.js";

rmSync(dist, { recursive: true, force: true });
run("scripts/build-web.ts", "--if-needed");
run("node_modules/typescript/bin/tsc", "--project", "scripts/tsconfig.package.json");
for (const path of globSync("**/*.js", { cwd: dist })) pointWorkersAtJavaScript(join(dist, path));
keepTypesOf(entries());
/** Packages of which something was copied into what is built: their folders. */
const bundled = new Set<string>();
// A thread reads one file in a tenth of the time that it takes for two hundred.
for (const path of globSync("src/**/*-worker.js", { cwd: dist })) await bundle(path);
await bundle(VIEM);
await writeForRequire();
copyAlong();
writeNotices();
writeShrinkwrap();

function run(program: string, ...args: string[]): void {
  // Standard output belongs to npm, which prints the name of the package there.
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}.`);
}

/** The compiler rewrites what is imported, but not the files that threads begin with. */
function pointWorkersAtJavaScript(file: string): void {
  const text = readFileSync(file, "utf8");
  const changed = text.replaceAll(/(new URL\("\.\/[\w-]+)\.ts(", import\.meta\.url\))/g, "$1.js$2");
  if (/["']\.{1,2}\/[^"'\n]*\.ts["']/.test(changed)) throw new Error(`${file} names a source in TypeScript.`);
  if (changed !== text) writeFileSync(file, changed);
}

/** What package.json offers for import, as far as it is there. */
function entries(): string[] {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { types: string } | string>;
  };
  const types = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.types]));
  return types.map((path) => posix.relative("dist", path)).filter((path) => existsSync(join(dist, path)));
}

/** Declarations of what nobody can import only weigh, and name packages that are not there. */
function keepTypesOf(roots: readonly string[]): void {
  const reached = new Set<string>();
  const ahead = [...roots];
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const file = join(dist, path);
    const text = readFileSync(file, "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)\.ts"/g)) {
      ahead.push(posix.join(posix.dirname(path), `${target}.d.ts`));
    }
    writeFileSync(file, text.replaceAll(/("\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
  }
  for (const path of globSync("**/*.d.ts", { cwd: dist })) {
    if (!reached.has(path.replaceAll("\\", "/"))) rmSync(join(dist, path));
  }
}

/** Puts a file and all packages that it imports into one file, and their licences beside it. */
async function bundle(path: string): Promise<void> {
  const file = join(dist, path);
  const made = (await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    plugins: [keepWorkersInPlace(file)],
    build: {
      ssr: file,
      write: false,
      minify: true,
      target: "node24",
      rolldownOptions: { output: { codeSplitting: false, strictExecutionOrder: true } },
    },
    ssr: { noExternal: true },
  })) as Rolldown.RolldownOutput;
  const chunks = made.output.filter((each) => each.type === "chunk");
  const [chunk] = chunks;
  if (chunk === undefined || chunks.length !== 1)
    throw new Error(`${path} was to become one file, not ${chunks.length}.`);
  checkFilesOf(file, chunk.code);
  writeFileSync(file, chunk.code);
  const folders = packageFolders(made.output, root);
  for (const folder of folders) bundled.add(folder);
}

/**
 * A module that starts a thread names the file of the thread beside its own; in a bundle it names the same file from
 * there.
 */
function keepWorkersInPlace(bundled: string) {
  return {
    name: "keep-workers-in-place",
    enforce: "pre" as const,
    transform(code: string, id: string): string | undefined {
      if (!id.startsWith(dist)) return undefined;
      return code.replaceAll(WORKER_URL, (_, target: string) => {
        const path = relative(dirname(bundled), join(dirname(id), target))
          .split(sep)
          .join("/");
        return `new URL("${path.startsWith(".") ? path : `./${path}`}", import.meta.url)`;
      });
    },
  };
}

/** Every file that a bundle looks for beside itself must be there. */
function checkFilesOf(file: string, code: string): void {
  const named = [...code.matchAll(WORKER_URL)].map(([, target = ""]) => target);
  const absent = named.filter((target) => !existsSync(join(dirname(file), target)));
  if (absent.length > 0 || code.split("import.meta").length - 1 !== named.length) {
    throw new Error(
      `${file} would look for files where they are not: ${absent.join(", ") || "see import.meta in it"}.`,
    );
  }
}

/** The client needs nothing, so that it can be had whole in the older form, too. */
async function writeForRequire(): Promise<void> {
  await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    build: {
      ssr: join(dist, "client", "index.js"),
      outDir: join(dist, "cjs"),
      emptyOutDir: false,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { format: "cjs", codeSplitting: false, entryFileNames: "client.cjs" } },
    },
  });
  writeFileSync(join(dist, "cjs", "library.cjs"), LIBRARY_FOR_REQUIRE);
}

function copyAlong(): void {
  const copy = (path: string) => {
    if (existsSync(join(dist, path)))
      throw new Error(`${path} would lie over what was compiled: give it another name.`);
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    cpSync(join(root, path), join(dist, path));
  };
  const pages = globSync("src/**/*.{html,css,js}", { cwd: root });
  const terminal = globSync("web/dist/**/*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_SERVED.has(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));
  const data = globSync(["contract/**/*.json", "scenarios/*.json"], { cwd: root });
  for (const path of [...PLAIN, ...pages, ...terminal, ...data]) copy(path);
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(dist, "package.json"), `${JSON.stringify({ name, version, type: "module" }, null, 2)}\n`);
}

/**
 * Licences of what was bundled, and the bill of materials. What is installed beside the package brings its licence
 * itself.
 */
function writeNotices(): void {
  for (const page of ["", "console/"]) {
    const { folders } = JSON.parse(readFileSync(join(root, `web/dist/${page}bundled.json`), "utf8"));
    for (const folder of folders) bundled.add(join(root, folder));
  }
  const folders = [...bundled].sort();
  writeFileSync(join(dist, "THIRD-PARTY-NOTICES.txt"), noticesOf(folders));
  const paths = folders.map((folder) => relative(root, folder).split(sep).join("/"));
  writeFileSync(join(dist, "sbom.cdx.json"), `${JSON.stringify(billOfMaterials(root, paths), null, 2)}\n`);
}

/**
 * Pins what is installed beside the package: `npm ci` in the unpacked package installs what was tested, and so does an
 * installation from a registry. npm takes the file into the package, and the script after packing removes it: in a
 * checkout npm would prefer it to package-lock.json.
 */
function writeShrinkwrap(): void {
  cpSync(join(root, "package-lock.json"), join(root, "npm-shrinkwrap.json"));
}
