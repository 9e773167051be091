import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue, type WebOptions } from "../support/served-venue.ts";
import { WebClient } from "./web-client.ts";

/** The cookie that a sign-in sets, without its value, asked for with these headers. */
async function cookieOf(web: WebOptions, headers: Record<string, string> = {}): Promise<string> {
  const venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice"], ...web } });
  await venue.addUser("alice", {});
  const reply = await new WebClient(venue.base, headers).post("/web/demo", { account: "alice" });
  await venue.close();
  assert.equal(reply.code, 0, reply.message);
  return reply.headers["set-cookie"]?.[0]?.replace(/=[^;]*;/, ";") ?? "";
}

const LIFE = "Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict";
const PLAIN = `bourse_session; ${LIFE}`;
const OVER_TLS = `__Host-bourse_session; ${LIFE}; Secure`;

test("the cookie goes over TLS alone and is of this host alone where a trusted proxy says that the client came by it, and in production", async () => {
  const proxies = { trusted: ["127.0.0.1"], header: "x-forwarded-for" } as const;
  assert.equal(await cookieOf({}), PLAIN);
  assert.equal(await cookieOf({}, { "x-forwarded-proto": "https" }), PLAIN, "nobody is believed who is not trusted");
  assert.equal(await cookieOf({ proxies }, { "x-forwarded-proto": "https" }), OVER_TLS);
  assert.equal(await cookieOf({ proxies }, { "x-forwarded-proto": "http" }), PLAIN);
  const forwarded = { trusted: ["127.0.0.1"], header: "forwarded" } as const;
  assert.equal(await cookieOf({ proxies: forwarded }, { forwarded: "for=192.0.2.1;proto=https" }), OVER_TLS);
  assert.equal(await cookieOf({ profile: "production" }), `${PLAIN}; Secure`);
  assert.equal(await cookieOf({ origin: "https://trade.example.com" }), OVER_TLS);
});

test("with web-origin only the page there is served, at whatever host it asks", async () => {
  const venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice"], origin: "https://trade.example.com" } });
  await venue.addUser("alice", {});
  const ask = (headers: Record<string, string>) =>
    new WebClient(venue.base, headers).post("/web/demo", { account: "alice" });
  const host = "trade.example.com";
  assert.equal((await ask({ host, origin: "https://trade.example.com" })).code, 0);
  assert.equal((await ask({ host, origin: "http://trade.example.com" })).code, 4007);
  assert.equal((await ask({ host, origin: "https://evil.example" })).code, 4007);
  assert.equal((await ask({ host: "evil.example" })).code, 4007);
  await venue.close();
});

test("over TLS the cookie without the beginning of its name is nobody's, whoever planted it", async () => {
  const venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice"], origin: "https://trade.example.com" } });
  await venue.addUser("alice", {});
  const headers = { host: "trade.example.com", origin: "https://trade.example.com" };
  const client = new WebClient(venue.base, headers);
  await client.act("/web/demo", { account: "alice" });
  assert.equal((await client.session()).user.name, "alice");
  assert.equal((await client.get("/v2/account/info")).code, 0);
  const of = async (cookie: string) => (await client.get("/web/session", { cookie })).data.user?.name;
  assert.equal(await of(`bourse_session=${client.cookie}`), undefined, "planted by a neighbour, or without TLS");
  assert.equal(await of(`bourse_session=${"B".repeat(43)}; __Host-bourse_session=${client.cookie}`), "alice");
  const twice = `__Host-bourse_session=${client.cookie}; __Host-bourse_session=${client.cookie}`;
  assert.equal(await of(twice), undefined);
  assert.equal((await client.get("/v2/account/info", { cookie: `bourse_session=${client.cookie}` })).code, 4005);
  await client.session();
  const out = await client.post("/web/sign-out");
  assert.match(out.headers["set-cookie"]?.[0] ?? "", /^__Host-bourse_session=; Max-Age=0; Path=\/; .*; Secure$/);
  await venue.close();
});
