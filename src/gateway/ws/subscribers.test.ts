import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "./client.ts";
import { Subscribers } from "./subscribers.ts";

const newClient = () => new Client({ remoteAddress: "", hasRoom: true, cut: () => {}, send: () => {} });

function followersOf(subscribers: Subscribers, name: string): Client[] {
  const clients: Client[] = [];
  subscribers.each(name, (client) => clients.push(client));
  for (const client of clients) assert.ok(subscribers.follows(client, name));
  return clients;
}

test("names add up, and each counts once", () => {
  const [subscribers, client] = [new Subscribers(() => true), newClient()];
  subscribers.join(client, ["A", "B"]);
  subscribers.join(client, ["B", "C"]);
  assert.equal(client.subscriptions, 3);
  for (const name of ["A", "B", "C"]) assert.deepEqual(followersOf(subscribers, name), [client]);
  subscribers.leave(client, ["B", "Z"]);
  assert.equal(client.subscriptions, 2);
  assert.deepEqual(followersOf(subscribers, "B"), []);
  assert.equal(subscribers.isHeard("B"), false);
});

test("an empty list is everything, whatever was named before, and what is left later is an exception from it", () => {
  const [subscribers, client] = [new Subscribers(() => true), newClient()];
  subscribers.join(client, ["A"]);
  subscribers.join(client, []);
  assert.equal(client.subscriptions, 1);
  assert.deepEqual(followersOf(subscribers, "A"), [client], "once");
  assert.deepEqual(followersOf(subscribers, "any other"), [client]);
  subscribers.leave(client, ["A", "A"]);
  assert.equal(client.subscriptions, 2);
  assert.deepEqual(followersOf(subscribers, "A"), []);
  assert.deepEqual(followersOf(subscribers, "B"), [client]);
  subscribers.join(client, ["A", "B"]);
  assert.equal(client.subscriptions, 1);
  assert.deepEqual(followersOf(subscribers, "A"), [client]);
});

test("those of everything and those of some are apart, so that each gets its own push and nobody both", () => {
  const subscribers = new Subscribers(() => true);
  const [all, but, named] = [newClient(), newClient(), newClient()];
  subscribers.join(all, []);
  subscribers.join(but, []);
  subscribers.leave(but, ["B"]);
  subscribers.join(named, ["A"]);
  const everything: Client[] = [];
  subscribers.eachOfEverything((client) => everything.push(client));
  const some: Client[] = [];
  subscribers.eachOfSome("A", (client) => some.push(client));
  assert.deepEqual(everything, [all]);
  assert.deepEqual(some, [named, but]);
});

test("who leaves everything leaves nothing behind", () => {
  const [subscribers, named, all] = [new Subscribers(() => true), newClient(), newClient()];
  subscribers.join(named, ["A", "B"]);
  subscribers.join(all, []);
  subscribers.leave(all, ["A"]);
  for (const client of [named, all]) {
    subscribers.leave(client, []);
    assert.equal(client.subscriptions, 0);
  }
  assert.ok(subscribers.isEmpty);
  assert.equal(subscribers.isHeard("A"), false);
});

/** Subscribers of a list of which A and B are listed. */
function twoSubscribed() {
  const listed = new Set(["A", "B"]);
  return { subscribers: new Subscribers((name) => listed.has(name)), listed };
}

test("a name that is not listed is followed from when it is, and counts until it is left", () => {
  const [{ subscribers, listed }, client] = [twoSubscribed(), newClient()];
  assert.equal(subscribers.unlistedIn(client, ["A", "NEW", "NEWER"], true), 2);
  subscribers.join(client, ["A", "NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [2, 1]);
  assert.equal(subscribers.unlistedIn(client, ["NEW"], true), 0, "it is kept already");
  listed.add("NEW");
  assert.deepEqual(followersOf(subscribers, "NEW"), [client]);
  subscribers.leave(client, ["NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [1, 0]);
});

test("nothing is kept of a name that can never be listed", () => {
  const [{ subscribers }, client] = [twoSubscribed(), newClient()];
  const never = ["", "btcusdt", "A B", "X".repeat(41), "\u{1f600}", "constructor"];
  assert.equal(subscribers.unlistedIn(client, never, true), 0);
  subscribers.join(client, never);
  assert.equal(client.subscriptions, 0);
  assert.ok(subscribers.isEmpty);
});

test("a name left after everything is kept as an exception, listed or not, and taken back by joining", () => {
  const [{ subscribers }, client] = [twoSubscribed(), newClient()];
  subscribers.join(client, []);
  assert.equal(subscribers.unlistedIn(client, ["NEW"], false), 1);
  assert.equal(subscribers.unlistedIn(client, ["NEW"], true), 0);
  subscribers.leave(client, ["NEW", "A", "no name"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [3, 1]);
  subscribers.join(client, ["NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [2, 0]);
  subscribers.leave(client, []);
  assert.deepEqual([client.subscriptions, client.unlisted], [0, 0]);
});
