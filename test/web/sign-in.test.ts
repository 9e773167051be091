import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { identities } from "../../src/engine/identity/identities.ts";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { WebClient } from "./web-client.ts";

const PASSWORD = "correct horse battery";
const MINUTE_MS = 60_000;

describe("signing in with e-mail address and password", () => {
  let venue: ApiVenue;
  before(async () => {
    venue = await bitcoinApiVenue();
  });
  after(() => venue.close());
  beforeEach(() => {
    venue.control.mails.length = 0;
    // What is counted by the hour is forgotten.
    venue.control.evenMs += 61 * MINUTE_MS;
  });

  const stranger = () => new WebClient(venue.base);
  const tokenIn = (text: string | undefined) => /#(?:sign-up|reset)=([\w-]+)/.exec(text ?? "")?.[1] ?? "";
  const newestMail = () => venue.control.mails.at(-1)?.text;

  async function signedUp(email: string): Promise<WebClient> {
    const client = stranger();
    await client.act("/web/sign-up", { email, password: PASSWORD });
    await client.act("/web/sign-up/confirm", { token: tokenIn(newestMail()) });
    return client;
  }

  test("begins with a link in a mail, which makes an account once", async () => {
    const client = stranger();
    assert.deepEqual(await client.act("/web/sign-up", { email: "Ann@Example.org", password: PASSWORD }), {});
    assert.equal((await client.session()).user, null);
    const [mail] = venue.control.mails;
    assert.equal(mail?.to, "ann@example.org");
    const token = tokenIn(mail?.text);
    const { user, email } = await client.act("/web/sign-up/confirm", { token });
    assert.equal(email, "ann@example.org");
    assert.deepEqual([user.name, user.email, user.is_sub], ["ann@example.org", "ann@example.org", false]);
    assert.equal((await client.get("/v2/assets/spot/balance")).code, 0);
    assert.equal((await stranger().post("/web/sign-up/confirm", { token })).data.reason, "link_invalid");
    const [cookie = ""] =
      (await client.post("/web/sign-up", { email: "x@example.org", password: PASSWORD })).headers["set-cookie"] ?? [];
    assert.match(cookie, /^bourse_sign_up=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/);
    for (const wrong of ["x", token.slice(1), `${token}A`, "A".repeat(2_000)]) {
      assert.equal((await stranger().post("/web/sign-up/confirm", { token: wrong })).data.reason, "link_invalid");
    }
  });

  test("signs in nobody by a link that somebody else has asked for, whose account it would be", async () => {
    const victim = stranger();
    await stranger().act("/web/sign-up", { email: "mal@example.org", password: PASSWORD });
    const { user, email } = await victim.act("/web/sign-up/confirm", { token: tokenIn(newestMail()) });
    assert.deepEqual([user, email, victim.cookie], [null, "mal@example.org", undefined]);
    // The account is there: anyone who knows its password signs in.
    await victim.act("/web/sign-in", { email: "mal@example.org", password: PASSWORD });
  });

  test("takes the right password in any spelling of the address, and nothing else", async () => {
    await signedUp("bob@example.org");
    const client = stranger();
    const { user } = await client.act("/web/sign-in", { email: "BOB@example.org", password: PASSWORD });
    assert.equal(user.name, "bob@example.org");
    for (const [email, password] of [
      ["bob@example.org", "wrong horse battery"],
      ["bob@example.org", PASSWORD.toUpperCase()],
      ["nobody@example.org", PASSWORD],
      ["alice", PASSWORD],
    ]) {
      const reply = await stranger().post("/web/sign-in", { email, password });
      assert.deepEqual([reply.code, reply.data], [4005, { reason: "credentials_wrong" }], `${email} ${password}`);
      assert.equal(reply.headers["set-cookie"], undefined);
    }
  });

  test("says nothing of who has an account: answers are the same, and the difference is in the mail alone", async () => {
    await signedUp("carol@example.org");
    venue.control.mails.length = 0;
    const answers: object[] = [];
    for (const email of ["carol@example.org", "nobody@example.org"]) {
      const up = await stranger().post("/web/sign-up", { email, password: PASSWORD });
      const reset = await stranger().post("/web/password/reset", { email });
      const wrong = await stranger().post("/web/sign-in", { email, password: "not the right one" });
      answers.push([up, reset, wrong].map(({ status, code, message, data }) => ({ status, code, message, data })));
    }
    assert.deepEqual(answers[0], answers[1]);
    const subjects = venue.control.mails.map(({ to, subject }) => `${to}: ${subject}`);
    assert.deepEqual(subjects, [
      "carol@example.org: You have an account already",
      "carol@example.org: Set a new password",
      "nobody@example.org: Confirm your e-mail address",
    ]);
  });

  test("refuses passwords that are guessed first, and addresses that are none, before anything is done", async () => {
    for (const [email, password] of [
      ["dave@example.org", "short"],
      ["dave@example.org", "aaaaaaaaaaaaaaa"],
      ["dave@example.org", "dave@example.org"],
      ["dave@example.org", "x dave@example.org"],
      ["dave", PASSWORD],
      ["dave@example.org, eve@example.org", PASSWORD],
      ["dave@exa mple.org", PASSWORD],
      ["<dave@example.org>", PASSWORD],
      [`${"d".repeat(60)}@example.org`, PASSWORD],
    ]) {
      const reply = await stranger().post("/web/sign-up", { email, password });
      assert.equal(reply.code, 3639, `${email} ${password}`);
    }
    assert.deepEqual(venue.control.mails, []);
  });

  test("is slowed for who guesses: by address and account together, and by address", async () => {
    await signedUp("eve@example.org");
    const guess = (email: string) => stranger().post("/web/sign-in", { email, password: "not the right one" });
    for (let count = 0; count < 10; count++) assert.equal((await guess("eve@example.org")).code, 4005);
    const eleventh = await guess("eve@example.org");
    assert.deepEqual([eleventh.status, eleventh.code, eleventh.data.reason], [429, 4213, "too_many_attempts"]);
    const right = await stranger().post("/web/sign-in", { email: "eve@example.org", password: PASSWORD });
    assert.equal(right.status, 429, "the right password waits, too, or it could be guessed");
    for (let count = 0; count < 20; count++) assert.equal((await guess(`u${count}@example.org`)).code, 4005);
    assert.equal((await guess("another@example.org")).status, 429);
    venue.control.evenMs += 16 * MINUTE_MS;
    assert.equal((await stranger().post("/web/sign-in", { email: "eve@example.org", password: PASSWORD })).code, 0);
  });

  test("sends nobody more than some mails an hour, whoever asks for them", async () => {
    await signedUp("fay@example.org");
    venue.control.mails.length = 0;
    const asked: number[] = [];
    for (let count = 0; count < 12; count++) {
      asked.push((await stranger().post("/web/password/reset", { email: "fay@example.org" })).code);
    }
    assert.deepEqual(asked.slice(-3), [4213, 4213, 4213]);
    // That of the sign-up, when there was no account yet, is counted apart.
    assert.equal(venue.control.mails.length, 3);
  });

  test("changes the password of who knows it, and ends all other sessions", async () => {
    const client = await signedUp("gil@example.org");
    const other = stranger();
    await other.act("/web/sign-in", { email: "gil@example.org", password: PASSWORD });
    const next = "a staple of batteries";
    const wrong = await client.post("/web/password", { password: "not the right one", new_password: next });
    assert.equal(wrong.data.reason, "credentials_wrong");
    await client.act("/web/password", { password: PASSWORD, new_password: next });
    assert.equal((await client.session()).user.name, "gil@example.org");
    assert.equal((await other.session()).user, null);
    assert.equal((await other.post("/web/sign-in", { email: "gil@example.org", password: PASSWORD })).code, 4005);
    await other.act("/web/sign-in", { email: "gil@example.org", password: next });
  });

  test("sets a new password by a link that serves once, ends every session, and lets a day pass before money leaves", async () => {
    const client = await signedUp("hal@example.org");
    venue.control.evenMs += 61 * MINUTE_MS;
    await stranger().act("/web/password/reset", { email: "hal@example.org" });
    const token = tokenIn(newestMail());
    const next = "a staple of batteries";
    assert.equal((await stranger().post("/web/password/reset/confirm", { token, new_password: "short" })).code, 3639);
    await stranger().act("/web/password/reset/confirm", { token, new_password: next });
    const again = await stranger().post("/web/password/reset/confirm", { token, new_password: "yet another one" });
    assert.equal(again.data.reason, "link_invalid");
    assert.equal((await client.session()).user, null);
    const { user } = await client.act("/web/sign-in", { email: "hal@example.org", password: next });
    assert.equal(user.withdraw_from, venue.control.timeMs + 86_400_000);
    // A link of one kind is none of another.
    assert.equal((await stranger().post("/web/sign-up/confirm", { token })).data.reason, "link_invalid");
  });

  test("asks who sits there again after a quarter of an hour, before keys and second factors", async () => {
    const client = await signedUp("ida@example.org");
    await venue.wait(15 * MINUTE_MS);
    assert.equal((await client.get("/v2/assets/spot/balance")).code, 0);
    for (const [method, path, body] of [
      ["POST", "/web/keys", { permissions: ["read"] }],
      ["POST", "/web/totp", {}],
      ["POST", "/web/password", { password: PASSWORD, new_password: "a staple of batteries" }],
      ["POST", "/web/passkeys/registration", {}],
    ] as const) {
      const reply = await client.send(method, path, body);
      assert.deepEqual([reply.code, reply.data.reason], [4158, "confirmation_needed"], path);
    }
    assert.equal((await client.post("/web/confirm", { password: "not the right one" })).code, 4005);
    const { user } = await client.act("/web/confirm", { password: PASSWORD });
    assert.equal(user.confirmed_until, venue.control.timeMs + 15 * MINUTE_MS);
    assert.equal((await client.post("/web/keys", { permissions: ["read"] })).code, 0);
  });

  test("tells people of a sign-in from elsewhere, and of new keys", async () => {
    const client = await signedUp("jan@example.org");
    venue.control.evenMs += 61 * MINUTE_MS;
    await client.act("/web/keys", { permissions: ["read"] });
    assert.match(newestMail() ?? "", /^Your account has a new API key\./);
    venue.control.mails.length = 0;
    await stranger().act("/web/sign-in", { email: "jan@example.org", password: PASSWORD });
    assert.deepEqual(venue.control.mails, [], "its owner has signed in from there before");
  });

  test("keeps neither password nor secret in the clear", async () => {
    await signedUp("kim@example.org");
    const kept = JSON.stringify([...identities.of(venue.engine.state).byUser.values()]);
    assert.equal(kept.includes(PASSWORD), false);
    assert.equal(kept.includes("argon2"), false, "the hash is sealed");
  });

  test("is refused to a frozen account, whatever it knows", async () => {
    const client = await signedUp("lea@example.org");
    const { user_id: userId } = (await client.session()).user;
    await venue.operate({ kind: "change_user", userId, frozen: true });
    const reply = await stranger().post("/web/sign-in", { email: "lea@example.org", password: PASSWORD });
    assert.equal(reply.code, 4011);
    const wrong = await stranger().post("/web/sign-in", { email: "lea@example.org", password: "not the right one" });
    assert.equal(wrong.code, 4005, "who does not know the password learns nothing");
  });

  test("is closed where people make no accounts themselves", async () => {
    const closed = await bitcoinApiVenue({ web: { signUp: false } });
    const reply = await new WebClient(closed.base).post("/web/sign-up", { email: "a@b.org", password: PASSWORD });
    assert.deepEqual([reply.code, reply.data.reason], [4158, "sign_up_closed"]);
    await closed.close();
  });
});
