import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { successText } from "../envelope/envelope.ts";
import { EnvelopeRenderer } from "../envelope/renderer.ts";
import { REFUSAL_ROWS } from "../parts.ts";
import type { HttpLimits } from "./limits.ts";
import type { RequestContext } from "./request-context.ts";
import { routerOf } from "./router.ts";
import { HttpServer, type Methods, type Upgrades } from "./server.ts";

const failures: { reference: string; err: Error }[] = [];
const log = { error: (details: object) => void failures.push(details as (typeof failures)[number]) };

/** Above what a busy machine takes to make a connection and send on it. */
const STALL_MS = 2_000;

/** Requests held back until a test lets them go. */
const held: RequestContext[] = [];
const router = new Map<string, Methods>([
  [
    "/echo",
    new Map([["POST", (context: RequestContext) => context.answer(successText({ bytes: context.body.length }))]]),
  ],
  [
    "/text",
    new Map([
      ["POST", (context: RequestContext) => context.answer(successText({ text: context.body.toString("utf8") }))],
    ]),
  ],
  ["/query", new Map([["GET", (context: RequestContext) => context.answer(successText({ query: context.query }))]])],
  ["/hold", new Map([["GET", (context: RequestContext) => void held.push(context)]])],
  [
    "/throw",
    new Map([
      [
        "GET",
        () => {
          throw new Error("the vault is on fire");
        },
      ],
    ]),
  ],
]);

async function startServer(limits: Partial<HttpLimits> = {}, open = true, upgrades?: Upgrades) {
  const server = new HttpServer({
    router: routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes: router }]),
    log,
    limits,
    ...(upgrades && { upgrades }),
  });
  const { port } = await server.listen("127.0.0.1", 0);
  if (open) server.open();
  return { server, port };
}

/** Sends bytes as they are and reads until the server closes, or until `enough` holds. */
/** Settles when the server has read what was sent before: it takes what is ready in turns, and this came later. */
async function lookedAround(port: number, path = "/query"): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await converse(port, request(`GET ${path} HTTP/1.1\n${host}\nConnection: close`));
  }
}

async function converse(port: number, sent: string | Buffer, enough?: (text: string) => boolean): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    text += piece;
    if (enough?.(text)) socket.destroy();
  });
  socket.write(sent);
  await once(socket, "close");
  return text;
}

const request = (head: string, body = "") => `${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`;
const host = "Host: venue";

