/**
 * Servers of shared quotas that lie or stall: nobody waits for them, nothing ends, and what they say is taken only if
 * it can be.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Ask, SharedQuotas, type Verdict } from "../gateway/limits/shared/shared-quotas.ts";
import { quotaServerAt } from "./quota-server.ts";

const WAIT_MS = 60_000;
const MIB = 1_048_576;
/** Twice what is taken, for what is on its way in buffers of the machine. */
const TAKEN_BYTES_MAX = 16 * MIB;
const ASK: Ask = {
  ...{ bucketKey: "bucket", longKey: undefined, rate: 30, slowestRate: 3, seconds: 1, cost: 1 },
  ...{ poorWindows: 0, isCounted: false },
};

const SOUND = "*7\r\n:1\r\n:29000\r\n:30\r\n:-1\r\n:-1\r\n:-1\r\n:-1\r\n";
const list = (...values: readonly (string | number)[]) => `*${values.length}\r\n${values.map(itemText).join("")}`;
const itemText = (value: string | number) =>
  typeof value === "number" ? `:${value}\r\n` : `$${value.length}\r\n${value}\r\n`;

interface Server {
  readonly port: number;
  /** The answer to a check, and to a beat; a function has the socket for itself. */
  check: string | ((socket: Socket) => void);
  beat: string | ((socket: Socket) => void);
  sent: number;
  close(): Promise<void>;
}

/** Enough of a Redis: it answers scripts, by what a test says. */
async function start(): Promise<Server> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.on("data", (request) => {
      // Requests are lists of texts; each command begins one.
      for (const command of request.toString("latin1").split(/(?=^\*\d+\r\n\$)/m)) {
        const isScript = /^\*\d+\r\n\$\d+\r\nevalsha\r\n/i.test(command) || /\r\neval\r\n/i.test(command);
        const isBeat = command.includes("bourse:nodes");
        const answer = !isScript ? "+OK\r\n" : isBeat ? server.beat : server.check;
        if (/\r\ninfo\r\n/i.test(command)) socket.write("$15\r\nredis_version:7\r\n");
        else if (typeof answer === "string") socket.write(answer);
        else answer(socket);
      }
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const server: Server = {
    port: (listener.address() as AddressInfo).port,
    check: SOUND,
    beat: ":1\r\n",
    sent: 0,
    close: async () => {
      listener.close();
      for (const socket of sockets) socket.destroy();
      await once(listener, "close");
    },
  };
  return server;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const sinceMs = performance.now();
  while (!isSo()) {
    assert.ok(performance.now() - sinceMs < WAIT_MS, `${what} did not come`);
    await pause(10);
  }
}

/** Writes one piece again and again until the connection is gone. */
const forEver =
  (server: Server, head: string, piece: string) =>
  (socket: Socket): void => {
    const pieces = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)));
    let bytes = 0;
    const more = () => {
      while (!socket.destroyed && socket.writable) {
        bytes += pieces.length;
        server.sent = Math.max(server.sent, bytes);
        if (!socket.write(pieces)) return;
      }
    };
    socket.removeAllListeners("data");
    socket.resume();
    socket.on("drain", more);
    socket.write(head);
    more();
  };

const LIES: Readonly<Record<string, (server: Server) => Server["check"]>> = {
  "says nothing": () => () => {},
  "says something else": () => "HTTP/1.1 400 Bad Request\r\n\r\n",
  "says a text": () => "+OK\r\n",
  "says nothing in words": () => "$-1\r\n",
  "says an empty list": () => "*0\r\n",
  "says a list that is too short": () => list(1, 29_000),
  "says a list that is too long": () => list(1, 29_000, 30, -1, -1, -1, -1, 1, 29_000, 30, -1, -1, -1, -1),
  "says texts in the place of numbers": () => list("1", "29000", "30", "-1", "-1", "-1", "-1"),
  "says lists in the place of numbers": () => `*7\r\n${"*1\r\n:1\r\n".repeat(7)}`,
  "gives more than the rate": () => list(1, 30_001, 30, -1, -1, -1, -1),
  "gives another rate": () => list(1, 29_000, 1_000_000, -1, -1, -1, -1),
  "is not sure whether it passes": () => list(7, 29_000, 30, -1, -1, -1, -1),
  "has used less than nothing": () => list(1, 29_000, 30, -9, 0, 0, 0),
  "counts beyond all numbers": () => "*7\r\n:99999999999999999999999999\r\n:1\r\n:30\r\n:-1\r\n:-1\r\n:-1\r\n:-1\r\n",
  "is out of memory": () => "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
  "has lost the script for ever": () => "-NOSCRIPT No matching script.\r\n",
  "says half of it": () => SOUND.slice(0, 20),
  "announces a list without end": () => "*99999999999\r\n",
  "announces a text without end": () => "$99999999999\r\n",
  "announces less than nothing": () => "$-77\r\n*-12\r\n",
  "nests lists": () => "*1\r\n".repeat(200_000),
  "says a text that does not end": (server) => forEver(server, "$2147483647\r\n", "x"),
  "says a line that does not end": (server) => forEver(server, "+", "x"),
  "says numbers for ever": (server) => forEver(server, "*2147483647\r\n", ":1\r\n"),
  "answers once more than it was asked": () => `${SOUND}$-1\r\n`,
  "answers what nobody asked, for ever": (server) => forEver(server, "", "+OK\r\n"),
  "ends the connection": () => (socket) => void socket.end(),
  "ends it in the middle": () => (socket) => void socket.end(SOUND.slice(0, 11)),
  "resets it": () => (socket) => void socket.resetAndDestroy(),
};

