import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import { EnvelopeRenderer } from "../envelope/renderer.ts";
import { routerOf } from "../http/router.ts";
import { HttpServer } from "../http/server.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { terminalPages } from "./terminal.ts";

const PAGE = "<!doctype html><title>the terminal</title>";
const SCRIPT = "export const program = 1;\n".repeat(100);

const folder = `${mkdtempSync(join(tmpdir(), "bourse-terminal-"))}/`;
let server: HttpServer;
let url = "";

before(async () => {
  mkdirSync(`${folder}app`);
  writeFileSync(`${folder}index.html`, PAGE);
  writeFileSync(`${folder}built-from`, "sources");
  writeFileSync(`${folder}app/main-1a2b.js`, SCRIPT);
  writeFileSync(`${folder}app/main-1a2b.js.br`, brotliCompressSync(SCRIPT));
  ({ server, url } = await serve(folder));
});

after(async () => {
  await server.drain(1_000);
  rmSync(folder, { recursive: true });
});

async function serve(from: string) {
  const renderer = new EnvelopeRenderer(REFUSAL_ROWS);
  const log = { error: () => {} };
  const made = new HttpServer({ router: routerOf([{ base: "", renderer, routes: terminalPages(from) }]), log });
  const { port } = await made.listen("127.0.0.1", 0);
  made.open();
  return { server: made, url: `http://127.0.0.1:${port}` };
}

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(url + path, { method, headers: { "accept-encoding": "identity", ...headers } });

test("the page stands at every address of the terminal, runs nothing inline and is asked for anew each time", async () => {
  for (const path of ["/", "/trade/spot/BTCUSDT", "/trade/futures/..%2f..%2fetc", "/my/keys", "/?from=a-link"]) {
    const answer = await get(path);
    assert.deepEqual([answer.status, await answer.text()], [200, PAGE], path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|http|\*/);
    assert.equal(answer.headers.get("cache-control"), "no-cache");
  }
  const answer = await get("/", {}, "HEAD");
  assert.deepEqual([answer.status, await answer.text()], [200, ""]);
  assert.equal(answer.headers.get("content-length"), `${PAGE.length}`);
  const tag = answer.headers.get("etag") as string;
  assert.equal((await get("/", { "if-none-match": tag })).status, 304);
});

test("its files are kept for ever and come in the densest coding that is taken", async () => {
  const path = "/app/main-1a2b.js";
  const codings: [string, string | null][] = [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["gzip;q=0, brotli", null],
    ["identity", null],
  ];
  for (const [accepted, coding] of codings) {
    const answer = await get(path, { "accept-encoding": accepted });
    assert.equal(await answer.text(), SCRIPT);
    assert.equal(answer.headers.get("content-encoding"), coding, accepted);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
  }
});

test("what is no file of the bundle is refused in the voice of the API, wherever it lies", async () => {
  const paths = [
    "/app/main-1a2b.js.br",
    "/app/",
    "/app/..%2findex.html",
    "/app/../built-from",
    "/built-from",
    "/index.html",
    "/trade/spot",
    "/trade/spot/BTCUSDT/more",
    "/v2/spot/nothing",
  ];
  for (const path of paths) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
    await answer.arrayBuffer();
  }
  const posted = await get("/", {}, "POST");
  assert.match(await posted.text(), /"code":(?!0)/);
});

test("where nothing was built the page says what to do", async () => {
  const empty = await serve(`${folder}app/`);
  const answer = await fetch(empty.url);
  assert.match(await answer.text(), /npm run build:web/);
  await empty.server.drain(1_000);
});
