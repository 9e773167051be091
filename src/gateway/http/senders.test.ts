import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "./connection.ts";
import { CHECKS_FREE, CONNECTS_PER_SECOND, REFUSALS_FREE, REFUSALS_WINDOW_MS, Senders } from "./senders.ts";

test("fifty refusals in ten seconds cost nothing, each further one the connection, and the next ten seconds begin anew", () => {
  const sender = new Senders().at("192.0.2.1", false);
  for (let count = 0; count < REFUSALS_FREE; count++) assert.equal(sender.refuse(count), false);
  assert.equal(sender.refuse(100), true);
  assert.equal(sender.refuse(REFUSALS_WINDOW_MS - 1), true);
  assert.equal(sender.refuse(REFUSALS_WINDOW_MS), false);
});

test("an address that is refused too often may open ten connections a second, any other as many as it likes", () => {
  const senders = new Senders();
  const [often, other] = ["192.0.2.1", "192.0.2.2"].map((address) => senders.at(address, false));
  assert.ok(often !== undefined && other !== undefined);
  for (let count = 0; count <= REFUSALS_FREE; count++) often.refuse(0);
  const opened = (nowMs: number) => Array.from({ length: 50 }, () => often.mayConnect(nowMs)).filter(Boolean).length;
  assert.equal(opened(1), CONNECTS_PER_SECOND);
  assert.equal(opened(900), 0);
  assert.equal(opened(1_001), CONNECTS_PER_SECOND);
  assert.equal(opened(REFUSALS_WINDOW_MS), 50);
  assert.ok(other.mayConnect(1));
});

test("a thousand health checks in ten seconds cost nothing, further ones count as refusals, and a proxy's never do", () => {
  const senders = new Senders();
  const sender = senders.at("192.0.2.1", false);
  for (let count = 0; count < CHECKS_FREE + REFUSALS_FREE; count++) assert.equal(sender.check(count), false);
  assert.equal(sender.check(2_000), true);
  assert.equal(sender.refuse(2_000), true, "what else it asks is refused with it");
  assert.equal(sender.check(3 * REFUSALS_WINDOW_MS), false);
  const proxy = senders.at("192.0.2.9", true);
  for (let count = 0; count < 3 * CHECKS_FREE; count++) assert.equal(proxy.check(0), false);
});

test("what an address was refused outlives its connections, for as long as it counts and no longer", () => {
  const senders = new Senders();
  const address = "192.0.2.1";
  const first = senders.at(address, false);
  const connection = {} as Connection;
  first.connections.add(connection);
  for (let count = 0; count <= REFUSALS_FREE; count++) first.refuse(0);
  first.connections.delete(connection);
  senders.left(address, first, 1);
  assert.equal(senders.at(address, false).refuse(2), true);
  senders.sweep(REFUSALS_WINDOW_MS);
  assert.equal(senders.size, 0);
  const quiet = senders.at(address, false);
  senders.left(address, quiet, 3);
  assert.equal(senders.size, 0, "nothing is kept of an address that was refused nothing");
});

test("addresses of one network of IPv6 are one, and a proxy, which speaks for many, never loses a connection", () => {
  const senders = new Senders();
  assert.equal(senders.at("2001:db8::1", false), senders.at("2001:db8::2", false));
  assert.notEqual(senders.at("2001:db8::1", false), senders.at("2001:db8:0:1::1", false));
  const proxy = senders.at("192.0.2.9", true);
  assert.notEqual(senders.at("192.0.2.9", true), proxy, "each connection of a proxy has a turn of its own");
  for (let count = 0; count < 10 * REFUSALS_FREE; count++) assert.equal(proxy.refuse(0), false);
});

test("the addresses that are remembered without a connection are bounded", () => {
  const senders = new Senders();
  for (let count = 0; count < 12_000; count++) {
    const address = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    const sender = senders.at(address, false);
    sender.refuse(0);
    senders.left(address, sender, 0);
  }
  assert.ok(senders.size <= 10_001, `${senders.size}`);
});
