import assert from "node:assert/strict";
import { test } from "node:test";
import { clientOf, NO_PROXIES, type ProxyOptions } from "./proxies.ts";

const TERMS: ProxyOptions = { trusted: ["127.0.0.1", "10.0.0.0/8"], header: "x-forwarded-for" };
const FORWARDED: ProxyOptions = { ...TERMS, header: "forwarded" };
const headed = (headers: Record<string, string | undefined>) => ({ header: (name: string) => headers[name] });

test("the client is the last address that is no trusted proxy's", () => {
  const rows: readonly (readonly [peer: string, header: string | undefined, client: string])[] = [
    ["127.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["127.0.0.1", "198.51.100.9, 192.0.2.1", "192.0.2.1"],
    ["127.0.0.1", "192.0.2.1, 10.1.2.3", "192.0.2.1"],
    ["127.0.0.1", "192.0.2.1:4711, 10.1.2.3", "192.0.2.1"],
    ["10.9.9.9", "2001:db8::1", "2001:db8::1"],
    ["10.9.9.9", "[2001:db8::1]:80", "2001:db8::1"],
    ["10.9.9.9", "::ffff:192.0.2.1", "192.0.2.1"],
    // All of them are trusted: the first is as far as anybody knows.
    ["127.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", "192.0.2.1, unknown", "127.0.0.1"],
    ["127.0.0.1", "192.0.2.1, nonsense, 10.0.0.5", "10.0.0.5"],
    // Nobody else is believed.
    ["192.0.2.77", "198.51.100.9", "192.0.2.77"],
  ];
  for (const [peer, header, client] of rows) {
    assert.equal(
      clientOf(TERMS, peer, headed({ "x-forwarded-for": header, forwarded: "for=203.0.113.1" })),
      client,
      String(header),
    );
  }
  assert.equal(clientOf(NO_PROXIES, "127.0.0.1", headed({ "x-forwarded-for": "192.0.2.1" })), "127.0.0.1");
});

test("Forwarded is read as RFC 7239 writes it, and the other header is not looked at", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["for=192.0.2.1", "192.0.2.1"],
    ["for=198.51.100.9, for=192.0.2.1;proto=https;by=10.0.0.1", "192.0.2.1"],
    ['proto=http;For="[2001:db8:cafe::17]:4711"', "2001:db8:cafe::17"],
    ['for="192.0.2.1:80", for=10.0.0.9', "192.0.2.1"],
    ["for=192.0.2.1, for=_hidden", "127.0.0.1"],
    ["for=192.0.2.1, proto=https", "127.0.0.1"],
  ];
  for (const [forwarded, client] of rows) {
    assert.equal(
      clientOf(FORWARDED, "127.0.0.1", headed({ forwarded, "x-forwarded-for": "203.0.113.1" })),
      client,
      forwarded,
    );
  }
});
