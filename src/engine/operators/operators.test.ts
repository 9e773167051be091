import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../command.ts";
import { encodeCommand } from "../command.ts";
import { Engine, refusalIn } from "../engine.ts";
import { loadSnapshot, takeSnapshot } from "../snapshot.ts";
import { WordBuffer } from "../words.ts";
import { plainAmount } from "./references.ts";

const DAY_MS = 86_400_000;
const hash = (digit: string) => digit.repeat(64);

/** An engine with USDT, BTC and a user; `give` answers the result, or the sentence of a refusal. */
function venue() {
  const engine = new Engine();
  let seq = 1;
  let timeMs = 1_750_000_000_000;
  const give = (command: object): unknown => {
    const words = new WordBuffer(64);
    encodeCommand(words, command as Command);
    const outcome = engine.apply(words, 0, seq++, timeMs);
    return refusalIn(outcome) === undefined ? outcome.result : outcome.detail;
  };
  for (const ccy of ["USDT", "BTC"]) give({ kind: "list_asset", actor: "root", ccy, scale: 8 });
  give({ kind: "create_user", actor: "root", name: "alice" });
  const pass = (ms: number) => {
    timeMs += ms;
  };
  const custody = (ccy: string) => engine.state.ledger.custody(engine.state.assetByCcy.get(ccy)?.id ?? -1);
  return { engine, give, pass, custody, state: engine.state };
}

const deposit = (more: object = {}) => ({
  kind: "deposit",
  actor: "root",
  userId: 1,
  ccy: "USDT",
  amount: "5",
  note: "",
  ...more,
});

test("a deposit sent again with its reference is made once, however its amount and note are written", () => {
  const { give, custody } = venue();
  const first = give(deposit({ reference: "wire 1" }));
  assert.deepEqual(first, { depositId: 1 });
  assert.deepEqual(give(deposit({ reference: "wire 1", amount: "05.00", note: "again" })), {
    depositId: 1,
    repeated: true,
  });
  assert.match(
    String(give(deposit({ reference: "wire 1", amount: "6" }))),
    /wire 1 was used before, for something else/,
  );
  assert.match(String(give(deposit({ reference: "wire 1", userId: 2 }))), /was used before/);
  assert.equal(custody("USDT"), 500_000_000n);
  // Another kind of command has references of its own; what was refused leaves none.
  const adjust = { ...deposit({ reference: "wire 1", note: "why" }), kind: "adjust_balance" };
  assert.deepEqual(
    give({ ...adjust, amount: "-6" }),
    "The user has 5.00000000 USDT available; what orders freeze is not touched.",
  );
  assert.deepEqual(give({ ...adjust, amount: "-1" }), { adjustmentId: 1 });
  assert.deepEqual(give({ ...adjust, amount: "-1.0" }), { adjustmentId: 1, repeated: true });
  const user = { kind: "create_user", actor: "root", name: "bob", reference: "r" };
  assert.deepEqual([give(user), give(user)], [{ userId: 2 }, { userId: 2, repeated: true }]);
  assert.match(String(give({ ...user, name: "carol" })), /was used before/);
});

test("amounts are compared as numbers", () => {
  for (const [text, plain] of [
    ["1", "1"],
    ["01.50", "1.5"],
    ["0", "0"],
    ["0.0", "0"],
    ["-00.10", "-0.1"],
    ["x", "x"],
    ["100", "100"],
  ]) {
    assert.equal(plainAmount(text as string), plain);
  }
});

test("an operator moves as much a day as his limits say, and nothing that they do not name", () => {
  const { give, pass, custody } = venue();
  const limits = [{ ccy: "USDT", amount: "10" }];
  const create = {
    kind: "create_operator",
    actor: "root",
    name: "tess",
    role: "treasurer",
    limits,
    tokenHash: hash("a"),
  };
  assert.deepEqual(give(create), { name: "tess" });
  const credit = (more: object) => give(deposit({ actor: "tess", ...more }));
  assert.deepEqual(credit({ amount: "6" }), { depositId: 1 });
  assert.match(String(credit({ amount: "5" })), /tess may move 10\.00000000 USDT a day, of which 4\.00000000 are left/);
  assert.match(String(credit({ ccy: "BTC", amount: "0.1" })), /may move 0\.00000000 BTC a day/);
  // What is taken away counts, too.
  assert.deepEqual(give({ ...deposit({ actor: "tess", amount: "-4", note: "x" }), kind: "adjust_balance" }), {
    adjustmentId: 1,
  });
  assert.match(String(credit({ amount: "0.1" })), /of which 0\.00000000 are left/);
  pass(DAY_MS);
  assert.deepEqual(credit({ amount: "10" }), { depositId: 2 });
  assert.deepEqual(give({ kind: "change_operator", actor: "root", name: "tess", limits: [] }), { name: "tess" });
  assert.deepEqual(credit({ ccy: "BTC", amount: "1000" }), { depositId: 3 });
  assert.equal(custody("BTC"), 100_000_000_000n);
});

