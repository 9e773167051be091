/** The kit finds what each bad bot does wrong, and nothing else; each bot is a fault planted on purpose. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Kit } from "../../src/lab/conform/kit.ts";
import { Relay } from "../../src/lab/conform/relay.ts";
import { FAULTS, type Fault, RULES } from "../../src/lab/conform/rules.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { BAD_BOTS, call, type Ground, ORDER, pause, place } from "./bad-bots.ts";

/** What the bot has to meet to go wrong; the others go wrong by themselves. */
const NEEDED: Readonly<Record<string, Fault>> = {
  "signature-retried": "bad_signature",
  "limit-ignored": "limited",
  "busy-hammered": "busy",
  "order-sent-twice": "cut_after",
  "clock-not-taken": "clock_jump",
  "stale-book": "bad_checksum",
  "not-reconnected": "close_sockets",
  "not-resubscribed": "close_sockets",
  "gap-not-read": "close_sockets",
};

let venue: VenueProcess;
let bots: Omit<Ground, "url">[];

before(async () => {
  venue = await VenueProcess.start(":memory:", "--makers", "off", "--clock", "virtual");
  bots = [];
  for (const name of ["bot", "other"]) {
    const { key } = await venue.trader(name, { USDT: "1000000", BTC: "10" });
    bots.push({ accessId: key.accessId, secretKey: key.secret });
  }
});

after(async () => void (await venue?.end("SIGKILL")));

/** Runs a bot behind a kit of its own. */
async function held(
  fault: Fault | undefined,
  play: (ground: Ground, isFound: () => boolean) => Promise<void>,
  silenceMs = 60_000,
): Promise<Kit> {
  const [bot] = bots as [Omit<Ground, "url">];
  const kit = new Kit({
    faults: new Set(fault === undefined ? [] : [fault]),
    patienceMs: 2_000,
    silenceMs,
    secretKey: bot.secretKey,
    jumpClock: async () => {
      await venue.admin("/admin/clock", { advance_ms: 60_000 });
      return 60_000;
    },
  });
  const relay = await Relay.open(venue.url, kit);
  try {
    await play({ ...bot, url: relay.url }, () => kit.findings.mishandled.length > 0);
  } finally {
    kit.finish({ byItself: true, code: 0, signal: null, said: "" });
    await relay.close();
  }
  return kit;
}

let price = 20_000;

/** Changes the book from another account. */
async function moveBook(): Promise<void> {
  const [, other] = bots as [unknown, Omit<Ground, "url">];
  price += 1;
  const answer = await place({ ...other, url: venue.url }, { price: String(price) });
  assert.equal(answer?.code, 0);
}

/** Those that mostly wait may do so together; the others want the quota of the account for themselves. */
const WAITING = ["stale-book", "not-reconnected", "not-resubscribed", "gap-not-read", "no-ping"];

for (const isWaiting of [false, true]) {
  const names = Object.entries(BAD_BOTS).filter(([rule]) => WAITING.includes(rule) === isWaiting);
  describe(`what bots do wrong over ${isWaiting ? "sockets" : "HTTP"}`, {
    concurrency: isWaiting ? names.length : 1,
  }, () => {
    found(names);
  });
}

function found(names: readonly [string, (typeof BAD_BOTS)[string]][]): void {
  for (const [rule, play] of names) {
    test(`${rule} is found, with what was seen`, async () => {
      const silenceMs = rule === "no-ping" ? 600 : undefined;
      const kit = await held(NEEDED[rule], (ground, isFound) => play(ground, moveBook, isFound), silenceMs);
      const { mishandled } = kit.findings;
      assert.deepEqual(
        mishandled.map((each) => each.rule),
        [rule.split(" ")[0]],
        JSON.stringify([mishandled, kit.calls.map(({ endpoint, code, fault }) => [endpoint, code, fault])]),
      );
      const [{ sentence, evidence } = { sentence: "", evidence: [] }] = mishandled;
      assert.match(sentence, /^[A-Z].*\.$/);
      assert.ok(evidence.length > 0 && evidence.length <= 5);
    });
  }
}

test("a crowd that had set out before the first refusal is in the right", async () => {
  const kit = await held(undefined, async (ground) => {
    // On a slow machine the quota may come back while they come.
    await Promise.all(Array.from({ length: 30 }, () => call(ground, "GET", "/v2/assets/spot/balance")));
    // Time itself: the quota is back after a second without a request.
    await pause(1_100);
  });
  assert.deepEqual(kit.findings.mishandled, []);
});

test("a bot that looks before it sends an order again is in the right", async () => {
  const kit = await held("cut_after", async (ground) => {
    for (let tries = 0; tries < 3; tries++) await place(ground, { price: "15000" });
    await call(ground, "GET", "/v2/spot/pending-order?market_type=SPOT&market=BTCUSDT");
    await place(ground, { price: "15000" });
  });
  assert.equal(kit.findings.timesMet("cut_after"), 1);
  assert.deepEqual(kit.findings.mishandled, []);
});

test("a bot that asks the same in haste without being refused, or waits when it is, is in the right", async () => {
  const kit = await held("limited", async (ground) => {
    for (let tries = 0; tries < 6; tries++) {
      const answer = await place(ground);
      if (answer?.code === 4213) await pause(200);
    }
  });
  assert.equal(kit.findings.timesMet("limited"), 1);
  assert.deepEqual(kit.findings.mishandled, []);
});

test("of a list of markets the last one alone gets a status that nobody knows, and nothing else is changed", async () => {
  let seen: unknown;
  const kit = await held("unknown_value", async (ground) => {
    // The first two pass unharmed.
    for (let count = 0; count < 3; count++) seen = (await call(ground, "GET", "/v2/spot/market"))?.data;
  });
  assert.equal(kit.findings.timesMet("unknown_value"), 1);
  const [bot] = bots as [Omit<Ground, "url">];
  const sent = (await call({ ...bot, url: venue.url }, "GET", "/v2/spot/market"))?.data as object[];
  assert.ok(sent.length > 2);
  assert.deepEqual(seen, sent.with(-1, { ...sent.at(-1), status: "resting" }));
});

test("a program that dies is found out, unless its key was refused", () => {
  const died = (fault: Fault | undefined) => {
    const terms = { faults: new Set<Fault>(), patienceMs: 1, silenceMs: 1, secretKey: "x", jumpClock: async () => 0 };
    const kit = new Kit(terms);
    if (fault !== undefined) kit.findings.met(fault);
    kit.finish({ byItself: true, code: 1, signal: null, said: ": Error: no such status" });
    return kit.findings.mishandled.map(({ rule }) => rule);
  };
  assert.deepEqual(died(undefined), ["program-died"]);
  assert.deepEqual(died("unknown_value"), ["unknown-value"]);
  assert.deepEqual(died("bad_signature"), []);
});

test("every rule has a bot or a test that breaks it, and every fault a meaning", () => {
  const tried = [
    ...Object.keys(BAD_BOTS).filter((name) => !name.includes(" ")),
    "program-died",
    "unknown-value",
  ].sort();
  assert.deepEqual(tried, Object.keys(RULES).sort());
  for (const what of Object.values(FAULTS)) assert.match(what, /^[a-z]/);
  assert.equal(ORDER.amount, "0.001");
});
