import assert from "node:assert/strict";
import { test } from "node:test";
import { Audience } from "./audience.ts";
import { Client } from "./client.ts";

const newClient = () => new Client({ remoteAddress: "", hasRoom: true, send: () => {} });

function followersOf(audience: Audience, name: string): Client[] {
  const clients: Client[] = [];
  audience.each(name, (client) => clients.push(client));
  for (const client of clients) assert.ok(audience.follows(client, name));
  return clients;
}

test("names add up, and each counts once", () => {
  const [audience, client] = [new Audience(), newClient()];
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
  const [audience, client] = [new Audience(), newClient()];
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
  const audience = new Audience();
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
  const [audience, named, all] = [new Audience(), newClient(), newClient()];
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
