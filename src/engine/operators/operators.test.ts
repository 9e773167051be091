import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { Command } from "../command.ts";
import { encodeCommand } from "../command.ts";
import { Engine, refusalIn } from "../engine.ts";
import { loadSnapshot, takeSnapshot } from "../snapshot.ts";
import { WordBuffer } from "../words.ts";
import { plainAmount } from "./references.ts";

const DAY_MS = 86_400_000;
const hash = (digit: string) => digit.repeat(64);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const code = (name: string) => hashOf(`code of ${name}`);
const token = (name: string) => hashOf(`token of ${name}`);

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
  /** Lets an operator in, who enrols with a token of his own. */
  const enter = (name: string, role: string, more: object = {}) => {
    give({ kind: "create_operator", actor: "root", name, role, codeHash: code(name), ...more });
    return give({ kind: "enrol_operator", actor: name, name, codeHashes: [code(name)], tokenHash: token(name) });
  };
  const custody = (ccy: string) => engine.state.ledger.custody(engine.state.assetByCcy.get(ccy)?.id ?? -1);
  return { engine, give, pass, enter, custody, state: engine.state };
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
  const { give, pass, enter, custody } = venue();
  assert.deepEqual(enter("tess", "treasurer", { limits: [{ ccy: "USDT", amount: "10" }] }), { name: "tess" });
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

test("names, roles, codes and limits of operators are checked, and root is nobody's to change", () => {
  const { give, enter, state } = venue();
  enter("ann", "admin");
  const create = { kind: "create_operator", actor: "root", name: "ben", role: "admin", codeHash: hash("a") };
  for (const [wrong, sentence] of [
    [{ name: "ann" }, /named ann already/],
    [{ name: "root" }, /named root already/],
    [{ name: "faults" }, /named faults already/],
    [{ name: "Ann B" }, /small letters/],
    [{ role: "king" }, /one of viewer, support, treasurer, admin/],
    [{ codeHash: "short" }, /64 hexadecimal digits/],
    [{ codeHash: undefined }, /64 hexadecimal digits/],
    [{ tokenHash: hash("b") }, /asked for under older rules/],
    [{ limits: [{ ccy: "XYZ", amount: "1" }] }, /names a listed currency/],
  ] as const) {
    assert.match(String(give({ ...create, ...wrong })), sentence);
  }
  assert.match(
    String(give({ kind: "change_operator", actor: "ann", name: "root", role: "viewer" })),
    /cannot be changed/,
  );
  assert.match(String(give({ kind: "delete_operator", actor: "ann", name: "root" })), /cannot be changed or deleted/);
  give({ kind: "change_operator", actor: "root", name: "ann", role: "viewer" });
  assert.match(String(give({ ...create, actor: "ann" })), /The role viewer of ann does not allow this/);
  give({ kind: "delete_operator", actor: "root", name: "ann" });
  assert.equal(state.operators.byTokenHash.size + state.operators.byName.size, 0);
});

test("an operator enrols once, in time, with a token that nobody else gives him", () => {
  const { give, pass, enter, state } = venue();
  give({ kind: "create_operator", actor: "root", name: "ann", role: "admin", codeHash: code("ann") });
  const enrol = { kind: "enrol_operator", actor: "ann", name: "ann", codeHashes: [code("ann")], tokenHash: hash("c") };
  assert.match(String(give({ ...enrol, codeHashes: [code("ben")] })), /No operator of this name enrols/);
  assert.match(String(give({ ...enrol, codeHashes: [] })), /No operator of this name enrols/);
  assert.match(String(give({ ...enrol, name: "ben" })), /No operator of this name enrols/);
  pass(5 * DAY_MS);
  assert.match(String(give(enrol)), /No operator of this name enrols/);
  give({ kind: "reset_operator", actor: "root", name: "ann", codeHash: code("ann") });
  assert.deepEqual(give(enrol), { name: "ann" });
  assert.match(String(give(enrol)), /No operator of this name enrols/);
  assert.match(String(enter("ben", "viewer", { codeHash: hash("d") })), /No operator of this name enrols/);
  const other = { kind: "change_operator", name: "ann", tokenHash: hash("e") };
  for (const actor of ["root", "ben"]) assert.match(String(give({ ...other, actor })), /only himself another token/);
  assert.deepEqual(give({ ...other, actor: "ann" }), { name: "ann" });
  assert.deepEqual([...state.operators.byTokenHash.keys()], [hash("e")]);
});

const BOUNDS = { kind: "set_four_eyes", actor: "venue", bounds: [{ ccy: "USDT", call: "100" }] };

