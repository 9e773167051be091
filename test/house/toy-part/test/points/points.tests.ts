import assert from "node:assert/strict";
import { test } from "node:test";
import { whatText } from "../../src/cli/command-text.ts";
import { EventAudit } from "../../src/engine/audit/event-audit.ts";
import type { Command } from "../../src/engine/command.ts";
import { checkInvariants } from "../../src/engine/invariants.ts";
import { points, pointsOf } from "../../src/engine/points/points.ts";
import { History } from "../../src/history/history.ts";
import { openAdminVenue } from "../admin/venue.ts";
import { SPOT_PARTS } from "../simulation/parts.ts";
import { runSeed } from "../simulation/seed-run.ts";
import { Venue } from "../support/venue.ts";

const DAY_MS = 86_400_000;
const grant = (userId: number, given: number): Command => ({
  kind: "grant_points",
  userId,
  points: given,
  note: "welcome",
});
const move = (userId: number, toUserId: number, moved: number): Command => ({
  kind: "move_points",
  userId,
  toUserId,
  points: moved,
});

/** With users 1 and 2; invariants and audits look after every command. */
function pointsVenue(): Venue {
  const venue = new Venue();
  venue.listAsset("USDT");
  venue.addUser("ann");
  venue.addUser("ben");
  return venue;
}

test("points are granted, moved, earned over midnight and redeemed, and a snapshot brings them back", () => {
  const venue = pointsVenue();
  assert.deepEqual(venue.accept(grant(1, 1_000)).result, { points: 1_000 });
  assert.deepEqual(venue.accept(move(1, 2, 100)).result, { points: 900 });
  venue.wait(DAY_MS);
  assert.deepEqual([pointsOf(venue.state, 1), pointsOf(venue.state, 2)], [909, 101]);
  venue.accept({ kind: "deposit", cell: "sys:points", ccy: "USDT", amount: "0.000005", note: "" });
  venue.accept({ kind: "redeem_points", userId: 1, ccy: "USDT", points: 500 });
  assert.equal(venue.balance(1, "USDT"), "0.00000500 + 0.00000000");
  venue.assertRepeatable();
  venue.assertRepeatable(6);
});

test("nobody moves what he has not, and a frozen account moves nothing", () => {
  const venue = pointsVenue();
  venue.accept(grant(1, 10));
  for (const [command, refusal] of [
    [move(1, 2, 11), "not_enough_points"],
    [move(2, 1, 1), "not_enough_points"],
    [move(1, 99, 1), "user_not_found"],
    [move(1, 1, 1), "invalid_command"],
    [move(1, 2, 0), "invalid_command"],
    [grant(2, 1_000_000_001), "too_many_points"],
    [{ kind: "redeem_points", userId: 1, ccy: "USDT", points: 1 }, "insufficient_balance"],
    [{ ...move(1, 2, 1), points: "1" } as never, "invalid_command"],
  ] as const) {
    assert.equal(venue.execute(command).refusal, refusal, JSON.stringify(command));
  }
  venue.accept({ kind: "change_user", userId: 1, frozen: true });
  assert.equal(venue.execute(move(1, 2, 1)).refusal, "account_frozen");
  venue.accept(grant(1, 1));
});

test("points that come from nowhere are found by the invariants and by the audit", () => {
  const { state } = pointsVenue();
  const audit = new EventAudit(state);
  points.of(state).of.set(2, 7);
  assert.deepEqual(checkInvariants(state), ["Users have 7 points, and 0 were issued."]);
  assert.deepEqual(audit.compare(), ["Events give user 2 0 points, the state has 7."]);
});

test("the log tells of points in words", () => {
  const { state } = pointsVenue();
  assert.equal(whatText(state, move(1, 2, 5)), "move 5 points to user 2");
  assert.equal(whatText(state, grant(1, 5)), "grant_points userId=1 points=5 note=welcome");
});

test("history keeps what changed somebody's points", async (t) => {
  const venue = pointsVenue();
  const history = await History.open({ path: ":memory:", venueId: "one", onFault: assert.fail });
  t.after(() => history.close());
  const commands: Command[] = [
    { kind: "deposit", cell: "sys:points", ccy: "USDT", amount: "1", note: "" },
    grant(1, 1_000),
    move(1, 2, 100),
    { kind: "redeem_points", userId: 1, ccy: "USDT", points: 7 },
  ];
  for (const command of commands) {
    venue.accept(command);
    history.append(venue.engine.events.copy());
  }
  assert.deepEqual(await history.pointsChanges({ userId: 1 }), [
    { createdAt: 1_000, kind: "redeem", change: -7 },
    { createdAt: 1_000, kind: "move", change: -100 },
    { createdAt: 1_000, kind: "grant", change: 1_000 },
  ]);
  const { rows } = await history.statement({ userId: 1, kinds: ["redeem"], page: 1, limit: 10 });
  assert.deepEqual(
    rows.map(({ account, kind, change, balance }) => [account, kind, change, balance]),
    [["spot", "redeem", 7n, 7n]],
  );
});

test("an operator grants points and looks at them", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/users", { name: "ann" });
  assert.deepEqual((await venue.post("/admin/points", { user_id: 1, points: 5, note: "welcome" })).data, { points: 5 });
  assert.deepEqual((await venue.get("/admin/points/1")).data, { points: 5 });
  const refused = await venue.post("/admin/points", { user_id: 1, points: 1_000_000_000, note: "more" });
  assert.equal(refused.code, 3639);
  assert.match(refused.message, /at most 1000000000 points/);
});

test("the simulation plays with points beside a plain model of them", () => {
  const answers = new Set<string>();
  for (let seed = 1; seed <= 6; seed++) {
    const { failure, tally } = runSeed("spot", seed, 600);
    assert.equal(failure, undefined, `seed ${seed}: ${failure?.differences.join(" ")}`);
    for (const answer of tally.keys()) answers.add(answer);
  }
  assert.ok(answers.has("not_enough_points"), [...answers].join(", "));
  assert.ok(SPOT_PARTS.some(({ name }) => name === "points"));
});
