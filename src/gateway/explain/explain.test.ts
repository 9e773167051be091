import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SeededChance } from "../auth/chance.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { Refused, type WireRefusal } from "../refused.ts";
import { reasonOf, reasonText } from "./reason.ts";
import { RequestMemory } from "./request-memory.ts";
import { REQUESTS_KEPT } from "./request-ring.ts";

const domain = readFileSync(new URL("../../../docs/reference/domain.md", import.meta.url), "utf8");
const sections = new Set(Array.from(domain.matchAll(/^#{2,3} (\d+(?:\.\d+)*) /gm), ([, number]) => number));
const names = Object.keys(REFUSAL_ROWS) as WireRefusal[];

test("every refusal has the number of a rule that docs/reference/domain.md has", () => {
  const dangling = names.filter((name) => {
    const [, section, row] = /^(\d+(?:\.\d+)*)(?: row (\d+))?$/.exec(REFUSAL_ROWS[name].rule) ?? [];
    if (section === undefined || !sections.has(section)) return true;
    const after = domain.slice(domain.search(new RegExp(`^#{2,3} ${section.replaceAll(".", "\\.")} `, "m")));
    return row !== undefined && !after.slice(0, after.indexOf("\n### ", 10)).includes(`\n| ${row} |`);
  });
  assert.deepEqual(dangling, []);
});

test("a reason is the rule, the refusal by name and the figures, in one line that a header can hold", () => {
  for (const name of names)
    assert.match(reasonText(REFUSAL_ROWS, new Refused(name)), /^\d[\d.]*( row \d)?; refusal=\w+$/);
  const figures = { ccy: "USDT", available: "3", needed: "100" };
  const short = new Refused("insufficient_balance", undefined, undefined, figures);
  assert.equal(reasonText(REFUSAL_ROWS, short), "2.4; refusal=insufficient_balance; ccy=USDT; available=3; needed=100");
  assert.deepEqual(reasonOf(REFUSAL_ROWS, short), {
    rule: "2.4",
    refusal: "insufficient_balance",
    message: "The balance is not enough.",
    figures,
  });
});

test("what a client wrote can neither end a header nor look like another figure", () => {
  const nasty = `X\r\nSet-Cookie: a=b; needed=0 ${"ü".repeat(300)}`;
  const text = reasonText(REFUSAL_ROWS, new Refused("market_not_found", undefined, undefined, { market: nasty }));
  assert.match(text, /^[\x20-\x7e]+$/);
  assert.ok(!text.includes("; needed"));
  assert.ok(text.length < 250);
  assert.match(reasonText(REFUSAL_ROWS, new Refused("invalid_parameter", undefined, nasty)), /; why=X\?\?Set-Cookie/);
});

test("in production refusals have names and no reasons, and are remembered all the same, as many as there is room for", () => {
  const memory = new RequestMemory({ rows: REFUSAL_ROWS, tells: false, now: () => 1 });
  const observer = memory.observer(new SeededChance(1, "names"));
  const refuse = () =>
    observer.answered({ context: undefined, status: 200, code: 3008, ms: 0, refused: new Refused("busy") });
  const first = refuse();
  assert.match(first, /^X-Request-Id: [0-9a-f]{16}\r\n$/);
  const idOf = (line: string) => line.slice("X-Request-Id: ".length).trim();
  assert.deepEqual(
    memory.find(idOf(first))?.reasons.map(({ rule }) => rule),
    ["13.4"],
  );
  const ids = new Set([idOf(first)]);
  for (let more = 0; more < REQUESTS_KEPT; more++) ids.add(idOf(refuse()));
  assert.equal(ids.size, REQUESTS_KEPT + 1, "a name was given twice");
  assert.equal(memory.find(idOf(first)), undefined);
});
