import assert from "node:assert/strict";
import { test } from "node:test";
import { Audience } from "./audience.ts";
import { Client } from "./client.ts";

const newClient = () => new Client({ remoteAddress: "", hasRoom: true, cut: () => {}, send: () => {} });

function followersOf(audience: Audience, name: string): Client[] {
  const clients: Client[] = [];
  audience.each(name, (client) => clients.push(client));
  for (const client of clients) assert.ok(audience.follows(client, name));
  return clients;
}

test("names add up, and each counts once", () => {
  const [audience, client] = [new Audience(() => true), newClient()];
  audience.join(client, ["A", "B"]);
  audience.join(client, ["B", "C"]);
  assert.equal(client.subscriptions, 3);
  for (const name of ["A", "B", "C"]) assert.deepEqual(followersOf(audience, name), [client]);
  audience.leave(client, ["B", "Z"]);
  assert.equal(client.subscriptions, 2);
  assert.deepEqual(followersOf(audience, "B"), []);
  assert.equal(audience.isHeard("B"), false);
});

test("an empty list is everything, whatever was named before, and what is left later is an exception from it", () => {
  const [audience, client] = [new Audience(() => true), newClient()];
  audience.join(client, ["A"]);
  audience.join(client, []);
  assert.equal(client.subscriptions, 1);
  assert.deepEqual(followersOf(audience, "A"), [client], "once");
  assert.deepEqual(followersOf(audience, "any other"), [client]);
  audience.leave(client, ["A", "A"]);
  assert.equal(client.subscriptions, 2);
  assert.deepEqual(followersOf(audience, "A"), []);
  assert.deepEqual(followersOf(audience, "B"), [client]);
  audience.join(client, ["A", "B"]);
  assert.equal(client.subscriptions, 1);
  assert.deepEqual(followersOf(audience, "A"), [client]);
});

test("those of everything and those of some are apart, so that each gets its own push and nobody both", () => {
  const audience = new Audience(() => true);
  const [all, but, named] = [newClient(), newClient(), newClient()];
  audience.join(all, []);
  audience.join(but, []);
  audience.leave(but, ["B"]);
  audience.join(named, ["A"]);
  const everything: Client[] = [];
  audience.eachOfEverything((client) => everything.push(client));
  const some: Client[] = [];
  audience.eachOfSome("A", (client) => some.push(client));
  assert.deepEqual(everything, [all]);
  assert.deepEqual(some, [named, but]);
});

test("who leaves everything leaves nothing behind", () => {
  const [audience, named, all] = [new Audience(() => true), newClient(), newClient()];
  audience.join(named, ["A", "B"]);
  audience.join(all, []);
  audience.leave(all, ["A"]);
  for (const client of [named, all]) {
    audience.leave(client, []);
    assert.equal(client.subscriptions, 0);
  }
  assert.ok(audience.isEmpty);
  assert.equal(audience.isHeard("A"), false);
});

/** An audience of which A and B are listed. */
function smallAudience() {
  const listed = new Set(["A", "B"]);
  return { audience: new Audience((name) => listed.has(name)), listed };
}

test("a name that is not listed is followed from when it is, and counts until it is left", () => {
  const [{ audience, listed }, client] = [smallAudience(), newClient()];
  assert.equal(audience.unlistedIn(client, ["A", "NEW", "NEWER"], true), 2);
  audience.join(client, ["A", "NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [2, 1]);
  assert.equal(audience.unlistedIn(client, ["NEW"], true), 0, "it is kept already");
  listed.add("NEW");
  assert.deepEqual(followersOf(audience, "NEW"), [client]);
  audience.leave(client, ["NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [1, 0]);
});

test("nothing is kept of a name that can never be listed", () => {
  const [{ audience }, client] = [smallAudience(), newClient()];
  const never = ["", "btcusdt", "A B", "X".repeat(41), "\u{1f600}", "constructor"];
  assert.equal(audience.unlistedIn(client, never, true), 0);
  audience.join(client, never);
  assert.equal(client.subscriptions, 0);
  assert.ok(audience.isEmpty);
});

test("a name left after everything is kept as an exception, listed or not, and taken back by joining", () => {
  const [{ audience }, client] = [smallAudience(), newClient()];
  audience.join(client, []);
  assert.equal(audience.unlistedIn(client, ["NEW"], false), 1);
  assert.equal(audience.unlistedIn(client, ["NEW"], true), 0);
  audience.leave(client, ["NEW", "A", "no name"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [3, 1]);
  audience.join(client, ["NEW"]);
  assert.deepEqual([client.subscriptions, client.unlisted], [2, 0]);
  audience.leave(client, []);
  assert.deepEqual([client.subscriptions, client.unlisted], [0, 0]);
});
