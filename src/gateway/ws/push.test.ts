import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { OWN_PACKED, OWN_STORED_BYTES_MAX, PLAIN, Push } from "./push.ts";

/** Reads a frame as RFC 6455 has it: what it holds, and that nothing is left over. */
function payloadOf(frame: Buffer): Buffer {
  assert.equal(frame[0], 0x82, "a whole binary message");
  const short = frame[1] as number;
  assert.ok(short < 128, "not masked");
  const [head, length] =
    short < 126 ? [2, short] : short === 126 ? [4, frame.readUInt16BE(2)] : [10, Number(frame.readBigUInt64BE(2))];
  assert.equal(frame.length, head + length);
  return frame.subarray(head);
}

test("a push is one binary frame with one gzip member of its text, whatever its length", () => {
  for (const length of [0, 1, 90, 110, 199, 200, 201, 1_000, 70_000, 3_000_000]) {
    // Digits that repeat late, so that long texts stay long when compressed.
    let text = "";
    for (let at = 0; text.length < length; at++) text += String((at * 7_919) % 1_000_003);
    const json = JSON.stringify(text.slice(0, length));
    assert.equal(gunzipSync(payloadOf(new Push(json).frame)).toString("utf8"), json);
  }
});

test("what one account alone is told is compressed only when it is long", () => {
  for (const length of [500, OWN_STORED_BYTES_MAX, OWN_STORED_BYTES_MAX + 1]) {
    const json = "7".repeat(length);
    const payload = payloadOf(new Push(json, OWN_PACKED).frame);
    assert.equal(gunzipSync(payload).toString("utf8"), json);
    assert.equal(payload.length > length, length <= OWN_STORED_BYTES_MAX);
  }
});

test("characters beyond ASCII count by their bytes", () => {
  const json = JSON.stringify("é".repeat(99));
  assert.equal(gunzipSync(payloadOf(new Push(json).frame)).toString("utf8"), json);
});

test("a plain push is one text frame with the text as it is", () => {
  for (const length of [2, 125, 126, 65_535, 65_536]) {
    const text = "é".repeat(length / 2);
    const { frame } = new Push(text, PLAIN);
    assert.equal(frame[0], 0x81, "a whole text message");
    assert.equal(frame.subarray(length < 126 ? 2 : length < 65_536 ? 4 : 10).toString("utf8"), text);
  }
});

test("the frame is made once and shared", () => {
  const push = new Push('{"method":"state.update","data":{"state_list":[]},"id":null}');
  assert.equal(push.frame, push.frame);
});
