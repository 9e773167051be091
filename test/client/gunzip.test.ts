/** The client's own unpacking, held against zlib's packing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { constants, gzipSync } from "node:zlib";
import fc from "fast-check";
import { gunzip } from "../../client/gunzip.ts";
import { runs } from "../support/runs.ts";

const BOOK = JSON.stringify({
  method: "depth.update",
  data: { bids: Array.from({ length: 50 }, (_, at) => [`${60_000 - at * 0.37}`, `${(at * 7919) % 1.003}`]) },
});

/** Each way in which blocks are made. */
const WAYS = [
  ...[0, 1, 6, 9].map((level) => ({ level })),
  { level: 1, windowBits: 13, memLevel: 6 },
  ...[constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE, constants.Z_FILTERED].map((strategy) => ({
    strategy,
  })),
];

const text = fc.oneof(
  fc.string({ maxLength: 2_000 }),
  fc
    .array(fc.constantFrom("price", "amount", "60000.", "0", ",", '"'), { maxLength: 2_000 })
    .map((words) => words.join("")),
  fc.nat(300_000).map((length) => BOOK.repeat(1 + Math.ceil(length / BOOK.length)).slice(0, length)),
);

test("everything that zlib packs is unpacked as it was", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text.map((each) => Buffer.from(each)),
        fc.uint8Array({ maxLength: 70_000 }),
      ),
      (bytes) => {
        for (const way of WAYS) assert.ok(Buffer.from(bytes).equals(gunzip(gzipSync(bytes, way))), JSON.stringify(way));
      },
    ),
    runs(100),
  );
});

test("a message of several blocks is unpacked, and one within a larger buffer", () => {
  const bytes = Buffer.from(BOOK.repeat(200));
  const packed = gzipSync(bytes, { level: 9, memLevel: 1 });
  const within = Buffer.concat([Buffer.from("before"), packed, Buffer.from("behind")]).subarray(6, 6 + packed.length);
  assert.ok(bytes.equals(gunzip(within)));
});

test("a message that is cut or longer is refused, and one with a changed bit never says anything else", () => {
  for (const way of [{ level: 0 }, { strategy: constants.Z_FIXED }, { level: 9 }]) {
    const bytes = Buffer.from(BOOK.slice(0, 400));
    const packed = gzipSync(bytes, way);
    for (let length = 0; length < packed.length; length++) assert.throws(() => gunzip(packed.subarray(0, length)));
    assert.throws(() => gunzip(Buffer.concat([packed, Buffer.of(0)])));
    let idle = 0;
    for (let bit = 0; bit < packed.length * 8; bit++) {
      const changed = Buffer.from(packed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      const unpacked = refusedOr(() => gunzip(changed));
      if (unpacked === undefined) continue;
      idle++;
      assert.ok(bytes.equals(unpacked), `bit ${bit} of ${JSON.stringify(way)}`);
    }
    // Time, level and system in the head, and what fills the last byte of a block.
    assert.ok(idle <= 48 + 7, `${idle} bits say nothing`);
  }
});

function refusedOr<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

test("nonsense ends with an error, whatever it claims", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(2_000), (bytes, size) => {
      const member = Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255), bytes, Buffer.alloc(8)]);
      member.writeUInt32LE(size, member.length - 4);
      assert.throws(() => gunzip(member));
    }),
    runs(2_000),
  );
});

test("a message that claims to be longer than any is refused before room is made for it", () => {
  const packed = gzipSync(Buffer.alloc(17 * 1_048_576));
  assert.throws(() => gunzip(packed), /longer than/);
});
