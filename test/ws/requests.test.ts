/** Connections and requests: addresses, framing, answers, errors, limits, and how connections end. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { type ApiVenue, bitcoinApiVenue } from "../support/served-venue.ts";
import { SocketClient } from "../support/socket-client.ts";

describe("the sockets of a venue", () => {
  let venue: ApiVenue;
  before(async () => {
    venue = await bitcoinApiVenue();
  });
  after(() => venue.close());

  test("they stand at the spot address with and without a slash at the end, and offer no compression of their own", async () => {
    for (const path of ["/v2/spot", "/v2/spot/", "/v2/spot?x=1"]) {
      const socket = await SocketClient.connect(venue.base, path);
      assert.equal(socket.webSocket.extensions, "");
      assert.deepEqual(await socket.ask("server.ping"), { id: 1, code: 0, message: "OK", data: { result: "pong" } });
      await socket.close();
    }
  });

  test("at any other address there is nothing, as for every request", async () => {
    for (const path of ["/v2/margin", "/v2/spot/market", "/v1", "/v2/spot//"]) {
      const webSocket = new WebSocket(venue.base.replace("http", "ws") + path);
      webSocket.on("error", () => {});
      const [, response] = (await once(webSocket, "unexpected-response")) as [unknown, { statusCode: number }];
      assert.notEqual(response.statusCode, 101, path);
      assert.ok(response.statusCode < 500, path);
      webSocket.terminate();
    }
  });

  const handshake = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
  const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const handshakes: readonly (readonly [what: string, head: string, status: number])[] = [
    ["is sound", `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}`, 101],
    ["has no Host", `GET /v2/spot HTTP/1.1\r\n${handshake}${key}`, 400],
    ["has two Hosts", `GET /v2/spot HTTP/1.1\r\nHost: x\r\nHost: y\r\n${handshake}${key}`, 400],
    ["has no key", `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}`, 400],
    ["is a POST", `POST /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}`, 405],
    ["names a whole address", `GET http://x/v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}`, 400],
    ["is of HTTP/1.0", `GET /v2/spot HTTP/1.0\r\nHost: x\r\n${handshake}${key}`, 404],
    ["has a length", `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}Content-Length: 2\r\n\r\n{}`, 404],
    ["has no body, and says so", `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}Content-Length: 0\r\n`, 101],
    [
      "has chunks",
      `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}Transfer-Encoding: chunked\r\n\r\n0\r\n`,
      404,
    ],
    ["asks for something else", `GET /v2/spot HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n`, 404],
  ];
  for (const [what, head, status] of handshakes) {
    test(`a request to upgrade that ${what} is answered with ${status}`, async () => {
      const socket = connect(Number(new URL(venue.base).port), "127.0.0.1");
      socket.write(`${head}\r\n`);
      const [answer] = await once(socket, "data");
      assert.match(String(answer), new RegExp(`^HTTP/1.1 ${status} `));
      socket.destroy();
    });
  }

  const refused: readonly (readonly [what: string, head: string, code: number, sentence: RegExp])[] = [
    ["without a key", `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}`, 4004, /Sec-WebSocket-Key/],
    [
      "of an old version",
      `GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake.replace("13", "7")}${key}`,
      4004,
      /Sec-WebSocket-Version/,
    ],
    ["with another method", `PUT /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}`, 4009, /method/],
  ];
  for (const [what, head, code, sentence] of refused) {
    test(`a handshake ${what} is refused in the envelope of the API, with a sentence`, async () => {
      const socket = connect(Number(new URL(venue.base).port), "127.0.0.1");
      socket.write(`${head}\r\n`);
      let answer = "";
      for await (const piece of socket) answer += piece;
      const envelope = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { code: number; message: string };
      assert.equal(envelope.code, code);
      assert.match(envelope.message, sentence);
    });
  }

  test("the time is the venue's", async () => {
    const socket = await venue.socket();
    assert.deepEqual((await socket.ask("server.time")).data, { timestamp: venue.control.timeMs });
  });

  test("a binary request counts like a text, compressed or not, and parameters may be missing", async () => {
    const socket = await venue.socket();
    const request = Buffer.from('{"id":5,"method":"server.ping"}');
    for (const message of [request, gzipSync(request)]) {
      socket.send(message);
      assert.equal((await socket.take(({ id }) => id === 5)).code, 0);
    }
  });

  test("no parameters are an empty object, an empty list, null or nothing at all", async () => {
    const socket = await venue.socket();
    for (const params of [', "params": {}', ', "params": []', ', "params": null', ""]) {
      socket.send(`{"id":6,"method":"server.ping"${params}}`);
      const { data, ...answer } = await socket.take(() => true);
      assert.deepEqual([answer, data], [{ id: 6, code: 0, message: "OK" }, { result: "pong" }]);
    }
  });

  test("an id comes back as it was, however long", async () => {
    const socket = await venue.socket();
    for (const id of ["0", "-7", "9007199254740991"]) {
      socket.send(`{"id":${id},"method":"server.ping","params":{}}`);
      assert.equal((await socket.take(() => true)).id, Number(id));
    }
  });

  const bad: readonly (readonly [what: string, message: string | Buffer, id: number | null, code: number])[] = [
    ["no JSON", "hello", null, 20001],
    ["a list", "[]", null, 20001],
    ["no id", '{"method":"server.ping","params":{}}', null, 20001],
    ["a text for an id", '{"id":"1","method":"server.ping","params":{}}', null, 20001],
    ["half an id", '{"id":1.5,"method":"server.ping","params":{}}', null, 20001],
    ["no method", '{"id":1,"params":{}}', null, 20001],
    ["a number for a method", '{"id":1,"method":7,"params":{}}', null, 20001],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0x7d]), null, 20001],
    ["broken gzip", Buffer.from([0x1f, 0x8b, 1, 2, 3]), null, 20001],
    ["gzip that never ends", gzipSync(Buffer.alloc(10_000_000, 0x20)), null, 20001],
    ["an unknown method", '{"id":2,"method":"state.explode","params":{}}', 2, 20002],
    ["a method of other sockets", '{"id":2,"method":"position.subscribe","params":{"market_list":[]}}', 2, 20002],
    ["a name of every object", '{"id":2,"method":"constructor","params":{}}', 2, 20002],
    ["parameters that are a list", '{"id":3,"method":"state.subscribe","params":["BTCUSDT"]}', 3, 20001],
    ["an empty list of parameters", '{"id":3,"method":"state.subscribe","params":[]}', 3, 20001],
    ["a parameter missing", '{"id":3,"method":"state.subscribe","params":{}}', 3, 20001],
    ["a text for a list", '{"id":3,"method":"state.subscribe","params":{"market_list":"BTCUSDT"}}', 3, 20001],
    ["numbers for names", '{"id":3,"method":"state.subscribe","params":{"market_list":[1]}}', 3, 20001],
    ["no entry", '{"id":3,"method":"depth.subscribe","params":{"market_list":[]}}', 3, 20001],
    ["an entry too short", depth(["BTCUSDT", 5, "0"]), 3, 20001],
    ["an entry too long", depth(["BTCUSDT", 5, "0", true, 1]), 3, 20001],
    ["a limit outside the list", depth(["BTCUSDT", 7, "0", true]), 3, 20001],
    ["an interval outside the list", depth(["BTCUSDT", 5, "0.5", true]), 3, 20001],
    ["a number for a truth", depth(["BTCUSDT", 5, "0", 1]), 3, 20001],
    ["more names than a list may have", names(1_001), 3, 20001],
    ["a signed channel before the login", '{"id":4,"method":"order.subscribe","params":{"market_list":[]}}', 4, 21001],
  ];
  for (const [what, message, id, code] of bad) {
    test(`${what} is answered with ${code}, and the connection goes on`, async () => {
      const socket = await venue.socket();
      socket.send(message);
      const { message: sentence, request_id: _, reason, ...answer } = await socket.take(() => true);
      assert.deepEqual(answer, { id, code });
      assert.equal(typeof sentence, "string");
      assert.match(reason, /^13\.[123]; refusal=\w+/);
      assert.equal((await socket.ask("server.ping")).code, 0);
      await socket.close();
    });
  }

  test("a protocol PING is answered with PONG", async () => {
    const socket = await venue.socket();
    const pong = once(socket.webSocket, "pong");
    socket.webSocket.ping("there?");
    assert.equal(String((await pong)[0]), "there?");
  });

  test("a message above the bound closes the connection with 1009", async () => {
    const socket = await venue.socket();
    socket.send(`{"id":1,"method":"server.ping","params":{"x":"${"x".repeat(102_400)}"}}`);
    assert.equal(await socket.closed(), 1_009);
  });

  test("a message that never ends is cut after a minute, whatever comes in between", async () => {
    const socket = connect(Number(new URL(venue.base).port), "127.0.0.1");
    socket.write(`GET /v2/spot HTTP/1.1\r\nHost: x\r\n${handshake}${key}\r\n`);
    await once(socket, "data");
    let isClosed = false;
    socket.on("close", () => {
      isClosed = true;
    });
    // The first frame of a text, which is not its last; masked with nothing.
    socket.write(Buffer.from([0x01, 0x81, 0, 0, 0, 0, 0x7b]));
    // The first beat sees it, and a minute later it is still not whole.
    for (const ms of [200, 30_000, 29_900, 6_000]) {
      assert.equal(isClosed, false);
      socket.write(Buffer.from([0x89, 0x80, 0, 0, 0, 0]));
      await once(socket, "data");
      venue.beat(ms);
    }
    if (!isClosed) await once(socket, "close");
  });

  test("a connection that is silent for a minute is dropped; any frame keeps it", async () => {
    const [silent, pinging, asking] = [await venue.socket(), await venue.socket(), await venue.socket()];
    venue.beat(59_999);
    const pong = once(pinging.webSocket, "pong");
    pinging.webSocket.ping();
    await pong;
    await asking.ask("server.ping");
    venue.beat(1);
    assert.equal(await silent.closed(), 1_006);
    venue.beat(59_998);
    assert.equal((await pinging.ask("server.ping")).code, 0);
    assert.equal((await asking.ask("server.ping")).code, 0);
  });
});

describe("limits of connections", () => {
  test("requests that come too often are refused with 23002, until they are earned back", async () => {
    const venue = await bitcoinApiVenue({
      socketLimits: { requestsMax: 3, requestsWindowMs: 300, requestsRefusedMax: 3 },
    });
    const socket = await venue.socket();
    const codes: number[] = [];
    for (let request = 0; request < 5; request++) codes.push((await socket.ask("server.ping")).code);
    assert.deepEqual(codes, [0, 0, 0, 23002, 23002]);
    venue.control.evenMs += 100;
    assert.equal((await socket.ask("server.ping")).code, 0);
    assert.equal((await socket.ask("server.ping")).code, 23002);
    // Time has made up for one of the three refusals so far; the fourth beyond what was earned is one too many.
    assert.equal((await socket.ask("server.ping")).code, 23002);
    socket.send({ id: 9, method: "server.ping", params: {} });
    assert.equal(await socket.closed(), 1_008);
    await venue.close();
  });

  test("a message counts as one request for each 2 KiB that it comes to, compressed or not", async () => {
    const venue = await bitcoinApiVenue({ socketLimits: { requestsMax: 6 } });
    const long = Buffer.from(`{"id":7,"method":"server.ping","params":{"x":"${"x".repeat(2_048 * 3)}"}}`);
    for (const message of [long, gzipSync(long)]) {
      const socket = await venue.socket();
      socket.send(message);
      assert.equal((await socket.take(({ id }) => id === 7)).code, 0);
      socket.send(message);
      assert.equal((await socket.take(({ id }) => id === (message === long ? 7 : null))).code, 23002);
      const codes = [await socket.ask("server.ping"), await socket.ask("server.ping"), await socket.ask("server.ping")];
      assert.deepEqual(
        codes.map(({ code }) => code),
        [0, 0, 23002],
      );
    }
    await venue.close();
  });

  test("behind a long message that is refused a connection is not read for a second, while others are opened and served", async () => {
    const venue = await bitcoinApiVenue();
    const socket = await venue.socket();
    const sinceMs = performance.now();
    socket.send({ id: 100, method: "no.such", params: { x: "x".repeat(2_048) } });
    assert.notEqual((await socket.take(({ id }) => id === 100)).code, 0);
    const behind = socket.ask("server.ping");
    for (let opened = 0; opened < 5; opened++) {
      const other = await venue.socket();
      assert.equal((await other.ask("server.ping")).code, 0);
      await other.close();
    }
    assert.equal((await behind).code, 0);
    const waitedMs = performance.now() - sinceMs;
    assert.ok(waitedMs > 990, `${waitedMs} ms`);
    await venue.close();
  });

  test("a long message waits for its turn, and nothing on its own connection overtakes it", async () => {
    const venue = await bitcoinApiVenue();
    const socket = await venue.socket();
    const answered: number[] = [];
    socket.webSocket.on("message", (data: Buffer) => answered.push(JSON.parse(gunzipSync(data).toString()).id));
    const params = { x: "x".repeat(4_096) };
    for (const id of [101, 102]) socket.send({ id, method: "server.ping", params });
    socket.send({ id: 103, method: "server.time", params: {} });
    await socket.take(({ id }) => id === 103);
    assert.deepEqual(answered, [101, 102, 103]);
    await venue.close();
  });

  test("an address that may not send is refused, by message and by connection", async () => {
    let admits = true;
    const venue = await bitcoinApiVenue({ admit: () => admits });
    const socket = await venue.socket();
    admits = false;
    assert.equal((await socket.ask("server.ping")).code, 23002);
    assert.equal(await statusOfConnecting(venue), 429);
    await venue.close();
  });

  test("a connection follows so many names and no more", async () => {
    const venue = await bitcoinApiVenue({ socketLimits: { subscriptionsMax: 3 } });
    const socket = await venue.socket();
    await socket.must("state.subscribe", { market_list: ["A", "B"] });
    await socket.must("deals.subscribe", { market_list: ["A"] });
    assert.equal((await socket.ask("bbo.subscribe", { market_list: [] })).code, 20001);
    await socket.must("state.unsubscribe", { market_list: ["A", "B"] });
    await socket.must("bbo.subscribe", { market_list: [] });
    await venue.close();
  });

  test("a connection follows a hundred names that are not listed, and is told why not more", async () => {
    const venue = await bitcoinApiVenue();
    const socket = await venue.socket();
    const some = (from: number, count: number) => Array.from({ length: count }, (_, at) => `NEW${from + at}`);
    await socket.must("depth.subscribe", { market_list: some(0, 60).map((name) => [name, 5, "0", false]) });
    await socket.must("state.subscribe", { market_list: some(0, 40) });
    await socket.must("state.subscribe", {
      market_list: [...some(0, 40), "BTCUSDT", "no name of a market", "x".repeat(99)],
    });
    for (const method of ["state.subscribe", "deals.subscribe"]) {
      const { code, message } = await socket.ask(method, { market_list: some(100, 1) });
      assert.equal(code, 20001);
      assert.equal(message, "invalid argument: a connection follows 100 names at most that are not listed");
    }
    await socket.must("depth.unsubscribe", { market_list: some(0, 1) });
    await socket.must("deals.subscribe", { market_list: some(100, 1) });
    await venue.close();
  });

  test("when all connections follow as much as the venue can, the greedy are told so and the others go on", async () => {
    const venue = await bitcoinApiVenue({ socketLimits: { budgetSubscriptions: 8 } });
    const [greedy, modest] = [await venue.socket(), await venue.socket()];
    const names = ["A", "B", "C", "D", "E", "F", "G", "H"];
    await greedy.must("state.subscribe", { market_list: names });
    const { code, message } = await greedy.ask("bbo.subscribe", { market_list: ["BTCUSDT"] });
    assert.deepEqual([code, message.startsWith("service unavailable: all connections together")], [24002, true]);
    await modest.must("bbo.subscribe", { market_list: ["BTCUSDT"] });
    assert.equal((await modest.push("bbo.update")).market, "BTCUSDT");
    await greedy.must("state.unsubscribe", { market_list: names });
    await greedy.must("bbo.subscribe", { market_list: ["BTCUSDT"] });
    await venue.close();
  });

  test("a venue that stops says so", async () => {
    const venue = await bitcoinApiVenue();
    const socket = await SocketClient.connect(venue.base);
    const [code] = await Promise.all([socket.closed(), venue.close()]);
    assert.equal(code, 1_001);
  });
});

function depth(entry: readonly unknown[]): string {
  return JSON.stringify({ id: 3, method: "depth.subscribe", params: { market_list: [entry] } });
}

function names(count: number): string {
  const market_list = Array.from({ length: count }, (_, at) => `M${at}`);
  return JSON.stringify({ id: 3, method: "state.subscribe", params: { market_list } });
}

/** Tries to connect; 101 when it could. */
async function statusOfConnecting(venue: ApiVenue): Promise<number> {
  const webSocket = new WebSocket(`${venue.base.replace("http", "ws")}/v2/spot`);
  webSocket.on("error", () => {});
  const { promise, resolve } = Promise.withResolvers<number>();
  webSocket.once("open", () => resolve(101));
  webSocket.once("unexpected-response", (_request, response) => resolve(response.statusCode as number));
  const status = await promise;
  webSocket.terminate();
  return status;
}
