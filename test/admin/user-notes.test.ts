/** What operators note of a user stands in the log, is listed under him, and survives what is kept beside the log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openAdminVenue } from "./venue.ts";

test("a note of a user is listed under him alone, with who wrote it and when, the newest first", async (t) => {
  const venue = await openAdminVenue(t);
  for (const name of ["alice", "bob"]) await venue.post("/admin/users", { name });
  await venue.post("/admin/users/1/notes", { text: "Called: lost the phone." });
  await venue.post("/admin/users/1/notes", { text: "Identity seen." });
  await venue.post("/admin/users/2/notes", { text: "Asks for a lower fee." });
  const notes = async (id: number, query = "") =>
    (await venue.get(`/admin/users/${id}/notes?${query}`)).data.notes as {
      text: string;
      actor: string;
      time: number;
    }[];
  assert.deepEqual(
    (await notes(1)).map(({ text, actor }) => [text, actor]),
    [
      ["Identity seen.", "root"],
      ["Called: lost the phone.", "root"],
    ],
  );
  assert.deepEqual(
    (await notes(2)).map(({ text }) => text),
    ["Asks for a lower fee."],
  );
  assert.deepEqual(
    (await notes(1, "limit=1&page=2")).map(({ text }) => text),
    ["Called: lost the phone."],
  );
  const { data } = await venue.get("/admin/audit-trail?user_id=1&action=note");
  assert.equal((data as { audit_trail: unknown[] }).audit_trail.length, 2);
});

test("nothing can be noted of a user who does not exist, and no note is empty or endless", async (t) => {
  const venue = await openAdminVenue(t);
  await venue.post("/admin/users", { name: "alice" });
  assert.match((await venue.post("/admin/users/9/notes", { text: "Who?" })).message, /no such user|no user/);
  assert.match((await venue.get("/admin/users/9/notes")).message, /no such user|no user/);
  for (const text of ["", "x".repeat(513)])
    assert.match((await venue.post("/admin/users/1/notes", { text })).message, /text must be/);
});
