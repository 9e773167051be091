/** Several operators: each with a name, a role and limits, watched by one trail, and by each other where it matters. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { SecretVault } from "../../src/gateway/auth/secret-vault.ts";
import { CHAIN } from "../support/payments-venue.ts";
import { type AdminReply, type AdminVenue, enrolled, listBtcUsdt, openAdminVenue, operatorToken } from "./venue.ts";

/** The venue as another operator calls it. */
function as(venue: AdminVenue, token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return {
    post: (path: string, body: unknown): Promise<AdminReply> => venue.send("POST", path, body, headers),
    get: (path: string): Promise<AdminReply> => venue.send("GET", path, undefined, headers),
    delete: (path: string): Promise<AdminReply> => venue.send("DELETE", path, undefined, headers),
  };
}

async function operator(venue: AdminVenue, name: string, role: string, more: object = {}) {
  return as(venue, await operatorToken(venue, name, role, more));
}

test("each role may do what it is for and no more, and reads everything", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "alice" });
  await venue.post("/admin/users", { name: "alice-bot", main_user_id: "alice" });
  const who = {
    viewer: await operator(venue, "vic", "viewer"),
    support: await operator(venue, "sue", "support"),
    treasurer: await operator(venue, "tess", "treasurer"),
    admin: await operator(venue, "ann", "admin"),
  };
  const CREDIT = { user_id: "alice", ccy: "USDT", amount: "1" };
  const calls: readonly (readonly [path: string, body: object, roles: readonly string[]])[] = [
    ["/admin/users/alice", { frozen: false }, ["support", "admin"]],
    ["/admin/users/alice", { trade_barred: false }, ["support", "admin"]],
    ["/admin/users/alice", { frozen: false, maker_fee_rate: "0" }, ["admin"]],
    ["/admin/subs/alice-bot", { frozen: false }, ["support", "admin"]],
    ["/admin/subs/alice-bot", { permissions: [] }, ["admin"]],
    ["/admin/deposits", CREDIT, ["treasurer", "admin"]],
    ["/admin/adjustments", { ...CREDIT, note: "why" }, ["treasurer", "admin"]],
    ["/admin/users", { name: "made by " }, ["admin"]],
    ["/admin/api-keys", { user_id: "alice" }, ["admin"]],
    ["/admin/operators", { name: "more-", role: "admin" }, ["admin"]],
    ["/admin/cancel-only", { cancel_only: false, reason: "a drill" }, ["admin"]],
    ["/admin/operators/vic/reset", {}, ["admin"]],
  ];
  for (const [path, body, roles] of calls) {
    for (const [role, { post }] of Object.entries(who)) {
      const { name } = body as { name?: string };
      const reply = await post(path, name === undefined ? body : { ...body, name: name + role });
      assert.equal(reply.code === 0, roles.includes(role), `${role} ${path} ${JSON.stringify(body)} ${reply.message}`);
      if (!roles.includes(role))
        assert.match(reply.message, new RegExp(`^The role ${role} of \\w+ does not allow this\\.$`));
    }
  }
  // vic has no token any more until he enrols again.
  assert.equal((await who.viewer.get("/admin/users")).status, 401);
  assert.equal((await who.support.get("/admin/operators")).data.operators.length, 6);
  const key = (await venue.post("/admin/api-keys", { user_id: "alice" })).data.access_id;
  assert.equal((await who.treasurer.delete(`/admin/api-keys/${key}`)).code === 0, false);
  assert.equal((await who.support.delete(`/admin/api-keys/${key}`)).code, 0);
  assert.equal((await who.support.post("/admin/operator-tokens", {})).data.name, "sue", "everybody may change his own");
});

