import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { test } from "node:test";
import type { ApiKey, KeyDirectory } from "../auth/key-directory.ts";
import { KeyRing } from "../auth/key-ring.ts";
import { SecretVault } from "../auth/secret-vault.ts";
import { loadContract } from "../current/contract.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import { Refused } from "../refused.ts";
import { LegacyAuthenticator, SCHEMES } from "./authenticate.ts";
import { type LegacyArea, type LegacyEndpoint, legacyName, loadLegacyContract } from "./contract.ts";
import { sentBy } from "./sent.ts";

/** Those of the computed examples in contract/legacy/README.md, which were signed at this time. */
const ID = "0A1B2C3D4E5F60718293A4B5C6D7E8F9";
const SECRET = "F9E8D7C6B5A4938271605F4E3D2C1B0A0123456789ABCDEF";
const NOW = 1_700_000_000_000;
const HOME = "127.0.0.1";

const endpoints = (["spot", "futures"] as const).flatMap((area) => loadLegacyContract(area, loadContract()).endpoints);
const vault = SecretVault.inMemory();

function endpoint(name: string): LegacyEndpoint {
  return endpoints.find((each) => legacyName(each) === name) as LegacyEndpoint;
}

function keyOf(accessId: string, userId: number, more: Partial<ApiKey> = {}): ApiKey {
  const secretCipher = vault.seal(accessId, SECRET);
  return { accessId, userId, secretCipher, permissions: ["read", "trade"], ipWhitelist: [], expiredAt: 0, ...more };
}

const elsewhere = { ipWhitelist: ["192.0.2.1"] };
// 1: a main account, 2: a frozen one, 3: a sub-account without any permission.
const keys = new Map(
  [
    keyOf(ID, 1),
    keyOf("EVERYTHING WRONG", 2, { ...elsewhere, expiredAt: 1, permissions: ["read"] }),
    keyOf("ALL BUT ADDRESS", 2, { expiredAt: 1, permissions: ["read"] }),
    keyOf("FROZEN READER", 2, { permissions: ["read"] }),
    keyOf("READER", 1, { permissions: ["read"] }),
    keyOf("SUB", 3),
  ].map((key) => [key.accessId, key]),
);
const directory: KeyDirectory = {
  find: (accessId) => keys.get(accessId),
  isFrozen: (userId) => userId === 2,
  isSubAccount: (userId) => userId === 3,
  hasSubPermission: () => false,
};

interface Asked {
  readonly area?: LegacyArea;
  readonly name?: string;
  readonly query?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly nowMs?: number;
}

/** The user whose key it is, or the code of the refusal. */
function answerTo({ area = "spot", name = "GET /v1/balance/info", ...asked }: Asked): number | string {
  const { query = "", body = "", headers = {}, nowMs = NOW } = asked;
  const sent = sentBy({ query, body: Buffer.from(body) });
  if (sent instanceof Refused) return `refused: ${sent.refusal}`;
  const head = { header: (wanted: string) => headers[wanted], remoteAddress: HOME };
  const result = new LegacyAuthenticator({ directory, keyRing: new KeyRing(vault) }, SCHEMES[area]).authenticate(
    head,
    sent,
    endpoint(name),
    nowMs,
  );
  return result instanceof Refused ? `refused: ${REFUSAL_ROWS[result.refusal].v1}` : result.userId;
}

const ORDER = {
  access_id: ID,
  account_id: 0,
  amount: "0.5",
  market: "BTCUSDT",
  price: "61000",
  tonce: NOW,
  type: "buy",
};
const FUTURES_ORDER = `amount=0.5&market=BTCUSDT&price=61000&side=2&timestamp=${NOW}`;
const FUTURES_SIGNATURE = "6046d2fb42342dce2d5371c372cef771ba3b9ffa39cdd4aaf4a2cec89cb8b345";