describe("a serving listener", () => {
  let server: HttpServer;
  let port: number;
  before(async () => {
    ({ server, port } = await startServer());
  });
  after(() => server.drain(1_000));

  test("a body of exactly 128 KiB is taken, in one piece and in chunks", async () => {
    const full = "a".repeat(131_072);
    const whole = request(`POST /echo HTTP/1.1\n${host}\nContent-Length: 131072`, full);
    assert.deepEqual(bodyOf(await converse(port, whole, complete)).data, { bytes: 131_072 });
    const chunked = request(
      `POST /echo HTTP/1.1\n${host}\nTransfer-Encoding: chunked`,
      `20000\r\n${full}\r\n0\r\n\r\n`,
    );
    assert.deepEqual(bodyOf(await converse(port, chunked, complete)).data, { bytes: 131_072 });
  });

  test("the refusal of a large body reaches a client that sends all of it first", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/echo`, { method: "POST", body: "a".repeat(4_000_000) });
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as { code: number }).code, 4004);
  });

  test("a body in many pieces arrives whole", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    socket.write(request(`POST /text HTTP/1.1\n${host}\nConnection: close\nContent-Length: 6`));
    for (const piece of ["a", "b", "cd", "ef"]) {
      socket.write(piece);
      await lookedAround(port);
    }
    assert.deepEqual(bodyOf(await textOf(socket)).data, { text: "abcdef" });
  });

  test("a client that asks first is told to go on", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(request(`POST /text HTTP/1.1\n${host}\nConnection: close\nExpect: 100-continue\nContent-Length: 2`));
    const [first] = (await once(socket, "data")) as [Buffer];
    assert.match(first.toString(), /^HTTP\/1.1 100 /);
    socket.write("{}");
    assert.deepEqual(bodyOf(await textOf(socket)).data, { text: "{}" });
  });

  test("an unknown expectation is passed over", async () => {
    const text = await converse(port, request(`GET /query?a HTTP/1.1\n${host}\nExpect: miracles`), complete);
    assert.match(text, /^HTTP\/1.1 200 /);
  });

  test("an answer carries its length and the type of JSON", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/query?a=%C3%A9`);
    const text = await response.text();
    assert.equal(response.headers.get("content-type"), "application/json; charset=utf-8");
    assert.equal(response.headers.get("content-length"), `${text.length}`);
    assert.deepEqual(JSON.parse(text), { code: 0, data: { query: "a=%C3%A9" }, message: "OK" });
  });

  test("an unknown path gets 404 with an envelope and keeps the connection", async () => {
    const text = await converse(
      port,
      request(`POST /nowhere HTTP/1.1\n${host}\nContent-Length: 2`, "{}") +
        request(`GET /query?b HTTP/1.1\n${host}\nConnection: close`),
    );
    assert.match(text, /^HTTP\/1.1 404 .*"code":4004,"data":\{\}.*HTTP\/1.1 200 /s);
  });

  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    test(`${method} on a path that takes POST gets code 4009 with HTTP status 200`, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/echo`, { method });
      assert.equal(response.status, 200);
      assert.deepEqual(((await response.json()) as { code: number }).code, 4009);
    });
  }

  test("HEAD gets an answer without a body", async () => {
    const text = await converse(port, request(`HEAD /echo HTTP/1.1\n${host}\nConnection: close`));
    assert.match(text, /^HTTP\/1.1 200 .*\r\n\r\n$/s);
  });

  test("pipelined requests are answered in their order, however late the first is", async () => {
    const socket = connect(port, "127.0.0.1");
    const get = (target: string) => request(`GET ${target} HTTP/1.1\n${host}`);
    socket.write(get("/hold") + get("/query?2") + request(`GET /query?3 HTTP/1.1\n${host}\nConnection: close`));
    await until(() => held.length === 1);
    held.pop()?.answer(successText({ query: "1" }));
    const order = [...(await textOf(socket)).matchAll(/"query":"(\d)"/g)].map((match) => match[1]);
    assert.deepEqual(order, ["1", "2", "3"]);
  });

  test("each request of a pipeline gets its own body, whole or chunked or none", async () => {
    const post = (head: string, body: string) => request(`POST /text HTTP/1.1\n${host}\n${head}`, body);
    const sent =
      post("Content-Length: 3", "one") +
      post("Transfer-Encoding: chunked", "2\r\ntw\r\n1\r\no\r\n0\r\n\r\n") +
      post("Content-Length: 0", "") +
      request(`POST /text HTTP/1.1\n${host}`) +
      post("Connection: close\nContent-Length: 4", "four");
    const texts = [...(await converse(port, sent)).matchAll(/"text":"(\w*)"/g)].map((match) => match[1]);
    assert.deepEqual(texts, ["one", "two", "", "", "four"]);
  });

  test("rubbish behind a running request waits for its answer", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`${request(`GET /hold HTTP/1.1\n${host}`)}rubbish\r\n\r\n`);
    await until(() => held.length === 1);
    await lookedAround(port);
    held.pop()?.answer(successText({ late: true }));
    assert.match(await textOf(socket), /^HTTP\/1.1 200 .*"late":true.*HTTP\/1.1 400 .*"code":4004/s);
  });

  test("a client that closed its sending side still gets its answer", async () => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end(request(`GET /hold HTTP/1.1\n${host}`));
    await until(() => held.length === 1);
    await lookedAround(port);
    held.pop()?.answer(successText({ late: true }));
    assert.match(await textOf(socket), /"late":true/);
  });

  test("an answer to a client that is gone does no harm", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(request(`GET /hold HTTP/1.1\n${host}`));
    await until(() => held.length === 1);
    socket.destroy();
    await lookedAround(port);
    held.pop()?.answer(successText({}));
    assert.equal((await fetch(`http://127.0.0.1:${port}/query`)).status, 200);
  });

  test("an upload that breaks off does no harm", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(request(`POST /echo HTTP/1.1\n${host}\nContent-Length: 100`, "half"));
    await lookedAround(port);
    socket.resetAndDestroy();
    await lookedAround(port);
    assert.equal((await fetch(`http://127.0.0.1:${port}/query`)).status, 200);
  });

  test("a service that throws is answered with 4003 and a reference, and nothing of the error shows", async () => {
    const response = await fetch(`http://127.0.0.1:${port}/throw`);
    assert.equal(response.status, 200);
    const { code, message } = (await response.json()) as { code: number; message: string };
    assert.equal(code, 4003);
    const failure = failures.at(-1);
    assert.ok(failure && message.includes(failure.reference));
    assert.equal(failure.err.message, "the vault is on fire");
    assert.doesNotMatch(message, /vault|\bat\b/);
  });

  test("a request that is answered twice is a bug that says so", async () => {
    const answer = fetch(`http://127.0.0.1:${port}/hold`);
    await until(() => held.length === 1);
    const context = held.pop() as RequestContext;
    context.answer(successText({}));
    assert.throws(() => context.answer(successText({})), /answered twice/);
    await (await answer).text();
  });
});

