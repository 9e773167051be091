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
  readonly base: string;
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
  readonly headers: Readonly<Record<string, string>>;
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
  venue = await startVenue({ makers: false, child: true });
});
after(async () => {
  await venue?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("each program of a call in the API reference is carried out by the venue", async () => {
  const file = new URL("../../src/gateway/docs/examples.js", import.meta.url).href;
  const { examplesOf } = (await import(file)) as { examplesOf: Examples };
  const description = (await (await fetch(`${venue.url}/openapi.json`)).json()) as Description;
  const { key, signature, timestamp } = description.components.securitySchemes;
  const headers = { key: key.name, signature: signature.name, timestamp: timestamp.name };
  const [account] = venue.accounts;
  for (const [path, method] of CALLS) {
    const operation = description.paths[path]?.[method];
    const programs = examplesOf({ origin: venue.url, base: "/v2", path, method, operation, headers });
    assert.deepEqual(Object.keys(programs), Object.keys(FILES));
    for (const [language, code] of Object.entries(programs)) {
      const [name, program] = FILES[language] as readonly [string, string];
      const own = code.replace("ACCESS_ID", account?.accessId ?? "").replace("SECRET_KEY", account?.secretKey ?? "");
      writeFileSync(join(folder, name), own);
      const { stdout, stderr } = spawnSync(program, [join(folder, name)], { encoding: "utf8" });
      assert.match(stdout, /"?code"?: ?0\b/, `${language} ${method} ${path}\n${code}\n${stdout}\n${stderr}`);
    }
  }
});
