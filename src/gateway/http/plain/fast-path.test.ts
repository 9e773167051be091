/**
 * One listener, whose requests come by the fast path or by Node: nobody can tell which, and none is lost, doubled or
 * out of order.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { successText } from "../../envelope/envelope.ts";
import { EnvelopeRenderer } from "../../envelope/renderer.ts";
import { REFUSAL_ROWS } from "../../parts.ts";
import type { HttpLimits } from "../limits.ts";
import type { RequestContext } from "../request-context.ts";
import { routerOf } from "../router.ts";
import { HttpServer, type Methods } from "../server.ts";

/** Requests held back until a test lets them go. */
const held: RequestContext[] = [];
const answerBack = (context: RequestContext) =>
  context.answer(successText({ url: context.target, body: context.body.toString("utf8") }));
const PAGE = Buffer.from("<p>ä</p>");
const router = new Map<string, Methods>([
  [
    "/echo",
    new Map([
      ["GET", answerBack],
      ["POST", answerBack],
    ]),
  ],
  [
    "/hold",
    new Map([
      ["GET", (context: RequestContext) => void held.push(context)],
      ["POST", (context: RequestContext) => void held.push(context)],
    ]),
  ],
  [
    "/page",
    new Map([["GET", (context: RequestContext) => context.answerContent(["Content-Type", "text/html"], PAGE)]]),
  ],
  ["/unchanged", new Map([["GET", (context: RequestContext) => context.answerUnchanged(["ETag", '"1"'])]])],
]);

async function started(limits: Partial<HttpLimits> = {}) {
  const server = new HttpServer({
    router: routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes: router }]),
    log: { error: (details) => assert.fail(JSON.stringify(details)) },
    limits,
  });
  const { port } = await server.listen("127.0.0.1", 0);
  server.open();
  return { server, port };
}

const peers: Peer[] = [];

/** A client that shows what it has been sent. */
class Peer {
  readonly socket: Socket;
  text = "";
  isClosed = false;

  constructor(port: number) {
    peers.push(this);
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.on("error", () => {});
    this.socket.on("data", (piece) => (this.text += piece.toString("utf8")));
    this.socket.on("end", () => (this.isClosed = true));
  }

  async has(holds: (text: string) => boolean): Promise<string> {
    while (!holds(this.text)) {
      assert.ok(!this.isClosed, `The connection was closed behind: ${this.text}`);
      await once(this.socket, "data");
      await delay(0);
    }
    return this.text;
  }

  async closed(): Promise<string> {
    if (!this.isClosed) await once(this.socket, "end");
    return this.text;
  }
}

/** Settles when the server has read what was sent before: it takes what is ready in turns, and this came later. */
async function lookedAround(there = port): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    const peer = new Peer(there);
    peer.socket.write(get("/echo"));
    await peer.has((text) => text.includes('"code":0'));
    peer.socket.destroy();
  }
}

const count = (text: string, part: string) => text.split(part).length - 1;
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: venue\r\n${more}\r\n`;
const post = (body: string) =>
  `POST /echo HTTP/1.1\r\nHost: venue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
/** Node reads it: its target is no plain one. */
const odd = (number: number) => get(`/echo?{${number}}`);
/** What differs from one answer to the next. */
const evenly = (text: string) => text.replace(/Date: [^\r]+/g, "Date").replace(/X-Request-Id: [^\r]+/gi, "Id");

let server: HttpServer;
let port: number;
before(async () => {
  ({ server, port } = await started());
});
after(async () => {
  await server.drain(1_000);
  for (const { socket } of peers) socket.destroy();
});

test("an answer is the same to the byte whoever has read the request", async () => {
  for (const path of ["/echo", "/page", "/unchanged", "/nothing"]) {
    const plain = new Peer(port);
    plain.socket.write(get(path));
    const byNode = new Peer(port);
    byNode.socket.write(get(path, "X-A: 1\r\nX-A: 2\r\n"));
    const isWhole = (text: string) => text.includes("\r\n\r\n") && (path !== "/page" || text.includes("</p>"));
    const answers = [await plain.has(isWhole), await byNode.has(isWhole)].map(evenly);
    assert.match(answers[0] as string, /^HTTP\/1\.1 \d+ [A-Z]/);
    assert.equal(answers[0], answers[1], path);
    for (const { socket } of [plain, byNode]) socket.destroy();
  }
});