test("a request that does not come whole in time gets 408", async () => {
  const { server, port } = await startServer({ headTimeoutMs: 60, requestTimeoutMs: 120 });
  for (const half of ["GET /query HT", `POST /echo HTTP/1.1\r\n${host}\r\nContent-Length: 10\r\n\r\nhalf`]) {
    assert.match(await converse(port, half), /^HTTP\/1.1 408 .*Connection: close.*"code":4004/s);
  }
  await server.drain(1_000);
});

test("an idle connection is closed after the keep-alive time", async () => {
  const { server, port } = await startServer({ keepAliveTimeoutMs: 30 });
  const text = await converse(port, request(`GET /query HTTP/1.1\n${host}`));
  assert.match(text, /^HTTP\/1.1 200 /);
  await server.drain(1_000);
});

test("a connection on which something is under way is not idle, however long that takes", async () => {
  const { server, port } = await startServer({ keepAliveTimeoutMs: 30 });
  const socket = connect(port, "127.0.0.1");
  const get = request(`GET /query HTTP/1.1\n${host}`);
  socket.write(get + request(`POST /text HTTP/1.1\n${host}\nContent-Length: 4`, "lo"));
  const [first] = (await once(socket, "data")) as [Buffer];
  assert.match(first.toString(), /^HTTP\/1.1 200 .*\r\nConnection: keep-alive\r\nKeep-Alive: timeout=0\r\n/s);
  const running = connect(port, "127.0.0.1");
  running.write(request(`GET /hold HTTP/1.1\n${host}`));
  await until(() => held.length === 1);
  // Idle ones come and go meanwhile.
  for (let count = 0; count < 3; count++) await converse(port, get);
  socket.write("ng");
  assert.match(await textOf(socket), /"text":"long"/);
  held.pop()?.answer(successText({ late: true }));
  assert.match(await textOf(running), /"late":true/);
  await server.drain(1_000);
});

test("a connection that was upgraded behind an answer is not idle", async () => {
  const taken: Socket[] = [];
  const upgrades = {
    claims: () => true,
    accept: (_request: unknown, _path: string, socket: Socket) => void taken.push(socket),
    ...{ start() {}, turnOut() {}, beginAnew() {}, goAway() {}, cut() {} },
  };
  const { server, port } = await startServer({ keepAliveTimeoutMs: 30 }, true, upgrades);
  const get = request(`GET /query HTTP/1.1\n${host}`);
  const socket = connect(port, "127.0.0.1");
  socket.write(get + request(`GET /socket HTTP/1.1\n${host}\nConnection: upgrade\nUpgrade: websocket`));
  await until(() => taken.length === 1);
  for (let count = 0; count < 3; count++) await converse(port, get);
  assert.equal(taken[0]?.destroyed, false);
  socket.destroy();
  taken[0]?.destroy();
  await server.drain(1_000);
});

