import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, Socket } from "node:net";
import { test } from "node:test";
import { ReadingTurns, Share } from "../reading-turns.ts";
import { Reading } from "./reading.ts";

const share = () => new Share(new ReadingTurns());

/** A connection that was accepted and is not read yet, from both ends. */
async function accepted() {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [socket] = (await once(server, "connection")) as [Socket];
  return { server, client, socket };
}

test("pieces go to the reader, then to the next one byte by byte, and no byte to both or neither, nor behind the end", async () => {
  const { server, client, socket } = await accepted();
  const reading = new Reading(socket, share());
  let read = "";
  let rest = "";
  const next = (piece: Buffer) => {
    rest += piece.toString("latin1", 0, 1);
    return 1;
  };
  reading.start((piece) => {
    read += piece.toString("latin1", 0, 3 - read.length);
    if (read !== "one") return piece.length;
    reading.start(next);
    return 3;
  });
  client.write("oneand ");
  while (!rest.startsWith("a")) await new Promise((resolve) => setImmediate(resolve));
  client.write("two");
  client.end();
  await once(reading.socket, "end");
  assert.deepEqual([read, rest], ["one", "and two"]);
  assert.equal(reading.socket.bytesRead, 10);
  // The server has none left when it is closed.
  reading.socket.end();
  server.close();
  await once(server, "close");
});

test("pieces that wait for their turn are counted with all memory that they take, and the memory is used again", async () => {
  const turns = new ReadingTurns();
  const own = new Share(turns);
  const memory = new Set<unknown>();
  let bytes = 0;
  let isStuck = false;
  let most = 0;
  // It has had its share of the turn: all that comes is held.
  const read = (piece: Buffer) => {
    memory.add(piece.buffer);
    // Between two turns of the loop all of it may be read.
    most = Math.max(most, own.heldBytes);
    own.spend(1_000);
    const taken = Math.min(piece.length, isStuck ? 0 : 20_000);
    bytes += taken;
    return taken;
  };
  const sent = 2_000_000;
  const all = await Promise.all(Array.from({ length: 8 }, () => accepted()));
  const readings = all.map(({ socket }) => new Reading(socket, own));
  for (const [at, reading] of readings.entries()) {
    reading.start(read);
    all[at]?.client.write(Buffer.alloc(sent));
  }
  while (bytes < sent * all.length) {
    own.spend(1_000);
    assert.ok(own.heldBytes <= all.length * 65_536, `${own.heldBytes} bytes are held`);
    assert.ok(readings.every(({ heldBytes }) => heldBytes <= 65_536));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(most >= 65_536, "nothing was held");
  assert.equal(own.heldBytes, 0);
  // One that all reads share, one for each connection, and those of ends that are shorter.
  const large = [...memory].filter((buffer) => (buffer as ArrayBuffer).byteLength === 65_536);
  assert.ok(large.length <= 1 + all.length, `${large.length} pieces of memory were made`);
  // What is given up holds nothing.
  const [first] = all;
  isStuck = true;
  first?.client.write(Buffer.alloc(1_000_000));
  while (own.heldBytes === 0) await new Promise((resolve) => setImmediate(resolve));
  readings[0]?.socket.pause();
  readings[0]?.drop();
  assert.equal(own.heldBytes, 0);
  for (const [at, { server, client }] of all.entries()) {
    client.destroy();
    readings[at]?.socket.destroy();
    server.close();
  }
});

test("while it is paused nothing is read", async () => {
  const { server, client, socket } = await accepted();
  const reading = new Reading(socket, share());
  let bytes = 0;
  reading.start((piece) => {
    bytes += piece.length;
    reading.socket.pause();
    return piece.length;
  });
  client.write(Buffer.alloc(4_000_000));
  while (bytes === 0) await new Promise((resolve) => setImmediate(resolve));
  const before = bytes;
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(bytes, before);
  assert.ok(bytes < 4_000_000);
  while (bytes < 4_000_000) {
    reading.socket.resume();
    await new Promise((resolve) => setImmediate(resolve));
  }
  client.destroy();
  reading.socket.destroy();
  server.close();
  await once(server, "close");
});

test("a socket that cannot be read in that way is read as a stream", () => {
  const socket = new Socket();
  const reading = new Reading(socket, share());
  assert.equal(reading.socket, socket);
  const pieces: string[] = [];
  reading.start((piece) => {
    pieces.push(piece.toString("latin1"));
    return piece.length;
  });
  socket.emit("data", Buffer.from("one"));
  reading.release();
  socket.emit("data", Buffer.from("two"));
  assert.deepEqual(pieces, ["one"]);
  socket.destroy();
});