test("a token ends with its operator, and with another one in its place; root's can be changed while the venue runs", async (t) => {
  const venue = await openAdminVenue(t);
  const ann = await operator(venue, "ann", "admin");
  assert.equal((await ann.get("/admin/users")).code, 0);
  const rotated = (await ann.post("/admin/operator-tokens", {})).data.token;
  assert.equal((await ann.get("/admin/users")).status, 401);
  assert.equal((await as(venue, rotated).get("/admin/users")).code, 0);
  assert.equal((await venue.send("DELETE", "/admin/operators/ann")).code, 0);
  assert.equal((await as(venue, rotated).get("/admin/users")).status, 401);
  const { token } = (await venue.post("/admin/operator-tokens", { name: "root" })).data;
  assert.equal((await venue.get("/admin/users")).status, 401);
  assert.equal((await as(venue, token).get("/admin/users")).code, 0);
});

test("money moved again with its reference is moved once, whoever retries", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  const user = { name: "alice", reference: "signup 7" };
  assert.deepEqual((await venue.post("/admin/users", user)).data, (await venue.post("/admin/users", user)).data);
  const tess = await operator(venue, "tess", "treasurer", { limits: { USDT: "100" } });
  const credit = { user_id: "alice", ccy: "USDT", amount: "60", reference: "wire 1" };
  const first = await tess.post("/admin/deposits", credit);
  assert.deepEqual(first.data, { deposit_id: 1 });
  // The limit of the day would not allow it twice; the answer of the first time is no second deposit.
  assert.deepEqual((await tess.post("/admin/deposits", { ...credit, amount: 60.0, note: "retry" })).data, first.data);
  assert.deepEqual((await venue.post("/admin/deposits", credit)).data, first.data);
  const other = await venue.post("/admin/deposits", { ...credit, amount: "61" });
  assert.deepEqual([other.code, /was used before, for something else/.test(other.message)], [3639, true]);
  const beyond = await tess.post("/admin/deposits", { ...credit, reference: "wire 2" });
  assert.match(beyond.message, /tess may move 100\.00000000 USDT a day, of which 40\.00000000 are left/);
  const { deposits } = (await venue.get("/admin/deposits?user_id=alice")).data;
  const row = ({ actor, amount, reference }: Record<string, unknown>) => [actor, amount, reference];
  assert.deepEqual(deposits.map(row), [["tess", "60", "wire 1"]], "a retry is no deposit");
});

test("above the bound money waits for a second operator, who is another one", async (t) => {
  const venue = await openAdminVenue(t, { fourEyes: new Map([["USDT", "1000"]]) });
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "alice" });
  const ann = await operator(venue, "ann", "admin");
  const credit = { user_id: "alice", ccy: "USDT", amount: "1000", note: "wire 5" };
  assert.deepEqual(
    (await ann.post("/admin/deposits", credit)).data,
    { deposit_id: 1 },
    "at the bound it does not wait",
  );
  const big = { ...credit, amount: "1000.01", reference: "wire 6" };
  const pending = await ann.post("/admin/deposits", big);
  assert.deepEqual([pending.code, pending.data], [0, { approval_id: 1, status: "pending" }]);
  assert.deepEqual((await ann.post("/admin/deposits", { ...big, note: "again" })).data, pending.data);
  assert.deepEqual((await ann.post("/admin/deposits", { ...credit, ccy: "BTC", amount: "9" })).data, { deposit_id: 2 });
  const taken = await ann.post("/admin/adjustments", { ...credit, amount: "-5000" });
  assert.deepEqual(taken.data, { approval_id: 2, status: "pending" });
  const { approvals } = (await venue.get("/admin/approvals")).data;
  assert.deepEqual([approvals.length, approvals[0].actor, approvals[0].details.amount], [2, "ann", "1000.01"]);

  const own = await ann.post("/admin/approvals/1", { approve: true });
  assert.match(own.message, /Another operator must consent/);
  const done = await venue.post("/admin/approvals/1", { approve: true, note: "seen the wire" });
  assert.deepEqual(done.data, { approval_id: 1, status: "approved", deposit_id: 3 });
  assert.equal((await venue.get("/admin/users/alice")).data.balances[1].available, "2000.01000000");
  assert.deepEqual((await ann.post("/admin/deposits", big)).data, { deposit_id: 3 });
  const dropped = await venue.post("/admin/approvals/2", { approve: false });
  assert.deepEqual(dropped.data, { approval_id: 2, status: "rejected" });

  // Who may do what takes two as well, once there are two.
  const made = await ann.post("/admin/operators", { name: "tess", role: "treasurer" });
  assert.deepEqual([made.data.status, made.data.token], ["pending", undefined]);
  const agreed = await venue.post(`/admin/approvals/${made.data.approval_id}`, { approve: true });
  const codes = [made.data.enrolment, agreed.data.enrolment];
  for (const some of [[], codes.slice(0, 1), codes.slice(1), [codes[0], codes[0]]]) {
    const refused = await venue.send("POST", "/admin/enrolment", { name: "tess", codes: some }, {});
    assert.equal(refused.status, 401, "neither of the two can take her place");
  }
  const tess = as(venue, await enrolled(venue, "tess", ...codes));
  assert.equal((await tess.get("/admin/users")).code, 0);
  assert.equal(
    (await venue.send("POST", "/admin/enrolment", { name: "tess", codes }, {})).status,
    401,
    "codes serve once",
  );
  const deposits = (await venue.get("/admin/deposits")).data.deposits;
  assert.deepEqual(
    deposits.slice(0, 1).map(({ deposit_id, actor }: Record<string, unknown>) => [deposit_id, actor]),
    [[3, "ann"]],
  );
});

