/** The way into the console: a token for a cookie, which serves its page alone, and ends with the token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OperatorSessions } from "../../src/gateway/admin/operator-sessions.ts";
import { tokenHashOf } from "../../src/gateway/auth/web-sessions.ts";
import { ADMIN_CALLS } from "../../src/gateway/parts.ts";
import { type AdminVenue, listBtcUsdt, openAdminVenue, operatorToken } from "./venue.ts";

/** A browser at the console: it keeps the cookie, its page the word that goes along. */
class Browser {
  readonly #venue: AdminVenue;
  cookie = "";
  csrf = "";
  setCookie = "";

  constructor(venue: AdminVenue) {
    this.#venue = venue;
  }

  async send(method: string, path: string, body?: object, more: Record<string, string> = {}) {
    const { url } = this.#venue;
    const headers: Record<string, string> = {
      origin: url,
      "sec-fetch-site": "same-origin",
      "x-bourse-csrf": this.csrf,
    };
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, cookie: this.cookie, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.setCookie = response.headers.get("set-cookie") ?? this.setCookie;
    // biome-ignore lint/suspicious/noExplicitAny: as in the venue, a test looks at what came
    return { status: response.status, ...((await response.json()) as { code: number; message: string; data: any }) };
  }

  async signIn(by: object) {
    const answer = await this.send("POST", "/admin/session", by);
    if (answer.code === 0) {
      this.cookie = this.setCookie.split(";")[0] ?? "";
      this.csrf = answer.data.csrf;
    }
    return answer;
  }
}

