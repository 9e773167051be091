/** The relay outlives whatever a client's program and a venue do to their connections. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { Relay } from "../../src/lab/conform/relay.ts";
import { ENDINGS, knows, type Listener, STATES } from "../support/connection-states.ts";
import { Peer } from "../support/peer.ts";
import { endBy } from "../support/severed.ts";

/** What a venue does with a connection on which something is asked. */
type Action = (socket: Socket) => void;
const WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const answers: Action = (socket) => void socket.write(WHOLE);

describe("the relay", () => {
  let venue: Server;
  let relay: Relay;
  let at: Listener;
  let action = answers;
  before(async () => {
    venue = createServer((socket) => {
      socket.on("error", () => {}).on("data", () => action(socket));
    }).listen(0, "127.0.0.1");
    await once(venue, "listening");
    relay = await Relay.open(`http://127.0.0.1:${(venue.address() as AddressInfo).port}`, {
      onRequest: () => "pass",
      onAnswer: (_, answer) => answer,
      onSocket: () => {},
    });
    at = {
      name: "relay",
      to: { host: "127.0.0.1", port: Number(new URL(relay.url).port) },
      ...{ small: "/v2/ping", large: "/openapi.json", taking: "/v2/spot/order", socketPath: "/v2/spot", signed: "" },
      // It cuts and answers some states as Node does, and a proxy may as well.
      isProxied: true,
    };
  });
  after(async () => {
    await relay.close();
    venue.close();
  });

  const ask = () => fetch(`${relay.url}/v2/ping`, { headers: { connection: "close" } });

  test("lives on when a program leaves it in any state of a connection", async () => {
    for (const state of STATES.filter((each) => knows(at, each))) {
      for (const ending of ENDINGS) {
        const peer = await Peer.open(at.to);
        await state.bring(peer, at);
        if (ending === "stall") peer.reset();
        else if (ending === "half-close") {
          peer.halfClose();
          peer.close();
        } else await endBy(ending, peer);
      }
      assert.equal((await ask()).status, 200, state.name);
    }
  });

  const ACTIONS: Readonly<Record<string, Action>> = {
    "resets the connection at once": (socket) => socket.resetAndDestroy(),
    "resets within the head of its answer": (socket) => {
      socket.write(WHOLE.slice(0, 20), () => socket.resetAndDestroy());
    },
    "resets within the body of its answer": (socket) => {
      socket.write(WHOLE.replace(": 2", ": 200"), () => setImmediate(() => socket.resetAndDestroy()));
    },
    "resets behind its answer": (socket) => {
      socket.write(WHOLE, () => setImmediate(() => socket.resetAndDestroy()));
    },
    "answers no HTTP": (socket) => void socket.end("hello\r\n\r\n"),
    "closes without an answer": (socket) => void socket.end(),
    "upgrades unasked": (socket) =>
      void socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  };
  for (const [name, its] of Object.entries(ACTIONS)) {
    test(`lives on when a venue ${name}`, async () => {
      for (let round = 0; round < 20; round++) {
        action = its;
        await ask()
          .then((answer) => answer.text())
          .catch(() => {});
        const shaken = await Peer.open(at.to);
        shaken.write(
          "GET /v2/spot HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: " +
            "websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        );
        await shaken.over();
        shaken.close();
        action = answers;
        assert.equal((await ask()).status, 200);
      }
    });
  }

  test("takes no more of a body than a venue does, whether or not its length is told", async () => {
    const piece = "8000\r\n".concat("x".repeat(0x8000), "\r\n");
    const peer = await Peer.open(at.to);
    peer.write("POST /v2/spot/order HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    const sending = setInterval(() => peer.write(piece), 1);
    await peer.until(/HTTP\/1\.1 413 .*"code":4004/s);
    clearInterval(sending);
    await peer.over();
    peer.close();
    assert.equal((await ask()).status, 200);
  });

  test("ends the connection behind which a venue's answer does not end", async () => {
    const piece = Buffer.alloc(1_048_576, 0x20);
    for (const length of ["Content-Length: 4000000000", "Connection: close"]) {
      const ended = Promise.withResolvers<void>();
      action = (socket) => {
        socket.once("close", () => ended.resolve());
        socket.write(`HTTP/1.1 200 OK\r\n${length}\r\n\r\n`);
        const more = () => {
          if (!socket.destroyed) socket.write(piece, () => setImmediate(more));
        };
        more();
      };
      await assert.rejects(ask().then((answer) => answer.text()));
      await ended.promise;
    }
    action = answers;
    assert.equal((await ask()).status, 200);
  });
});