test("above a bound of a command, a day or a recipient money waits for a second person", () => {
  const { give, pass, custody, enter } = venue();
  give({ kind: "create_user", actor: "root", name: "bob" });
  for (const name of ["carl", "dan", "eve", "fay"]) give({ kind: "create_user", actor: "root", name });
  enter("tess", "treasurer");
  give(BOUNDS);
  const credit = (amount: string, userId: number, actor = "tess") => give(deposit({ actor, amount, userId }));
  assert.deepEqual(credit("100.00000001", 1), { approvalId: 1 });
  assert.deepEqual(credit("60", 1), { depositId: 1 });
  assert.deepEqual(credit("60", 1), { approvalId: 2 }, "more than 100 a day to one user");
  assert.deepEqual(credit("60", 1, "root"), { approvalId: 3 }, "whoever gives it");
  const taken = { ...deposit({ actor: "tess", amount: "-41", note: "x" }), kind: "adjust_balance" };
  assert.deepEqual(give(taken), { approvalId: 4 }, "what is taken away counts, too");
  for (const userId of [2, 3, 4, 5])
    assert.equal(typeof (credit("100", userId) as { depositId: number }).depositId, "number");
  assert.deepEqual(credit("40.5", 6), { approvalId: 5 }, "more than 500 in a day in all");
  assert.deepEqual(credit("40", 6), { depositId: 6 });
  assert.deepEqual(give(deposit({ actor: "tess", ccy: "BTC", amount: "900" })), { depositId: 7 }, "BTC has no bound");
  pass(DAY_MS);
  assert.deepEqual(credit("100", 1), { depositId: 8 });
  assert.equal(custody("USDT"), 60_000_000_000n);
  // The program itself is no person.
  assert.deepEqual(give(deposit({ actor: "dev profile", amount: "1000" })), { depositId: 9 });
});

test("what was asked for is done when another consents, once, and in the name of who asked", () => {
  const { give, enter, custody, state } = venue();
  for (const name of ["ann", "ben"]) enter(name, "treasurer");
  give(BOUNDS);
  const ask = deposit({ amount: "1000000", reference: "big", actor: "ann" });
  assert.deepEqual([give(ask), give(ask)], [{ approvalId: 1 }, { approvalId: 1 }]);
  assert.match(String(give({ ...ask, amount: "2" })), /was used before/);
  const decide = { kind: "decide", approvalId: 1, approve: true };
  assert.match(String(give({ ...decide, actor: "ann" })), /Another operator must consent/);
  assert.match(String(give({ ...decide, actor: "nobody" })), /no operator nobody/);
  assert.equal(custody("USDT"), 0n);
  assert.deepEqual(give({ ...decide, actor: "ben" }), { approvalId: 1, result: { depositId: 1 }, done: ask });
  assert.match(String(give({ ...decide, actor: "ben" })), /Nothing waits for consent/);
  // Asked again after it was done, the answer is what came of it.
  assert.deepEqual(give(ask), { depositId: 1, repeated: true });
  assert.equal(custody("USDT"), 100_000_000_000_000n);

  assert.deepEqual(give(deposit({ userId: 7, amount: "101", actor: "ann" })), { approvalId: 2 });
  assert.match(String(give({ ...decide, approvalId: 2, actor: "ben" })), /no user with that id/);
  assert.equal(state.operators.approvals.size, 1, "what is refused goes on waiting");
  assert.deepEqual(give({ ...decide, approvalId: 2, actor: "ann", approve: false }), { approvalId: 2 });
  assert.match(String(give({ kind: "propose", actor: "ann", command: "{}" })), /cannot wait for consent/);

  for (let n = 0; n < 100; n++) give(deposit({ amount: `11${n}`, actor: "ann" }));
  assert.match(String(give(deposit({ amount: "999", actor: "ann" }))), /At most 100 commands wait/);
  assert.deepEqual(
    give(deposit({ amount: "999", actor: "ben" })),
    { approvalId: 103 },
    "nobody fills the list for others",
  );
  give({ kind: "delete_operator", actor: "root", name: "ann" });
  assert.equal(state.operators.approvals.size, 1, "what he asked for ends with his token");
});

/** A venue with two administrators, let in as the operating manual says. */
function dualVenue() {
  const made = venue();
  const { give, enter } = made;
  give(BOUNDS);
  enter("ann", "admin");
  const answers = [
    give({ kind: "create_operator", actor: "root", name: "ben", role: "admin", codeHash: code("ben") }),
    give({ kind: "decide", approvalId: 1, approve: true, actor: "ann", codeHash: hash("1") }),
    give({ ...enrolOf("ben"), codeHashes: [code("ben"), hash("1")] }),
  ];
  assert.deepEqual(answers[2], { name: "ben" });
  return made;
}