test("the computed signatures of the contract are taken", () => {
  const rows: readonly Asked[] = [
    { query: `access_id=${ID}&tonce=${NOW}`, headers: { authorization: "B0DFA59277599EB8BEEC6D86CDA815FA" } },
    {
      name: "POST /v1/order/limit",
      body: JSON.stringify(ORDER),
      headers: { authorization: "1EC21BFA7A0AE25F99CD7A2F50B6F910" },
    },
    {
      area: "futures",
      name: "POST /perpetual/v1/order/put_limit",
      body: FUTURES_ORDER,
      headers: { accessid: ID, authorization: FUTURES_SIGNATURE },
    },
    {
      area: "futures",
      name: "GET /perpetual/v1/asset/query",
      query: `access_id=${ID}&timestamp=${NOW}`,
      headers: { authorization: "6ff292aa449482a49f228299931b6f30d12a1341d745324074978606ddbd0d87" },
    },
  ];
  for (const row of rows) {
    assert.equal(answerTo(row), 1, JSON.stringify(row));
    const authorization = row.headers?.["authorization"] as string;
    const otherwise = /[A-F]/.test(authorization) ? authorization.toLowerCase() : authorization.toUpperCase();
    assert.equal(answerTo({ ...row, headers: { ...row.headers, authorization: otherwise } }), 1, "in the other case");
    const wrong = authorization.replace(/./, (first) => (first === "1" ? "2" : "1"));
    assert.equal(answerTo({ ...row, headers: { ...row.headers, authorization: wrong } }), "refused: 25");
  }
});

test("what is signed may be sorted or as it was sent, and values are as they were written", () => {
  const sign = (text: string) => hash("md5", `${text}&secret_key=${SECRET}`).toUpperCase();
  const body = (members: string) => `{"tonce":${NOW},"access_id":"${ID}",${members}}`;
  const sorted = (members: string) => `access_id=${ID}&${members}&tonce=${NOW}`;
  const rows: readonly (readonly [what: string, sent: string, text: string])[] = [
    ["a number with zeros behind it", body('"amount":0.50'), sorted("amount=0.50")],
    ["a number as large as no double", body('"amount":12345678901234567890'), sorted("amount=12345678901234567890")],
    ["a truth as JSON has it", body('"hide":true'), sorted("hide=true")],
    ["a truth as Python has it", body('"hide":true'), sorted("hide=True")],
    ["a list as JSON has it", body('"ips":["a","b"]'), sorted('ips=["a","b"]')],
    ["a list with blanks", body('"ips":["a","b"]'), sorted('ips=["a", "b"]')],
    ["a list as Python has it", body('"ips":["a","b"]'), sorted("ips=['a', 'b']")],
    ["a list by its members", body('"ips":["a","b"]'), sorted("ips[0]=a&ips[1]=b")],
    ["a text that would be encoded in a query", body('"remark":"a b&c=ä"'), sorted("remark=a b&c=ä")],
    ["a form as it was sent", `tonce=${NOW}&access_id=${ID}&a=%20`, `tonce=${NOW}&access_id=${ID}&a=%20`],
    ["a form as it reads", `tonce=${NOW}&access_id=${ID}&a=%20`, `a= &access_id=${ID}&tonce=${NOW}`],
  ];
  for (const [what, sent, text] of rows) {
    const asked = { name: "POST /v1/order/limit", body: sent };
    assert.equal(answerTo({ ...asked, headers: { authorization: sign(text) } }), 1, what);
    assert.equal(answerTo({ ...asked, headers: { authorization: sign(`${text}x`) } }), "refused: 25", what);
  }
});

test("a text with a name in it twice is not taken for what was signed: its second value may be a part of another's", () => {
  // Signed of {amount: "1", remark: "x&amount=9"}, and sent by somebody who has overheard it.
  const text = `access_id=${ID}&amount=1&remark=x&amount=9&tonce=${NOW}`;
  const authorization = hash("md5", `${text}&secret_key=${SECRET}`);
  assert.equal(answerTo({ query: text, headers: { authorization } }), "refused: 25");
  assert.equal(answerTo({ name: "POST /v1/order/limit", body: text, headers: { authorization } }), "refused: 25");
  assert.equal(answerTo({ query: text.replace("x&amount=9", "x%26amount%3D9"), headers: { authorization } }), 1);
});

