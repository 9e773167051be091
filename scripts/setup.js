/**
 * Brings node_modules to what the lockfile says, only when it is not there already.
 *
 * Plain JavaScript without dependencies, because it runs on the machine's own Node (18 or later) before anything is
 * installed. Everything it prints goes to stderr: stdout belongs to the program that is started afterwards.
 */
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import process from "node:process";
import { checkBinaryOnce } from "./node-binaries.js";
import { registryTrouble } from "./registry.js";
import { withLock } from "./setup-lock.js";
import { findNode, pinnedNode } from "./venue-node.js";

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {boolean} [dev]
 * @property {boolean} [devOptional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @typedef {{ packages: Record<string, LockEntry> }} Lockfile
 */

/**
 * Installs when something is missing or differs, and returns at once when nothing is.
 *
 * Several callers at once are safe: one installs, the others wait for it.
 *
 * @param {string} root the repository
 * @param {{ dev: boolean }} wanted `dev`: the tools of development are needed too
 * @throws {Error} when the installation fails, or brings another Node than the one that is pinned
 */
export async function ensureSetup(root, wanted) {
  if (setupReason(root, wanted) !== undefined) await installOnce(root, wanted);
  const pinned = pinnedNode(root);
  if (pinned !== undefined) await checkBinaryOnce(root, pinned);
  linkNode(root);
}

/**
 * @param {string} root
 * @param {{ dev: boolean }} wanted
 */
async function installOnce(root, wanted) {
  await withLock(join(root, ".setup-lock"), async () => {
    const reason = setupReason(root, wanted);
    if (reason === undefined) return; // Another process has installed while this one waited.
    say(`installing dependencies: ${reason}`);
    await install(root);
    const remaining = setupReason(root, wanted);
    if (remaining !== undefined) throw new Error(`The installation finished, but ${remaining}.`);
    say("dependencies are installed");
  });
}

/**
 * Says why an installation is needed, or `undefined` when none is.
 *
 * npm leaves a list of what it has installed in node_modules/.package-lock.json, as the last step of an installation.
 * Comparing it with the lockfile by content, not by time, survives a change of branch and sees an interrupted
 * installation.
 *
 * @param {string} root
 * @param {{ dev: boolean }} wanted
 * @returns {string | undefined}
 */
export function setupReason(root, wanted) {
  const lockfile = readLockfile(join(root, "package-lock.json"));
  if (lockfile === undefined) throw new Error(`There is no readable package-lock.json in ${root}.`);
  const installed = readLockfile(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return "nothing is installed yet";
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (path === "") continue;
    const present = installed.packages[path];
    if (present === undefined) {
      // Optional packages are those of other platforms; which of them fit here is for npm to decide.
      if (entry.optional || (!wanted.dev && (entry.dev || entry.devOptional)) || isForeignTool(entry)) continue;
      return `${path} is missing`;
    }
    if (present.version !== entry.version || present.integrity !== entry.integrity) {
      return `${path} is not the one in package-lock.json`;
    }
  }
  if (findNode(root) === undefined) return "no Node of version 24 or later is installed";
  return undefined;
}

/**
 * Whether a tool of development is made for other platforms than this one. Its tests say so and are left out.
 *
 * @param {LockEntry} entry
 */
function isForeignTool({ dev, optional, os, cpu }) {
  if (dev !== true || optional === true) return false;
  const fits = (/** @type {string[] | undefined} */ names, /** @type {string} */ own) => names?.includes(own) ?? true;
  return !fits(os, process.platform) || !fits(cpu, process.arch);
}

/**
 * The tools of development in the lockfile that are made for other platforms than this one.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function foreignTools(root) {
  const { packages = {} } = readLockfile(join(root, "package-lock.json")) ?? {};
  return Object.keys(packages).filter((path) => isForeignTool(packages[path] ?? {}));
}

/**
 * Makes node_modules/.bin/node lead to the pinned Node, so that `node` is that one in every npm script. npm makes this
 * link as well, but npm 9 takes it away again together with the packages of other platforms, which claim the same name.
 *
 * @param {string} root
 */
function linkNode(root) {
  const pinned = pinnedNode(root);
  const link = join(root, "node_modules", ".bin", "node");
  if (pinned === undefined || process.platform === "win32" || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  try {
    symlinkSync(relative(dirname(link), pinned), link);
  } catch (error) {
    // Another process may have made it meanwhile; and where it cannot be made, the venue runs without it.
    if (!existsSync(link)) say(`node_modules/.bin/node could not be made: ${String(error)}`);
  }
}

/** @param {string} root */
async function install(root) {
  // Left behind where packing was interrupted, npm would prefer it to package-lock.json.
  rmSync(join(root, "npm-shrinkwrap.json"), { force: true });
  const { env, release } = installEnvironment(root);
  try {
    const options = { cwd: root, env };
    const flags = ["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--loglevel=error"];
    // npm ends at a tool of development that is made for other machines; told to go on, it installs what the tests then
    // do without.
    if (foreignTools(root).length > 0) flags.push("--force");
    const trouble = await registryTrouble(options);
    if (trouble !== undefined) {
      // What npm has fetched before lies in its cache.
      if ((await runToEnd("npm", [...flags, "--offline"], { ...options, silent: true })) === 0) return;
      throw new Error(
        `The dependencies cannot be installed: ${trouble}, and npm's cache does not hold all of them. Connect ` +
          "this machine to the network or name a mirror with npm config set registry URL, then start again; or copy " +
          "node_modules from a machine of the same kind.",
      );
    }
    const ended = await runToEnd("npm", flags, { ...options, silent: false });
    if (ended !== 0) throw new Error(`The installation of dependencies failed: npm ended with ${ended}.`);
  } finally {
    release();
  }
}

/**
 * Runs a command, its stdout sent to stderr. A signal that reaches this process meanwhile is passed on, so that an
 * installation never outlives the lock which guards it.
 *
 * @param {string} command
 * @param {string[]} flags
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, silent: boolean }} options `silent`: what it prints is not shown
 * @returns {Promise<number | string>} exit code, or the name of the signal that was passed on or ended it
 */
function runToEnd(command, flags, { silent, ...options }) {
  return new Promise((resolve, reject) => {
    // On Windows npm is a batch file, which needs a shell; all words of the command are constant.
    const shell = process.platform === "win32";
    const output = silent ? "ignore" : 2;
    const child = spawn(command, flags, { ...options, stdio: ["ignore", output, output], shell });
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
    /** @type {NodeJS.Signals | undefined} */
    let stopped;
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => {
      stopped = signal;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    const settle = () => {
      for (const signal of signals) process.off(signal, pass);
    };
    child.on("error", (error) => {
      settle();
      reject(new Error(`${command} could not be started: ${error.message}`, { cause: error }));
    });
    child.on("exit", (code, signal) => {
      settle();
      resolve(stopped ?? code ?? signal ?? "an unknown end");
    });
  });
}

/**
 * Environment for npm. The folder that npm is about to replace is taken out of PATH, so that npm is not run by a Node
 * inside it; and where the home folder cannot be written, a cache for this one installation takes its place.
 *
 * @param {string} root
 * @returns {{ env: NodeJS.ProcessEnv, release: () => void }}
 */
function installEnvironment(root) {
  const inside = join(root, "node_modules");
  /** @type {NodeJS.ProcessEnv} */
  const env = {};
  for (const [name, value] of Object.entries(process.env)) {
    env[name] =
      name.toUpperCase() === "PATH"
        ? value
            ?.split(delimiter)
            .filter((folder) => !folder.startsWith(inside))
            .join(delimiter)
        : value;
  }
  if (canBeMade(env.npm_config_cache ?? join(homedir(), ".npm"))) return { env, release: () => {} };
  const cache = mkdtempSync(join(tmpdir(), "bourse-npm-cache-"));
  env.npm_config_cache = cache;
  return { env, release: () => rmSync(cache, { recursive: true, force: true }) };
}

/**
 * Whether a folder can be written, or made where it is absent.
 *
 * @param {string} folder
 * @returns {boolean}
 */
function canBeMade(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return !existsSync(folder) && dirname(folder) !== folder && canBeMade(dirname(folder));
  }
}

/**
 * @param {string} file
 * @returns {Lockfile | undefined} nothing when it is absent or cannot be read as JSON
 */
function readLockfile(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`bourse set-up: ${text}\n`);
}
