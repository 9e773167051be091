import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { play } from "../../src/scenario/run.ts";
import { parseScenario, ScenarioFault } from "../../src/scenario/scenario.ts";

const FOLDER = new URL("../../scenarios/", import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

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
  assert.throws(() => play(parseScenario(smallScenario(steps))), /Step 4: Refused with no_counter_orders/);
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

test("what is no scenario is refused with a sentence that names the place", () => {
  const refuses = (text: string, sentence: RegExp) =>
    assert.throws(
      () => play(parseScenario(text)),
      (error) => error instanceof ScenarioFault && sentence.test(error.message),
    );
  refuses("{", /^A scenario is JSON/);
  refuses("[]", /^The scenario must be an object/);
  refuses('{"title":"x","start":"soon"}', /^start is a time/);
  refuses(smallScenario([{ orders: "ann" }]), /steps\[0\]\.orders must be a list/);
  refuses(smallScenario([{ oders: [] }]), /steps\[0\] has a field oders/);
  refuses(smallScenario([{}]), /steps\[0\] says neither/);
  refuses(smallScenario([{ wait: "soon" }]), /steps\[0\]\.wait is a time/);
  refuses(smallScenario([{ wait: "99d" }]), /steps\[0\] takes more than/);
  refuses(smallScenario([{ index: { BTCUSDT: "1.005" } }]), /Step 1: The price 1.005 is not on the grid/);
  refuses(smallScenario([{ index: { XYZ: "1" } }]), /Step 1: There is no market XYZ/);
  refuses(smallScenario([{ orders: ["tom buy 1 BTCUSDT"] }]), /Step 1: There is no user tom/);
  refuses(smallScenario([{ orders: ["ann buy 1 BTCUSDT @ 30000 soon"] }]), /Step 1: An order reads/);
  refuses(smallScenario([{ expect: { "luck ann": "1" } }]), /Step 1: There is no figure luck ann/);
});
