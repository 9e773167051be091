import assert from "node:assert/strict";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { Backlog } from "./backlog.ts";

/** A socket whose reader takes a write when it is told to. */
class HeldSocket extends Duplex {
  readonly writes: string[] = [];
  #taken: (() => void) | undefined;
  isHeld = true;

  override _write(chunk: Buffer, _encoding: BufferEncoding, taken: () => void): void {
    this.writes.push(chunk.toString());
    if (this.isHeld) this.#taken = taken;
    else taken();
  }

  override _read(): void {}

  /** The reader takes the write that waits; resolves when the one who waited for that has been told. */
  async accept(): Promise<void> {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
    await new Promise(setImmediate);
  }
}

const bytes = (text: string) => Buffer.from(text);

test("while the reader keeps up, every write goes to the socket at once", () => {
  const socket = new HeldSocket();
  socket.isHeld = false;
  const backlog = new Backlog(socket, () => socket.writable);
  for (const text of ["a", "b", "c"]) backlog.write(bytes(text));
  assert.deepEqual(socket.writes, ["a", "b", "c"]);
  assert.equal(backlog.byteLength, 0);
});

test("what the reader does not take is counted, and follows joined and in order when it does", async () => {
  const socket = new HeldSocket();
  const backlog = new Backlog(socket, () => socket.writable);
  for (const text of ["one ", "two ", "three ", "four "]) backlog.write(bytes(text));
  assert.deepEqual(socket.writes, ["one "]);
  assert.equal(backlog.byteLength, "one two three four ".length);
  await socket.accept();
  assert.deepEqual(socket.writes, ["one ", "two "]);
  await socket.accept();
  backlog.write(bytes("five"));
  assert.deepEqual(socket.writes, ["one ", "two ", "three four "]);
  await socket.accept();
  assert.deepEqual(socket.writes, ["one ", "two ", "three four ", "five"]);
  await socket.accept();
  assert.equal(backlog.byteLength, 0);
});

test("before a connection closes the socket is given all that is kept", () => {
  const socket = new HeldSocket();
  const backlog = new Backlog(socket, () => socket.writable);
  for (const text of ["one ", "two ", "three "]) backlog.write(bytes(text));
  backlog.handOver();
  assert.equal(socket.writableLength, "one two three ".length);
  assert.equal(backlog.byteLength, socket.writableLength);
});

test("nothing is written any more once the connection is closing", async () => {
  const socket = new HeldSocket();
  let isOpen = true;
  const backlog = new Backlog(socket, () => isOpen);
  for (const text of ["one ", "two ", "three "]) backlog.write(bytes(text));
  isOpen = false;
  await socket.accept();
  await socket.accept();
  backlog.write(bytes("four "));
  assert.deepEqual(socket.writes, ["one ", "two "]);
});

test("what is kept for a socket that was cut is forgotten", async () => {
  const socket = new HeldSocket();
  const backlog = new Backlog(socket, () => socket.writable);
  for (const text of ["one ", "two ", "three "]) backlog.write(bytes(text));
  socket.destroy();
  await socket.accept();
  assert.deepEqual(socket.writes, ["one "]);
  assert.equal(backlog.byteLength, socket.writableLength);
});
