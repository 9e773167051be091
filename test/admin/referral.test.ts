import assert from "node:assert/strict";
import { test } from "node:test";
import { bourse } from "./command-line.ts";
import { openAdminVenue } from "./venue.ts";

test("an operator gives out a code, binds whom it invited, and names an agent", async (t) => {
  const venue = await openAdminVenue(t);
  for (const name of ["ann", "ben", "cat"]) await venue.post("/admin/users", { name });
  const code = { user_id: "ann", code: "ANNS", referrer_rebate_rate: 0.2, referee_rebate_rate: "0.1" };
  assert.deepEqual((await venue.post("/admin/refer-codes", code)).data, { code: "ANNS" });
  assert.match((await venue.post("/admin/refer-codes", code)).message, /The code ANNS is taken/);
  assert.match((await venue.post("/admin/refer-codes", { ...code, code: "x" })).message, /code must be/);
  assert.deepEqual((await venue.post("/admin/referees", { user_id: "ben", code: "ANNS" })).data, {
    user_id: 2,
    code: "ANNS",
  });
  const again = await venue.post("/admin/referees", { user_id: 2, code: "ANNS" });
  assert.match(again.message, /Somebody invited the user already/);
  const agent = { user_id: "ann", of_user_id: "cat", rebate_rate: "0.2", remark: "north" };
  assert.deepEqual((await venue.post("/admin/agents", agent)).data, { user_id: 1 });
  assert.match((await venue.post("/admin/agents", { ...agent, rebate_rate: "0.21" })).message, /at most a half/);
  const users = await venue.get("/admin/users");
  assert.match((await venue.post("/admin/users", { name: "dan", referred_by: "NONE" })).message, /no code NONE/);
  assert.deepEqual(await venue.get("/admin/users"), users);
  assert.deepEqual((await venue.post("/admin/users", { name: "dan", referred_by: "ANNS" })).data, { user_id: 4 });
  assert.match((await venue.post("/admin/referees", { user_id: "dan", code: "ANNS" })).message, /already/);
  const where = ["--admin", venue.url, "--token", venue.token];
  await bourse("user", "create", "--name", "eve", "--referred-by", "ANNS", ...where);
  assert.match((await venue.post("/admin/referees", { user_id: "eve", code: "ANNS" })).message, /already/);
  assert.match((await bourse("refer", "list", ...where)).stdout, /ANNS +1 +0\.2 +0\.1/);
});
