/**
 * Whether npm can reach what it installs from. npm itself tries for minutes and ends in lines that name no way out.
 *
 * Plain JavaScript without dependencies, because it runs on the machine's own Node (18 or later).
 */
import { execFile } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";

/** Long enough for a name and a connection on the other side of the world. */
const CONNECT_MAX_MS = 3_000;
const ASK_NPM_MAX_MS = 4_000;

/**
 * Says why the registry cannot be reached, as a clause, or `undefined` when it can, or when nobody can tell.
 *
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options as npm is run with
 * @returns {Promise<string | undefined>}
 */
export async function registryTrouble(options) {
  const settings = await npmSettings(["registry", "https-proxy", "proxy"], options);
  const registry = urlOf(settings.get("registry"));
  if (registry === undefined) return undefined;
  const secure = registry.protocol === "https:" ? settings.get("https-proxy") : undefined;
  const proxy = urlOf(secure) ?? urlOf(settings.get("proxy"));
  const cause = await connectTrouble(proxy ?? registry);
  if (cause === undefined) return undefined;
  const through = proxy === undefined ? "" : ` through the proxy ${proxy.host}`;
  return `npm's registry ${registry.host} cannot be reached${through} (${cause})`;
}

/**
 * What npm is set to, by name; empty when it does not say. A proxy of the environment counts where npm has none of its
 * own, as it does for npm.
 *
 * @param {string[]} names
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<Map<string, string>>}
 */
function npmSettings(names, options) {
  const shell = process.platform === "win32";
  return new Promise((resolve) => {
    const asked = { ...options, shell, timeout: ASK_NPM_MAX_MS };
    execFile("npm", ["config", "get", ...names], asked, (error, stdout) => {
      /** @type {Map<string, string>} */
      const settings = new Map();
      if (error === null) {
        for (const line of stdout.split("\n")) {
          const equals = line.indexOf("=");
          if (equals > 0) settings.set(line.slice(0, equals).trim(), line.slice(equals + 1).trim());
        }
      }
      resolve(settings);
    });
  });
}

/**
 * @param {string | undefined} text
 * @returns {URL | undefined}
 */
function urlOf(text) {
  if (text === undefined || text === "" || text === "null") return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {URL} url
 * @returns {Promise<string | undefined>} why no connection came about
 */
function connectTrouble(url) {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ""), port });
    /** @param {string | undefined} trouble */
    const settle = (trouble) => {
      clearTimeout(late);
      socket.destroy();
      resolve(trouble);
    };
    const late = setTimeout(() => settle(`no answer in ${CONNECT_MAX_MS / 1_000} s`), CONNECT_MAX_MS);
    socket.once("connect", () => settle(undefined));
    socket.once("error", (error) => settle("code" in error ? String(error.code) : error.message));
  });
}
