import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { test } from "node:test";
import { Connections } from "./connections.ts";
import { HTTP_LIMITS } from "./limits.ts";
import { NO_PROXIES } from "./proxies.ts";
import type { Renderer } from "./renderer.ts";
import { NamingObserver } from "./request-observer.ts";

/** As much of a socket as is looked at. */
class Peer extends EventEmitter {
  destroyed = false;
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

const renderer: Renderer = { render: () => ({ status: 200, code: 0, body: "" }) };

function connectionsOf(connectionsPerAddressMax: number, connectionsMax = HTTP_LIMITS.connectionsMax) {
  const limits = { ...HTTP_LIMITS, connectionsPerAddressMax, connectionsMax };
  const observer = new NamingObserver();
  const connections = new Connections({ limits, renderer, proxies: NO_PROXIES, observer }, () => {});
  const connect = (address: string) => {
    const peer = new Peer(address);
    const sender = connections.admit(peer as unknown as Socket);
    if (sender !== undefined) connections.take(peer as unknown as Socket, sender);
    return peer;
  };
  return { connections, connect };
}

test("an address has so many connections and no more, and others do not notice", () => {
  const { connections, connect } = connectionsOf(2);
  const first = connect("192.0.2.1");
  assert.deepEqual(
    [first, connect("::ffff:192.0.2.1"), connect("192.0.2.1")].map((peer) => peer.destroyed),
    [false, false, true],
  );
  assert.equal(connect("192.0.2.2").destroyed, false);
  assert.equal(connect("2001:db8::1").destroyed, false);
  first.destroy();
  assert.equal(connect("192.0.2.1").destroyed, false);
  assert.equal(connect("192.0.2.1").destroyed, true, "one that was turned away frees no place");
  connections.close();
});

test("where all places are taken, the address with the most gives its oldest up for one with fewer, and gets none itself", () => {
  const { connections, connect } = connectionsOf(100, 20);
  const greedy = Array.from({ length: 18 }, () => connect("192.0.2.1"));
  const others = ["192.0.2.2", "192.0.2.3"].map(connect);
  assert.equal(connect("192.0.2.1").destroyed, true, "it has the most itself");
  const late = connect("192.0.2.4");
  assert.deepEqual(
    [...others, late].map((peer) => peer.destroyed),
    [false, false, false],
  );
  assert.deepEqual(
    greedy.map((peer) => peer.destroyed),
    [true, ...Array.from({ length: 17 }, () => false)],
  );
  // Many addresses with one each: then there is no room.
  for (let at = 5; at < 60; at++) connect(`192.0.2.${at}`);
  assert.equal(connect("192.0.2.200").destroyed, true);
  connections.close();
});

test("connections of the machine itself are not counted", () => {
  const { connections, connect } = connectionsOf(1);
  for (const address of ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"]) {
    for (let count = 0; count < 3; count++) assert.equal(connect(address).destroyed, false, address);
  }
  connections.close();
});
