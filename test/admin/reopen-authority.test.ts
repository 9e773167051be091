/** A venue whose administrators are lost: a start with reopen-authority lets root begin anew, once, and says so. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { VenueProcess } from "../support/venue-process.ts";

/** What a call comes to, by its envelope. */
async function call(venue: VenueProcess, token: string, path: string, body?: object) {
  const answer = await fetch(`${venue.adminUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what came
  const { code, data, message } = (await answer.json()) as any;
  return { status: answer.status, code, data, message };
}

const enrol = async (venue: VenueProcess, name: string, codes: readonly string[]) =>
  (await call(venue, "", "/admin/enrolment", { name, codes })).data.token as string;

test("a venue whose administrators have lost their tokens is locked, until one start reopens its authority", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "bourse-reopen-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, "data");
  const start = (...options: string[]) =>
    VenueProcess.start(data, "--makers", "off", "--four-eyes", "USDT=1000", ...options);

  let venue = await start();
  const admins: string[] = [];
  const first = await venue.admin("/admin/operators", { name: "ann", role: "admin" });
  admins.push(await enrol(venue, "ann", [first.enrolment]));
  const asked = await venue.admin("/admin/operators", { name: "ben", role: "admin" });
  const consent = await call(venue, admins[0] as string, `/admin/approvals/${asked.approval_id}`, { approve: true });
  admins.push(await enrol(venue, "ben", [asked.enrolment, consent.data.enrolment]));
  const alone = (name: string) => venue.admin("/admin/operators", { name, role: "viewer" });
  await assert.rejects(alone("cat"), /root neither asks for what takes two people/);
  assert.equal(await venue.end("SIGTERM"), 0);

  // Started as ever, nothing is opened.
  venue = await start();
  assert.equal((await call(venue, admins[0] as string, "/admin/status")).status, 200);
  await assert.rejects(alone("dan"), /root neither asks for what takes two people/);
  assert.equal(await venue.end("SIGTERM"), 0);

  venue = await start("--reopen-authority", "on");
  for (const token of admins)
    assert.equal((await call(venue, token, "/admin/status")).status, 401, "their tokens ended");
  const anew = await venue.admin("/admin/operators/ann/reset", {});
  const token = await enrol(venue, "ann", [anew.enrolment]);
  assert.equal((await call(venue, token, "/admin/status")).status, 200);
  assert.match(venue.complaints(), /root lets operators in alone: take reopen-authority off again/);
  const { data: trail } = await call(venue, token, "/admin/audit-trail?limit=100");
  assert.match(JSON.stringify(trail), /reopen_authority/);
  assert.equal(await venue.end("SIGTERM"), 0);

  // Without the setting it does not happen again: who was let in stays.
  venue = await start();
  assert.equal((await call(venue, token, "/admin/status")).status, 200);
  assert.doesNotMatch(venue.complaints(), /reopen-authority/);
  assert.equal(await venue.end("SIGTERM"), 0);
});
