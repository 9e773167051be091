import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { decodedTarget, hmacHex, plainHashHex, type SignedRequest, signedTextOf, signingKeyOf } from "./signature.ts";

const key = signingKeyOf("test-secret-0001");

// Source: the worked examples of the interface description.
const pendingPosition: SignedRequest = {
  method: "GET",
  target: "/v2/futures/pending-position?market=BTCUSDT&market_type=FUTURES&page=1&limit=10",
  body: Buffer.alloc(0),
  timestamp: "1750000000000",
};
const order: SignedRequest = {
  method: "POST",
  target: "/v2/spot/order",
  body: Buffer.from(
    '{"market":"BTCUSDT","market_type":"SPOT","side":"buy","type":"limit",' +
      '"amount":"0.01","price":"60000","client_id":"demo-1"}',
  ),
  timestamp: "1750000000000",
};

test("the worked examples come out to the digit", () => {
  assert.equal(hmacHex(key, pendingPosition), "0a2d253689ef01045982684348dc40d0c83d0aaea297668ae22a7274c35f3609");
  assert.equal(hmacHex(key, order), "41f2d7ed823f7cc7d4ddaeb76a9b8dd45e545a64f47e947e869b768ea18d5507");
});

test("the signed text is method, target, body and timestamp, without anything between", () => {
  assert.equal(
    signedTextOf(pendingPosition),
    "GET/v2/futures/pending-position?market=BTCUSDT&market_type=FUTURES&page=1&limit=101750000000000",
  );
  assert.equal(signedTextOf(order), `POST/v2/spot/order${order.body.toString()}1750000000000`);
});

test("both forms agree with the library for any secret, target and body", () => {
  const requests = fc.record({
    method: fc.constantFrom("GET", "POST"),
    target: fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) }),
    body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    timestamp: fc.nat().map(String),
  });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), requests, (secret, request) => {
      const text = Buffer.concat([
        Buffer.from(request.method + request.target, "latin1"),
        request.body,
        Buffer.from(request.timestamp),
      ]);
      const signing = signingKeyOf(secret);
      assert.equal(hmacHex(signing, request), createHmac("sha256", secret).update(text).digest("hex"));
      assert.equal(plainHashHex(signing, request), createHash("sha256").update(text).update(secret).digest("hex"));
    }),
    runs(200),
  );
});

test("a body larger than the scratch memory is signed whole", () => {
  const large = { ...order, body: Buffer.alloc(1_000_000, "x") };
  const expected = createHmac("sha256", "test-secret-0001").update(signedTextOf(large)).digest("hex");
  assert.equal(hmacHex(key, large), expected);
  assert.equal(hmacHex(key, order), "41f2d7ed823f7cc7d4ddaeb76a9b8dd45e545a64f47e947e869b768ea18d5507");
});

test("a query is decoded once, and only where there is something to decode", () => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["/v2/spot/market", undefined],
    ["/v2/spot/market?market=BTCUSDT", undefined],
    ["/v2/sp%6ft/market", undefined],
    ["/v2/spot/market?market=BTCUSDT%2CETHUSDT", "/v2/spot/market?market=BTCUSDT,ETHUSDT"],
    ["/v2/x?a=%2525", undefined],
    ["/v2/x?a=1%262", undefined],
    ["/v2/x?a%3d1", undefined],
    ["/v2/x?a=1%2B2", undefined],
    ["/v2/x?a=%C3%A9", "/v2/x?a=\u00c3\u00a9"],
    ["/v2/x?a=%ff", undefined],
    ["/v2/x?a=%", undefined],
  ];
  for (const [target, decoded] of rows) assert.equal(decodedTarget(target), decoded, target);
});
