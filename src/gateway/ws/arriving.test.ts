import assert from "node:assert/strict";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { Arriving } from "./arriving.ts";

/** A socket of which only is known how much has been read. */
function aSocket() {
  return Object.assign(new Duplex(), { bytesRead: 300 });
}

test("a message that has begun is unfinished until its end, whatever control frames come in between", () => {
  const socket = aSocket();
  const arriving = new Arriving(socket);
  assert.equal(arriving.isUnfinishedFor(60, 0), false);
  socket.bytesRead += 10;
  assert.equal(arriving.isUnfinishedFor(60, 0), false);
  const isUnfinishedAt = (ms: number) => {
    socket.bytesRead += 8;
    arriving.control(2);
    return arriving.isUnfinishedFor(60, ms);
  };
  const cutAt = Array.from({ length: 100 }, (_, ms) => ms + 1).find(isUnfinishedAt) ?? 0;
  assert.ok(cutAt >= 60 && cutAt <= 72, `at ${cutAt}`);
  arriving.message();
  for (let ms = cutAt; ms < 200; ms++) assert.equal(arriving.isUnfinishedFor(60, ms), false);
});

test("whole messages and control frames leave nothing unfinished", () => {
  const socket = aSocket();
  const arriving = new Arriving(socket);
  for (let ms = 0; ms < 1_000; ms++) {
    socket.bytesRead += 50;
    // Both came in one piece.
    if (ms % 2 === 0) arriving.message();
    arriving.control(44);
    assert.equal(arriving.isUnfinishedFor(10, ms), false);
  }
});
