import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { type Lock, opened, Sealer, type Unlock } from "./sealed.ts";
import type { Source } from "./tar.ts";

const CHUNK = 65_536;
const HEAD = 41;
const SEALED_CHUNK = CHUNK + 16;

const ann = generateKeyPairSync("x25519");
const ben = generateKeyPairSync("x25519");
const PASSPHRASE = "correct horse battery";
const TO_ANN: Lock = { recipient: ann.publicKey };
const ANN: Unlock = { identity: ann.privateKey };

function sealed(content: Buffer, lock: Lock = TO_ANN, piece = 10_000): Buffer {
  const pieces: Buffer[] = [];
  const sealer = new Sealer(lock, (bytes) => pieces.push(Buffer.from(bytes)));
  for (let at = 0; at < content.length; at += piece) sealer.write(content.subarray(at, at + piece));
  sealer.end();
  return Buffer.concat(pieces);
}

function sourceOver(bytes: Buffer): Source {
  let at = 0;
  return {
    read(count) {
      const from = at;
      at = Math.min(bytes.length, at + count);
      return bytes.subarray(from, at);
    },
  };
}

function read(bytes: Buffer, unlock: Unlock = ANN, piece = 7_000): Buffer {
  const source = opened(sourceOver(bytes), unlock);
  const pieces: Uint8Array[] = [];
  for (;;) {
    const next = source.read(piece);
    pieces.push(Buffer.from(next));
    if (next.length < piece) return Buffer.concat(pieces);
  }
}

function contentOf(bytes: number): Buffer {
  return Buffer.alloc(bytes, "a backup, byte by byte; ");
}

test("what is sealed comes out again, whatever its size, for a recipient and with a passphrase", () => {
  for (const bytes of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_001]) {
    const content = contentOf(bytes);
    const file = sealed(content);
    assert.equal(file.length, HEAD + bytes + 16 * Math.max(1, Math.ceil(bytes / CHUNK)));
    assert.ok(read(file).equals(content), `${bytes} bytes`);
  }
  const content = contentOf(100_000);
  const file = sealed(content, { passphrase: PASSPHRASE });
  assert.ok(read(file, { passphrase: PASSPHRASE }).equals(content));
  assert.equal(file.includes("byte by byte"), false);
  assert.notDeepEqual(sealed(content).subarray(HEAD, 100), sealed(content).subarray(HEAD, 100), "a key for each file");
});

test("another key or passphrase, or none, opens nothing, and a sentence says what is missing", () => {
  const file = sealed(contentOf(10));
  assert.throws(() => read(file, {}), /--identity/);
  assert.throws(() => read(file, { passphrase: PASSPHRASE }), /--identity/);
  assert.throws(() => read(file, { identity: ben.privateKey }), /the key is another one/);
  const other = sealed(contentOf(10), { passphrase: PASSPHRASE });
  assert.throws(() => read(other, ANN), /--passphrase-file/);
  assert.throws(
    () => read(other, { passphrase: "another horse, battery" }),
    /the passphrase or the key is another one/,
  );
});

test("chunks that are altered, cut off, exchanged, left out, repeated or added are found, and so is the head", () => {
  const file = sealed(contentOf(3 * CHUNK + 100));
  const head = file.subarray(0, HEAD);
  const chunks = [0, 1, 2, 3].map((n) => file.subarray(HEAD + n * SEALED_CHUNK, HEAD + (n + 1) * SEALED_CHUNK));
  const [a, b, c, d] = chunks as [Buffer, Buffer, Buffer, Buffer];
  const forged: Record<string, Buffer[]> = {
    "without the last": [head, a, b, c],
    "without two": [head, a, b],
    "without any": [head],
    exchanged: [head, b, a, c, d],
    "left out": [head, a, c, d],
    repeated: [head, a, b, b, c, d],
    "added behind": [head, a, b, c, d, d],
    "added bytes": [head, a, b, c, d, Buffer.from("x")],
    "of another file": [
      head,
      a,
      b,
      sealed(contentOf(3 * CHUNK + 100)).subarray(HEAD + 2 * SEALED_CHUNK, HEAD + 3 * SEALED_CHUNK),
      d,
    ],
  };
  for (const [what, parts] of Object.entries(forged)) {
    assert.throws(() => read(Buffer.concat(parts)), /not what was written|ends in the middle/, what);
  }
  for (let at = 0; at < file.length; at += 9_973) {
    const altered = Buffer.from(file);
    altered[at] = (altered[at] as number) ^ 1;
    // The first bytes say what the file is at all.
    if (at >= 8) assert.throws(() => read(altered), /./, `byte ${at}`);
  }
  for (let bytes = 8; bytes < file.length; bytes += 20_011) {
    assert.throws(() => read(file.subarray(0, bytes)), /./, `cut to ${bytes}`);
  }
  for (let at = 8; at < HEAD; at++) {
    const altered = Buffer.from(file);
    altered[at] = (altered[at] as number) ^ 0xff;
    assert.throws(() => read(altered), /./, `byte ${at} of the head`);
  }
  // A public key of small order gives everybody the same secret.
  assert.throws(() => read(Buffer.concat([file.subarray(0, 9), Buffer.alloc(32), file.subarray(HEAD)])), /its head/);
});
