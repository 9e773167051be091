import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import type { ApiKey, KeyDirectory } from "../auth/key-directory.ts";
import { KeyRing } from "../auth/key-ring.ts";
import { SecretVault } from "../auth/secret-vault.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { Authenticator, type AuthenticatorOptions, type RequestSigned } from "./authenticate.ts";
import { type Endpoint, endpointName, loadContract } from "./contract.ts";

const NOW = 1_750_000_000_000;
const SECRET = "test-secret-0001";
const contract = loadContract();
const vault = SecretVault.inMemory();

function endpoint(name: string): Endpoint {
  return contract.endpoints.find((each) => endpointName(each) === name) as Endpoint;
}
const placeOrder = endpoint("POST /spot/order");

function keyOf(accessId: string, userId: number, more: Partial<ApiKey> = {}): ApiKey {
  const secretCipher = vault.seal(accessId, SECRET);
  return { accessId, userId, secretCipher, permissions: ["read", "trade"], ipWhitelist: [], expiredAt: 0, ...more };
}

// 1: a main account, 2: frozen, 3: a sub-account that may use the AMM.
const keys = new Map(
  [
    keyOf("MAIN", 1),
    keyOf("READER", 1, { permissions: ["read"] }),
    keyOf("HOME", 1, { ipWhitelist: ["192.0.2.0/24"] }),
    keyOf("OLD", 1, { expiredAt: NOW }),
    keyOf("LASTING", 1, { expiredAt: NOW + 1 }),
    keyOf("FROZEN", 2),
    keyOf("SUB", 3),
    keyOf("SUBREADER", 3, { permissions: ["read"] }),
    keyOf("EVERYTHING WRONG", 2, { ipWhitelist: ["192.0.2.1"], expiredAt: 1, permissions: [] }),
    keyOf("ALL BUT ADDRESS", 2, { expiredAt: 1, permissions: [] }),
    keyOf("EXPIRED READER", 1, { expiredAt: 1, permissions: [] }),
  ].map((key) => [key.accessId, key]),
);
const directory: KeyDirectory = {
  find: (accessId) => keys.get(accessId),
  isFrozen: (userId) => userId === 2,
  isSubAccount: (userId) => userId === 3,
  hasSubPermission: (_userId, permission) => permission === "AMM",
};

function authenticator(options: Partial<AuthenticatorOptions> = {}): Authenticator {
  return new Authenticator({
    contract,
    directory,
    keyRing: new KeyRing(vault),
    serviceNames: ["SVC"],
    acceptPlainHash: false,
    explainSignatures: false,
    ...options,
  });
}

interface Sent {
  key?: string | undefined;
  sign?: string | undefined;
  timestamp?: string | undefined;
  windowTime?: string;
  service?: string;
  method?: string;
  target?: string;
  body?: string;
  from?: string;
}

const BODY = '{"market":"BTCUSDT"}';
const hmac = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");

/** A request that is right in everything that `sent` does not say otherwise. */
function requestOf(sent: Sent = {}): RequestSigned {
  const { method = "POST", target = "/v2/spot/order", body = BODY, service = "svc" } = sent;
  const timestamp = "timestamp" in sent ? sent.timestamp : `${NOW}`;
  const headers: Record<string, string | undefined> = {
    [`x-${service}-key`]: "key" in sent ? sent.key : "MAIN",
    [`x-${service}-sign`]: "sign" in sent ? sent.sign : hmac(method + target + body + timestamp),
    [`x-${service}-timestamp`]: timestamp,
    [`x-${service}-windowtime`]: sent.windowTime,
  };
  return {
    method,
    target,
    body: Buffer.from(body),
    remoteAddress: sent.from ?? "198.51.100.1",
    header: (name) => headers[name],
  };
}

function codeOf(sent: Sent, on: Endpoint = placeOrder, options: Partial<AuthenticatorOptions> = {}): number {
  const result = authenticator(options).authenticate(requestOf(sent), on, NOW);
  return result instanceof Refused ? REFUSAL_ROWS[result.refusal].v2 : 0;
}

const wrong = "0".repeat(64);

/** From the bottom up each row puts one more thing right; the first thing wrong decides. */
test("the checks answer in the order of the contract", () => {
  const stale = `${NOW - 61_000}`;
  const rows: readonly (readonly [string, Sent, number])[] = [
    ["no key, and all else wrong", { key: undefined, sign: "short", timestamp: "x", from: "203.0.113.9" }, 4005],
    ["an empty key", { key: "", sign: "short", timestamp: "x" }, 4005],
    ["an unknown key", { key: "NOBODY", sign: "short", timestamp: "x" }, 4005],
    ["no signature", { key: "EVERYTHING WRONG", sign: undefined, timestamp: undefined }, 4008],
    ["a signature of the wrong form", { key: "EVERYTHING WRONG", sign: "short", timestamp: undefined }, 4008],
    ["no timestamp", { key: "EVERYTHING WRONG", sign: wrong, timestamp: undefined }, 4010],
    ["a timestamp of the wrong form", { key: "EVERYTHING WRONG", sign: wrong, timestamp: "soon" }, 4010],
    ["a timestamp beyond the ceiling", { key: "EVERYTHING WRONG", sign: wrong, timestamp: stale }, 4017],
    ["a wrong signature", { key: "EVERYTHING WRONG", sign: wrong }, 4006],
    ["an address that is not listed", { key: "EVERYTHING WRONG" }, 4007],
    ["a frozen account with an expired key", { key: "ALL BUT ADDRESS" }, 4011],
    ["an expired key without permissions", { key: "EXPIRED READER" }, 4011],
    ["a key without the permission", { key: "READER" }, 4158],
    ["nothing", { key: "MAIN" }, 0],
  ];
  for (const [what, sent, code] of rows) assert.equal(codeOf(sent), code, `wrong is ${what}`);
});

