import assert from "node:assert/strict";
import { test } from "node:test";
import { redisFrames } from "./redis-frames.ts";

const SOUND =
  "+OK\r\n-ERR it is wrong\r\n:7\r\n$5\r\na\r\nbc\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n*2\r\n:1\r\n*2\r\n$1\r\nx\r\n:2\r\n";
const ANSWERS = 9;

test("answers pass however they are cut, as long as each was asked for", () => {
  const whole = Buffer.from(SOUND);
  for (const size of [1, 2, 3, 7, whole.length]) {
    // What waits for an answer is one less with each that is taken; here nobody takes any before the piece is read.
    const look = redisFrames(() => ANSWERS);
    for (let at = 0; at < whole.length; at += size) assert.equal(look(whole.subarray(at, at + size)), undefined);
  }
  assert.match(redisFrames(() => ANSWERS - 1)(whole) ?? "", /nobody asked/);
});

for (const [wrong, why] of [
  ["HTTP/1.1 400\r\n", /no answer of Redis/],
  ["+OK\n", /no answer of Redis/],
  ["$abc\r\n", /no answer of Redis/],
  ["*-2\r\n", /no answer of Redis/],
  ["%1\r\n", /no answer of Redis/],
  ["$131073\r\n", /announces/],
  ["*8193\r\n", /announces/],
  ["*1\r\n".repeat(9_000), /too long/],
  [`+${"x".repeat(5_000)}`, /does not end/],
] as const) {
  test(`${JSON.stringify(wrong.slice(0, 20))} is refused`, () => {
    assert.match(redisFrames(() => 1)(Buffer.from(wrong)) ?? "", why);
  });
}