const enrolOf = (name: string) => ({ kind: "enrol_operator", actor: name, name, tokenHash: token(name) });

test("the second administrator is let in by two, and from then on root is nobody", () => {
  const { give, pass, state } = dualVenue();
  const create = { kind: "create_operator", name: "tess", role: "treasurer", codeHash: code("tess") };
  assert.match(String(give({ ...create, actor: "root" })), /Since two administrators exist root neither asks/);
  assert.deepEqual(give({ ...create, actor: "ann" }), { approvalId: 2 });
  const consent = { kind: "decide", approvalId: 2, approve: true, codeHash: hash("2") };
  assert.match(String(give({ ...consent, actor: "root" })), /Since two administrators exist root neither asks/);
  assert.match(String(give({ ...consent, actor: "ben" })), /ben was let in less than 24 hours ago/);
  pass(DAY_MS);
  assert.match(String(give({ ...consent, actor: "ben", codeHash: undefined })), /gives a code of his own/);
  assert.match(String(give({ ...consent, actor: "ben", codeHash: code("tess") })), /another for each/);
  assert.equal(typeof give({ ...consent, actor: "ben" }), "object");
  assert.match(String(give({ ...enrolOf("tess"), codeHashes: [code("tess")] })), /No operator of this name enrols/);
  assert.match(String(give({ ...enrolOf("tess"), codeHashes: [hash("2")] })), /No operator of this name enrols/);
  assert.deepEqual(give({ ...enrolOf("tess"), codeHashes: [hash("2"), code("tess")] }), { name: "tess" });
  // Root may still move what takes nobody's consent, within the bounds of all.
  assert.deepEqual(give(deposit({ actor: "root" })), { depositId: 1 });
  assert.match(String(give(deposit({ actor: "root", amount: "101" }))), /root neither asks/);
  assert.deepEqual(give({ kind: "delete_operator", actor: "ann", name: "ben" }), { approvalId: 3 });
  assert.equal(state.operators.byName.size, 3);
});

test("a reset takes two people, ends the token at once, and the identity consents to nothing for a day", () => {
  const { give, pass, state } = dualVenue();
  pass(DAY_MS);
  give({ kind: "create_operator", actor: "ann", name: "tess", role: "treasurer", codeHash: code("tess") });
  give({ kind: "decide", approvalId: 2, approve: true, actor: "ben", codeHash: hash("2") });
  give({ ...enrolOf("tess"), codeHashes: [hash("2"), code("tess")] });
  pass(DAY_MS);
  assert.deepEqual(give({ kind: "reset_operator", actor: "ann", name: "ben", codeHash: hash("3") }), { approvalId: 3 });
  assert.ok(state.operators.byTokenHash.has(token("ben")));
  assert.equal(
    typeof give({ kind: "decide", approvalId: 3, approve: true, actor: "tess", codeHash: hash("4") }),
    "object",
  );
  assert.equal(state.operators.byTokenHash.has(token("ben")), false);
  assert.deepEqual(give({ ...enrolOf("ben"), codeHashes: [hash("4"), hash("3")] }), { name: "ben" });
  give(deposit({ actor: "ann", amount: "101" }));
  const consent = { kind: "decide", approvalId: 4, approve: true, actor: "ben" };
  assert.match(String(give(consent)), /less than 24 hours ago/);
  pass(DAY_MS);
  assert.equal(typeof give(consent), "object");
});

test("who was let in by one person before four eyes consents to nothing, and asks for nothing that takes two", () => {
  const { give, enter, pass } = venue();
  enter("carl", "treasurer");
  give({ kind: "create_operator", actor: "root", name: "late", role: "admin", codeHash: code("late") });
  enter("ann", "admin");
  give(BOUNDS);
  give({ ...enrolOf("late"), codeHashes: [code("late")] });
  pass(DAY_MS);
  give(deposit({ actor: "ann", amount: "101" }));
  const consent = { kind: "decide", approvalId: 1, approve: true };
  for (const actor of ["carl", "late"]) {
    assert.match(String(give({ ...consent, actor })), /Only one person has let/);
    assert.match(String(give(deposit({ actor, amount: "101" }))), /Only one person has let/);
    assert.equal(typeof (give(deposit({ actor, amount: "1" })) as { depositId: number }).depositId, "number");
  }
  assert.equal(typeof give({ ...consent, actor: "root" }), "object", "until there are two administrators root counts");
});

