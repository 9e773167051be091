import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { Authenticator } from "./authenticator.ts";
import { WebClient } from "./web-client.ts";

const PASSWORD = "correct horse battery";
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe("second factors", () => {
  let venue: ApiVenue;
  let count = 0;
  before(async () => {
    venue = await bitcoinApiVenue({ web: { origin: "http://localhost" } });
  });
  after(() => venue.close());
  beforeEach(() => {
    venue.control.evenMs += 61 * MINUTE_MS;
  });

  const stranger = () => new WebClient(venue.base);
  const newEmail = () => `user${++count}@example.org`;

  async function signedUp(email: string): Promise<WebClient> {
    const client = stranger();
    await client.act("/web/sign-up", { email, password: PASSWORD });
    const token = /#sign-up=([\w-]+)/.exec(venue.control.mails.at(-1)?.text ?? "")?.[1];
    await client.act("/web/sign-up/confirm", { token });
    return client;
  }

  /** A code of half minutes from now. */
  const code = (secret: string, halfMinutes = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: venue.control.timeMs + halfMinutes * 30_000,
    });

  /** Gives the account an authenticator; the half minute of its first code is used up, so time passes. */
  async function withTotp(client: WebClient): Promise<{ secret: string; codes: string[] }> {
    const { secret, uri, ticket } = await client.act("/web/totp");
    assert.match(uri, /^otpauth:\/\/totp\/bourse:user\d+%40example\.org\?issuer=bourse&secret=[A-Z2-7]{32}/);
    const { recovery_codes: codes } = await client.act("/web/totp/confirm", { ticket, totp: code(secret) });
    await venue.wait(MINUTE_MS);
    return { secret, codes };
  }

  test("an authenticator is had once it has shown a code, and then no password is enough", async () => {
    const email = newEmail();
    const client = await signedUp(email);
    const begun = await client.act("/web/totp");
    const wrong = await client.post("/web/totp/confirm", { ticket: begun.ticket, totp: code(begun.secret, 10) });
    assert.equal(wrong.data.reason, "second_factor_wrong");
    assert.equal((await client.session()).user.totp, false);
    const { secret, codes } = await withTotp(client);
    assert.equal(new Set(codes).size, 10);
    assert.match(codes[0] ?? "", /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    assert.deepEqual([(await client.session()).user.totp, (await client.session()).user.recovery_codes], [true, 10]);
    const lacking = await stranger().post("/web/sign-in", { email, password: PASSWORD });
    assert.deepEqual([lacking.code, lacking.data.reason], [4008, "second_factor_missing"]);
    const { user } = await stranger().act("/web/sign-in", { email, password: PASSWORD, totp: code(secret) });
    assert.equal(user.can_withdraw, true);
    const bad = await stranger().post("/web/sign-in", { email, password: "not the right one", totp: code(secret, 1) });
    assert.equal(bad.data.reason, "credentials_wrong", "whoever lacks the password learns nothing of the code");
  });

  test("a code serves once, also one of the half minute before, and at two sign-ins at the same time", async () => {
    const email = newEmail();
    const { secret } = await withTotp(await signedUp(email));
    const signIn = (totp: string) => stranger().post("/web/sign-in", { email, password: PASSWORD, totp });
    assert.equal((await signIn(code(secret))).code, 0);
    assert.equal((await signIn(code(secret))).data.reason, "second_factor_wrong");
    assert.equal((await signIn(code(secret, -1))).data.reason, "second_factor_wrong");
    const both = await Promise.all([signIn(code(secret, 1)), signIn(code(secret, 1))]);
    assert.deepEqual(both.map((reply) => reply.code).sort(), [0, 4006]);
    assert.equal((await signIn(code(secret, 5))).data.reason, "second_factor_wrong");
    assert.equal((await signIn("12345")).data.reason, "second_factor_wrong");
  });

  test("codes cannot be guessed: after ten wrong ones the account waits, whatever address they came from", async () => {
    const email = newEmail();
    const { secret } = await withTotp(await signedUp(email));
    const signIn = (totp: string) => stranger().post("/web/sign-in", { email, password: PASSWORD, totp });
    const wrong = String((Number(code(secret)) + 1) % 1_000_000).padStart(6, "0");
    for (let tried = 0; tried < 10; tried++) assert.equal((await signIn(wrong)).data.reason, "second_factor_wrong");
    assert.equal((await signIn(code(secret))).data.reason, "too_many_attempts");
    venue.control.evenMs += 61 * MINUTE_MS;
    assert.equal((await signIn(code(secret))).code, 0);
  });

  test("a recovery code stands for a code, however it is written, once; new ones make the old ones worth nothing", async () => {
    const email = newEmail();
    const client = await signedUp(email);
    const { codes } = await withTotp(client);
    const signIn = (recovery_code: string) =>
      stranger().post("/web/sign-in", { email, password: PASSWORD, recovery_code });
    const [first = "", second = ""] = codes;
    assert.equal((await signIn(first.toUpperCase().replaceAll("-", " "))).code, 0);
    assert.equal((await signIn(first)).data.reason, "second_factor_wrong");
    assert.equal((await signIn("aaaa-bbbb-cccc-dddd")).data.reason, "second_factor_wrong");
    await client.act("/web/confirm", { password: PASSWORD, recovery_code: second });
    assert.equal((await client.session()).user.recovery_codes, 8);
    const fresh = await client.act("/web/totp/recovery-codes");
    assert.equal((await signIn(codes[2] ?? "")).data.reason, "second_factor_wrong");
    assert.equal((await signIn(fresh.recovery_codes[0])).code, 0);
  });

  test("what protects an account is taken off by who has shown it, and then money stays for a day", async () => {
    const email = newEmail();
    const client = await signedUp(email);
    const { secret } = await withTotp(client);
    await venue.wait(15 * MINUTE_MS);
    assert.equal((await client.send("DELETE", "/web/totp")).data.reason, "confirmation_needed");
    assert.equal((await client.post("/web/confirm", { password: PASSWORD })).data.reason, "second_factor_missing");
    await client.act("/web/confirm", { password: PASSWORD, totp: code(secret) });
    assert.equal((await client.send("DELETE", "/web/totp")).code, 0);
    const { user } = await client.session();
    assert.deepEqual([user.totp, user.can_withdraw, user.recovery_codes], [false, false, 0]);
    assert.equal(user.withdraw_from, venue.control.timeMs + DAY_MS);
    assert.equal((await client.send("DELETE", "/web/totp")).data.reason, "second_factor_missing");
    assert.equal((await stranger().post("/web/sign-in", { email, password: PASSWORD })).code, 0);
  });

  test("whoever has the password alone cannot withdraw, nor by giving the account a second factor of his own", async () => {
    const email = newEmail();
    const owner = await signedUp(email);
    const withdrawal = { ccy: "USDT", amount: "1", withdraw_method: "inter_user", to_address: "nobody@example.org" };
    const refused = await owner.post("/v2/assets/withdraw", withdrawal);
    assert.deepEqual([refused.code, /Confirm first/.test(refused.message)], [4158, true]);
    assert.equal((await owner.post("/web/keys", { permissions: ["withdraw"] })).data.reason, "confirmation_needed");
    await venue.wait(2 * DAY_MS);
    const thief = stranger();
    await thief.act("/web/sign-in", { email, password: PASSWORD });
    const { secret } = await withTotp(thief);
    await thief.act("/web/confirm", { password: PASSWORD, totp: code(secret) });
    const { user } = await thief.session();
    assert.deepEqual([user.can_withdraw, user.withdraw_from > venue.control.timeMs], [false, true]);
    assert.equal((await thief.post("/v2/assets/withdraw", withdrawal)).code, 4158);
  });

  test("with a second factor shown a short while ago a withdrawal is one like that of a key", async () => {
    const client = await signedUp(newEmail());
    const { secret } = await withTotp(client);
    await client.act("/web/confirm", { password: PASSWORD, totp: code(secret) });
    const withdrawal = { ccy: "USDT", amount: "1", withdraw_method: "inter_user", to_address: "nobody@example.org" };
    const reply = await client.post("/v2/assets/withdraw", withdrawal);
    assert.notEqual(reply.code, 4158, reply.message);
    const { data: key } = await client.post("/web/keys", { permissions: ["withdraw"], ip_whitelist: ["192.0.2.1"] });
    assert.deepEqual(key.permissions, ["read", "withdraw"]);
    await venue.wait(16 * MINUTE_MS);
    assert.equal((await client.post("/v2/assets/withdraw", withdrawal)).code, 4158);
    // Opening a key that withdraws to the whole world is as good as making one.
    await client.act("/web/confirm", { password: PASSWORD, totp: code(secret) });
    await venue.wait(14 * MINUTE_MS);
    assert.equal((await client.send("PATCH", `/web/keys/${key.api_id}`, { remark: "mine" })).code, 0);
  });

  /** A page at `localhost`, where passkeys have a name to be for. */
  const page = (client: WebClient) => {
    client.headers = { ...client.headers, origin: "http://localhost" };
    return client;
  };

  async function withPasskey(client: WebClient, device: Authenticator): Promise<void> {
    const { options, ticket } = await client.act("/web/passkeys/registration");
    const response = device.create(options);
    const { passkeys } = await client.act("/web/passkeys", { ticket, response, name: "phone" });
    assert.deepEqual(
      passkeys.map(({ name, used_at }: { name: string; used_at: number }) => [name, used_at]),
      [["phone", 0]],
    );
  }

  test("a passkey signs in without a password, and may withdraw", async () => {
    const client = page(await signedUp(newEmail()));
    const device = new Authenticator("http://localhost");
    await withPasskey(client, device);
    const other = page(stranger());
    const { options, ticket } = await other.act("/web/passkeys/authentication");
    const response = device.get(options);
    const { user } = await other.act("/web/passkeys/sign-in", { ticket, response });
    assert.deepEqual(
      [user.user_id, user.by, user.can_withdraw],
      [(await client.session()).user.user_id, "passkey", true],
    );
    const again = await page(stranger()).post("/web/passkeys/sign-in", { ticket, response });
    assert.notEqual(again.code, 0, "an answer that was overheard serves nobody");
  });

  test("a passkey that does not count is taken, but no answer of it twice; one that counts backwards is a copy", async () => {
    const client = page(await signedUp(newEmail()));
    const device = new Authenticator("http://localhost", 0);
    await withPasskey(client, device);
    const { options, ticket } = await page(stranger()).act("/web/passkeys/authentication");
    const response = device.get(options);
    await page(stranger()).act("/web/passkeys/sign-in", { ticket, response });
    const again = await page(stranger()).post("/web/passkeys/sign-in", { ticket, response });
    assert.equal(again.data.reason, "link_invalid");

    const counting = page(await signedUp(newEmail()));
    const copied = new Authenticator("http://localhost", 10);
    await withPasskey(counting, copied);
    copied.counter = 5;
    const asked = await page(stranger()).act("/web/passkeys/authentication");
    const copy = await page(stranger()).post("/web/passkeys/sign-in", {
      ticket: asked.ticket,
      response: copied.get(asked.options),
    });
    assert.equal(copy.data.reason, "second_factor_wrong");
  });

  test("a passkey of another page, another device, another question, or without its owner proves nothing", async () => {
    const client = page(await signedUp(newEmail()));
    const device = new Authenticator("http://localhost");
    await withPasskey(client, device);
    const { options, ticket } = await page(stranger()).act("/web/passkeys/authentication");
    const { options: others } = await page(stranger()).act("/web/passkeys/authentication");
    const impostor = new Authenticator("http://localhost");
    device.id.copy(impostor.id);
    for (const [what, response] of [
      ["another page", device.get(options, { origin: "https://evil.example" })],
      ["another site", device.get({ ...options, rpId: "evil.example" })],
      ["another question", device.get(others)],
      ["another device", impostor.get(options)],
      ["nobody there", device.get(options, { verified: false })],
      ["an unknown device", new Authenticator("http://localhost").get(options)],
      ["nonsense", {}],
      ["nonsense", { id: device.id.toString("base64url"), response: 7 }],
    ] as const) {
      const reply = await page(stranger()).post("/web/passkeys/sign-in", { ticket, response });
      assert.deepEqual([reply.code, reply.data.reason], [4006, "second_factor_wrong"], what);
    }
    const forged = await page(stranger()).post("/web/passkeys/sign-in", { ticket: "x", response: device.get(options) });
    assert.equal(forged.data.reason, "link_invalid");
  });

  test("a passkey is registered with what was asked for, by who asked, and without certificates to look up", async () => {
    const client = page(await signedUp(newEmail()));
    const { options, ticket } = await client.act("/web/passkeys/registration");
    const device = new Authenticator("http://localhost");
    const certificate = new Map([["x5c", [Buffer.from("certificate")]]]);
    const other = page(await signedUp(newEmail()));
    for (const [who, body] of [
      [client, { response: device.create({ ...options, challenge: "AAAA" }) }],
      [client, { response: new Authenticator("https://evil.example").create(options) }],
      [client, { response: device.create(options, certificate, "packed") }],
      [client, { response: {} }],
      [other, { response: device.create(options) }],
    ] as const) {
      const reply = await who.post("/web/passkeys", { ticket, name: "phone", ...body });
      assert.ok([4006, 4017].includes(reply.code), JSON.stringify(reply));
    }
    await client.act("/web/passkeys", { ticket, name: "phone", response: device.create(options) });
    assert.equal(
      (await client.post("/web/passkeys", { ticket, name: "twice", response: device.create(options) })).code,
      4158,
    );
  });

  test("passkeys need a page at a name", async () => {
    const addressed = await bitcoinApiVenue();
    const reply = await new WebClient(addressed.base).post("/web/passkeys/authentication");
    assert.equal(reply.code, 3639);
    assert.match(reply.message, /localhost/);
    await addressed.close();
  });
});
