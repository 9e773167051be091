import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Failures } from "../../src/gateway/auth/failures.ts";
import { successText } from "../../src/gateway/envelope/envelope.ts";
import { EnvelopeRenderer } from "../../src/gateway/envelope/renderer.ts";
import type { HttpLimits } from "../../src/gateway/http/limits.ts";
import { NodeRequest } from "../../src/gateway/http/node-request-context.ts";
import type { RequestContext } from "../../src/gateway/http/request-context.ts";
import { routerOf } from "../../src/gateway/http/router.ts";
import { HttpServer } from "../../src/gateway/http/server.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { request } from "./http-shapes.ts";

const LARGE = Buffer.alloc(100_000, "a");
/** More than the buffers of both sides hold. */
const HUGE = Buffer.alloc(64_000_000, "a");

describe("slow peers and greedy ones", () => {
  let server: HttpServer;
  let port: number;
  let large = 0;
  const sockets: Socket[] = [];
  const stalls = () => new Failures({ what: "bodies", log: { warn: () => {} }, waitMaxMs: 300 });

  async function serve(limits: Partial<HttpLimits>, stalls?: Failures): Promise<void> {
    const services: Readonly<Record<string, (context: RequestContext) => void>> = {
      "/small": (context) => context.answer(successText({})),
      "/large": (context) => {
        large++;
        context.answerContent(["Content-Type", "text/plain"], LARGE);
      },
      "/huge": (context) => context.answerContent(["Content-Type", "text/plain"], HUGE),
    };
    const routes = new Map(
      Object.entries(services).map(([path, service]) => [
        path,
        new Map([
          ["GET", service],
          ["POST", service],
        ]),
      ]),
    );
    const router = routerOf([{ base: "", renderer: new EnvelopeRenderer(REFUSAL_ROWS), routes }]);
    large = 0;
    server = new HttpServer({ router, log: { error: () => assert.fail("nothing may fail") }, limits, stalls });
    ({ port } = await server.listen("127.0.0.1", 0));
    server.open();
  }

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.drain(1_000);
  });

  /** Sends `first`, then `more` byte by byte for as long as the connection lives. Reads nothing unless `reads`. */
  function peer(
    first: string,
    more: string,
    reads = true,
  ): { readonly socket: Socket; readonly cut: Promise<unknown> } {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {});
    if (reads) socket.resume();
    else socket.pause();
    socket.write(first);
    const cut = closed(socket);
    let at = 0;
    const dripping = setInterval(() => socket.writable && socket.write(more[at++ % more.length] as string), 10);
    socket.once("close", () => clearInterval(dripping));
    return { socket, cut };
  }

  const get = (path: string) => request(`GET ${path} HTTP/1.1\nHost: venue`);

  test("slow heads, slow bodies and readers that do not read are cut, while honest requests are answered", async () => {
    // On a busy machine this very process stands still for a while, and an honest request is as late as that.
    await serve({ headTimeoutMs: 1_000, requestTimeoutMs: 2_000, answerTimeoutMs: 1_500, keepAliveTimeoutMs: 30_000 });
    const slow: ReturnType<typeof peer>[] = [];
    for (let count = 0; count < 20; count++) {
      slow.push(peer("GET /small HTTP/1.1\r\nHost: venue\r\nX-Long: ", "a"));
      slow.push(peer(request("POST /small HTTP/1.1\nHost: venue\nContent-Length: 100000"), "a"));
      slow.push(peer(request("POST /small HTTP/1.1\nHost: venue\nTransfer-Encoding: chunked"), "1\r\na\r\n"));
      slow.push(peer("", "\r\n"));
    }
    for (let count = 0; count < 4; count++) slow.push(peer(get("/huge"), "\r\n", false));
    let cut = false;
    const all = Promise.all(slow.map((each) => each.cut)).then(() => {
      cut = true;
    });
    let honest = 0;
    while (!cut) {
      const response = await fetch(`http://127.0.0.1:${port}/small`);
      assert.equal(response.status, 200);
      await response.text();
      honest++;
      await delay(10);
    }
    await all;
    assert.ok(honest > 0);
  });

  test("a reader that takes a little now and then is cut, one that takes answer after answer is not", async () => {
    await serve({ answerTimeoutMs: 1_500 });
    const trickling = peer(get("/huge"), "\r\n");
    trickling.socket.on("data", () => {
      trickling.socket.pause();
      setTimeout(() => trickling.socket.resume(), 20).unref();
    });
    const steady = connect(port, "127.0.0.1");
    sockets.push(steady);
    let bytes = 0;
    steady.on("data", (piece) => {
      bytes += piece.length;
    });
    const asking = setInterval(() => steady.write(get("/large").repeat(2)), 10);
    await trickling.cut;
    clearInterval(asking);
    assert.ok(trickling.socket.bytesRead < HUGE.length, "the answer was not taken in time");
    assert.equal(steady.destroyed, false);
    while (bytes < large * LARGE.length) await delay(5);
  });

  test("answers that nobody takes hold back the requests behind them, and all come in the end", async () => {
    await serve({});
    const requests = 1_200;
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.pause();
    socket.write(get("/large").repeat(requests - 1) + request("GET /large HTTP/1.1\nHost: venue\nConnection: close"));
    let before = -1;
    while (large === 0 || large !== before) {
      before = large;
      await delay(100);
    }
    assert.ok(large < requests / 3, `${large} of ${requests} were served to somebody who takes nothing`);
    let answers = 0;
    let rest = "";
    socket.on("data", (piece: Buffer) => {
      const text = rest + piece.toString("latin1");
      answers += text.split("HTTP/1.1 200 OK").length - 1;
      // The end may hold the beginning of the words that are counted, and never all of them.
      rest = text.slice(-14).replaceAll("HTTP/1.1 200 OK", "");
    });
    socket.resume();
    await closed(socket);
    assert.equal(answers, requests);
  });

  test("rubbish behind many held requests is refused after all of them, whatever they ask", async () => {
    await serve({ pipelinedMax: 4, untakenBytesMax: 1_000 });
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    let text = "";
    socket.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
    });
    socket.write(`${(get("/small") + get("/nowhere")).repeat(100)}rubbish\r\n\r\n`);
    await closed(socket);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));
    const expected = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? 200 : 404));
    assert.deepEqual(statuses, [...expected, 400]);
  });

  test("what is malformed in a pipeline swallows no answer before it, whoever reads the connection and whoever takes the answers", async () => {
    await serve({});
    // Node's parser reads a request with such a header, and all behind it.
    const parsed = "GET /small HTTP/1.1\nHost: venue\nTE: trailers";
    const rubbish: readonly (readonly [what: string, sent: string])[] = [
      ["no HTTP", "rubbish\r\n\r\n"],
      ["a bad chunk", request("POST /small HTTP/1.1\nHost: venue\nTransfer-Encoding: chunked", "zz\r\n")],
      ["two lengths", request("POST /small HTTP/1.1\nHost: venue\nContent-Length: 1\nContent-Length: 2", "ab")],
      ["no proxy", request("CONNECT venue:443 HTTP/1.1\nHost: venue")],
      ["no host", request("GET /small HTTP/1.1\nAccept: */*")],
    ];
    for (const [what, sent] of rubbish) {
      for (const before of [1, 20]) {
        for (const head of [
          parsed,
          "GET /small HTTP/1.1\nHost: venue",
          "GET /large HTTP/1.1\nHost: venue\nTE: trailers",
        ]) {
          const text = await answerTo(request(head).repeat(before) + sent);
          const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));
          const expected = [...Array.from({ length: before }, () => 200), 400];
          assert.deepEqual(statuses, expected, `${what} behind ${before} of ${head}`);
        }
      }
    }
  });

  test("Proxy-Connection closes or keeps a connection as Connection does, no matter who reads it", async () => {
    await serve({});
    for (const lines of ["", "\nTE: trailers", "\nConnection: keep-alive"]) {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      let text = "";
      socket.on("data", (piece: Buffer) => (text += piece.toString("latin1")));
      const ask = (word: string) => request(`GET /small HTTP/1.1\nHost: venue\nProxy-Connection: ${word}${lines}`);
      socket.write(ask("keep-alive") + ask("close") + get("/small"));
      await closed(socket);
      assert.equal(text.split("HTTP/1.1 200 ").length - 1, 2, `with ${lines}`);
    }
  });

  test("a large body whose length is known is read in a few pieces, and not in the slices of heads", async () => {
    await serve({});
    const { push } = NodeRequest.prototype;
    let pieces = 0;
    NodeRequest.prototype.push = function (piece) {
      pieces++;
      return push.call(this, piece);
    };
    try {
      const upload = "POST /small HTTP/1.1\nHost: venue\nConnection: close\nContent-Length: 131072";
      assert.match(await answerTo(request(upload, "a".repeat(131_072))), /^HTTP\/1\.1 200 /);
    } finally {
      NodeRequest.prototype.push = push;
    }
    assert.ok(pieces < 32, `${pieces} pieces`);
  });

  test("a body in a thousand pieces of a fair size arrives whole, one in crumbs is cut after the first hundred", async () => {
    await serve({});
    const head = "POST /small HTTP/1.1\nHost: venue\nConnection: close\nTransfer-Encoding: chunked";
    const fair = `40\r\n${"a".repeat(64)}\r\n`.repeat(1_000);
    assert.match(await answerTo(request(head, `${fair}0\r\n\r\n`)), /^HTTP\/1\.1 200 /);
    const few = "1\r\na\r\n".repeat(100);
    assert.match(await answerTo(request(head, `${few}0\r\n\r\n`)), /^HTTP\/1\.1 200 /);
    const crumbs = "1\r\na\r\n2\r\nbc\r\n".repeat(5_000);
    assert.match(
      await answerTo(request(head, crumbs)),
      /^HTTP\/1\.1 400 .*The body comes in pieces that are too small/s,
    );
    // The parser that passed over the crumbs serves others again.
    assert.match(await answerTo(request(head, `${fair}0\r\n\r\n`)), /^HTTP\/1\.1 200 /);
  });

  test("an address whose bodies were cut again and again is held off with the next, but for those that come whole", async () => {
    const counted = stalls();
    await serve({ unfinishedBodyBytesMax: 300_000 }, counted);
    const upload = request("POST /small HTTP/1.1\nHost: venue\nContent-Length: 131072", "a".repeat(131_071));
    const cut = Array.from({ length: 23 }, () => answerTo(upload));
    // Two have room, all others make room for each other.
    await Promise.race(
      cut.map((answer, at) => answer.then((text) => assert.match(text, /among the slowest/, `${at}`))),
    );
    while (counted.total < 21) await delay(5);
    assert.ok(counted.waitOf("body", "127.0.0.1") > 0);
    for (const socket of sockets.splice(0)) socket.destroy();
    // There is room for it when the server has seen that they are gone: then it is not cut for want of room.
    for (let before = -1; counted.total !== before; ) {
      before = counted.total;
      assert.match(await answerTo(upload), /^HTTP\/1\.1 408 .*among the slowest/s);
    }
    const small = request("POST /small HTTP/1.1\nHost: venue\nConnection: close\nContent-Length: 5", "hello");
    assert.match(await answerTo(small), /^HTTP\/1\.1 200 /);
    counted.close();
  });

  test("a chunk that says that it is larger than a body may be is refused before it comes", async () => {
    await serve({});
    const head = request("POST /small HTTP/1.1\nHost: venue\nTransfer-Encoding: chunked");
    for (const size of ["ffffffffffffffff", "20001", "0000000000020001;name=value"]) {
      assert.match(await answerTo(`${head}${size}\r\n`), /^HTTP\/1\.1 413 /, size);
    }
    assert.match(await answerTo(`${head}2\r\nab\r\nffffffffffffffff\r\n`), /^HTTP\/1\.1 413 /, "the second chunk");
    assert.match(await answerTo(head, "FFFFFFFFFFFFFFFF\r\na"), /^HTTP\/1\.1 413 /, "in a piece of its own");
    // As large as it may be is no fault, nor is what follows a request in the same piece.
    const full = `20000\r\n${"a".repeat(131_072)}\r\n0\r\n\r\n`;
    const last = request("GET /small HTTP/1.1\nHost: venue\nConnection: close\nX-Chunk: ffffffffffffffff");
    assert.match(await answerTo(`${head}${full}${last}`), /^HTTP\/1\.1 200 .*HTTP\/1\.1 200 /s);
  });

  test("bodies that stall make room for others, the slowest first, and are told why", async () => {
    await serve({ unfinishedBodyBytesMax: 300_000 });
    const upload = (bytes: number) => {
      const socket = connect(port, "127.0.0.1");
      sockets.push(socket);
      socket.write(request("POST /small HTTP/1.1\nHost: venue\nContent-Length: 131072", "a".repeat(bytes)));
      const answer = new Promise<string>((resolve) => {
        let text = "";
        socket.on("data", (piece) => {
          text += piece;
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve(text));
      });
      return { socket, answer };
    };
    const slow = [upload(60_000), upload(60_000)];
    // Time itself: how slow a body is counts from when it began.
    await delay(100);
    const large = Array.from({ length: 2 }, () => upload(131_000));
    assert.match((await slow[0]?.answer) as string, /^HTTP\/1\.1 408 .*among the slowest/s);
    assert.match((await slow[1]?.answer) as string, /^HTTP\/1\.1 408 /);
    large[1]?.socket.end("a".repeat(72));
    assert.match((await large[1]?.answer) as string, /^HTTP\/1\.1 200 /);
  });

  test("a request that its head refuses is answered before its body comes", async () => {
    await serve({});
    const head = "POST /nowhere HTTP/1.1\nHost: venue\nContent-Length: 1000";
    assert.match(await answerTo(request(head, "a")), /^HTTP\/1\.1 404 .*Connection: close/s);
    const waiting = request(`${head}\nExpect: 100-continue`);
    assert.match(await answerTo(waiting), /^HTTP\/1\.1 404 /);
  });

  /** What comes back until the venue closes. */
  /** What comes until the venue closes; `later` is sent in a piece of its own. */
  async function answerTo(sent: string, later = ""): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    let text = "";
    socket.on("data", (piece) => {
      text += piece;
    });
    socket.on("error", () => {});
    socket.write(sent);
    if (later !== "") setTimeout(() => socket.write(later), 20);
    await once(socket, "close");
    return text;
  }
});

/** A peer that reads nothing learns of the cut by what it writes. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once("close", resolve));
}