test("the head alone refuses what no body could mend: a key that is missing, unknown or barred, and a time that is over", () => {
  const rows: readonly (readonly [string, Sent, number])[] = [
    ["no key", { key: undefined }, 4005],
    ["an unknown key", { key: "NOBODY" }, 4005],
    ["no signature", { sign: undefined }, 4008],
    ["a time that is over", { timestamp: `${NOW - 61_000}` }, 4017],
    ["a frozen account", { key: "FROZEN", sign: wrong }, 4011],
    ["an expired key", { key: "OLD", sign: wrong }, 4011],
    ["a signature of which the body is not there yet", { sign: wrong }, 0],
    ["nothing", {}, 0],
  ];
  for (const [what, sent, code] of rows) {
    const refused = authenticator().screen(requestOf({ ...sent, body: "" }), NOW);
    assert.equal(refused === undefined ? 0 : REFUSAL_ROWS[refused.refusal].v2, code, `wrong is ${what}`);
  }
});

test("the form of a signature", () => {
  const good = hmac(`POST/v2/spot/order${BODY}${NOW}`);
  const rows: readonly (readonly [string, number])[] = [
    [good, 0],
    [good.toUpperCase(), 4006],
    [good.slice(1), 4008],
    [`${good}0`, 4008],
    [`g${good.slice(1)}`, 4008],
    [` ${good}`, 4008],
    [`${good}, ${good}`, 4008],
    // Cut down to a byte it is a zero.
    [`\u0130${good.slice(1)}`, 4008],
    [`\xe9${good.slice(1)}`, 4008],
    [wrong, 4006],
    [good.replace(/.$/, (last) => (last === "0" ? "1" : "0")), 4006],
  ];
  for (const [sign, code] of rows) assert.equal(codeOf({ sign }), code, sign);
});

test("the window of time: how old and how far ahead a request may be", () => {
  const rows: readonly (readonly [number, string | undefined, number])[] = [
    [0, undefined, 0],
    [5_000, undefined, 0],
    [5_001, undefined, 4010],
    [60_000, undefined, 4010],
    [60_001, undefined, 4017],
    [-5_000, undefined, 0],
    [-5_001, undefined, 4010],
    [1_000, "999", 4010],
    [1_000, "1000", 0],
    [60_000, "60000", 0],
    [60_001, "60000", 4017],
    [60_000, "99999999", 0],
    [60_001, "99999999", 4017],
    [-5_001, "60000", 4010],
    [0, "0", 4010],
    [0, "-1", 4010],
    [0, "1.5", 4010],
    [0, "x", 4010],
    [0, "", 4010],
  ];
  for (const [ageMs, windowTime, code] of rows) {
    const sent = { timestamp: `${NOW - ageMs}`, ...(windowTime === undefined ? {} : { windowTime }) };
    assert.equal(codeOf(sent), code, `${ageMs} ms old, window ${windowTime}`);
  }
});

test("a timestamp that is no whole number of milliseconds is refused", () => {
  for (const timestamp of ["", " ", "1750000000000.0", "1.75e12", "-1", "+1750000000000", "0x1", "9".repeat(40)]) {
    assert.equal(codeOf({ timestamp }), 4010, timestamp);
  }
});

test("the signature covers method, target, body and timestamp as they were received", () => {
  const sign = hmac(`POST/v2/spot/order${BODY}${NOW}`);
  assert.equal(codeOf({ sign }), 0);
  assert.equal(codeOf({ sign, method: "PUT" }), 4006);
  assert.equal(codeOf({ sign, target: "/spot/order" }), 4006);
  assert.equal(codeOf({ sign, target: "/v2/spot/order?" }), 4006);
  assert.equal(codeOf({ sign, body: `${BODY} ` }), 4006);
  assert.equal(codeOf({ sign, timestamp: `${NOW + 1}` }), 4006);
  assert.equal(codeOf({ target: "/spot/order" }), 0);
});

