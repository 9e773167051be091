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
  const pieces: string[] = [];
  const read = new Promise<void>((resolve) => {
    reading.start((piece) => {
      pieces.push(piece.toString("latin1"));
      if (pieces.join("") === "one") resolve();
      return piece.length;
    });
  });
  client.write("one");
  await read;
  let rest = "";
  reading.restart((piece) => {
    const [first] = piece.toString("latin1");
    rest += first;
    return 1;
  }, Buffer.from("and "));
  client.write("two");
  client.end();
  await once(reading.socket, "end");
  assert.deepEqual([pieces.join(""), rest], ["one", "and two"]);
  assert.equal(reading.socket.bytesRead, 6);
  // The server has none left when it is closed.
  reading.socket.end();
  server.close();
  await once(server, "close");
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