test("a token is exchanged for a cookie that no script reads, no other site sends and no other listener is sent", async (t) => {
  const venue = await openAdminVenue(t);
  const browser = new Browser(venue);
  assert.deepEqual((await browser.send("GET", "/admin/session")).data.operator, null);
  const token = await operatorToken(venue, "vic", "viewer");
  const { data } = await browser.signIn({ token });
  assert.deepEqual(data.operator, { name: "vic", role: "viewer" });
  assert.match(browser.setCookie, /^bourse_operator=[\w-]{43}; Path=\/admin; HttpOnly; SameSite=Strict$/);
  assert.equal((await browser.send("GET", "/admin/users")).code, 0);
  assert.deepEqual((await browser.send("GET", "/admin/session")).data.operator, data.operator);
  assert.match((await browser.send("POST", "/admin/users", { name: "x" })).message, /viewer of vic does not allow/);
  await browser.signIn({ token: venue.token });
  await browser.send("POST", "/admin/session", { token }, { origin: venue.url.replace("http:", "https:") });
  assert.match(browser.setCookie, /^__Host-bourse_operator=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  const cookie = browser.setCookie.split(";")[0] ?? "";
  const secure = { origin: venue.url.replace("http:", "https:"), cookie };
  assert.deepEqual((await browser.send("GET", "/admin/session", undefined, secure)).data.operator, data.operator);
  const planted = { ...secure, cookie: cookie.replace("__Host-", "") };
  assert.equal((await browser.send("GET", "/admin/session", undefined, planted)).data.operator, null);
});

test("what a session asks is done in its operator's name, and stands in the trail", async (t) => {
  const venue = await openAdminVenue(t);
  await listBtcUsdt(venue);
  await venue.post("/admin/users", { name: "alice" });
  const browser = new Browser(venue);
  await browser.signIn({ token: await operatorToken(venue, "tess", "treasurer") });
  const credit = { user_id: "alice", ccy: "USDT", amount: "5", note: "wire" };
  assert.equal((await browser.send("POST", "/admin/deposits", credit)).code, 0);
  const [entry] = (await venue.get("/admin/audit-trail?limit=1")).data.audit_trail;
  assert.deepEqual([entry.actor, entry.action], ["tess", "deposit"]);
});

test("a request without the word, from another page or under another name is nobody's", async (t) => {
  const venue = await openAdminVenue(t);
  const browser = new Browser(venue);
  await browser.signIn({ token: venue.token });
  const foreign: readonly (readonly [headers: Record<string, string>, code: number])[] = [
    [{ "x-bourse-csrf": "" }, 4006],
    [{ "x-bourse-csrf": "x".repeat(43) }, 4006],
    [{ origin: "http://evil.example" }, 4007],
    [{ origin: "http://127.0.0.1:1" }, 4007],
    [{ "sec-fetch-site": "cross-site" }, 4007],
    [{ "sec-fetch-site": "same-site" }, 4007],
    [{ cookie: `${browser.cookie}; ${browser.cookie}` }, 4005],
    [{ cookie: "" }, 4005],
    [{ cookie: `bourse_operator=${"a".repeat(43)}` }, 4005],
  ];
  for (const [headers, code] of foreign) {
    for (const [method, path] of [
      ["GET", "/admin/users"],
      ["GET", "/admin/calls"],
      ["POST", "/admin/users"],
    ] as const) {
      const answer = await browser.send(method, path, method === "POST" ? { name: "made" } : undefined, headers);
      assert.equal(answer.code, code, `${method} ${path} ${JSON.stringify(headers)} ${answer.message}`);
    }
  }
  assert.equal((await browser.send("GET", "/admin/users")).data.users.length, 0);
  assert.equal(
    (await browser.send("POST", "/admin/session", { token: venue.token }, { origin: "http://a.example" })).code,
    4007,
  );
});

test("a session ends by itself, by its operator, with its token and with its operator", async (t) => {
  const venue = await openAdminVenue(t);
  const [browser, other] = [new Browser(venue), new Browser(venue)];
  const isIn = async (at: Browser) => (await at.send("GET", "/admin/status")).status === 200;
  await browser.signIn({ token: venue.token });
  await browser.send("DELETE", "/admin/session");
  assert.match(browser.setCookie, /^bourse_operator=; Max-Age=0;/);
  assert.equal(await isIn(browser), false, "signed out");

  await browser.signIn({ token: await operatorToken(venue, "ann", "admin") });
  await other.signIn({ token: await operatorToken(venue, "ben", "admin") });
  await browser.send("POST", "/admin/operators/ben", { role: "viewer" });
  assert.match(
    (await other.send("POST", "/admin/users", { name: "x" })).message,
    /viewer of ben/,
    "roles count at once",
  );
  await browser.send("POST", "/admin/operators/ben/reset", {});
  assert.equal(await isIn(other), false, "a reset");
  await browser.send("POST", "/admin/operator-tokens", {});
  assert.equal(await isIn(browser), false, "one's own");
  await other.signIn({ token: await operatorToken(venue, "cat", "viewer") });
  await venue.send("DELETE", "/admin/operators/cat");
  assert.equal(await isIn(other), false, "deleted");
  await other.signIn({ token: venue.token });
  await venue.post("/admin/operator-tokens", {});
  assert.equal(await isIn(other), false, "that of root");
});

test("who leaves his desk is signed out after half an hour, everybody after twelve, and the oldest when there are too many", async (t) => {
  const { engine } = await openAdminVenue(t);
  let nowMs = 0;
  const rootToken = { current: "root's", rotate: () => "" };
  const sessions = new OperatorSessions({ state: engine.state, rootToken }, () => nowMs);
  const request = (cookie: string) => ({
    header: (name: string) => (name === "cookie" ? `bourse_operator=${cookie}` : undefined),
  });
  const begin = () => request(sessions.begin(tokenHashOf("root's")));
  const isIn = (one: ReturnType<typeof request>) => sessions.operatorOf(one) !== undefined;
  const first = begin();
  nowMs += 29 * 60_000;
  assert.equal(isIn(first), true);
  nowMs += 30 * 60_000;
  assert.equal(isIn(first), false);
  const second = begin();
  for (let minutes = 0; minutes < 719; minutes += 20) {
    assert.equal(isIn(second), true, `${minutes}`);
    nowMs += 20 * 60_000;
  }
  assert.equal(isIn(second), false);
  const many = Array.from({ length: 257 }, begin);
  assert.equal(isIn(many[0] as (typeof many)[0]), false);
  assert.equal(isIn(many[1] as (typeof many)[0]), true);
});

test("one click signs in where everybody could work the token out, and not once another is in its place", async (t) => {
  const closed = new Browser(await openAdminVenue(t));
  assert.match((await closed.signIn({ one_click: true })).message, /token is required/);
  const venue = await openAdminVenue(t, { isRootOpen: true });
  const browser = new Browser(venue);
  assert.equal((await browser.send("GET", "/admin/session")).data.one_click, true);
  assert.equal(
    (await browser.send("POST", "/admin/session", { one_click: true }, { origin: "http://a.example" })).code,
    4007,
  );
  assert.deepEqual((await browser.signIn({ one_click: true })).data.operator, { name: "root", role: "admin" });
  await browser.send("POST", "/admin/operator-tokens", {});
  const { data, code } = await browser.send("GET", "/admin/session");
  assert.deepEqual([code, data.one_click, data.operator], [0, false, null]);
  assert.notEqual((await browser.signIn({ one_click: true })).code, 0);
});

test("whoever guesses is answered later and later, and nonsense with a sentence", async (t) => {
  const browser = new Browser(await openAdminVenue(t));
  for (const body of [
    {},
    { token: "" },
    { token: 5 },
    { token: "x".repeat(300) },
    { token: ["a"] },
    { one_click: "yes" },
  ]) {
    const { status, code, message } = await browser.send("POST", "/admin/session", body);
    assert.deepEqual([status, code], [200, 3639], message);
  }
  const startMs = performance.now();
  for (let guess = 0; guess < 22; guess++) {
    assert.equal((await browser.send("POST", "/admin/session", { token: `guess ${guess}` })).code, 4005);
  }
  assert.ok(performance.now() - startMs >= 290, "the last two waited");
});

test("the console is told of every call that its operator may make, and of the fields that he may give", async (t) => {
  const venue = await openAdminVenue(t);
  const callsOf = async (role: string) => {
    const browser = new Browser(venue);
    await browser.signIn({ token: await operatorToken(venue, `the-${role}`, role) });
    const told = await browser.send("GET", "/admin/calls");
    assert.equal(told.code, 0, told.message);
    const { calls } = told.data;
    return new Map<string, string[]>(
      calls.map(({ id, fields }: { id: string; fields: { name: string }[] }) => [id, fields.map(({ name }) => name)]),
    );
  };
  assert.deepEqual(
    [...(await callsOf("viewer"))],
    [
      ["POST /admin/operator-tokens", ["name"]],
      ["DELETE /admin/passkeys/PASSKEY_ID", ["passkey_id"]],
    ],
  );
  const support = await callsOf("support");
  assert.deepEqual(support.get("POST /admin/users/USER_ID"), ["user_id", "frozen", "trade_barred"]);
  assert.equal(support.has("POST /admin/deposits"), false);
  assert.equal((await callsOf("treasurer")).has("POST /admin/withdrawals/WITHDRAW_ID"), true);
  // A form of rows could not be filled in without knowing what a row holds.
  const nameless = ADMIN_CALLS.flatMap(({ path, fields }) =>
    Object.entries(fields)
      .filter(([, { form }]) => form.shape.startsWith("record") && form.fields === undefined)
      .map(([name]) => `${path} ${name}`),
  );
  assert.deepEqual(nameless, []);
  const admin = await callsOf("admin");
  assert.ok(admin.size > 40);
  assert.ok(admin.get("POST /admin/users/USER_ID")?.includes("maker_fee_rate"));
});
