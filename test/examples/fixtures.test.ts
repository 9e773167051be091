/**
 * The fixtures for bots in other languages, run as their readers run them, with the venue of this checkout as the
 * program `bourse`.
 */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { repositoryRoot } from "../house/program.ts";

const run = promisify(execFile);

interface Fixture {
  /** Its folder among the examples. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Tells whether the tools are here. */
  readonly probe: readonly [string, ...string[]];
  /** What it prints of a run in which tests passed. */
  readonly passed: RegExp;
}

const FIXTURES: readonly Fixture[] = [
  {
    name: "pytest",
    command: ["python3", "-m", "pytest", "-p", "no:cacheprovider"],
    probe: ["python3", "-m", "pytest", "--version"],
    passed: /2 passed/,
  },
  {
    name: "go",
    command: ["go", "test", "-v", "./..."],
    probe: ["go", "version"],
    passed: /(?:--- PASS[\s\S]*){2}^ok/m,
  },
  {
    name: "rust",
    command: ["cargo", "test", "--offline"],
    probe: ["cargo", "--version"],
    passed: /test result: ok\. 2 passed/,
  },
];

describe("the fixture", () => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-fixtures-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  before(() => {
    const main = join(repositoryRoot, "src", "cli", "main.ts");
    mkdirSync(join(folder, "bin"));
    const script = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
    writeFileSync(join(folder, "bin", "bourse"), script, { mode: 0o755 });
  });

  for (const { name, command, probe, passed } of FIXTURES) {
    const [tool, ...asking] = probe;
    const isHere = spawnSync(tool, asking).status === 0;
    test(`for ${name} gives its tests a venue`, {
      skip: isHere ? false : `${tool} is not installed here.`,
    }, async () => {
      const cwd = join(folder, name);
      cpSync(join(repositoryRoot, "examples", name), cwd, { recursive: true });
      const env: NodeJS.ProcessEnv = {
        ...process.env,
        PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
        // What the tools build lies in this folder, and they fetch nothing.
        ...{ GOCACHE: join(folder, "go-cache"), GOFLAGS: "-mod=mod", GOPROXY: "off", GOTOOLCHAIN: "local" },
        ...{ CARGO_TARGET_DIR: join(folder, "cargo"), PYTHONDONTWRITEBYTECODE: "1" },
      };
      // A runner within a runner would report to the outer one in its own way.
      delete env["NODE_TEST_CONTEXT"];
      const [program, ...args] = command;
      const { stdout, stderr } = await run(program, args, { cwd, env }).catch((error) => error);
      assert.match(stdout, passed, stdout + stderr);
    });
  }
});
