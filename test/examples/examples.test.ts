/** The examples for anyone who tests a bot, as they stand in this repository: `bourse` is its source here. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { test } from "node:test";
import { repositoryRoot } from "../house/program.ts";
import { onePerFamily } from "../support/ring.ts";

const files = globSync("examples/**/*.test.ts", { cwd: repositoryRoot }).sort();

/** The shortest one, which the fast ring runs. */
const keepABidFirst = (one: string, other: string) =>
  Number(other.includes("keep-a-bid")) - Number(one.includes("keep-a-bid"));

test("there are examples", () => assert.ok(files.length >= 4, files.join()));

for (const file of onePerFamily(files.sort(keepABidFirst), () => "examples")) {
  test(`${file} runs`, async () => {
    const env = { ...process.env };
    // A runner within a runner would report to the outer one in its own way.
    delete env["NODE_TEST_CONTEXT"];
    const args = ["--conditions=bourse-checkout", "--test", "--test-reporter=spec", file];
    const child = spawn(process.execPath, args, { cwd: repositoryRoot, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (printed += piece));
    const [code] = await once(child, "exit");
    assert.equal(code, 0, printed);
  });
}