test("plain and other requests of a pipeline are answered in their order, in whatever pieces they come", async () => {
  const requests = [get("/echo?1"), post("zwei ä"), odd(3), get("/echo?4"), odd(5), post("6"), get("/echo?7")];
  const bytes = Buffer.from(requests.join(""));
  for (const size of [1, 7, 50, 90, bytes.length]) {
    const peer = new Peer(port);
    for (let at = 0; at < bytes.length; at += size) {
      peer.socket.write(bytes.subarray(at, at + size));
      await delay(0);
    }
    const text = await peer.has((all) => count(all, '"code":0') === requests.length);
    const urls = [...text.matchAll(/"url":"\/echo\??([^"]*)","body":"([^"]*)"/g)].map(
      ([, query, body]) => query + (body ?? ""),
    );
    assert.deepEqual(urls, ["1", "zwei ä", "{3}", "4", "{5}", "6", "7"], `in pieces of ${size}`);
    peer.socket.destroy();
  }
});

test("what is kept of a request stays as it was, whatever other connections send meanwhile", async () => {
  const peers = Array.from({ length: 8 }, () => new Peer(port));
  const first = held.length;
  const hold = (body: string) => post(body).replace("/echo", "/hold");
  for (const [index, { socket }] of peers.entries()) {
    // Two whole requests, and one that is Node's, which waits in the connection until they are answered.
    socket.write(hold(`one ${index}`) + hold(`two ${index}`) + odd(index));
    while (held.length < first + 2 * (index + 1)) await delay(0);
  }
  const others = Array.from({ length: 8 }, () => new Peer(port));
  for (const { socket } of others) socket.write(post("x".repeat(30_000)));
  for (const other of others) await other.has((all) => all.includes("xxx"));
  for (const context of held.splice(first)) answerBack(context);
  for (const [index, peer] of peers.entries()) {
    const text = await peer.has((all) => count(all, '"code":0') === 3);
    const told = [...text.matchAll(/"url":"([^"]*)","body":"([^"]*)"/g)].map(([, url, body]) => `${url} ${body}`);
    assert.deepEqual(told, [`/hold one ${index}`, `/hold two ${index}`, `/echo?{${index}} `]);
  }
  for (const { socket } of [...peers, ...others]) socket.destroy();
});

test("a listener that ends waits for no connection that was closed", async () => {
  const own = await started();
  const peers = Array.from({ length: 4 }, () => new Peer(own.port));
  for (const [index, { socket }] of peers.entries()) socket.write(index % 2 === 0 ? get("/echo?1") : odd(1));
  for (const peer of peers) await peer.has((all) => all.includes('"code":0'));
  for (const { socket } of peers) socket.end();
  for (const peer of peers) await peer.closed();
  const begun = performance.now();
  await own.server.drain(60_000);
  assert.ok(performance.now() - begun < 30_000, "it waited for its deadline");
});

test("answers go out in the order of their requests, whatever order they are given in", async () => {
  const peer = new Peer(port);
  peer.socket.write(get("/hold") + get("/echo?2") + get("/hold") + get("/echo?4"));
  while (held.length < 2) await delay(1);
  const [first, third] = held.splice(0) as [RequestContext, RequestContext];
  third.answer(successText({ url: "/echo?3" }));
  await lookedAround();
  assert.equal(peer.text, "");
  first.answer(successText({ url: "/echo?1" }));
  const text = await peer.has((all) => count(all, '"code":0') === 4);
  assert.deepEqual(
    [...text.matchAll(/echo\?(\d)/g)].map(([, digit]) => digit),
    ["1", "2", "3", "4"],
  );
  peer.socket.destroy();
});

