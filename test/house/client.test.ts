/** The client is a program of its own: it knows the venue by its contract alone, and a browser can load it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { HTTP_FILE, httpText, SOCKETS_FILE, socketsText } from "../../scripts/generate-client.ts";
import { loadContract } from "../../src/gateway/current/contract.ts";
import { loadSocketContract } from "../../src/gateway/ws/contract.ts";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

const IMPORT = /^(?:import|export)(\s+type)?\b(?:[^;"]*?\bfrom)?\s*"([^"]+)";|\bimport(\()"([^"]+)"\)/gm;

/** What a module of the client reaches for that it must not. */
function breaches(path: string, text: string): string[] {
  return Array.from(text.matchAll(IMPORT)).flatMap(([, , declared, , loaded]) => {
    // Where there is no WebSocket, a package brings one; it is loaded only there.
    if (loaded === "ws") return [];
    const specifier = declared ?? loaded ?? "";
    const target = specifier.startsWith(".") ? posix.normalize(posix.join(posix.dirname(path), specifier)) : specifier;
    return target.startsWith("client/") ? [] : [`${path} imports ${target}, which is no part of the client.`];
  });
}

test("the client's types and tables are those of the contract", () => {
  const message = "The contract has changed: run node scripts/generate-client.ts.";
  assert.ok(readFileSync(HTTP_FILE, "utf8") === httpText(loadContract()), message);
  assert.ok(readFileSync(SOCKETS_FILE, "utf8") === socketsText(loadSocketContract()), message);
});

test("the client imports itself and nothing else", () => {
  const sources = repositoryFiles("client").filter((path) => path.endsWith(".ts"));
  assert.ok(sources.length > 8);
  assert.deepEqual(
    sources.flatMap((path) => breaches(path, readFileSync(join(repositoryRoot, path), "utf8"))),
    [],
  );
});

test("planted imports of the venue, of Node and of packages are found", () => {
  const found = (line: string) => breaches("client/a.ts", line).length;
  assert.equal(found('import { x } from "./answer.ts";'), 0);
  assert.equal(found('const { WebSocket } = await import("ws");'), 0);
  assert.equal(found('import { WebSocket } from "ws";'), 1);
  assert.equal(found('import type { Deal } from "../src/gateway/current/types.generated.ts";'), 1);
  assert.equal(found('import { gunzipSync } from "node:zlib";'), 1);
});
