import assert from "node:assert/strict";
import { test } from "node:test";
import { keyOfAddress } from "./address.ts";

/** High and low half of an address's key, in hexadecimal. */
function keyOf(address: string): string {
  const key = { high: 1, low: 1 };
  keyOfAddress(address, key);
  return [key.high, key.low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join(":");
}

test("an IPv4 address counts by itself, an IPv6 address with its /64", () => {
  const table: Readonly<Record<string, string>> = {
    "127.0.0.1": "00000000:7f000001",
    "0.0.0.0": "00000000:00000000",
    "255.254.253.10": "00000000:fffefd0a",
    "2001:db8:1:2:3:4:5:6": "20010db8:00010002",
    "2001:db8:1:2:ffff:4:5:7": "20010db8:00010002",
    "2001:db8:1:3:3:4:5:6": "20010db8:00010003",
    "2001:db8::1": "20010db8:00000000",
    "2001:db8::a:b:c:d:e": "20010db8:0000000a",
    "2001:db8:0:a:b:c:d:e": "20010db8:0000000a",
    "::a:b:c:d:e:f:1": "0000000a:000b000c",
    "1:2:3:4::": "00010002:00030004",
    "1:2:3:4:5::": "00010002:00030004",
    "fe80::abCD:1%eth0": "fe800000:00000000",
    "::1": "00000000:00000000",
    "": "00000000:00000000",
  };
  for (const [address, key] of Object.entries(table)) assert.equal(keyOf(address), key, address);
});
