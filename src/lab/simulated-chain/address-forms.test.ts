import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { formOf } from "./address-forms.ts";
import { addressOf, normalizedAddress } from "./addresses.ts";

/** Addresses that stand in public documents of the chains; of each one letter is changed to see that it is refused. */
const KNOWN: readonly (readonly [chain: string, address: string])[] = [
  ["ERC20", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
  ["ARBITRUM", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  ["BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  ["BTC", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
  ["BTC", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0"],
  ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["TRC20", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ["XRP", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
  ["DOT", "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"],
  ["DOT", "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5"],
  ["ADA", "addr1vx2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzers66hrl8"],
  ["DOGE", "DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L"],
];

const CHAINS = [
  "BTC",
  "LTC",
  "DOGE",
  "DASH",
  "TRC20",
  "XRP",
  "SOL",
  "DOT",
  "ADA",
  "ATOM",
  "INJ",
  "KAVA",
  "ERC20",
  "CSC",
];

test("an output of version 0 has 20 or 32 bytes, whatever its checksum", () => {
  // Source: the invalid addresses of BIP 350: 16 bytes.
  assert.equal(normalizedAddress("BTC", "bc1qr508d6qejxtdg4y5r3zarvaryv98gj9p"), undefined);
});

test("addresses of the chains that simulated ones stand for are taken, and those with a wrong letter are not", () => {
  for (const [chain, address] of KNOWN) {
    assert.equal(normalizedAddress(chain, address), address, `${chain} ${address}`);
    const last = address.at(-1) === "2" ? "3" : "2";
    assert.equal(normalizedAddress(chain, address.slice(0, -1) + last), undefined, `${chain} ${address} changed`);
  }
  // Thirty-two bytes without a checksum.
  const solana = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
  assert.equal(normalizedAddress("SOL", solana), solana);
  assert.equal(normalizedAddress("SOL", `${solana}11`), undefined);
});

test("an address of one chain is none of another of another form, in any case of its letters that says nothing", () => {
  for (const [chain, address] of KNOWN) {
    for (const other of CHAINS.filter((each) => formOf(each) !== formOf(chain) && each !== chain)) {
      assert.equal(normalizedAddress(other, address), undefined, `${address} on ${other}`);
    }
  }
  const [, checksummed] = KNOWN[0] as readonly [string, string];
  assert.equal(normalizedAddress("ERC20", checksummed.toLowerCase()), checksummed);
  assert.equal(
    normalizedAddress("BTC", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"),
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  );
});

test("addresses that are given have the prefix of a test network, and are taken", () => {
  const prefixes = {
    BTC: "tb1q",
    LTC: "tltc1q",
    DOGE: "n",
    TRC20: "T",
    XRP: "r",
    ADA: "addr_test1",
    DOT: "5",
    ERC20: "0x",
    XMR: "sim",
  };
  for (const [chain, prefix] of Object.entries(prefixes)) {
    const address = addressOf(chain, 1, "hot");
    assert.ok(address.startsWith(prefix), `${chain}: ${address}`);
    assert.equal(normalizedAddress(chain, address), address);
  }
});

test("every chain makes addresses that it takes, one for each path, and takes those that begin with sim", () => {
  const paths = fc.tuple(fc.constantFrom(...CHAINS, "XMR"), fc.nat(), fc.string({ maxLength: 20 }));
  fc.assert(
    fc.property(paths, fc.string({ maxLength: 20 }), ([chain, seed, path], other) => {
      const address = addressOf(chain, seed, path);
      assert.equal(normalizedAddress(chain, address), address);
      if (path !== other) assert.notEqual(addressOf(chain, seed, other), address);
    }),
    runs(100),
  );
  for (const chain of CHAINS) assert.equal(normalizedAddress(chain, `sim${"0".repeat(40)}`), `sim${"0".repeat(40)}`);
});

test("whatever is no address is refused without a failure", () => {
  fc.assert(
    fc.property(fc.constantFrom(...CHAINS), fc.string({ maxLength: 130, unit: "binary" }), (chain, text) => {
      const spelled = normalizedAddress(chain, text);
      assert.ok(spelled === undefined || normalizedAddress(chain, spelled) === spelled);
    }),
    runs(100),
  );
  assert.equal(normalizedAddress("SOL", randomBytes(200).toString("hex")), undefined);
});
