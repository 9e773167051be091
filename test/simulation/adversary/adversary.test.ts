import assert from "node:assert/strict";
import { test } from "node:test";
import { RULES } from "../../../src/engine/rules-version.ts";
import { budget, onePerFamily } from "../../support/ring.ts";
import { PLAY_PARTS } from "../parts.ts";
import { NOT_PLAYED, PLAYED_RULES } from "./planted-faults.ts";
import { playSteps, STRATEGIES } from "./play.ts";
import { runPlay } from "./run.ts";

/** What paid under older rules: by which strategy, and what the judge says of it. */
const PAID: ReadonlyArray<readonly [rules: number, strategy: string, finding: RegExp, from?: number]> = [
  [1, "thin_book", /^A1: thin_book got/],
  [1, "thin_book", /^A2: an honest position is taken over/],
  [1, "let_go", /^A1: let_go got/],
  [1, "silent_index", /^A2: an honest position is taken over/],
  [1, "wash_deduction", /^A1: wash_deduction got/],
  [1, "sweep", /^A3: within a minute a spot price is moved/],
  [4, "slide", /^A1: slide got/, 700],
  [4, "line", /^A1: the venue lost/],
  [4, "late_debt", /^A1: the venue lost/],
  [4, "wash_for_rebate", /^A1: volume of wash_for_rebate with itself cost less than a quarter/],
  [4, "squeeze_add", /^A2: an honest addition to the pool of .* loses more than a thousandth/],
];
const SEEDS = 2_000;

for (const [rules, strategy, finding, from = 1] of onePerFamily(
  PAID,
  ([rules, , { source }]) => `${rules} ${source.slice(0, 3)}`,
)) {
  test(`under the rules of version ${rules} the judge finds ${strategy}: ${finding.source.slice(1)}`, (t) => {
    for (let seed = from; seed < from + SEEDS; seed++) {
      const { failure } = runPlay(playSteps(seed, 2_000, strategy), false, rules);
      if (failure === undefined || !finding.test(failure.differences[0] as string)) continue;
      t.diagnostic(`seed ${seed}: ${failure.differences[0]}`);
      return;
    }
    assert.fail(`${SEEDS} plays found nothing.`);
  });
}

/** Fewer do not meet all that the last test asks for. */
const PLAYS = budget(60, 300);

test("under the present rules plays bring nobody anything", () => {
  const heard = new Set<string>();
  for (let seed = 1; seed <= PLAYS; seed++) {
    const { failure, tally } = runPlay(playSteps(seed, 2_000), false);
    assert.equal(failure, undefined, `seed ${seed}: ${failure?.differences[0]}`);
    for (const name of tally.keys()) heard.add(name);
  }
  // Where nothing goes wrong nothing is tried.
  for (const name of ["liquidated", "deleveraged", "index_stale", "maintenance_started", "auction_uncrossed"]) {
    assert.ok(heard.has(name), `${name} never came`);
  }
});

test("each rule is one that a strategy finds the lack of, or has a reason why none is told to", () => {
  const named = [...PLAYED_RULES, ...Object.keys(NOT_PLAYED)];
  assert.deepEqual([...named].sort(), [...new Set(named)].sort());
  assert.deepEqual([...named].sort(), [...RULES].sort());
});

/** Of each product a strategy, and what it does there that the venue lets happen. */
const ACTS: Readonly<Record<string, readonly [strategy: string, ...kinds: string[]]>> = {
  spot: ["sweep", "place_order", "cancel_all_orders"],
  margin: ["borrowed", "transfer_margin", "borrow", "place_order"],
  futures: ["let_go", "set_leverage", "place_order"],
  pools: ["last_share", "add_liquidity", "place_order"],
  credit: ["line", "grant_credit", "place_order", "transfer"],
  savings: ["saver", "move_savings", "withdraw"],
  referral: ["upline", "create_refer_code", "bind_referee", "set_agent", "place_order"],
  wallet: ["late_debt", "deposit_seen", "deposit_gone", "withdraw", "withdrawal_mined"],
  subs: ["accomplice", "sub_transfer", "freeze_sub_account", "withdraw"],
  operators: ["office", "change_user", "change_market", "adjust_balance", "set_cancel_only", "plan_maintenance"],
  everything: ["severed", "watch_connection", "end_connections", "unwatch_connection", "place_order"],
  opening: ["last_second", "place_order", "cancel_all_orders"],
};

test("every product has a strategy that really acts there", () => {
  assert.deepEqual(
    PLAY_PARTS.map(({ name }) => name).filter((name) => ACTS[name] === undefined),
    [],
  );
  for (const [product, [strategy, ...kinds]] of Object.entries(ACTS)) {
    const part = PLAY_PARTS.find(({ name }) => name === product);
    assert.ok(
      part?.strategies.some(({ name }) => name === strategy),
      `${strategy} is no strategy of ${product}`,
    );
    const done = new Set<string>();
    for (let seed = 1; seed <= 12; seed++) {
      for (const name of runPlay(playSteps(seed, 2_000, strategy), false).tally.keys()) done.add(name);
    }
    assert.deepEqual(
      kinds.filter((kind) => !done.has(`did ${kind}`)),
      [],
      product,
    );
  }
});

test("strategies have names of their own", () => {
  const names = STRATEGIES.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

test("a play can be done again, and steps of it left out", () => {
  const steps = playSteps(7, 2_000);
  assert.deepEqual(playSteps(7, 2_000), steps);
  assert.deepEqual(runPlay(steps, false), runPlay(steps, false));
  runPlay(
    steps.filter((_, at) => at % 3 !== 0),
    false,
  );
});
