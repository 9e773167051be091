/**
 * The examples that need packages of others, in an empty folder with the package as a stranger gets it: jest, and the
 * module for Testcontainers, whose types are checked against the real package. Containers cannot run here; what the
 * module does is tried by testcontainers.test.ts.
 */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { registryTrouble } from "../../scripts/registry.js";
import { repositoryRoot } from "../house/program.ts";
import { type Stranger, stranger, strangersEnvironment } from "../package/stranger.ts";

const trouble = await registryTrouble({ cwd: repositoryRoot, env: strangersEnvironment() });
/** Those that were tried; newer ones come when somebody looks. */
const JEST = "jest@30.5.2";
const TESTCONTAINERS = "testcontainers@12.2.0";

describe("an example that needs a package of others", { skip: trouble === undefined ? false : trouble }, () => {
  let own: Stranger;
  let node = "";
  before(async () => {
    own = await stranger();
    node = join(own.folder, "node_modules", ".bin", "node");
    const { devDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const types = ["typescript", "@types/node"].map((name) => `${name}@${devDependencies[name]}`);
    own.run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", ...types, JEST, TESTCONTAINERS]);
    cpSync(join(repositoryRoot, "examples"), join(own.folder, "examples"), { recursive: true });
  });
  after(() => own.remove());

  test("runs under jest, with a venue in a process of its own", () => {
    const flags = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--rootDir", "examples/jest"];
    own.run(node, [...flags, "--config", "examples/jest/jest.config.json"]);
  });

  test("fits the types of Testcontainers", () => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", target: "esnext", types: ["node"] },
      ...{ noImplicitOverride: true, allowImportingTsExtensions: true },
    };
    writeFileSync(
      join(own.folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["examples/testcontainers"] }),
    );
    own.run(node, ["node_modules/typescript/bin/tsc", "--project", "."]);
    const wrong = join(own.folder, "examples", "testcontainers", "wrong.ts");
    const line =
      'import { BourseContainer } from "./bourse-container.ts";\nexport const url: number = (await new ' +
      'BourseContainer("x").start()).url;\n';
    writeFileSync(wrong, line);
    assert.throws(() => own.run(node, ["node_modules/typescript/bin/tsc", "--project", "."]), /wrong\.ts/);
  });
});
