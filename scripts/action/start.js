/**
 * The first half of the GitHub Action (action.yml): starts a venue, waits until it serves, and says where it is. Needs
 * no package.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endVenue } from "./end-venue.js";

const WAIT_MS = 100;
const LOG_CHARS_MAX = 10_000;

const folder = mkdtempSync(join(process.env["RUNNER_TEMP"] ?? tmpdir(), "bourse-"));
const data = join(folder, "data");
const out = join(folder, "out");
const err = join(folder, "err");

const [program = "", ...words] = programOf();
const options = wordsOf(inputOf("options"));
const args = [...words, "start", "--data", data, "--port", "0", "--admin-port", "0", ...options];
const child = spawn(program, args, { detached: true, stdio: ["ignore", openSync(out, "w"), openSync(err, "w")] });
/** @type {string | undefined} */
let ended;
child.once("error", (error) => {
  ended = `could not be started: ${error.message}`;
});
child.once("exit", (code, signal) => {
  ended ??= `ended with ${signal ?? code} before it served`;
});
// Before anything can fail, so that the second half ends what this one has begun.
if (child.pid !== undefined) tell("GITHUB_STATE", { pid: child.pid, err });

const untilMs = Date.now() + Number(inputOf("timeout-seconds") || 120) * 1_000;
let ready = readyLine();
while (ready === null && ended === undefined && Date.now() < untilMs) {
  await pause(WAIT_MS);
  ready = readyLine();
}
if (ready === null) {
  process.stdout.write(readFileSync(err, "utf8").slice(-LOG_CHARS_MAX));
  process.stdout.write(`::error::The venue ${ended ?? "did not serve in time; give it more by timeout-seconds"}.\n`);
  if (child.pid !== undefined && ended === undefined) await endVenue(child.pid);
  process.exit(1);
}
const [, url = "", adminUrl = ""] = ready;
tell("GITHUB_OUTPUT", {
  url,
  "ws-url": url.replace(/^http/, "ws"),
  "admin-url": adminUrl,
  "admin-token-file": join(data, "admin-token"),
  data,
  "accounts-file": join(data, "dev-accounts.json"),
});
process.stdout.write(`A venue serves at ${url}.\n`);
// It goes on without this process.
child.unref();

function readyLine() {
  return /^bourse ready (\S+) admin (\S+)$/m.exec(readFileSync(out, "utf8"));
}

/** The venue of the workspace, where it has one; else that of the repository that this file belongs to. */
function programOf() {
  const given = wordsOf(inputOf("command"));
  if (given.length > 0) return given;
  const own = join(process.env["GITHUB_WORKSPACE"] ?? process.cwd(), "node_modules", ".bin", "bourse");
  if (existsSync(own)) return [own];
  return [process.execPath, fileURLToPath(new URL("../bootstrap.js", import.meta.url)), "src/cli/main.ts"];
}

/** @param {string} name as in action.yml; a runner gives it in the environment. */
function inputOf(name) {
  return process.env[`INPUT_${name.toUpperCase()}`] ?? "";
}

/** @param {string} text words between spaces, or between quotes */
function wordsOf(text) {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, bare]) => one ?? other ?? bare ?? "");
}

/**
 * @param {"GITHUB_OUTPUT" | "GITHUB_STATE"} file which a runner reads when this process has ended
 * @param {Readonly<Record<string, string | number>>} values
 */
function tell(file, values) {
  const path = process.env[file];
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  if (path !== undefined) appendFileSync(path, lines.join(""));
}
