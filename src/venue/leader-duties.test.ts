import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { LeaderDuties, type LeaderDutiesOptions, LOOK_MS } from "./leader-duties.ts";
import { EngineMachine } from "./machine.ts";
import { AWAY_LOOKS } from "./node-programs.ts";

const OLD_RULES = RULES_VERSION - 1;
type Make = Parameters<LeaderDutiesOptions["log"]["orderAlone"]>[0];

/** What each of three nodes answers to a look; undefined: nothing. */
type Answers = readonly [a: number | undefined, b: number | undefined, c: number | undefined];

/** Node a leads three nodes under old rules, and has a program with newer ones. */
function leading(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { engine } = new EngineMachine();
  engine.state.rulesVersion = OLD_RULES;
  engine.state.seq = 1;
  let hear = (_isLeader: boolean) => {};
  let answers: Answers | Promise<Answers> = [RULES_VERSION, undefined, undefined];
  const log = {
    isLeading: false,
    onLeading: (listener: (isLeader: boolean) => void) => {
      hear = listener;
    },
    rules: async () => (await answers).map((rules, at) => ({ node: "abc".charAt(at), rules })),
    waiting: [] as Make[],
    orderAlone: (make: Make) => void log.waiting.push(make),
  };
  let begun = 0;
  const onFault = (fault: Error) => {
    throw fault;
  };
  const duties = new LeaderDuties({ node: { engine }, log, onFault });
  t.after(() => duties.stop());
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Lets come into the log what is to be ordered. */
  const commit = () => {
    for (const make of log.waiting.splice(0)) {
      if (make() === undefined) continue;
      engine.state.rulesVersion = RULES_VERSION;
      begun++;
    }
  };
  return {
    /** Whether the new rules have begun. */
    hasBegun: () => {
      commit();
      return begun > 0;
    },
    /** How often they have. */
    begun: () => {
      commit();
      return begun;
    },
    leads: async (isLeader: boolean, what: Answers | Promise<Answers>) => {
      answers = what;
      log.isLeading = isLeader;
      hear(isLeader);
      await settle();
    },
    looks: async (count: number, what: Answers | Promise<Answers>) => {
      answers = what;
      for (let look = 0; look < count; look++) {
        t.mock.timers.tick(LOOK_MS);
        await settle();
      }
    },
  };
}

test("the new rules begin as soon as every node has them", async (t) => {
  const node = leading(t);
  await node.leads(true, [RULES_VERSION, RULES_VERSION, OLD_RULES]);
  assert.ok(!node.hasBegun());
  await node.looks(1, [RULES_VERSION, RULES_VERSION, RULES_VERSION]);
  assert.ok(node.hasBegun());
});

test("a node that serves with an older program and does not answer a question in time is not taken for one that is away", async (t) => {
  const node = leading(t);
  await node.leads(true, [RULES_VERSION, RULES_VERSION, undefined]);
  assert.ok(!node.hasBegun(), "a node that was never heard may be starting");
  await node.looks(1, [RULES_VERSION, RULES_VERSION, OLD_RULES]);
  await node.looks(AWAY_LOOKS - 1, [RULES_VERSION, RULES_VERSION, undefined]);
  await node.looks(1, [RULES_VERSION, RULES_VERSION, OLD_RULES]);
  await node.looks(AWAY_LOOKS - 1, [RULES_VERSION, RULES_VERSION, undefined]);
  assert.ok(!node.hasBegun());
});

test("a node that has been away for many looks in a row is not waited for", async (t) => {
  for (const before of [OLD_RULES, undefined]) {
    await t.test(`it had ${before === undefined ? "never been heard" : "an older program"}`, async (t) => {
      const node = leading(t);
      await node.leads(true, [RULES_VERSION, RULES_VERSION, before]);
      await node.looks(AWAY_LOOKS, [RULES_VERSION, RULES_VERSION, undefined]);
      assert.ok(node.hasBegun());
    });
  }
});

test("a leader that hears no quorum is cut off itself, and holds it against nobody", async (t) => {
  const node = leading(t);
  await node.leads(true, [RULES_VERSION, RULES_VERSION, OLD_RULES]);
  await node.looks(AWAY_LOOKS * 2, [RULES_VERSION, undefined, undefined]);
  assert.ok(!node.hasBegun());
});

test("what a node saw when it led before counts no more", async (t) => {
  const node = leading(t);
  await node.leads(true, [RULES_VERSION, RULES_VERSION, OLD_RULES]);
  await node.looks(AWAY_LOOKS - 1, [RULES_VERSION, RULES_VERSION, undefined]);
  await node.leads(false, [RULES_VERSION, RULES_VERSION, undefined]);
  await node.leads(true, [RULES_VERSION, RULES_VERSION, undefined]);
  assert.ok(!node.hasBegun());
});

test("answers that come when this node leads no longer begin nothing", async (t) => {
  const node = leading(t);
  const late = Promise.withResolvers<Answers>();
  await node.leads(true, late.promise);
  await node.leads(false, late.promise);
  late.resolve([RULES_VERSION, RULES_VERSION, RULES_VERSION]);
  await node.looks(1, late.promise);
  assert.ok(!node.hasBegun());
});

test("the new rules begin once, however late answers are and however long the log takes", async (t) => {
  const node = leading(t);
  const late = Promise.withResolvers<Answers>();
  await node.leads(true, late.promise);
  await node.looks(3, late.promise);
  late.resolve([RULES_VERSION, RULES_VERSION, RULES_VERSION]);
  await node.looks(3, late.promise);
  assert.equal(node.begun(), 1);
  await node.looks(1, late.promise);
  assert.equal(node.begun(), 1);
});
