/**
 * Code that accepts connections owns their errors: without a listener for them a reset by a stranger would end the
 * process.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** What makes something that accepts connections: servers of Node's, and those of `ws` that listen themselves. */
const LISTENER =
  /\b(?:createServer|createSecureServer|createHttpServer)\s*\(|\bnew\s+(?:Server|NetServer)\s*\(|\bnew\s+WebSocketServer\s*\(\s*\{(?!\s*noServer)/g;
const OWNER = /\bownErrors\(/g;

/** How many each file makes, and why none of these needs an owner of its own. */
const EXCUSED: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "src/venue/port-reservation.ts": [
    1,
    "one of the two speaks on connections that the other accepts, and does not listen",
  ],
  "bench/fanout-server.ts": [1, "a contender of a measurement, as its makers show it"],
  "bench/bare-server.ts": [1, "a contender of a measurement: Node's server as it is"],
  "scripts/cluster/local-cluster.ts": [1, "takes a free port and closes it before anybody could connect"],
};

/** Files that make more listeners than they own the errors of. */
function unowned(files: Iterable<readonly [path: string, text: string]>): string[] {
  const found: string[] = [];
  for (const [path, text] of files) {
    const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    const listeners = code.match(LISTENER)?.length ?? 0;
    const owned = code.match(OWNER)?.length ?? 0;
    if (listeners > 0 && owned + (EXCUSED[path]?.[0] ?? 0) < listeners) found.push(path);
  }
  return found;
}

function sources(): (readonly [path: string, text: string])[] {
  return repositoryFiles()
    .filter(
      (path) => /^(?:src|scripts|bench|bin|examples)\/.*\.(?:ts|js|cjs)$/.test(path) && !path.endsWith(".test.ts"),
    )
    .map((path) => [path, readFileSync(join(repositoryRoot, path), "utf8")] as const);
}

test("every listener of the project owns the errors of the connections that it accepts", () => {
  assert.deepEqual(unowned(sources()), []);
  const listening = sources().filter(([, text]) => text.match(LISTENER) !== null);
  const needless = Object.keys(EXCUSED).filter((path) => !listening.some(([each]) => each === path));
  assert.deepEqual(needless, [], "excused, and no listener any more");
  for (const path of ["src/gateway/http/server.ts", "src/venue/port-reservation.ts", "src/lab/conform/relay.ts"]) {
    assert.ok(
      listening.some(([each]) => each === path),
      `${path} is a listener that this test must see`,
    );
  }
});

test("a listener without an owner is found, however it is made", () => {
  const planted = [
    ["src/a.ts", "const server = createServer((socket) => {});"],
    ["src/b.ts", "createSecureServer({ cert })"],
    ["src/c.ts", "const pushes = new WebSocketServer({ port: 0 });"],
    ["src/d.ts", 'createServer(); createServer(); server.on("connection", (socket) => ownErrors(socket));'],
    ["src/venue/port-reservation.ts", "createHttpServer(); createServer();"],
  ] as const;
  assert.deepEqual(
    unowned(planted),
    planted.map(([path]) => path),
  );
  const sound = [
    ["src/e.ts", 'createServer().on("connection", ownErrors(socket))'],
    ["src/f.ts", "new WebSocketServer({ noServer: true })"],
  ] as const;
  assert.deepEqual(unowned(sound), []);
});
