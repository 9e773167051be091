import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { REFUSALS } from "../engine/refusal.ts";
import { loadContract } from "./current/contract.ts";
import { REFUSAL_ROWS } from "./parts.ts";
import type { RefusalRow } from "./refusal-rows.ts";

const rows: readonly (readonly [string, RefusalRow])[] = Object.entries(REFUSAL_ROWS);
const document = readFileSync(new URL("../../docs/reference/errors.md", import.meta.url), "utf8");
const contractCodes = new Map(loadContract().errorCodes.map((each) => [each.code, each]));

test("docs/reference/errors.md lists every refusal as the table has it, and no other", () => {
  const written = tableAfter("## What the venue refuses").map(([name, v2, v1, rule, message]) => ({
    ...{ name, v2, v1, rule, message },
  }));
  const expected = rows.map(([name, row]) => ({
    ...{ name, v2: `${row.v2}`, v1: legacyCodes(row), rule: row.rule, message: row.message },
  }));
  const byName = (one: { name: string | undefined }, other: { name: string | undefined }) =>
    `${one.name}`.localeCompare(`${other.name}`);
  assert.deepEqual(written.sort(byName), expected.sort(byName));
});

function legacyCodes({ v1, perpetual }: RefusalRow): string {
  return perpetual === undefined ? `${v1}` : `${v1}, futures ${perpetual}`;
}

test("every code is one of the contract, and docs/reference/errors.md names those that nothing sends", () => {
  const sent = new Set(rows.map(([, row]) => row.v2));
  for (const code of sent) assert.ok(contractCodes.has(code), `${code} is not in the contract`);
  const unsent = [...contractCodes.values()].filter(({ code }) => code !== 0 && !sent.has(code));
  const written = tableAfter("## Codes that nothing sends yet");
  assert.deepEqual(
    written,
    unsent.map(({ code, meaning }) => [`${code}`, meaning]),
  );
});

test("every legacy code is one of the legacy envelope", () => {
  const path = new URL("../../contract/legacy/errors.json", import.meta.url);
  const { envelope, futures } = JSON.parse(readFileSync(path, "utf8")) as Record<string, { code: number }[]>;
  const codes = (table: { code: number }[] | undefined) => new Set(table?.map(({ code }) => code));
  const [known, ofFutures] = [codes(envelope), codes(futures)];
  for (const [name, { v1, perpetual }] of rows) {
    assert.ok(known.has(v1), `${name} has the legacy code ${v1}`);
    if (perpetual !== undefined)
      assert.ok(ofFutures.has(perpetual), `${name} has the code ${perpetual} on futures paths`);
  }
});

test("the engine's refusals all have a row", () => {
  const names = new Set(rows.map(([name]) => name));
  for (const refusal of REFUSALS.all()) assert.ok(names.has(refusal), refusal);
});

test("a message is a sentence, and that of code 3639 says Invalid Parameter first", () => {
  for (const [name, row] of rows) {
    if (name !== "market_not_found") assert.match(row.message, /^[A-Z].*\.$/, name);
    assert.equal(row.message.startsWith("Invalid Parameter: "), row.v2 === 3639, name);
  }
});

/** The cells of the first table below a heading. */
function tableAfter(heading: string): string[][] {
  const start = document.indexOf(`\n${heading}\n`);
  assert.ok(start >= 0, `docs/reference/errors.md lacks the heading "${heading}"`);
  const lines = document.slice(start + 1).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|---"));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"));
  return lines.slice(first + 1, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}