test("nobody is given another one's token, and many amounts below the bound are added up", async (t) => {
  const venue = await openAdminVenue(t, { fourEyes: new Map([["USDT", "50000"]]) });
  await listBtcUsdt(venue);
  const [ann, ben] = [await operator(venue, "ann", "admin"), "ben"];
  for (let n = 0; n < 20; n++) await venue.post("/admin/users", { name: `user-${n}` });
  // What one operator did by himself before rules version 5.
  for (const name of [ben, "root"]) {
    const taken = await ann.post("/admin/operator-tokens", { name });
    assert.deepEqual([taken.code === 0, taken.data?.token], [false, undefined]);
  }
  let moved = 0;
  for (let n = 0; n < 200; n++) {
    const credit = { user_id: `user-${n % 20}`, ccy: "USDT", amount: "49999.99" };
    const { code, data } = await ann.post("/admin/deposits", credit);
    if (code === 0 && data.status === undefined) moved++;
  }
  assert.equal(moved, 5);
  const key = await ann.post("/admin/api-keys", { user_id: "user-1", permissions: ["withdraw"] });
  assert.deepEqual([key.data?.status ?? key.message, key.data?.secret_key?.length], [key.message, undefined]);
});

test("a withdrawal above the bound goes out when two have looked at it, and one can stop it", async (t) => {
  const venue = await openAdminVenue(t, { fourEyes: new Map([["BTC", "2"]]) });
  await venue.enter({ kind: "list_asset", actor: "test", ccy: "BTC", scale: 8, chains: [CHAIN] });
  await venue.post("/admin/users", { name: "alice" });
  const [tess, tom] = [await operator(venue, "tess", "treasurer"), await operator(venue, "tom", "treasurer")];
  await venue.enter({ kind: "deposit", actor: "venue", userId: 1, ccy: "BTC", amount: "6", note: "" });
  const to = { chain: "TEST", toAddress: "x1", memo: "", remark: "" };
  await venue.enter({ kind: "allow_withdraw_address", actor: "test", userId: 1, address: "x1", ...to });
  for (const amount of ["2", "2.001", "1.5"])
    await venue.enter({
      kind: "withdraw",
      userId: 1,
      ccy: "BTC",
      method: "on_chain",
      ...to,
      amount,
      needsReview: true,
    });
  const { withdrawals } = (await venue.get("/admin/withdrawals?status=audit_required")).data;
  const [small, large, middling] = withdrawals.map((one: { withdraw_id: number }) => one.withdraw_id).reverse();
  const statusOf = async (id: number) =>
    (await venue.get(`/admin/withdrawals?withdraw_id=${id}`)).data.withdrawals[0].status;

  const yes = { approve: true, note: "known" };
  assert.deepEqual((await tess.post(`/admin/withdrawals/${small}`, yes)).data.status, "audited");
  const pending = await tess.post(`/admin/withdrawals/${large}`, yes);
  assert.deepEqual([pending.code, pending.data], [0, { approval_id: 1, status: "pending" }]);
  assert.equal(await statusOf(large), "audit_required", "nothing has happened yet");
  assert.match((await tess.post("/admin/approvals/1", { approve: true })).message, /Another operator must consent/);
  assert.deepEqual((await tom.post("/admin/approvals/1", { approve: true })).data, {
    approval_id: 1,
    status: "approved",
    withdraw_id: large,
  });
  assert.equal(await statusOf(large), "audited");
  // To stop one takes nobody's consent.
  assert.deepEqual((await tom.post(`/admin/withdrawals/${middling}`, { approve: false, note: "odd" })).code, 0);
  assert.equal(await statusOf(middling), "failed");
});