// Each waits for beats, which is time and no work.
describe("servers of quotas that lie", { concurrency: true }, () => {
  for (const [name, lieOf] of Object.entries(LIES)) {
    test(`a server of quotas that ${name} takes a node from the others, and the node goes on and comes back`, async (t) => {
      const server = await start();
      const told: string[] = [];
      const shared = await SharedQuotas.open({
        server: quotaServerAt(`redis://127.0.0.1:${server.port}`),
        log: {
          info: () => void told.push("shared"),
          warn: (details: { reason?: string }) => void told.push(String(details.reason)),
        },
        longLimits: [-1, -1, -1, -1],
        // Where it is not the time that tells, a busy machine must not.
        waitMs: name === "says nothing" || name === "says half of it" ? 200 : 5_000,
      });
      t.after(async () => {
        await shared.close();
        await server.close();
      });
      await until("the first sharing", () => shared.isShared);
      const sound = await new Promise<Verdict | undefined>((resolve) => shared.ask(ASK, resolve));
      assert.deepEqual(sound, { passes: true, quota: 29_000, rate: 30, used: undefined });

      server.check = lieOf(server);
      const verdict = await new Promise<Verdict | undefined>((resolve) => shared.ask(ASK, resolve));
      assert.equal(verdict, undefined, "it is decided here");
      assert.ok(!told.at(-1)?.includes("undefined"), told.join("; "));
      assert.ok(told.length >= 2, "the log says why");
      // Time itself: a server that says something without end gets the time to do so.
      await pause(300);
      assert.ok(server.sent < TAKEN_BYTES_MAX, `${server.sent} bytes were taken`);

      server.check = `${SOUND}`;
      await until("the return", () => shared.isShared);
      const again = await new Promise<Verdict | undefined>((resolve) => shared.ask(ASK, resolve));
      assert.ok(again === undefined || again.quota === 29_000);
    });
  }
});

test("an answer that comes after the refused password does not hide what is wrong", async (t) => {
  const sockets: Socket[] = [];
  const listener = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    // The second connection shows that the client is done with the first.
    if (sockets.length > 1) return;
    socket.once("data", () => void socket.write("-WRONGPASS invalid username-password pair or user is disabled.\r\n"));
    socket.once("end", () => void socket.end("-NOAUTH Authentication required.\r\n"));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const quotas = quotaServerAt(`redis://:secret@127.0.0.1:${(listener.address() as AddressInfo).port}`);
  t.after(() => {
    quotas.close();
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  await until("the second connection", () => sockets.length > 1);
  assert.equal(quotas.trouble, "it does not take the password");
});

test("what is told and answered with more than the rate is not taken", async (t) => {
  const server = await start();
  const shared = await SharedQuotas.open({
    server: quotaServerAt(`redis://127.0.0.1:${server.port}`),
    log: { info: () => {}, warn: () => {} },
    longLimits: [-1, -1, -1, -1],
    waitMs: 5_000,
  });
  t.after(async () => {
    await shared.close();
    await server.close();
  });
  await until("the first sharing", () => shared.isShared);
  server.check = list(1, 30_001, 30, -1, -1, -1, -1);
  const settled: number[] = [];
  shared.spend("address", 5, () => ({ rate: 30, settled: (quota) => void settled.push(quota) }));
  await until("the parting", () => !shared.isShared);
  assert.deepEqual(settled, []);
});

test("a server that counts nodes which cannot be is not believed", async (t) => {
  for (const nodes of [":-5\r\n", ":1000000000\r\n", "+many\r\n", "*2\r\n:1\r\n:1\r\n", "$-1\r\n"]) {
    const server = await start();
    server.beat = nodes;
    const reasons: string[] = [];
    const shared = await SharedQuotas.open({
      server: quotaServerAt(`redis://127.0.0.1:${server.port}`),
      log: { info: () => {}, warn: ({ reason }: { reason?: string }) => void reasons.push(String(reason)) },
      longLimits: [-1, -1, -1, -1],
    });
    t.after(async () => {
      await shared.close();
      await server.close();
    });
    assert.equal(shared.isShared, false, nodes);
    assert.equal(shared.share(30), 30, "its part is what it was");
    assert.equal(reasons.length, 1);
  }
});
