import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isLiving } from "../../src/lab/scenario/living/living-scenario.ts";
import { play } from "../../src/lab/scenario/run.ts";
import { parseScenario, ScenarioFault } from "../../src/lab/scenario/scenario.ts";

const FOLDER = new URL("../../scenarios/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".json") && !isLiving(textOf(name)));

function textOf(file: string): string {
  return readFileSync(new URL(file, FOLDER), "utf8");
}

for (const file of FILES) {
  test(`${file} ends as it says, and every unit of money is there`, () => {
    const played = play(parseScenario(textOf(file)));
    assert.deepEqual(played.missed, []);
    for (const { ccy, paidIn, held } of played.money) assert.equal(held, paidIn, ccy);
  });
}

test("a scenario goes the same way every time", () => {
  const played = () => play(parseScenario(textOf("funding-spike.json"))).entries;
  assert.deepEqual(played(), played());
});

/** A market and two users, who have done nothing yet. */
function smallScenario(steps: unknown[]): string {
  const { assets, markets, start } = JSON.parse(textOf("funding-spike.json"));
  const users = { ann: { funds: { USDT: "1000" } }, bob: { funds: { USDT: "1000" }, hedge: true } };
  return JSON.stringify({ title: "small", start, assets, markets, users, steps });
}

test("what somebody gains another loses, and who pays fees is told", () => {
  const steps = [
    { index: { BTCUSDT: "30000" } },
    { orders: ["ann buy 0.1 BTCUSDT @ 30000", "bob sell 0.1 BTCUSDT @ 30000 short"] },
    { wait: "1m", tick: "10s", index: { BTCUSDT: "30600" } },
    { orders: ["bob sell 0.1 BTCUSDT @ 30600 maker_only short", "ann close BTCUSDT", "ann buy 0.2 BTCUSDT @ 30000"] },
    { cancel: "ann BTCUSDT" },
    { expect: { "index BTCUSDT": "30600.00", "position bob BTCUSDT": "short 0.1000" } },
  ];
  assert.throws(
    () => play(parseScenario(smallScenario(steps))),
    /Step 4: ann close BTCUSDT: Refused with no_counter_orders/,
  );
  const traded = play(parseScenario(smallScenario(steps.toSpliced(3, 1))));
  assert.deepEqual(traded.missed, []);
  assert.deepEqual(
    traded.entries.map(({ who, what, money }) => `${who} ${what} ${money}`),
    ["bob adds 0.1000 short at 30000.00 -1.50000000 USDT", "ann adds 0.1000 long at 30000.00 -0.90000000 USDT"],
  );
  assert.deepEqual(
    traded.ends.map(({ who, unrealized, change }) => `${who} ${unrealized} ${change}`),
    ["ann 60.00000000 59.10000000", "bob -60.00000000 -61.50000000"],
  );
});

test("an expectation that does not come true is said in a sentence", () => {
  const steps = [
    { index: { BTCUSDT: "30000" } },
    { expect: { "mark BTCUSDT": "30001.00", "cash ann USDT": "1000.00000000" } },
  ];
  const { missed } = play(parseScenario(smallScenario(steps)));
  assert.deepEqual(missed, ["mark BTCUSDT should be 30001.00 and is 30000.00."]);
});

/** The small scenario with something else in it. */
function changed(change: (file: { users: Deep; markets: Deep[] }) => void): string {
  const file = JSON.parse(smallScenario([]));
  change(file);
  return JSON.stringify(file);
}
// biome-ignore lint/suspicious/noExplicitAny: what is spoilt here has no shape.
type Deep = any;

const FAULTS: readonly (readonly [what: string, text: string, sentence: RegExp])[] = [
  ["an unfinished text", "{", /^A scenario is JSON: .*line 1/],
  ["a sign too many", '{\n"title": "x",\n"start": \n}\n', /^A scenario is JSON: Unexpected token .*\(line 4\)\.$/],
  ["a list", "[]", /^The scenario must be an object/],
  ["no time to begin", '{"title":"x","start":"soon"}', /^start is a time/],
  ["no list of orders", smallScenario([{ orders: "ann" }]), /^Step 1: orders must be a list/],
  ["a misspelt step", smallScenario([{ oders: [] }]), /^Step 1 has a field oders/],
  ["an empty step", smallScenario([{}]), /^Step 1 says none of note, orders,/],
  [
    "two things in a step",
    smallScenario([{ note: "now", wait: "1h" }]),
    /^Step 1 says note and wait; make a step of each/,
  ],
  ["a tick for nothing", smallScenario([{ index: { BTCUSDT: "1" }, tick: "1m" }]), /^Step 1 has a tick without a wait/],
  ["no time to wait", smallScenario([{ note: "" }, { wait: "soon" }]), /^Step 2: wait is a time/],
  ["too long a time", smallScenario([{ wait: "99d" }]), /^Step 1 takes more than 200000 ticks/],
  ["too short a tick", smallScenario([{ wait: "1m", tick: "0s" }]), /^Step 1: tick must be a second or more/],
  [
    "a number",
    smallScenario([{ index: { BTCUSDT: 30000 } }]),
    /^Step 1: index\.BTCUSDT must be a text, in quotation marks/,
  ],
  [
    "a price off the grid",
    smallScenario([{ index: { BTCUSDT: "1.005" } }]),
    /^Step 1: The price 1\.005 of BTCUSDT is no decimal/,
  ],
  ["no such market", smallScenario([{ index: { XYZ: "1" } }]), /^Step 1: There is no market XYZ/],
  ["no market at all", smallScenario([{ cancel: "ann" }]), /^Step 1: The name of a market is missing/],
  [
    "no such user",
    smallScenario([{ orders: ["tom buy 1 BTCUSDT"] }]),
    /^Step 1: tom buy 1 BTCUSDT: There is no user tom/,
  ],
  ["a word too many", smallScenario([{ orders: ["ann buy 1 BTCUSDT @ 30000 soon"] }]), /^Step 1: .*: An order reads/],
  [
    "an amount off the grid",
    smallScenario([{ orders: ["ann buy 0.00001 BTCUSDT"] }]),
    /^Step 1: .*: The amount is no decimal/,
  ],
  [
    "an order refused",
    smallScenario([{ orders: ["ann buy 90 BTCUSDT"] }]),
    /^Step 1: ann buy 90 BTCUSDT: Refused with /,
  ],
  ["no such figure", smallScenario([{ expect: { "luck ann": "1" } }]), /^Step 1: There is no figure luck ann/],
  ["no such source", smallScenario([{ silence: { BTCUSDT: ["nine"] } }]), /^Step 1: BTCUSDT has no source nine/],
  [
    "a source astray that is none",
    smallScenario([{ astray: { BTCUSDT: { nine: "1" } } }]),
    /BTCUSDT has no source nine/,
  ],
  [
    "a misspelt setting",
    changed(({ markets }) => (markets[0].maker_fee = "0")),
    /^markets\[0\] has a field maker_fee,/,
  ],
  ["a setting too few", changed(({ markets }) => delete markets[0].level), /^markets\[0\]\.level must be a list/],
  ["no fee", changed(({ markets }) => delete markets[0].maker_fee_rate), /^markets\[0\]\.maker_fee_rate is missing/],
  ["half a level", changed(({ markets }) => delete markets[0].level[1].leverage), /level\[1\]\.leverage is missing/],
  [
    "a listing refused",
    changed(({ markets }) => (markets[0].taker_fee_rate = "2")),
    /^The market BTCUSDT: Refused with /,
  ],
  ["a doubtful mode", changed(({ users }) => (users.bob.hedge = "yes")), /^users\.bob\.hedge must be true or false/],
  [
    "unknown money",
    changed(({ users }) => (users.ann.funds.XYZ = "1")),
    /^users\.ann: funds\.XYZ: Refused with asset_not_found/,
  ],
  [
    "no such leverage",
    changed(({ users }) => (users.ann.markets = { BTCUSDT: "cross 11" })),
    /^users\.ann: markets\.BTCUSDT: Refused with leverage_not_offered: leverage is one of /,
  ],
];

for (const [what, text, sentence] of FAULTS) {
  test(`a scenario with ${what} is refused with a sentence that names the place`, () => {
    assert.throws(
      () => play(parseScenario(text)),
      (error) => {
        assert.ok(error instanceof ScenarioFault);
        assert.match(error.message, sentence);
        return true;
      },
    );
  });
}
