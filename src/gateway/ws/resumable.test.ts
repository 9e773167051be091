import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type Link } from "./client.ts";
import { Push } from "./push.ts";
import {
  ALL_KEPT_BYTES_MAX,
  AWAY_PER_ADDRESS_MAX,
  KEPT_BYTES_MAX,
  RESUME_MS,
  type Resumable,
  Resumables,
} from "./resumable.ts";

/** A news of so many bytes. */
const news = (bytes = 100) => new Push(`{"data":"${"x".repeat(bytes - 11)}"}`, undefined, true);
const HUB = {};

/** Clients with sessions, and what each connection was sent. */
function venue() {
  const all = new Resumables();
  const ended: Resumable[] = [];
  const enter = (remoteAddress = "a") => {
    const sent: number[] = [];
    const connection = { client: undefined as Client | undefined, hasRoom: true };
    const link: Link = {
      remoteAddress,
      get hasRoom() {
        return connection.hasRoom;
      },
      send: ({ json }) => sent.push(JSON.parse(json).seq),
      cut: () => all.leave(connection.client as Client),
      become: (client) => {
        connection.client = client;
      },
    };
    const client = new Client(link);
    connection.client = client;
    return { client, sent, connection };
  };
  const open = (remoteAddress?: string) => {
    const entered = enter(remoteAddress);
    const made: Resumable = all.open(entered.client, HUB, () => ended.push(made));
    return { ...entered, made };
  };
  return { all, ended, enter, open };
}

test("pushes are numbered as they go, and kept for as long as a client may be away", () => {
  const { all, open } = venue();
  const { client, sent, made } = open();
  for (let count = 0; count < 3; count++) client.send(news());
  client.send(new Push('{"id":1}'));
  assert.deepEqual(sent, [1, 2, 3, undefined]);
  assert.ok(made.reaches(0) && made.reaches(3) && !made.reaches(4));
  all.beat(RESUME_MS);
  assert.equal(all.bytes, 300);
  all.beat(RESUME_MS + 1_000);
  assert.equal(all.bytes, 0, "also where nothing new comes");
  assert.ok(made.reaches(3) && !made.reaches(2));
  client.send(news());
  assert.equal(sent.at(-1), 4);
});

test("a client that was away for too long, and one too many of an address, end with all that they keep", () => {
  const { all, ended, open } = venue();
  const first = open();
  first.client.send(news());
  all.leave(first.client);
  first.client.send(news());
  assert.deepEqual(first.sent, [1]);
  all.beat(RESUME_MS - 1);
  assert.equal(ended.length, 0);
  all.beat(RESUME_MS);
  assert.deepEqual([ended, all.count, all.bytes], [[first.made], 0, 0]);
  first.client.send(news());
  assert.equal(all.bytes, 0);

  const many = Array.from({ length: AWAY_PER_ADDRESS_MAX + 1 }, () => open());
  const elsewhere = open("b");
  for (const { client } of [elsewhere, ...many]) all.leave(client);
  assert.deepEqual(ended.slice(1), [many[0]?.made], "who has been away longest, of the same address");
  assert.equal(all.find(elsewhere.made.token), elsewhere.made);
});

test("one keeps a bounded text, and all together do, those who are away or quiet included", () => {
  const { all, open } = venue();
  const quiet = Array.from({ length: 80 }, () => open());
  for (const { client, made } of quiet) {
    for (let count = 0; count < 300; count++) client.send(news(8_192));
    assert.ok(made.bytes <= KEPT_BYTES_MAX);
    all.leave(client);
    assert.ok(all.bytes <= ALL_KEPT_BYTES_MAX, `${all.bytes} bytes`);
  }
  assert.equal(
    all.bytes,
    quiet.reduce((bytes, { made }) => bytes + made.bytes, 0),
  );
  const last = quiet.at(-1)?.made as Resumable;
  assert.ok(last.reaches(last.lastSeq) && !last.reaches(0));
});

test("whoever takes over is sent what is missing as there is room, and then what is new, in one order", () => {
  const { all, enter, open } = venue();
  const { client, made } = open();
  for (let count = 0; count < 5; count++) client.send(news());
  all.leave(client);
  const next = enter();
  all.takeOver(made, next.client);
  next.connection.hasRoom = false;
  made.goTo(2);
  client.whenRoom(made);
  client.send(news());
  assert.deepEqual(next.sent, []);
  next.connection.hasRoom = true;
  client.sendWaiting();
  client.send(news());
  assert.deepEqual(next.sent, [3, 4, 5, 6, 7]);
  assert.ok(!client.isWaiting);
});

test("a reader that is slower than what is kept is cut, and cannot go on where it was", () => {
  const { all, enter, open } = venue();
  const { client, made } = open();
  client.send(news());
  all.leave(client);
  const next = enter();
  all.takeOver(made, next.client);
  next.connection.hasRoom = false;
  made.goTo(0);
  client.whenRoom(made);
  for (let bytes = 0; bytes <= KEPT_BYTES_MAX; bytes += 8_192) client.send(news(8_192));
  next.connection.hasRoom = true;
  client.sendWaiting();
  assert.ok(client.hasLeft);
  assert.deepEqual(next.sent, []);
  assert.ok(!made.reaches(0));
});
