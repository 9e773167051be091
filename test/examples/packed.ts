/**
 * The examples with the package as a stranger gets it, in an empty folder. Run by `npm run examples`, since it asks npm
 * for further packages and takes a minute.
 */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { repositoryRoot } from "../house/program.ts";
import { type Stranger, stranger } from "../package/stranger.ts";

describe("a package in an empty folder", () => {
  let own: Stranger;
  let node = "";
  before(async () => {
    own = await stranger();
    node = join(own.folder, "node_modules", ".bin", "node");
  });
  after(() => own.remove());

  test("the examples run with it, under Node's runner and under vitest, and its types stand a strict check", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const tools = ["typescript", "@types/node", "ccxt"].map((name) => `${name}@${devDependencies[name]}`);
    own.run("npm", ["install", "--prefer-offline", "--ignore-scripts", ...tools, "vitest"]);
    cpSync(join(repositoryRoot, "examples"), join(own.folder, "examples"), { recursive: true });
    own.run(node, ["--test", "examples/*/*.test.ts"]);
    own.run(node, ["node_modules/vitest/vitest.mjs", "run", "bot.spec"]);
    const options = {
      strict: true,
      noEmit: true,
      module: "nodenext",
      target: "esnext",
      allowImportingTsExtensions: true,
      types: ["node"],
    };
    // Declarations of packages are checked, too; those of ccxt have a fault of their own.
    const include = ["keep-a-bid", "market-maker", "backtest"].map((name) => `examples/${name}`);
    writeFileSync(join(own.folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include }));
    own.run(node, ["node_modules/typescript/bin/tsc", "--project", "."]);
  });

  test("ten venues at once in one program", () => {
    const program = `
      import { startVenue } from "bourse";
      await (await startVenue()).stop();
      const before = process.memoryUsage().rss;
      const since = performance.now();
      const venues = await Promise.all(Array.from({ length: 10 }, (_, seed) => startVenue({ seed })));
      const seconds = (performance.now() - since) / 1000;
      const each = (process.memoryUsage().rss - before) / 10 / 2 ** 20;
      await Promise.all(venues.map((venue) => venue.stop()));
      console.log(JSON.stringify({ seconds, each, left: process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap") }));`;
    const printed = own.run(node, ["--input-type=module", "--eval", program]);
    const { seconds, each, left } = JSON.parse(printed) as { seconds: number; each: number; left: string[] };
    process.stderr.write(`ten ready in ${seconds.toFixed(1)} s, ${each.toFixed(0)} MiB each\n`);
    assert.ok(each < 60, `${each} MiB`);
    assert.deepEqual(left, []);
  });
});
