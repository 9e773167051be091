/**
 * The package under the name that it is published by: renamed as the workflow renames it, and installed by the alias
 * that the workflow tells of.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { registryTrouble } from "../../scripts/registry.js";
import { repositoryRoot } from "../house/program.ts";
import { type Stranger, stranger, strangersEnvironment } from "./stranger.ts";

const trouble = await registryTrouble({ cwd: repositoryRoot, env: strangersEnvironment() });

describe("the package under its published name", { skip: trouble === undefined ? false : trouble }, () => {
  let own: Stranger;
  before(async () => {
    own = await stranger();
  });
  after(() => own.remove());

  test("is the program and the library bourse for whoever installs it by that alias", () => {
    const { published } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      published: { name: string };
    };
    const workflow = readFileSync(join(repositoryRoot, ".github", "workflows", "publish.yml"), "utf8");
    const [, renaming] = /- run: (npm pkg set .*)$/m.exec(workflow) ?? assert.fail("nothing renames the package");
    assert.ok(workflow.includes(`bourse@npm:${published.name}`), "the workflow tells of the alias");
    assert.match(published.name, /^@[a-z0-9-]+\/[a-z0-9-]+$/);

    // What the workflow does to the copy that it publishes.
    const renamed = join(own.folder, "renamed");
    mkdirSync(renamed);
    own.run("tar", ["-xzf", own.tarball, "-C", renamed]);
    const shell = { cwd: join(renamed, "package"), env: own.env, stdio: "pipe" } as const;
    execFileSync("bash", ["-ec", renaming as string], shell);
    const text = readFileSync(join(renamed, "package", "package.json"), "utf8");
    const { name, private: isPrivate } = JSON.parse(text) as { name: string; private?: boolean };
    assert.deepEqual([name, isPrivate], [published.name, undefined]);
    const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", renamed], shell);
    const tarball = join(renamed, packed.toString().trim().split("\n").at(-1) as string);

    const folder = join(own.folder, "aliased");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
    const here = { cwd: folder, env: own.env, stdio: "pipe" } as const;
    execFileSync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `bourse@file:${tarball}`], here);
    assert.ok(!existsSync(join(folder, "node_modules", published.name)));
    const run = (...words: readonly [string, ...string[]]) => execFileSync(words[0], words.slice(1), here).toString();
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as { version: string };
    assert.equal(run(join("node_modules", ".bin", "bourse"), "--version").trim(), version);
    writeFileSync(join(folder, "venue.mjs"), VENUE);
    writeFileSync(join(folder, "venue.cjs"), `const { startVenue } = require("bourse");\n${USE}`);
    for (const file of ["venue.mjs", "venue.cjs"]) assert.equal(run("node", file), "ok", file);
  });
});

const USE = `
startVenue({ child: true, frozen: true, makers: false }).then(async (venue) => {
  const time = await venue.client("alice").get("/time");
  await venue.stop();
  process.stdout.write(time.ok ? "ok" : time.message);
});
`;
const VENUE =
  `import { startVenue } from "bourse";\nimport { Client } from "bourse/client";\nif (typeof Client !== ` +
  `"function") throw new Error("no client");\n${USE}`;