test("the key of the secrets is replaced while the venue runs: clients notice nothing, and the old key opens nothing more", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-vault-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const venue = await openAdminVenue(t, { vault: SecretVault.open(folder, true) });
  await venue.post("/admin/users", { name: "alice" });
  const secrets = new Map<string, string>();
  for (let n = 0; n < 3; n++) {
    const { access_id, secret_key } = (await venue.post("/admin/api-keys", { user_id: "alice" })).data;
    secrets.set(access_id, secret_key);
  }
  const before = readFileSync(join(folder, "secret.key"), "utf8");
  const old = SecretVault.open(folder, false);
  // Stopped half-way, both keys are in the file, and the next rotation takes the rest along.
  venue.vault.rotate();
  assert.equal(readFileSync(join(folder, "secret.key"), "utf8").split("\n").length, 3);
  assert.deepEqual((await venue.post("/admin/secret-key", {})).data, { api_keys: 3 });
  const after = readFileSync(join(folder, "secret.key"), "utf8");
  assert.match(after, /^[0-9a-f]{64}\n$/);
  assert.notEqual(after, before);
  assert.equal(statSync(join(folder, "secret.key")).mode & 0o777, 0o600);
  const { keys } = venue.engine.state;
  const fresh = SecretVault.open(folder, false);
  for (const [accessId, secret] of secrets) {
    const cipher = keys.get(accessId)?.secretCipher ?? "";
    assert.equal(fresh.unseal(accessId, cipher), secret);
    assert.equal(old.opens({ accessId, secretCipher: cipher }), false);
  }
});

test("the audit trail tells who did and tried what, and never a secret", async (t) => {
  const venue = await openAdminVenue(t, { virtualClock: true });
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "alice" });
  const sue = await operator(venue, "sue", "support");
  await venue.post("/admin/clock", { freeze: true, advance_ms: 60_000 });
  const { time_ms } = (await venue.get("/admin/status")).data;
  await sue.post("/admin/users/alice", { frozen: true });
  await venue.post("/admin/deposits", { user_id: 99, ccy: "USDT", amount: "1" });
  await venue.post("/admin/api-keys", { user_id: "alice" });
  const trail = async (query: string) => (await venue.get(`/admin/audit-trail?${query}`)).data.audit_trail;
  const [entry] = await trail("actor=sue");
  const { time, seq, ...told } = entry;
  assert.ok(seq > 0 && Date.parse(time) >= time_ms);
  assert.deepEqual(told, {
    actor: "sue",
    action: "change_user",
    details: { userId: 1, frozen: true },
    outcome: "accepted",
    result: { userId: 1 },
  });
  const actions = (rows: { action: string; outcome: string }[]) => rows.map(({ action, outcome }) => [action, outcome]);
  assert.deepEqual(actions(await trail(`from=${new Date(time_ms).toISOString()}`)), [
    ["create_api_key", "accepted"],
    ["deposit", "user_not_found"],
    ["change_user", "accepted"],
  ]);
  assert.deepEqual(actions(await trail("user_id=alice&action=change_user")), [["change_user", "accepted"]]);
  assert.equal((await trail("limit=2")).length, 2);
  assert.deepEqual(await trail("actor=nobody"), []);
  const all = JSON.stringify(await trail("limit=1000"));
  assert.doesNotMatch(all, /secretCipher|tokenHash/);
});
