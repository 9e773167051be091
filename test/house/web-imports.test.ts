/**
 * The terminal is a client like any other: of the venue's source it knows the types of the wire, and nothing of it ends
 * up in a page. Its sockets and books are those of the client that others have.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const WIRE_TYPES = "src/gateway/current/types.generated.ts";

/** What a page may be made of; everything else belongs to the venue or to its development. */
const PACKAGES = ["solid-js", "lightweight-charts", "@simplewebauthn/browser", "uqr"];

/** Declarations, which begin a line, and imports of parts that are loaded later. */
const IMPORT = /^(?:import|export)(\s+type)?\b(?:[^;"]*?\bfrom)?\s*"([^"]+)";|\bimport(\()"([^"]+)"\)/gm;

function breaches(path: string, text: string): string[] {
  return Array.from(text.matchAll(IMPORT)).flatMap(([, type, declared, , loaded]) => {
    const specifier = declared ?? loaded ?? "";
    if (!specifier.startsWith(".")) {
      const name = PACKAGES.find((each) => specifier === each || specifier.startsWith(`${each}/`));
      return name === undefined ? [`${path} imports ${specifier}, of which no page is made.`] : [];
    }
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    if (target.startsWith("web/src/") || target.startsWith("client/") || (target === WIRE_TYPES && type !== undefined))
      return [];
    return [`${path} imports ${target}, which is no part of the terminal.`];
  });
}

test("the terminal imports itself, its packages, the client, and the types of the wire", () => {
  const sources = repositoryFiles("web/src").filter((path) => /\.tsx?$/.test(path));
  assert.ok(sources.length > 50);
  assert.deepEqual(
    sources.flatMap((path) => breaches(path, readFileSync(join(repositoryRoot, path), "utf8"))),
    [],
  );
});

/** What follows markets and accounts over sockets from the moment it is imported. */
const STORE = /^web\/src\/(?:api\/(?:venue|socket)\.ts|market\/markets\.ts|.*-store\.ts|account\/(?:session|own)\.ts)$/;

/** Every module of a page, by what it imports at once, with the way there. */
function reachedFrom(entry: string, read: (path: string) => string): ReadonlyMap<string, string> {
  const ways = new Map([[entry, entry]]);
  for (const [path, way] of ways) {
    for (const [, type, declared] of read(path).matchAll(IMPORT)) {
      const target = posix.normalize(posix.join(posix.dirname(path), declared ?? ""));
      if (type !== undefined || declared?.startsWith(".") !== true || !target.startsWith("web/src/")) continue;
      if (!ways.has(target)) ways.set(target, `${way} > ${target}`);
    }
  }
  return ways;
}

const storesIn = (ways: ReadonlyMap<string, string>) =>
  [...ways].filter(([path]) => STORE.test(path)).map(([, way]) => way);

test("the console imports no store of the terminal, which would open the terminal's sockets", () => {
  const read = (path: string) => readFileSync(join(repositoryRoot, path), "utf8");
  assert.deepEqual(storesIn(reachedFrom("web/src/console/main.tsx", read)), []);
  assert.ok(storesIn(reachedFrom("web/src/main.tsx", read)).length > 5, "the terminal has some");
});

test("a store that is reached over another module is found, its type alone is not", () => {
  const files: Readonly<Record<string, string>> = {
    "web/src/console/main.tsx": 'import { a } from "../ui/a.ts";\nimport type { B } from "../book/book-store.ts";',
    "web/src/ui/a.ts": 'import { market } from "../market/markets.ts";',
    "web/src/market/markets.ts": "",
  };
  assert.deepEqual(storesIn(reachedFrom("web/src/console/main.tsx", (path) => files[path] ?? "")), [
    "web/src/console/main.tsx > web/src/ui/a.ts > web/src/market/markets.ts",
  ]);
});

test("a planted import of the venue, a value of the types' module and a foreign package are found", () => {
  const found = (line: string) => breaches("web/src/api/a.ts", line).length;
  assert.equal(found('import { x } from "../number/show.ts";'), 0);
  assert.equal(found('export type { Deal } from "../../../src/gateway/current/types.generated.ts";'), 0);
  assert.equal(found('import { Deal } from "../../../src/gateway/current/types.generated.ts";'), 1);
  assert.equal(found('import { parse } from "../../../src/engine/money/decimal.ts";'), 1);
  assert.equal(found('const c = await import("../../../src/venue/venue.ts");'), 1);
  assert.equal(found('import viem from "viem";'), 1);
});