test("a query may be signed as sent or decoded once", () => {
  const target = "/v2/spot/pending-order?market=BTC%2CETH&client_id=%C3%A9";
  const on = endpoint("GET /spot/pending-order");
  const sent = { method: "GET", target, body: "" };
  assert.equal(codeOf(sent, on), 0);
  assert.equal(codeOf({ ...sent, sign: hmac(`GET${decodeURIComponent(target)}${NOW}`) }, on), 0);
  assert.equal(codeOf({ ...sent, sign: hmac(`GET/v2/spot/pending-order${NOW}`) }, on), 4006);
});

test("the plain hash is taken with compat only", () => {
  const plain = (text: string) =>
    createHash("sha256")
      .update(text + SECRET)
      .digest("hex");
  const sign = plain(`POST/v2/spot/order${BODY}${NOW}`);
  assert.equal(codeOf({ sign }), 4006);
  assert.equal(codeOf({ sign }, placeOrder, { acceptPlainHash: true }), 0);
  assert.equal(codeOf({ sign: sign.toUpperCase() }, placeOrder, { acceptPlainHash: true }), 0);
  assert.equal(
    codeOf({ sign: sign.replace(/[a-f]/, (digit) => digit.toUpperCase()) }, placeOrder, { acceptPlainHash: true }),
    4006,
  );
  assert.equal(
    codeOf({ sign: hmac(`POST/v2/spot/order${BODY}${NOW}`).toUpperCase() }, placeOrder, { acceptPlainHash: true }),
    4006,
  );
  const target = "/v2/spot/pending-order?market=BTC%2CETH";
  const decoded = { method: "GET", target, body: "", sign: plain(`GET${decodeURIComponent(target)}${NOW}`) };
  assert.equal(codeOf(decoded, endpoint("GET /spot/pending-order"), { acceptPlainHash: true }), 0);

  const login = { accessId: "MAIN", signature: plain(`${NOW}`), timestamp: NOW, remoteAddress: "198.51.100.1" };
  const accessIdOf = (options: Partial<AuthenticatorOptions>) => {
    const key = authenticator(options).login(login, 60_000, NOW);
    return key instanceof Refused ? key.refusal : key.accessId;
  };
  assert.equal(accessIdOf({}), "signature_mismatch");
  assert.equal(accessIdOf({ acceptPlainHash: true }), "MAIN");
});

test("the service part of the header names is configured, in any case, several at once", () => {
  assert.equal(codeOf({ service: "other" }), 4005);
  const serviceNames = ["SVC", "Other"];
  assert.equal(codeOf({ service: "other" }, placeOrder, { serviceNames }), 0);
  assert.equal(codeOf({ service: "svc" }, placeOrder, { serviceNames }), 0);
});

test("the address, the account and the expiry of a key", () => {
  assert.equal(codeOf({ key: "HOME", from: "192.0.2.77" }), 0);
  assert.equal(codeOf({ key: "HOME", from: "198.51.100.1" }), 4007);
  assert.equal(codeOf({ key: "FROZEN" }), 4011);
  assert.equal(codeOf({ key: "OLD" }), 4011);
  assert.equal(codeOf({ key: "LASTING" }), 0);
});

test("permissions: reading needs none, trading and withdrawing their own, some calls a main account", () => {
  const rows: readonly (readonly [string, string, number])[] = [
    ["READER", "GET /spot/pending-order", 0],
    ["READER", "POST /spot/cancel-order", 4158],
    ["MAIN", "POST /assets/withdraw", 4158],
    ["MAIN", "POST /account/subs", 0],
    ["SUB", "POST /account/subs", 4512],
    ["SUBREADER", "POST /account/subs", 4158],
    ["SUB", "GET /account/subs", 4512],
    ["SUB", "GET /account/subs/info", 0],
    ["SUB", "POST /spot/order", 0],
    ["SUB", "POST /futures/order", 4512],
    ["SUB", "GET /futures/pending-order", 0],
    ["SUB", "POST /assets/amm/add-liquidity", 0],
  ];
  for (const [key, name, code] of rows) assert.equal(codeOf({ key }, endpoint(name)), code, `${key} ${name}`);
});

test("a refused signature is explained in development only, and never with the secret", () => {
  const sent = requestOf({ sign: wrong });
  const silent = authenticator().authenticate(sent, placeOrder, NOW);
  assert.deepEqual(silent, new Refused("signature_mismatch"));
  const explained = authenticator({ explainSignatures: true }).authenticate(sent, placeOrder, NOW);
  assert.ok(explained instanceof Refused && explained.message);
  assert.ok(explained.message.endsWith(`of: POST/v2/spot/order${BODY}${NOW}`));
  assert.ok(!explained.message.includes(SECRET));
  const long = requestOf({ sign: wrong, body: "x".repeat(100_000) });
  const cut = authenticator({ explainSignatures: true }).authenticate(long, placeOrder, NOW);
  assert.ok(cut instanceof Refused && (cut.message?.length ?? 0) < 5_000);
});

test("a secret that the vault cannot open is a fault, not a refusal", () => {
  const other = new KeyRing(SecretVault.inMemory());
  assert.throws(() => authenticator({ keyRing: other }).authenticate(requestOf(), placeOrder, NOW), /cannot be read/);
});
