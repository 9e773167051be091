/** Faults and reasons over the operator's interface: who may, what is refused, and what the log says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SeededChance } from "../../src/gateway/auth/chance.ts";
import { RequestMemory } from "../../src/gateway/explain/request-memory.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { Refused } from "../../src/gateway/refused.ts";
import { InjectedFaults } from "../../src/lab/dev/injected-faults.ts";
import { openAdminVenue, operatorToken } from "./venue.ts";

test("outside the dev profile nothing fails on purpose", async (t) => {
  const venue = await openAdminVenue(t);
  for (const [method, path, body] of [
    ["POST", "/admin/faults", { fault: "busy" }],
    ["POST", "/admin/faults", { fault: "write" }],
    ["GET", "/admin/faults", undefined],
    ["DELETE", "/admin/faults", undefined],
    ["DELETE", "/admin/faults/1", undefined],
  ] as const) {
    const { code, message } = await venue.send(method, path, body);
    assert.equal(code, 3639, path);
    assert.match(message, /only in the dev profile/);
  }
});

test("a fault begins, is listed with how often it struck, and ends", async (t) => {
  const notes: string[] = [];
  const faults = new InjectedFaults({
    chanceOf: (faultId) => new SeededChance(1, `fault ${faultId}`),
    note: (text) => notes.push(text),
    now: () => 0,
  });
  const venue = await openAdminVenue(t, { dev: { faults } });
  const before = await venue.get("/admin/status");
  const begun = await venue.send("POST", "/admin/faults", {
    fault: "drop",
    match: "/v2/spot/order",
    when: "after",
    share: "0.5",
    count: 3,
  });
  assert.deepEqual(begun.data, {
    fault_id: 1,
    fault: "drop",
    match: "/v2/spot/order",
    when: "after",
    share: 0.5,
    count: 3,
    struck: 0,
  });
  assert.deepEqual((await venue.get("/admin/faults")).data, { faults: [begun.data] });
  for (const wrong of [
    { fault: "quake" },
    { fault: "delay" },
    { fault: "busy", share: 2 },
    { fault: "busy", match: "no name" },
  ]) {
    assert.equal((await venue.send("POST", "/admin/faults", wrong)).code, 3639, JSON.stringify(wrong));
  }
  await venue.send("POST", "/admin/faults", { fault: "busy" });
  assert.equal((await venue.send("DELETE", "/admin/faults/1")).code, 0);
  assert.equal((await venue.send("DELETE", "/admin/faults/1")).code, 3639);
  assert.deepEqual((await venue.send("DELETE", "/admin/faults")).data, { ended: 1 });
  const after = await venue.get("/admin/status");
  assert.equal(after.data.state_hash, before.data.state_hash, "a note changes nothing");
  assert.equal(after.data.seq, before.data.seq + 4);
  const { data } = await venue.get("/admin/audit-trail?action=note");
  const texts = data.audit_trail.map(({ details }: { details: { text: string } }) => details.text).reverse();
  assert.deepEqual(texts, [
    "fault 1 begins: drop, after the effect, on /v2/spot/order, share 0.5, 3 times",
    "fault 2 begins: busy",
    "fault 1 is ended",
    "all faults are ended, 1 of them",
  ]);
});

test("every operator may ask why, and only an admin lets things fail", async (t) => {
  const requests = new RequestMemory({ rows: REFUSAL_ROWS, tells: false, now: () => 5 });
  const line = requests
    .observer(new SeededChance(1, "names"))
    .answered({ context: undefined, status: 200, code: 3008, ms: 0, refused: new Refused("busy") });
  const ref = line.slice("X-Request-Id: ".length).trim();
  const venue = await openAdminVenue(t, { dev: { requests } });
  const headers = { Authorization: `Bearer ${await operatorToken(venue, "vic", "viewer")}` };
  const { code, data } = await venue.send("GET", `/admin/explain/request/${ref}`, undefined, headers);
  assert.deepEqual([code, data.request_id, data.time, data.reasons[0].rule], [0, ref, 5, "13.4"]);
  for (const path of ["request/0", "order/1", "position/1", "order/x"]) {
    assert.equal((await venue.send("GET", `/admin/explain/${path}`, undefined, headers)).code, 3639, path);
  }
  assert.equal((await venue.send("POST", "/admin/faults", { fault: "busy" }, headers)).code, 4158);
});
