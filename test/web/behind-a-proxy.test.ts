import assert from "node:assert/strict";
import { test } from "node:test";
import { bitcoinApiVenue, type WebOptions } from "../support/api-venue.ts";
import { WebClient } from "./web-client.ts";

/** The attributes of the cookie that a sign-in sets, asked for with these headers. */
async function cookieOf(web: WebOptions, headers: Record<string, string> = {}): Promise<string> {
  const venue = await bitcoinApiVenue({ web: { demoAccounts: ["alice"], ...web } });
  await venue.addUser("alice", {});
  const reply = await new WebClient(venue.base, headers).post("/web/demo", { account: "alice" });
  await venue.close();
  assert.equal(reply.code, 0, reply.message);
  return reply.headers["set-cookie"]?.[0]?.replace(/^[^;]*; /, "") ?? "";
}

const PLAIN = "Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict";

test("the cookie goes over TLS alone where a trusted proxy says that the client came by it, and in production", async () => {
  const proxies = { trusted: ["127.0.0.1"], header: "x-forwarded-for" } as const;
  assert.equal(await cookieOf({}), PLAIN);
  assert.equal(await cookieOf({}, { "x-forwarded-proto": "https" }), PLAIN, "nobody is believed who is not trusted");
  assert.equal(await cookieOf({ proxies }, { "x-forwarded-proto": "https" }), `${PLAIN}; Secure`);
  assert.equal(await cookieOf({ proxies }, { "x-forwarded-proto": "http" }), PLAIN);
  const forwarded = { trusted: ["127.0.0.1"], header: "forwarded" } as const;
  assert.equal(await cookieOf({ proxies: forwarded }, { forwarded: "for=192.0.2.1;proto=https" }), `${PLAIN}; Secure`);
  assert.equal(await cookieOf({ profile: "production" }), `${PLAIN}; Secure`);
  assert.equal(await cookieOf({ origin: "https://trade.example.com" }), `${PLAIN}; Secure`);
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
