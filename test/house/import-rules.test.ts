import assert from "node:assert/strict";
import { test } from "node:test";
import { importBreaches, mutualFolders, ROOMS } from "./import-rules.ts";
import { withPlanted } from "./planted.ts";
import { repositoryRoot, withProgram } from "./program.ts";

function breachesIn(root: string): string[] {
  return withProgram(root, (program) => importBreaches(root, program));
}

test("imports point inward, packages stay in their rooms and contract data comes through the gateway", () => {
  assert.deepEqual(breachesIn(repositoryRoot), []);
});

/** File, one line of it, and what the guard must say of the line; `undefined` where the import is right. */
const PLANTED: ReadonlyArray<readonly [path: string, code: string, finding: string | undefined]> = [
  ["src/engine/a.ts", 'import "./money/b.ts";', undefined],
  ["src/engine/b.ts", 'import "../log/x.ts";', "imports src/log/x.ts: engine may not know log."],
  ["src/engine/c.ts", 'import type { X } from "../venue/x.ts";', "imports src/venue/x.ts: engine may not know venue."],
  ["src/engine/d.ts", 'export * from "node:fs";', "imports node:fs: the engine imports nothing outside itself."],
  ["src/engine/e.ts", 'import "kysely";', "imports kysely: the engine imports nothing outside itself."],
  ["src/engine/f.ts", 'type T = import("../log/x.ts").X;', "imports src/log/x.ts: engine may not know log."],
  ["src/engine/g.ts", 'import "./a.test.ts";', "imports the unit test src/engine/a.test.ts."],
  ["src/engine/h.test.ts", 'import "fast-check";', undefined],
  [
    "src/engine/trading/a.ts",
    'import type { X } from "../futures/x.ts";',
    "imports src/engine/futures/x.ts: trading may not know futures.",
  ],
  ["src/engine/trading/b.ts", 'import "../spot/x.ts";', "imports src/engine/spot/x.ts: trading may not know spot."],
  ["src/engine/spot/a.ts", 'import "../trading/x.ts"; import "../money/x.ts"; import "../a.ts";', undefined],
  ["src/engine/spot/b.ts", 'import "../margin/x.ts";', "imports src/engine/margin/x.ts: spot may not know margin."],
  [
    "src/engine/other/a.ts",
    'import "../money/x.ts";',
    "lies in other, a folder of the engine that ENGINE_FOLDERS does not name.",
  ],
  ["src/log/a.ts", 'import "../engine/a.ts";', undefined],
  [
    "src/log/b.ts",
    'new URL("../venue/worker.ts", import.meta.url);',
    "imports src/venue/worker.ts: log may not know venue.",
  ],
  [
    "src/log/c.ts",
    'new URL("../../contract/enums.json", import.meta.url);',
    "reads contract/enums.json: contract data comes through gateway only.",
  ],
  ["src/log/d.ts", 'await import("../gateway/x.ts");', "imports src/gateway/x.ts: log may not know gateway."],
  ["src/log/e.ts", 'await import(String("x"));', "imports something computed, which cannot be checked."],
  ["src/log/f.ts", 'import "kysely";', "imports kysely: it belongs to history."],
  ["src/log/g.ts", 'import "node:sqlite";', undefined],
  ["src/log/h.ts", '// import "../venue/x.ts";\nexport const text = `import "../venue/x.ts"`;', undefined],
  [
    "src/history/a.ts",
    'import "fast-check";',
    "imports fast-check, which is not among the dependencies of production.",
  ],
  ["src/history/b.ts", 'import { sql } from "kysely";', undefined],
  ["src/gateway/a.ts", 'import x from "../../contract/enums.json" with { type: "json" };', undefined],
  [
    "src/gateway/reading/a.ts",
    'import "../current/call.ts";',
    "imports src/gateway/current/call.ts: reading lies below the surfaces of the gateway and knows none of them.",
  ],
  ["src/gateway/http/a.ts", 'import "../refused.ts"; import "../reading/x.ts";', undefined],
  ["src/gateway/current/a.ts", 'import "../http/x.ts";', undefined],
  ["src/gateway/admin/a.ts", 'import "../envelope/x.ts"; import "../explain/x.ts"; import "./x.ts";', undefined],
  [
    "src/gateway/admin/b.ts",
    'import type { X } from "../current/x.ts";',
    "imports src/gateway/current/x.ts: the operator's interface knows nothing of what clients call.",
  ],
  [
    "src/gateway/admin/c.ts",
    'import "../parts.ts";',
    "imports src/gateway/parts.ts: the operator's interface knows nothing of what clients call.",
  ],
  ["src/chains/evm/viem.ts", 'await import("viem");', undefined],
  ["src/chains/b.ts", 'import "../gateway/x.ts";', "imports src/gateway/x.ts: chains may not know gateway."],
  ["src/venue/c.ts", 'import "../chains/a.ts";', undefined],
  ["src/gateway/b.ts", 'import "../venue/x.ts";', "imports src/venue/x.ts: gateway may not know venue."],
  ["src/venue/a.ts", 'import "../cli/main.ts";', "imports src/cli/main.ts: venue may not know cli."],
  ["src/venue/b.ts", 'import "../../test/house/x.ts";', "imports test/house/x.ts, which lies outside src."],
  ["src/cli/a.ts", 'import "../venue/x.ts";', undefined],
  ["src/venue/lab.ts", 'import type { X } from "../lab/dev/x.ts"; await import("../lab/dev/lab.ts");', undefined],
  [
    "src/cli/lab-verbs.ts",
    'import "../lab/verbs/x.ts";',
    "imports src/lab/verbs/x.ts: the laboratory is loaded by import() only.",
  ],
  [
    "src/venue/d.ts",
    'await import("../lab/dev/lab.ts");',
    "imports src/lab/dev/lab.ts: the product reaches the laboratory by src/venue/lab.ts and src/cli/lab-verbs.ts only.",
  ],
  [
    "src/gateway/c.ts",
    'import type { X } from "../lab/dev/x.ts";',
    "imports src/lab/dev/x.ts: the product reaches the laboratory by src/venue/lab.ts and src/cli/lab-verbs.ts only.",
  ],
  ["src/lab/dev/a.ts", 'import "../../venue/x.ts"; import "../market/x.ts";', undefined],
  ["src/lab/market/a.ts", 'import "../dev/x.ts";', "imports src/lab/dev/x.ts: lab/market may not know lab/dev."],
  ["src/other/a.ts", 'import "../engine/a.ts";', `lies in no room of ${Object.keys(ROOMS).join(", ")}.`],
];

test("every kind of outward import planted into a project is found, and no right one is reported", () => {
  const files = Object.fromEntries(PLANTED.map(([path, code]) => [path, `${code}\nexport {};\n`]));
  const expected = PLANTED.flatMap(([path, , finding]) => (finding === undefined ? [] : [`${path}:1 ${finding}`]));
  assert.deepEqual(withPlanted(files, breachesIn).sort(), expected.sort());
});

/** Folders that are read together only; the list gets shorter and never longer. */
const MUTUAL = [
  "accounts operators",
  "accounts referral",
  "amm listing",
  "chains payments",
  "credit operators",
  "futures insurance",
  "futures listing",
  "insurance listing",
  "listing maintenance",
  "listing stops",
  "listing trading",
  "operators payments",
  "operators wallet",
];

test("no further folders of the engine know each other", () => {
  assert.deepEqual(mutualFolders(), MUTUAL);
});
