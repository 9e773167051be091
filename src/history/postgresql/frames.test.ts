import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresFrames } from "./frames.ts";

function message(kind: string, body: Buffer | number): Buffer {
  const length = typeof body === "number" ? body : body.length + 4;
  const head = Buffer.from([kind.charCodeAt(0), 0, 0, 0, 0]);
  head.writeUInt32BE(length, 1);
  return typeof body === "number" ? head : Buffer.concat([head, body]);
}

const READY = message("Z", Buffer.from("I"));
const ROW = message("D", Buffer.alloc(1_048_576 - 5));
const row = () => ROW;

test("messages pass however they are cut", () => {
  const whole = Buffer.concat([
    message("R", Buffer.alloc(4)),
    message("1", Buffer.alloc(0)),
    READY,
    message("D", Buffer.alloc(70)),
    READY,
  ]);
  for (const size of [1, 2, 3, 5, 7, whole.length]) {
    const look = postgresFrames();
    for (let at = 0; at < whole.length; at += size) assert.equal(look(whole.subarray(at, at + size)), undefined);
  }
});

test("what is no message is found by its first byte", () => {
  assert.match(postgresFrames()(Buffer.from("HTTP/1.1 400")) ?? "", /no message of PostgreSQL/);
  const look = postgresFrames();
  assert.equal(look(READY), undefined);
  assert.match(look(Buffer.from([0])) ?? "", /no message of PostgreSQL/);
});

for (const [length, passes] of [
  [0, false],
  [3, false],
  [4, true],
  [16 * 1_048_576, true],
  [16 * 1_048_576 + 1, false],
  [0xffffffff, false],
] as const) {
  test(`a message that announces ${length} bytes is ${passes ? "awaited" : "refused"}`, () => {
    assert.equal(postgresFrames()(message("D", length)) === undefined, passes);
  });
}

test("an answer that does not end is refused; one behind the other may go on for ever", () => {
  const endless = postgresFrames();
  let pieces = 0;
  while (endless(row()) === undefined) assert.ok(++pieces <= 64);
  assert.equal(pieces, 64);
  const sound = postgresFrames();
  for (let at = 0; at < 200; at++) {
    assert.equal(sound(row()), undefined);
    if (at % 50 === 49) assert.equal(sound(READY), undefined);
  }
});
