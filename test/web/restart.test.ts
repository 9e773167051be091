import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryDir } from "../support/small-log.ts";
import { VenueProcess } from "../support/venue-process.ts";
import { WebClient } from "./web-client.ts";

const PASSWORD = "correct horse battery";

test("who is signed in stays so when the venue starts again, and passwords and keys go on", async (t) => {
  const data = join(temporaryDir(t), "data");
  const first = await VenueProcess.start(data, "--makers", "off", "--log-level", "error");
  const alice = new WebClient(first.url);
  assert.deepEqual((await alice.session()).demo_accounts, ["alice", "bob"]);
  await alice.act("/web/demo", { account: "alice" });
  const key = await alice.act("/web/keys", { permissions: ["trade"] });
  const ann = new WebClient(first.url);
  const { dev_token: token } = await ann.act("/web/sign-up", { email: "ann@example.org", password: PASSWORD });
  const mail = await mailIn(join(data, "mail"));
  assert.match(mail, new RegExp(`^To: ann@example.org\n[^]*${first.url}/#sign-up=${token}\n`));
  await ann.act("/web/sign-up/confirm", { token });
  const pending = await ann.act("/web/sign-up", { email: "ben@example.org", password: PASSWORD });
  assert.equal(await first.end("SIGTERM"), 0);

  const second = await VenueProcess.start(data, "--makers", "off", "--log-level", "error");
  for (const [client, name] of [
    [alice, "alice"],
    [ann, "ann@example.org"],
  ] as const) {
    const moved = Object.assign(new WebClient(second.url), { cookie: client.cookie, csrf: client.csrf });
    assert.equal((await moved.session()).user.name, name);
    assert.equal((await moved.get("/v2/assets/spot/balance")).code, 0);
  }
  const again = new WebClient(second.url);
  await again.act("/web/sign-in", { email: "ann@example.org", password: PASSWORD });
  // A link that was sent before serves still: nothing was remembered that could be lost.
  const ben = Object.assign(new WebClient(second.url), { signUpCookie: ann.signUpCookie });
  assert.equal((await ben.act("/web/sign-up/confirm", { token: pending.dev_token })).user.name, "ben@example.org");
  const client = second.client({ accessId: key.access_id, secret: key.secret_key });
  assert.equal((await client.get("/v2/assets/spot/balance")).code, 0);
  // What is sealed is sealed anew, and goes on.
  await second.admin("/admin/secret-key", {});
  await again.act("/web/sign-in", { email: "ann@example.org", password: PASSWORD });
  // Operators see who signs in, and let others do so, but are not signed in by a cookie themselves.
  const { identities } = await second.admin("/admin/identities");
  assert.deepEqual(
    identities.map((row: { email: string }) => row.email),
    ["ann@example.org", "ben@example.org"],
  );
  assert.equal(
    (await second.admin("/admin/identities", { user_id: "bob", email: "bob@example.org" })).has_password,
    false,
  );
  const cookie = `bourse_session=${again.cookie}`;
  const other = await fetch(`${second.adminUrl}/admin/status`, {
    headers: { cookie, "x-bourse-csrf": again.csrf ?? "" },
  });
  assert.equal(other.status, 401);
  const { user_id } = (await again.session()).user;
  await second.admin(`/admin/identities/${user_id}/sign-out`, {});
  assert.equal((await again.session()).user, null);
  assert.equal(await second.end("SIGTERM"), 0);
});

/** The one mail in a folder. Nobody who asks waits until it is written. */
async function mailIn(folder: string): Promise<string> {
  for (;;) {
    const [name] = existsSync(folder) ? readdirSync(folder) : [];
    const text = name === undefined ? "" : readFileSync(join(folder, name), "utf8");
    if (text !== "") return text;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