test("what is not plain waits until all before it is answered", async () => {
  const peer = new Peer(port);
  peer.socket.write(get("/hold") + odd(2).slice(0, 10));
  while (held.length < 1) await delay(1);
  peer.socket.write(odd(2).slice(10) + get("/echo?3"));
  await lookedAround();
  assert.equal(peer.text, "");
  held.splice(0)[0]?.answer(successText({ url: "/echo?1" }));
  const text = await peer.has((all) => count(all, '"code":0') === 3);
  assert.deepEqual(
    [...text.matchAll(/echo\?\{?(\d)/g)].map(([, digit]) => digit),
    ["1", "2", "3"],
  );
  peer.socket.destroy();
});

test("who closes his sending side still gets his answer, and then the connection ends", async () => {
  const peer = new Peer(port);
  peer.socket.end(get("/hold"));
  while (held.length < 1) await delay(1);
  held.splice(0)[0]?.answer(successText({ late: true }));
  assert.match(await peer.closed(), /"late":true/);
});

test("behind a sending side that is closed each answer of a pipeline comes, and the last one alone says that it is", async () => {
  const peer = new Peer(port);
  peer.socket.end(get("/hold") + get("/hold"));
  while (held.length < 2) await delay(1);
  await lookedAround();
  for (const context of held.splice(0)) context.answer(successText({ late: true }));
  const answers = (await peer.closed()).split("HTTP/1.1 200 OK").slice(1);
  assert.deepEqual(
    answers.map((text) => text.includes("Connection: close")),
    [false, true],
  );
});

test("who asks nothing within the time of a head is told so", async () => {
  const { server: hasty, port: there } = await started({ headTimeoutMs: 100 });
  const peer = new Peer(there);
  assert.match(await peer.closed(), /^HTTP\/1\.1 408 /);
  const partly = new Peer(there);
  partly.socket.write("GET /echo HTTP/1.1\r\n");
  assert.match(await partly.closed(), /^HTTP\/1\.1 408 /);
  await hasty.drain(1_000);
});

test("a listener that drains answers what is under way and ends idle connections", async () => {
  const { server: ending, port: there } = await started();
  const idle = new Peer(there);
  idle.socket.write(get("/echo"));
  await idle.has((text) => text.includes('"code":0'));
  const busy = new Peer(there);
  busy.socket.write(get("/hold"));
  while (held.length < 1) await delay(1);
  const drained = ending.drain(10_000);
  await idle.closed();
  held.splice(0)[0]?.answer(successText({ last: true }));
  const text = await busy.closed();
  assert.match(text, /Connection: close\r\n/);
  assert.match(text, /"last":true/);
  for (const { socket } of [idle, busy]) socket.destroy();
  await drained;
});

test("a reader that takes nothing does not let answers pile up", async () => {
  const { server: bounded, port: there } = await started({ untakenBytesMax: 4_096 });
  const peer = new Peer(there);
  const body = "x".repeat(60_000);
  const asked = 300;
  for (let sent = 0; sent < asked; sent++) peer.socket.write(post(body));
  peer.socket.pause();
  await lookedAround(there);
  peer.socket.resume();
  const text = await peer.has((all) => count(all, '"code":0') === asked);
  assert.ok(text.length > asked * body.length);
  peer.socket.destroy();
  await bounded.drain(1_000);
});

test("heads and bodies that lie across what is made a text at once are read as any other", async () => {
  // Each a little longer than the one before, so that in one of them every part of a head lies across.
  const paths = Array.from({ length: 300 }, (_, at) => `/echo?${"x".repeat(at % 97)}${at}`);
  const bodies = [4_000, 4_096, 5_000, 9_000, 30_000].map((length) => "b".repeat(length));
  const requests = [...paths.map((path) => get(path)), ...bodies.map(post), get("/echo?last")];
  const peer = new Peer(port);
  peer.socket.write(requests.join(""));
  const text = await peer.has((text) => count(text, "HTTP/1.1 200") === requests.length);
  assert.deepEqual(
    [...text.matchAll(/"url":"(\/echo[^"]*)"/g)].map(([, url]) => url),
    [...paths, ...bodies.map(() => "/echo"), "/echo?last"],
  );
  assert.deepEqual(
    [...text.matchAll(/"body":"(b+)"/g)].map(([, body]) => body?.length),
    bodies.map(({ length }) => length),
  );
  // A head as long as one may be, behind others.
  const long = get("/echo?behind", `X-Long: ${"y".repeat(15_000)}\r\n`);
  peer.socket.write(get("/echo?before") + long + get("/echo?after"));
  await peer.has((text) => text.includes("/echo?after"));
  assert.ok(peer.text.indexOf("/echo?before") < peer.text.indexOf("/echo?behind"));
  peer.socket.destroy();
});
