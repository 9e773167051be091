import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { successText } from "../../src/gateway/envelope/envelope.ts";
import { EnvelopeRenderer } from "../../src/gateway/envelope/renderer.ts";
import type { RequestContext } from "../../src/gateway/http/request-context.ts";
import type { Router } from "../../src/gateway/http/router.ts";
import { HttpServer } from "../../src/gateway/http/server.ts";
import { REFUSAL_ROWS } from "../../src/gateway/parts.ts";
import { LAST, REFUSED, request, SERVED } from "./http-shapes.ts";

const RENDERER = new EnvelopeRenderer(REFUSAL_ROWS);

/** Stands behind each shape: what a smuggler wants to be served. */
const SMUGGLED = request("GET /smuggled HTTP/1.1\nHost: venue");
/** Ends a connection that still serves. */
const GOODBYE = request("GET /goodbye HTTP/1.1\nHost: venue\nConnection: close");

describe("the listener takes a request for exactly what it is", () => {
  /** What services were given since the test began. */
  const served: string[] = [];
  const failures: object[] = [];
  let server: HttpServer;
  let port: number;

  before(async () => {
    const service = (context: RequestContext) => {
      served.push(context.path);
      context.answer(successText({}));
    };
    const methods = new Map(["GET", "HEAD", "POST"].map((method) => [method, service]));
    const router: Router = {
      renderer: RENDERER,
      at: () => ({ methods, pattern: "", renderer: RENDERER, parameters: {} }),
    };
    server = new HttpServer({ router, log: { error: (details) => void failures.push(details) } });
    ({ port } = await server.listen("127.0.0.1", 0));
    server.open();
  });
  after(async () => {
    await server.drain(1_000);
    assert.deepEqual(failures, []);
  });

  /** Sends bytes as they are and reads until the server closes. */
  async function converse(...pieces: readonly string[]): Promise<string> {
    served.length = 0;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let text = "";
    socket.on("data", (piece: Buffer) => {
      text += piece.toString("latin1");
    });
    socket.on("error", () => {});
    await once(socket, "connect");
    for (const piece of pieces) {
      await new Promise((written) => socket.write(Buffer.from(piece, "latin1"), written));
    }
    if (!socket.closed) await once(socket, "close");
    return text;
  }

  const answersIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]));

  for (const [what, sent, status] of REFUSED) {
    test(`${what}: ${status}, closed, and nothing behind it served`, async () => {
      const text = await converse(sent + SMUGGLED);
      assert.deepEqual(answersIn(text), [status]);
      assert.match(text, /\r\nConnection: close\r\n/);
      const body = JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as { code: number; message: string };
      assert.equal(body.code, 4004);
      assert.match(body.message, /\.$/);
      assert.deepEqual(served, []);
    });
  }

  for (const [what, sent] of SERVED) {
    test(`${what}: served, and so is the request behind it`, async () => {
      const text = await converse(sent + GOODBYE);
      assert.deepEqual(
        [answersIn(text).filter((status) => status !== 100), served],
        [
          [200, 200],
          ["/a", "/goodbye"],
        ],
      );
    });
  }

  for (const [what, sent] of LAST) {
    test(`${what}: served, closed, and nothing behind it served`, async () => {
      for (const behind of [SMUGGLED, "rubbish\r\n\r\n"]) {
        const text = await converse(sent + behind);
        assert.deepEqual([answersIn(text), served], [[200], ["/a"]]);
        assert.match(text, /\r\nConnection: close\r\n/);
      }
    });
  }

  test("a shape that comes byte by byte is read the same", async () => {
    const byBytes = (sent: string) => converse(...sent);
    const short = ([, sent]: readonly [string, string, ...unknown[]]) => sent.length < 200;
    for (const [what, sent, status] of REFUSED.filter(short).filter((_, index) => index % 4 === 0)) {
      assert.deepEqual([answersIn(await byBytes(sent + SMUGGLED)), served], [[status], []], what);
    }
  });

  test("who asks first is told to go on, body or not, and only once", async () => {
    const rows = [
      ["Expect: 100-continue\nContent-Length: 2", "{}"],
      ["Expect: 100-continue\nTransfer-Encoding: chunked", "0\r\n\r\n"],
      ["Expect: 100-continue", ""],
      ["Expect: 100-continue, miracles\nContent-Length: 2", "{}"],
    ] as const;
    for (const [head, body] of rows) {
      const text = await converse(request(`POST /a HTTP/1.1\nHost: venue\n${head}`, body) + GOODBYE);
      assert.deepEqual(
        [answersIn(text), served],
        [
          [100, 200, 200],
          ["/a", "/goodbye"],
        ],
        head,
      );
    }
  });

  test("TRACE echoes nothing", async () => {
    const text = await converse(request("TRACE /a HTTP/1.1\nHost: venue\nX-Secret: squirrel") + GOODBYE);
    assert.deepEqual([answersIn(text), served], [[200, 200], ["/goodbye"]]);
    assert.match(text, /"code":4009/);
    assert.doesNotMatch(text, /squirrel/);
  });
});
