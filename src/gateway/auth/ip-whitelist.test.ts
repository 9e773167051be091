import assert from "node:assert/strict";
import { test } from "node:test";
import { allowsIp, isIpEntry, isIpListEntry } from "./ip-whitelist.ts";

test("a whitelist lets in what it names and nothing else", () => {
  const rows: readonly (readonly [string[], string, boolean])[] = [
    [[], "192.0.2.1", true],
    [["192.0.2.1"], "192.0.2.1", true],
    [["192.0.2.1"], "192.0.2.10", false],
    [["192.0.2.1"], "::ffff:192.0.2.1", true],
    [["::ffff:192.0.2.1"], "::ffff:192.0.2.1", true],
    [["::ffff:192.0.2.1"], "192.0.2.1", true],
    [["198.51.100.7", "192.0.2.1"], "192.0.2.1", true],
    [["192.0.2.0/24"], "192.0.2.255", true],
    [["192.0.2.0/24"], "192.0.3.0", false],
    [["192.0.2.0/31"], "192.0.2.1", true],
    [["192.0.2.0/31"], "192.0.2.2", false],
    [["2001:db8::1"], "2001:db8:0:0:0:0:0:1", true],
    [["2001:db8::1"], "2001:DB8::1", true],
    [["2001:db8::1"], "2001:db8::2", false],
    [["2001:db8::/32"], "2001:db8:ffff::1", true],
    [["2001:db8::/32"], "2001:db9::1", false],
    [["0.0.0.0/0"], "2001:db8::1", false],
    [["::/0"], "192.0.2.1", false],
    [["::/0"], "2001:db8::1", true],
    [["::ffff:0.0.0.0/96"], "192.0.2.1", true],
    [["::ffff:192.0.2.0/120"], "192.0.2.9", true],
    [["::ffff:192.0.2.0/120"], "192.0.3.9", false],
    [["127.0.0.1/08"], "127.0.0.1", false],
    [["nonsense"], "192.0.2.1", false],
    [["192.0.2.1"], "", false],
  ];
  for (const [whitelist, address, allowed] of rows) {
    assert.equal(allowsIp(whitelist, address), allowed, `${whitelist.join()} and ${address}`);
  }
});

test("a list of a key takes no network of all addresses, however it is written", () => {
  for (const entry of ["0.0.0.0/0", "192.0.2.1/0", "::/0", "2001:db8::/0", "::ffff:0.0.0.0/96", "host"]) {
    assert.equal(isIpListEntry(entry), false, entry);
  }
  for (const entry of ["192.0.2.1", "10.0.0.0/8", "::1", "2001:db8::/32"]) {
    assert.equal(isIpListEntry(entry), true, entry);
  }
});

test("an entry is an address or a network", () => {
  for (const entry of ["192.0.2.1", "10.0.0.0/8", "0.0.0.0/0", "::1", "2001:db8::/32", "::ffff:192.0.2.1"]) {
    assert.equal(isIpEntry(entry), true, entry);
  }
  for (const entry of [
    "",
    "192.0.2",
    "192.0.2.256",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/+8",
    "10.0.0.0/ 8",
    "127.0.0.01",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "::1/129",
    "fe80::1%eth0",
    "host",
  ]) {
    assert.equal(isIpEntry(entry), false, entry);
  }
});
