/** `npm run tool cluster`: one command for servers and nodes, which come back when they die. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { missingHere } from "../../scripts/cluster/local-cluster.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/cluster.ts", import.meta.url));
const PATIENCE_MS = 120_000;

const [missing] = missingHere({ history: false, quotas: false });

test("wrong options end it with a sentence, and --help tells the right ones", () => {
  for (const [args, code, sentence] of [
    [["--nodes", "2"], 2, /--nodes must be 1, 3 or 5\./],
    [["--base-port", "70000"], 2, /--base-port must be a whole number/],
    [["--bas-port", "0"], 2, /Unknown option '--bas-port'/],
    [["--help"], 0, /--no-restart/],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args.map((arg) => arg)], {
      encoding: "utf8",
    });
    assert.equal(status, code, stderr);
    assert.match(stdout + stderr, sentence);
  }
});

test("a node is ready, dies, is started again with all that it was told, and ends with the command", {
  skip: missing ?? false,
}, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-launcher-"));
  const own = ["--nodes", "1", "--no-history", "--no-quotas", "--base-port", "0", "--dir", dir];
  const child = spawn(process.execPath, [SCRIPT, ...own, "--", "--makers", "off"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(async () => {
    // Killed at once it would leave its servers behind.
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
    rmSync(dir, { recursive: true, force: true });
  });
  const said = linesOf(child);
  const readyLines = () => said().filter((line) => line.startsWith("node 1 ready"));
  await until("ready", () => readyLines().length === 1, said);
  const [, , , url, , adminUrl] = (readyLines()[0] as string).split(" ") as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const token = readFileSync(join(dir, "node-1", "admin-token"), "utf8").trim();
  const admin = async (path: string, body?: object) => {
    const response = await fetch(adminUrl + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return ((await response.json()) as { data: Record<string, unknown> }).data;
  };
  const { user_id: userId } = await admin("/admin/users", { name: "dora" });

  const [, pid] = /\bpid (\d+)/.exec(said().join("\n")) ?? [];
  process.kill(Number(pid), "SIGKILL");
  await until("ready again", () => readyLines().length === 2, said);
  assert.equal(readyLines()[1], readyLines()[0]);
  assert.equal((await fetch(`${url}/v2/ping`)).status, 200);
  const { users } = (await admin("/admin/users?name=dora")) as { users: { user_id: number }[] };
  assert.deepEqual(
    users.map(({ user_id }) => user_id),
    [userId],
  );
  const { nodes } = (await admin("/admin/cluster")) as { nodes: { node: string; leader: boolean }[] };
  assert.deepEqual(
    nodes.map(({ node, leader }) => [node, leader]),
    [["1", true]],
  );

  const ended = once(child, "exit");
  child.kill("SIGINT");
  assert.deepEqual(await ended, [0, null]);
  await assert.rejects(fetch(`${url}/v2/ping`));
});

function linesOf(child: ChildProcess): () => string[] {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk;
    });
  }
  return () => text.split("\n");
}

async function until(what: string, isSo: () => boolean, said: () => string[]): Promise<void> {
  const sinceMs = performance.now();
  while (!isSo()) {
    assert.ok(performance.now() - sinceMs < PATIENCE_MS, `${what} did not come: ${said().join("\n")}`);
    await pause(50);
  }
}