test("changes of four eyes take two, and two administrators stay", () => {
  const { give, pass, state } = dualVenue();
  pass(DAY_MS);
  assert.deepEqual(give({ kind: "set_four_eyes", actor: "ann", bounds: [] }), { approvalId: 2 });
  assert.deepEqual(give({ kind: "change_operator", actor: "ann", name: "ben", role: "viewer" }), { approvalId: 3 });
  for (const approvalId of [2, 3]) {
    const consent = { kind: "decide", approvalId, approve: true, actor: "ben" };
    if (approvalId === 2) assert.equal(typeof give(consent), "object");
    else assert.match(String(give(consent)), /Two administrators must be left/);
  }
  assert.equal(state.operators.bounds.size, 0);
  assert.deepEqual(give({ kind: "change_operator", actor: "ann", name: "ben", limits: [] }), { approvalId: 4 });
  for (const bounds of [
    [{ ccy: "USDT", call: "x" }],
    [{ ccy: "", call: "1" }],
    [
      { ccy: "USDT", call: "1" },
      { ccy: "USDT", call: "2" },
    ],
  ]) {
    assert.match(String(give({ ...BOUNDS, bounds })), /names a currency once/);
  }
  // Anyone who starts the program begins anew.
  give({ kind: "reopen_authority", actor: "venue" });
  assert.deepEqual([state.operators.isDual, state.operators.byTokenHash.size], [false, 0]);
  assert.deepEqual(give({ kind: "reset_operator", actor: "root", name: "ann", codeHash: hash("7") }), { name: "ann" });
});

test("operators, their limits, what waits and references come through a snapshot", () => {
  const { give, state, pass, enter } = venue();
  enter("tess", "treasurer", { limits: [{ ccy: "USDT", amount: "10" }] });
  give({ kind: "create_operator", actor: "root", name: "ann", role: "admin", codeHash: code("ann") });
  give(BOUNDS);
  give(deposit({ actor: "tess", reference: "one", amount: "6" }));
  give(deposit({ actor: "tess", amount: "900" }));
  assert.deepEqual([state.operators.approvals.size, state.operators.moved.byRecipient.size], [1, 1]);
  const chunks = takeSnapshot(state);
  const other = new Engine();
  loadSnapshot(other.state, chunks, state.seq, state.timeMs);
  assert.deepEqual(takeSnapshot(other.state), chunks);
  assert.deepEqual(other.state.operators, state.operators);
  pass(1);
});

test("a passkey is its operator's own, ends with his token, and survives a snapshot", () => {
  const { give, enter, state } = venue();
  const passkey = { credentialId: "id", publicKey: "key", counter: 1, transports: ["internal"], name: "laptop" };
  assert.match(String(give({ kind: "add_operator_passkey", actor: "root", ...passkey })), /root has none/);
  enter("ann", "admin");
  enter("ben", "viewer");
  assert.deepEqual(give({ kind: "add_operator_passkey", actor: "ann", ...passkey }), { passkeyId: 1 });
  assert.match(String(give({ kind: "add_operator_passkey", actor: "ben", ...passkey })), /in use/);
  assert.match(String(give({ kind: "use_operator_passkey", actor: "ben", credentialId: "id", counter: 2 })), /no such/);
  assert.deepEqual(give({ kind: "use_operator_passkey", actor: "ann", credentialId: "id", counter: 2 }), {
    passkeyId: 1,
  });
  assert.match(String(give({ kind: "use_operator_passkey", actor: "ann", credentialId: "id", counter: 2 })), /copy/);
  assert.match(String(give({ kind: "remove_operator_passkey", actor: "ben", passkeyId: 1 })), /no such/);
  const copy = new Engine();
  loadSnapshot(copy.state, takeSnapshot(state), state.seq, state.timeMs);
  assert.deepEqual(copy.state.operators.byName.get("ann"), state.operators.byName.get("ann"));
  give({ kind: "change_operator", actor: "ann", name: "ann", tokenHash: hashOf("another token") });
  assert.deepEqual(state.operators.byName.get("ann")?.passkeys, []);
  for (let number = 0; number < 20; number++) {
    give({ kind: "add_operator_passkey", actor: "ann", ...passkey, credentialId: `id ${number}` });
  }
  assert.match(String(give({ kind: "add_operator_passkey", actor: "ann", ...passkey })), /at most 20/);
  give({ kind: "reset_operator", actor: "root", name: "ann", codeHash: code("again") });
  assert.equal(state.operators.withCredential("id 1"), undefined);
});
