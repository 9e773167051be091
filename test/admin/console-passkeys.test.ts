/** Passkeys of operators: each adds his own, signs in to the console by it, and it ends with his token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Authenticator } from "../web/authenticator.ts";
import { type AdminVenue, enrolled, openAdminVenue, operatorToken } from "./venue.ts";

/** What was asked for is over, served before, or is somebody else's. */
const LINK_INVALID = 4017;

/** A browser at the console's page at `localhost`: passkeys belong to names, and an address is none. */
class Browser {
  readonly home: string;
  cookie = "";
  csrf = "";

  constructor({ url }: AdminVenue) {
    this.home = url.replace("127.0.0.1", "localhost");
  }

  async send(method: string, path: string, body?: object, home = this.home) {
    const headers = { origin: home, "sec-fetch-site": "same-origin", "x-bourse-csrf": this.csrf, cookie: this.cookie };
    const response = await fetch(home + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at what came
    const answer = (await response.json()) as { code: number; message: string; data: any };
    const [cookie] = response.headers.get("set-cookie")?.split(";") ?? [];
    if (answer.code === 0 && cookie !== undefined) {
      this.cookie = cookie;
      this.csrf = answer.data.csrf ?? "";
    }
    return answer;
  }

  post(path: string, body: object = {}) {
    return this.send("POST", path, body);
  }

  get name(): Promise<string | undefined> {
    return this.send("GET", "/admin/session").then(({ data }) => data.operator?.name);
  }

  /** Adds a passkey of a device; gives the answer. */
  async add(device: Authenticator, name = "laptop") {
    const begun = await this.post("/admin/passkeys/registration");
    if (begun.code !== 0) return begun;
    const { options, ticket } = begun.data;
    return this.post("/admin/passkeys", { ticket, response: device.create(options), name });
  }

  /** Signs in by a device; gives the answer. */
  async signInBy(device: Authenticator) {
    const { options, ticket } = (await this.post("/admin/passkeys/authentication")).data;
    return this.post("/admin/passkeys/sign-in", { ticket, response: device.get(options) });
  }
}

async function atConsole(venue: AdminVenue, token: string): Promise<Browser> {
  const browser = new Browser(venue);
  assert.equal((await browser.post("/admin/session", { token })).code, 0);
  return browser;
}

test("an operator adds a passkey, signs in by it alone, and what he does then is done in his name", async (t) => {
  const venue = await openAdminVenue(t);
  const ann = await atConsole(venue, await operatorToken(venue, "ann", "admin"));
  const device = new Authenticator(ann.home);
  assert.deepEqual((await ann.add(device)).data, { passkey_id: 1, name: "laptop" });
  const later = new Browser(venue);
  assert.equal((await later.signInBy(device)).data.operator.name, "ann");
  assert.equal((await later.post("/admin/users", { name: "alice" })).code, 0);
  const [made, used] = (await venue.get("/admin/audit-trail?limit=2")).data.audit_trail;
  assert.deepEqual([made.actor, made.action], ["ann", "create_user"]);
  assert.deepEqual([used.actor, used.action], ["ann", "use_operator_passkey"]);
  const [row] = (await later.send("GET", "/admin/passkeys")).data.passkeys;
  assert.deepEqual([row.name, row.used_at !== null], ["laptop", true]);
});

test("a passkey, and what it began, ends by its owner, a new token, a reset and with its operator", async (t) => {
  const venue = await openAdminVenue(t);
  const device = new Authenticator(new Browser(venue).home);
  const end = async (name: string, ending: (own: Browser) => Promise<unknown>) => {
    const own = await atConsole(venue, await operatorToken(venue, name, "admin"));
    const its = new Authenticator(own.home);
    assert.equal((await own.add(its)).code, 0);
    const by = new Browser(venue);
    assert.equal((await by.signInBy(its)).code, 0);
    await ending(by);
    assert.equal(await by.name, undefined, name);
    assert.equal((await new Browser(venue).signInBy(its)).code, 4006, name);
    return own;
  };
  const own = await end("ann", (by) => by.send("DELETE", "/admin/passkeys/1"));
  assert.equal(await own.name, "ann", "a session that the token began stays");
  await end("ben", (by) => by.post("/admin/operator-tokens"));
  await end("cat", () => venue.post("/admin/operators/cat/reset", {}));
  await end("dan", () => venue.send("DELETE", "/admin/operators/dan"));
  const { enrolment } = (await venue.post("/admin/operators/cat/reset", {})).data;
  const back = await atConsole(venue, await enrolled(venue, "cat", enrolment));
  assert.deepEqual((await back.send("GET", "/admin/passkeys")).data.passkeys, []);
  assert.equal((await back.add(device)).code, 0);
});

test("nobody signs in with nonsense, an answer that was overheard, a copy, or a passkey of another page", async (t) => {
  const venue = await openAdminVenue(t);
  const ann = await atConsole(venue, await operatorToken(venue, "ann", "admin"));
  const device = new Authenticator(ann.home);
  await ann.add(device);
  const stranger = new Browser(venue);
  const { options, ticket } = (await stranger.post("/admin/passkeys/authentication")).data;
  const impostor = new Authenticator(ann.home);
  device.id.copy(impostor.id);
  for (const [what, response] of [
    ["another page", device.get(options, { origin: "https://evil.example" })],
    ["another site", device.get({ ...options, rpId: "evil.example" })],
    ["another device", impostor.get(options)],
    ["nobody there", device.get(options, { verified: false })],
    ["an unknown device", new Authenticator(ann.home).get(options)],
    ["nonsense", {}],
    ["nonsense", { id: device.id.toString("base64url"), response: 7 }],
  ] as const) {
    assert.equal((await stranger.post("/admin/passkeys/sign-in", { ticket, response })).code, 4006, what);
  }
  const response = device.get(options);
  assert.equal((await stranger.post("/admin/passkeys/sign-in", { ticket: "x", response })).code, LINK_INVALID);
  assert.equal((await stranger.post("/admin/passkeys/sign-in", { ticket, response })).code, 0);
  assert.equal((await new Browser(venue).post("/admin/passkeys/sign-in", { ticket, response })).code, 4006);
  const uncounted = new Authenticator(ann.home, 0);
  await ann.add(uncounted);
  const asked = (await stranger.post("/admin/passkeys/authentication")).data;
  const answer = { ticket: asked.ticket, response: uncounted.get(asked.options) };
  assert.equal((await stranger.post("/admin/passkeys/sign-in", answer)).code, 0);
  assert.equal((await new Browser(venue).post("/admin/passkeys/sign-in", answer)).code, LINK_INVALID);
  device.counter = 1;
  assert.equal((await new Browser(venue).signInBy(device)).code, 4006, "a copy counts backwards");
});

test("a passkey is added by its owner alone, a short while after he signed in, and at a name", async (t) => {
  const venue = await openAdminVenue(t);
  const nobody = new Browser(venue);
  assert.equal((await nobody.post("/admin/passkeys/registration")).code, 4005);
  const root = await atConsole(venue, venue.token);
  assert.match((await root.add(new Authenticator(root.home))).message, /Root has no passkeys/);
  const ann = await atConsole(venue, await operatorToken(venue, "ann", "viewer"));
  const { options, ticket } = (await ann.post("/admin/passkeys/registration")).data;
  const ben = await atConsole(venue, await operatorToken(venue, "ben", "viewer"));
  const response = new Authenticator(ann.home).create(options);
  assert.equal((await ben.post("/admin/passkeys", { ticket, response, name: "ann's" })).code, LINK_INVALID);
  const csrf = ann.csrf;
  ann.csrf = "x".repeat(43);
  assert.equal((await ann.post("/admin/passkeys", { ticket, response, name: "mine" })).code, 4006);
  ann.csrf = csrf;
  assert.equal((await ann.post("/admin/passkeys", { ticket, response, name: "mine" })).code, 0);
  const numbered = await ann.send("POST", "/admin/passkeys/registration", {}, venue.url);
  assert.match(numbered.message, /need a page at a name/);
  const real = performance.now.bind(performance);
  t.mock.method(performance, "now", () => real() + 16 * 60_000);
  assert.match((await ann.post("/admin/passkeys/registration")).message, /within 15 minutes of signing in/);
});
