/**
 * A figure of an order is named where it is declared, kept, worked out, written and audited. All else follows from the
 * table of its fields: history, lists, pushes and their printers, the state of an order before its fills, and what the
 * simulation compares.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** The price of the latest fill, a figure as plain as any; with its column. */
const FIGURE = /\b(lastFilledPrice|setLastPrice|last_filled_price)\b/;

const SOURCE: Readonly<Record<string, string>> = {
  "src/engine/event.ts": "declares it, and reads it from an event",
  "src/engine/trading/order.ts": "keeps it, a column",
  "src/engine/trading/fills.ts": "works it out",
  "src/engine/trading/emit.ts": "writes it into an event, and reads it of a live order",
  "src/engine/trading/audit/order-audit.ts": "audits it",
};

/** The files of the contract that say on which surfaces it is shown. */
const CONTRACT = [
  ...["contract/current/futures-trading.json", "contract/current/spot-trading.json"],
  ...["contract/legacy/futures-http.json", "contract/legacy/websocket.json", "contract/websocket/current.json"],
];

function filesThatName(figure: RegExp, paths: RegExp): string[] {
  return repositoryFiles()
    .filter((path) => paths.test(path) && !/\.(test|generated)\.ts$/.test(path))
    .filter((path) => figure.test(readFileSync(join(repositoryRoot, path), "utf8")))
    .sort();
}

test("a figure of an order is named in five files of the source, and in the contract of what shows it", () => {
  assert.deepEqual(filesThatName(FIGURE, /^(src|client)\/.*\.ts$/), Object.keys(SOURCE).sort());
  const shown = filesThatName(/"(of": "lastFilledPrice|name": ?"last_filled_price)"/, /^contract\/.*\.json$/);
  assert.deepEqual(shown, CONTRACT.sort());
});