test("names, roles, tokens and limits of operators are checked, and root is nobody's to change", () => {
  const { give, state } = venue();
  const create = { kind: "create_operator", actor: "root", name: "ann", role: "admin", tokenHash: hash("a") };
  give(create);
  for (const [wrong, sentence] of [
    [{ name: "ann", tokenHash: hash("b") }, /named ann already/],
    [{ name: "root", tokenHash: hash("b") }, /named root already/],
    [{ name: "Ann B" }, /small letters/],
    [{ name: "ben", role: "king", tokenHash: hash("b") }, /one of viewer, support, treasurer, admin/],
    [{ name: "ben" }, /That token is in use/],
    [{ name: "ben", tokenHash: "short" }, /64 hexadecimal digits/],
    [{ name: "ben", tokenHash: hash("b"), limits: [{ ccy: "XYZ", amount: "1" }] }, /names a listed currency/],
  ] as const) {
    assert.match(String(give({ ...create, ...wrong })), sentence);
  }
  assert.match(
    String(give({ kind: "change_operator", actor: "ann", name: "root", role: "viewer" })),
    /cannot be changed/,
  );
  assert.match(String(give({ kind: "delete_operator", actor: "ann", name: "root" })), /cannot be changed or deleted/);
  give({ kind: "change_operator", actor: "root", name: "ann", role: "viewer", tokenHash: hash("c") });
  assert.deepEqual([...state.operators.byTokenHash.keys()], [hash("c")]);
  give({ kind: "delete_operator", actor: "root", name: "ann" });
  assert.equal(state.operators.byTokenHash.size + state.operators.byName.size, 0);
});

test("what was proposed is done when another consents, once, and in the name of who asked", () => {
  const { give, custody, state } = venue();
  const command = JSON.stringify(deposit({ amount: "1000000", reference: "big" }));
  const propose = { kind: "propose", actor: "ann", command };
  assert.deepEqual([give(propose), give(propose)], [{ approvalId: 1 }, { approvalId: 1 }]);
  const other = JSON.stringify(deposit({ amount: "2", reference: "big" }));
  assert.match(String(give({ ...propose, command: other })), /was used before/);
  const decide = { kind: "decide", approvalId: 1, approve: true };
  assert.match(String(give({ ...decide, actor: "ann" })), /Another operator must consent/);
  assert.equal(custody("USDT"), 0n);
  assert.deepEqual(give({ ...decide, actor: "ben" }), {
    approvalId: 1,
    result: { depositId: 1 },
    done: deposit({ amount: "1000000", reference: "big", actor: "ann" }),
  });
  assert.match(String(give({ ...decide, actor: "ben" })), /Nothing waits for consent/);
  // Asked again after it was done, the answer is what came of it.
  assert.deepEqual(give(propose), { depositId: 1, repeated: true });
  assert.equal(custody("USDT"), 100_000_000_000_000n);

  assert.deepEqual(give({ ...propose, command: JSON.stringify(deposit({ ccy: "XYZ" })) }), { approvalId: 2 });
  assert.match(String(give({ ...decide, approvalId: 2, actor: "ben" })), /XYZ is not listed/);
  assert.equal(state.operators.approvals.size, 1, "what is refused goes on waiting");
  assert.deepEqual(give({ ...decide, approvalId: 2, actor: "ann", approve: false }), { approvalId: 2 });
  for (const bad of ["", "[]", '{"kind":"list_market"}', '{"kind":"deposit"}', '{"kind":"toString"}']) {
    assert.equal(typeof give({ ...propose, command: bad }), "string", bad);
  }
});

test("operators, their limits, what waits and references come through a snapshot", () => {
  const { give, state, pass } = venue();
  const limits = [{ ccy: "USDT", amount: "10" }];
  give({ kind: "create_operator", actor: "root", name: "tess", role: "treasurer", limits, tokenHash: hash("a") });
  give(deposit({ actor: "tess", reference: "one", amount: "6" }));
  give({ kind: "propose", actor: "tess", command: JSON.stringify(deposit({ amount: "9" })) });
  const chunks = takeSnapshot(state);
  const other = new Engine();
  loadSnapshot(other.state, chunks, state.seq, state.timeMs);
  assert.deepEqual(takeSnapshot(other.state), chunks);
  assert.deepEqual(other.state.operators, state.operators);
  pass(1);
});
