/** Labels and values of the console are words of the trade: no name of a field shows where a reader expects a word. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Fields, Form } from "../../src/gateway/admin/field.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { valueWords, wordsOf } from "../../web/src/console/words.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONTRACT = join(ROOT, "contract", "current");
/** Where records are made that only operators see. */
const RECORD_SOURCES = ["src/gateway/explain", "src/gateway/parts"];
/** Plain words that no document happens to need. */
const PLAIN =
  "active announce approve assign authorized cet cumulative duration invite pace referee referrer remark span " +
  "special theoretical treatment updated uptime vip website whitelist withdrawable yield";
/** A field of an object literal: `is_hide: order.hidden`. */
const WRITTEN_FIELD = /[{,(\s](?:readonly )?([a-z]+(?:_[a-z0-9]+)+)[?]?:/g;

test("every word of a label stands in the documents as a word, too", () => {
  const prose = wordsOfProse();
  const foreign = [...fieldNames()].flatMap((name) =>
    tokensOf(wordsOf(name))
      .filter((word) => !prose.has(word.toLowerCase()))
      .map((word) => `${name}: ${wordsOf(name)} (${word})`),
  );
  assert.deepEqual(foreign, []);
});

test("no label has the shape of a field's name", () => {
  for (const name of fieldNames()) {
    assert.match(wordsOf(name), /^[A-Z][^_]*$/, name);
    assert.doesNotMatch(wordsOf(name).replaceAll(/PnL|IDs|IPs/g, ""), /^Is |[a-z][A-Z]|\d[a-z]/, name);
  }
});

test("short forms are written out, flags lose their verb, and units stay", () => {
  const rows = [
    ["stp_mode", "Self-trade protection"],
    ["is_hide", "Hidden"],
    ["is_frozen", "Frozen"],
    ["liq_price", "Liquidation price"],
    ["bkr_price", "Bankruptcy price"],
    ["avg_entry_price", "Average entry price"],
    ["unrealized_pnl", "Unrealized PnL"],
    ["ccy", "Currency"],
    ["user_id", "User ID"],
    ["timeout_ms", "Timeout (ms)"],
    ["protectDurationEnd", "Protect duration end"],
  ] as const;
  for (const [name, words] of rows) assert.equal(wordsOf(name), words);
});

test("values of lists are read as words, names of people stay as they are", () => {
  assert.equal(valueWords("status", "part_filled"), "part filled");
  assert.equal(valueWords("trigger_price_type", "mark_price"), "mark price");
  assert.equal(valueWords("stp_mode", "both"), "cancels both");
  assert.equal(valueWords("name", "my_bot"), "my_bot");
  assert.equal(valueWords("note", "two_words"), "two_words");
});

test("the guard finds short forms that nobody translates", () => {
  const prose = wordsOfProse();
  for (const word of ["avbl", "bkr", "cml", "addr"]) assert.equal(prose.has(word), false, word);
  for (const word of ["margin", "liquidation", "pnl"]) assert.equal(prose.has(word), true, word);
});

/** All names of fields that a record or a form of the console may have. */
function fieldNames(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const call of ADMIN_CALLS) addFields(call.fields, names);
  for (const file of readdirSync(CONTRACT)) addNames(JSON.parse(readFileSync(join(CONTRACT, file), "utf8")), names);
  for (const folder of RECORD_SOURCES) {
    const sources = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
    for (const file of sources.filter(
      (each) => each.endsWith(".ts") && !each.endsWith(".test.ts") && !/legacy/.test(each),
    ))
      for (const [, name = ""] of readFileSync(join(ROOT, folder, file), "utf8").matchAll(WRITTEN_FIELD))
        names.add(name);
  }
  assert.ok(names.size > 200);
  return names;
}

function addFields(fields: Fields, names: Set<string>): void {
  for (const [name, { form }] of Object.entries(fields)) {
    names.add(name);
    const inner: Form<unknown> | undefined = form.fields === undefined ? form.item : form;
    if (inner?.fields !== undefined) addFields(inner.fields, names);
  }
}

/** Fields of the contract's records: whatever has a name and a type. */
function addNames(part: unknown, names: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  if ("name" in part && "type" in part && typeof part.name === "string") names.add(part.name);
  for (const inner of Object.values(part)) addNames(inner, names);
}

function tokensOf(label: string): string[] {
  return label.split(/[\s()-]+/).filter((word) => word !== "");
}

/** What the documents say outside of code. */
function wordsOfProse(): ReadonlySet<string> {
  const docs = join(ROOT, "docs");
  const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((each) => each.endsWith(".md"));
  const text = pages.map((each) => readFileSync(join(docs, each), "utf8")).join("\n");
  const prose = text
    .replaceAll(/```.*?```/gs, " ")
    .replaceAll(/`[^`\n]*`/g, " ")
    .replaceAll(/\]\([^)]*\)/g, " ");
  return new Set(`${prose} ${PLAIN}`.toLowerCase().match(/[a-z]+/g));
}
