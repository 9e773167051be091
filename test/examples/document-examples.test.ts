/** The programs that /docs/api shows of a call do it: in curl, JavaScript and Python, without a key and with one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type StartedVenue, startVenue } from "../../src/lab/library/index.ts";

interface Call {
  readonly origin: string;
  readonly base?: string;
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<"key" | "signature" | "timestamp", { readonly name: string }>>;
  };
}
type Examples = (call: Call) => Readonly<Record<string, string>>;

const CALLS = [
  ["/spot/market", "get"],
  ["/assets/spot/balance", "get"],
  ["/spot/pending-order", "get"],
  ["/spot/order", "post"],
] as const;
const LEGACY_CALLS = [
  ["/v1/market/list", "get"],
  ["/v1/market/depth", "get"],
  ["/v1/balance/info", "get"],
  ["/v1/order/limit", "post"],
  ["/v1/order/limit/batch", "post"],
  ["/v1/order/pending", "delete"],
  ["/v1/balance/deposit/address/{coin_type}", "get"],
  ["/perpetual/v1/market/ticker", "get"],
  ["/perpetual/v1/asset/query", "get"],
  ["/perpetual/v1/market/adjust_leverage", "post"],
] as const;
const FILES: Readonly<Record<string, readonly [file: string, program: string]>> = {
  curl: ["call.sh", "bash"],
  JavaScript: ["call.mjs", process.execPath],
  Python: ["call.py", "python3"],
};

let venue: StartedVenue;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "bourse-document-examples-"));
  // Beside the test: a program that this process waits for has to be answered meanwhile.
  venue = await startVenue({ makers: false, child: true, settings: { legacy: "on" } });
});
after(async () => {
  await venue?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("each program of a call in the API reference is carried out by the venue", async () => {
  const { examplesOf } = await examples();
  const description = await read("/openapi.json");
  const { key, signature, timestamp } = description.components.securitySchemes;
  const headers = { key: key.name, signature: signature.name, timestamp: timestamp.name };
  for (const [path, method] of CALLS) {
    const operation = description.paths[path]?.[method];
    carriedOut(examplesOf({ origin: venue.url, base: "/v2", path, method, operation, headers }), `${method} ${path}`);
  }
});

test("and so is each of the older generation, signed in the query, in JSON and in a form", async () => {
  const { legacyExamplesOf } = await examples();
  const description = await read("/openapi-legacy.json");
  for (const [path, method] of LEGACY_CALLS) {
    const operation = description.paths[path]?.[method];
    carriedOut(legacyExamplesOf({ origin: venue.url, path, method, operation }), `${method} ${path}`);
  }
});

async function examples(): Promise<{ readonly examplesOf: Examples; readonly legacyExamplesOf: Examples }> {
  return await import(new URL("../../src/gateway/docs/examples.js", import.meta.url).href);
}

async function read(path: string): Promise<Description> {
  return (await (await fetch(`${venue.url}${path}`)).json()) as Description;
}

function carriedOut(programs: Readonly<Record<string, string>>, call: string): void {
  const [account] = venue.accounts;
  assert.deepEqual(Object.keys(programs), Object.keys(FILES));
  for (const [language, code] of Object.entries(programs)) {
    const [name, program] = FILES[language] as readonly [string, string];
    const own = code.replace("ACCESS_ID", account?.accessId ?? "").replace("SECRET_KEY", account?.secretKey ?? "");
    writeFileSync(join(folder, name), own);
    const { stdout, stderr } = spawnSync(program, [join(folder, name)], { encoding: "utf8" });
    assert.match(stdout, /"?code"?: ?0\b/, `${language} ${call}\n${code}\n${stdout}\n${stderr}`);
  }
}