test("connections beyond the cap are closed at once", async () => {
  const { server, port } = await startServer({ connectionsMax: 1 });
  const first = connect(port, "127.0.0.1");
  await once(first, "connect");
  assert.equal(await converse(port, request(`GET /query HTTP/1.1\n${host}`)), "");
  first.destroy();
  await server.drain(1_000);
});

test("a connection with too many unanswered requests is not read until they are answered", async () => {
  const { server, port } = await startServer({ pipelinedMax: 4 });
  const socket = connect(port, "127.0.0.1");
  const get = request(`GET /hold HTTP/1.1\n${host}`);
  socket.write(get.repeat(4));
  await until(() => held.length === 4);
  socket.write(get.repeat(4));
  await lookedAround(port);
  assert.equal(held.length, 4);
  for (const context of held.splice(0)) context.answer(successText({}));
  await until(() => held.length === 4);
  for (const context of held.splice(0)) context.answer(successText({}));
  socket.destroy();
  await server.drain(1_000);
});

test("what was sent while the process stood still is read before its sender is late", async () => {
  const vouched = (context: RequestContext) => {
    context.connection.vouch();
    context.answer(successText({ in: true }));
  };
  const routes = new Map<string, Methods>([["/in", new Map([["GET", vouched]])]]);
  for (const limits of [{ guestMs: STALL_MS }, { headTimeoutMs: STALL_MS }]) {
    const server = new HttpServer({
      router: routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes }]),
      log,
      limits,
    });
    const { port } = await server.listen("127.0.0.1", 0);
    server.open();
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    // The listener takes the connection.
    await lookedAround(port, "/in");
    // Behind it the timers come first.
    await new Promise((resolve) => setImmediate(resolve));
    socket.write(request(`GET /in HTTP/1.1\n${host}\nConnection: close`));
    const end = performance.now() + STALL_MS + 100;
    while (performance.now() < end);
    assert.match(await textOf(socket), /^HTTP\/1.1 200 .*"in":true/s, JSON.stringify(limits));
    await server.drain(1_000);
  }
});

test("before it is open a listener answers 503 with 4001", async () => {
  const { server, port } = await startServer({}, false);
  const response = await fetch(`http://127.0.0.1:${port}/query`);
  assert.equal(response.status, 503);
  assert.equal(((await response.json()) as { code: number }).code, 4001);
  await server.drain(1_000);
});

test("draining finishes what runs, refuses what comes and closes", async () => {
  const { server, port } = await startServer();
  const running = connect(port, "127.0.0.1");
  const open = connect(port, "127.0.0.1");
  running.write(request(`GET /hold HTTP/1.1\n${host}`));
  open.write(`GET /query HTTP/1.1\r\n${host}\r\n`);
  await until(() => held.length === 1);
  await lookedAround(port);
  const drained = server.drain(5_000);
  open.write("\r\n");
  assert.match(await textOf(open), /^HTTP\/1.1 503 .*Connection: close.*"code":4001/s);
  await assert.rejects(once(connect(port, "127.0.0.1"), "connect"), { code: "ECONNREFUSED" });
  held.pop()?.answer(successText({ done: true }));
  assert.match(await textOf(running), /Connection: close.*"done":true/s);
  await drained;
});

test("draining cuts what does not finish in time", async () => {
  const { server, port } = await startServer();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(request(`GET /hold HTTP/1.1\n${host}`));
  await until(() => held.length === 1);
  held.pop();
  await server.drain(50);
  assert.equal(socket.destroyed || (await once(socket, "close")).length >= 0, true);
});

function bodyOf(text: string): { code: number; data: unknown } {
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as { code: number; data: unknown };
}

function complete(text: string): boolean {
  return text.endsWith("}");
}

async function textOf(socket: Socket): Promise<string> {
  let text = "";
  socket.on("error", () => {});
  socket.on("data", (piece) => {
    text += piece;
  });
  if (!socket.destroyed) await once(socket, "close");
  return text;
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 1_000, "waited too long");
    await delay(2);
  }
}