test("a request has so many values and no more, and who asks for more is told so before anything is worked out", () => {
  const malformed = "refused: request_malformed";
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"a${at}":[]`);
  assert.equal(answerTo({ body: `{${members(300).join(",")}}` }), malformed, "lists count twice");
  assert.equal(answerTo({ body: `{"a":[${"{},".repeat(300)}{}]}` }), malformed);
  assert.equal(answerTo({ body: "a&".repeat(600) }), malformed, "a form");
  assert.equal(answerTo({ query: "a&".repeat(600) }), malformed, "a query");
  assert.equal(answerTo({ body: `{${members(200).join(",")}}` }), "refused: 24", "nobody's");
});

test("a digest says by its length which scheme it is of, and spot knows one only", () => {
  const text = FUTURES_ORDER;
  const md5 = hash("md5", `access_id=${ID}&${text.replace("timestamp", "tonce")}&secret_key=${SECRET}`);
  const inMd5 = { body: `access_id=${ID}&${text.replace("timestamp", "tonce")}`, headers: { authorization: md5 } };
  const inSha = { body: text, headers: { accessid: ID, authorization: FUTURES_SIGNATURE } };
  const futures = { area: "futures", name: "POST /perpetual/v1/order/put_limit" } as const;
  assert.equal(answerTo({ ...futures, ...inMd5 }), 1);
  assert.equal(answerTo({ ...futures, ...inSha }), 1);
  assert.equal(answerTo({ name: "POST /v1/order/limit", ...inMd5 }), 1);
  assert.equal(answerTo({ name: "POST /v1/order/limit", ...inSha }), "refused: 25");
});

test("a request may be a minute off either way, or less where it says so itself", () => {
  const at = (name: string, offMs: number, more = "") => {
    const text = `access_id=${ID}&${name}=${NOW}${more}`;
    const authorization = hash(name === "tonce" ? "md5" : "sha256", `${text}&secret_key=${SECRET}`);
    const of = name === "tonce" ? {} : ({ area: "futures", name: "GET /perpetual/v1/asset/query" } as const);
    return answerTo({ ...of, query: text, headers: { authorization }, nowMs: NOW + offMs });
  };
  for (const name of ["tonce", "timestamp"]) {
    for (const offMs of [-60_000, 0, 60_000]) assert.equal(at(name, offMs), 1, `${name} ${offMs}`);
    for (const offMs of [-60_001, 60_001]) assert.equal(at(name, offMs), "refused: 227", `${name} ${offMs}`);
  }
  assert.equal(at("timestamp", 5_000, "&windowtime=5000"), 1);
  assert.equal(at("timestamp", 5_001, "&windowtime=5000"), "refused: 227");
  assert.equal(at("timestamp", 60_001, "&windowtime=600000"), "refused: 227");
  assert.equal(at("timestamp", 0, "&windowtime=soon"), "refused: 227");
});

/** Each row is wrong in one way less than the one before. Source: contract/legacy/README.md, Settled 1. */
test("checks come in the order of the contract", () => {
  const trade = { name: "POST /v1/order/limit" };
  const signed = (accessId: string, changes: object, wrong = false): Asked => {
    const all: Record<string, unknown> = { access_id: accessId, tonce: NOW, ...changes };
    const names = Object.keys(all).sort();
    const text = names.map((name) => `${name}=${all[name]}`).join("&");
    const authorization = wrong ? "0".repeat(32) : hash("md5", `${text}&secret_key=${SECRET}`);
    return { ...trade, body: JSON.stringify(all), headers: { authorization } };
  };
  const late = { tonce: NOW - 60_001 };
  const rows: readonly (readonly [what: string, asked: Asked, answer: number | string])[] = [
    ["no access id, and late", signed("", late, true), "refused: 24"],
    ["an unknown access id, late and wrongly signed", signed("NOBODY", late, true), "refused: 24"],
    ["late and wrongly signed", signed("EVERYTHING WRONG", late, true), "refused: 227"],
    ["no time, and wrongly signed", signed("EVERYTHING WRONG", { tonce: "" }, true), "refused: 227"],
    ["wrongly signed, from elsewhere", signed("EVERYTHING WRONG", {}, true), "refused: 25"],
    ["from elsewhere, run out, frozen, no permission", signed("EVERYTHING WRONG", {}), "refused: 23"],
    ["run out, frozen, no permission", signed("ALL BUT ADDRESS", {}), "refused: 34"],
    ["frozen, no permission", signed("FROZEN READER", {}), "refused: 158"],
    ["no permission", signed("READER", {}), "refused: 158"],
    ["a sub-account that was granted nothing", { ...signed("SUB", {}), name: "POST /v1/margin/loan" }, "refused: 158"],
    [
      "a sub-account where the main one must",
      { ...signed("SUB", {}), name: "POST /v1/sub_account/register" },
      "refused: 158",
    ],
    ["nothing wrong", signed(ID, {}), 1],
  ];
  for (const [what, asked, answer] of rows) assert.equal(answerTo(asked), answer, what);
});
