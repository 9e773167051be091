import assert from "node:assert/strict";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../../test/support/runs.ts";
import { type PlainRequest, plainRequestAt } from "./plain-request.ts";

const BOUNDS = { headBytesMax: 4_096, headersMax: 8, bodyBytesMax: 64 };

const read = (text: string, from = 0) => plainRequestAt(Buffer.from(text, "latin1"), text, from, BOUNDS);
/** A request with its headers as Node gives them. */
const shown = ({ names, values, ...rest }: PlainRequest) => ({
  ...rest,
  headers: Object.fromEntries(names.map((name, at) => [name, values[at]])),
});
const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;

test("a request that is whole and written as nearly all are is read, with where its body stands", () => {
  const head = lines(
    "POST /v2/spot/order?a=%20b HTTP/1.1",
    "Host: venue:80",
    "X-SVC-KEY: k",
    "Content-Length: 4",
    "Empty:",
  );
  assert.deepEqual(shown(read(`${head}body`) as PlainRequest), {
    method: "POST",
    url: "/v2/spot/order?a=%20b",
    headers: { host: "venue:80", "x-svc-key": "k", "content-length": "4", empty: "" },
    bodyFrom: head.length,
    end: head.length + 4,
  });
});

test("requests that stand one behind the other are read one by one", () => {
  const one = lines("GET /a HTTP/1.1", "Host: venue");
  const text = one + lines("DELETE /b HTTP/1.1", "Host: venue", "Connection: Keep-Alive");
  assert.equal(read(text)?.end, one.length);
  assert.deepEqual([read(text, one.length)?.url, read(text, one.length)?.end], ["/b", text.length]);
});

test("a header is found by its name in lower case, however it is spelled and whatever else was", () => {
  for (let count = 0; count < 2_000; count++) {
    const [name, other] = [`X-Name-${count % 1_000}`, `x-naMe-${(count * 7) % 1_000}`];
    const request = read(lines("GET / HTTP/1.1", HOST, `${name}: 1`, `${other}-other: 2`)) as PlainRequest;
    assert.equal(request.header(name.toLowerCase()), "1");
    assert.equal(request.header(`${other.toLowerCase()}-other`), "2");
    assert.equal(request.header("x-none"), undefined);
    assert.equal(read(lines("GET / HTTP/1.1", HOST, `${name}: 1`, `${name.toUpperCase()}: 2`)), undefined);
  }
});

const HOST = "Host: venue";
const NOT_PLAIN: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a head that is not whole", "GET / HTTP/1.1\r\nHost: venue\r\n"],
  ["a body that is not whole", `${lines("POST / HTTP/1.1", HOST, "Content-Length: 5")}body`],
  ["a body beyond the bound", lines("POST / HTTP/1.1", HOST, "Content-Length: 65") + "b".repeat(65)],
  ["a head beyond the bound", lines("GET / HTTP/1.1", HOST, `Long: ${"x".repeat(4_096)}`)],
  ["more headers than the bound", lines("GET / HTTP/1.1", HOST, ..."abcdefgh".split("").map((name) => `${name}: 1`))],
  ["an empty line in front", `\r\n${lines("GET / HTTP/1.1", HOST)}`],
  ["another method", lines("PATCH / HTTP/1.1", HOST)],
  ["a method in small letters", lines("get / HTTP/1.1", HOST)],
  ["two spaces", lines("GET  / HTTP/1.1", HOST)],
  ["a target that is no path", lines("GET http://venue/ HTTP/1.1", HOST)],
  ["a number sign in the target", lines("GET /#a HTTP/1.1", HOST)],
  ["a brace in the target", lines('GET /?a={"b":1} HTTP/1.1', HOST)],
  ["another version", lines("GET / HTTP/1.0", HOST)],
  ["no host", lines("GET / HTTP/1.1", "A: b")],
  ["two hosts", lines("GET / HTTP/1.1", HOST, "host: other")],
  ["a host that is none", lines("GET / HTTP/1.1", "Host: a, b")],
  ["two lengths", `${lines("POST / HTTP/1.1", HOST, "Content-Length: 4", "content-length: 4")}body`],
  ["a length with a sign", `${lines("POST / HTTP/1.1", HOST, "Content-Length: +4")}body`],
  ["a length with a zero in front", `${lines("POST / HTTP/1.1", HOST, "Content-Length: 04")}body`],
  ["a length that is empty", lines("POST / HTTP/1.1", HOST, "Content-Length:")],
  ["chunks", lines("POST / HTTP/1.1", HOST, "Transfer-Encoding: chunked")],
  ["chunks beside a length", lines("POST / HTTP/1.1", HOST, "Content-Length: 0", "transfer-encoding: identity")],
  [
    "a client that waits to be told to go on",
    lines("POST / HTTP/1.1", HOST, "Expect: 100-continue", "Content-Length: 0"),
  ],
  ["an offer to speak something else", lines("GET / HTTP/1.1", HOST, "Upgrade: websocket", "Connection: Upgrade")],
  ["a connection that ends", lines("GET / HTTP/1.1", HOST, "Connection: close")],
  ["a header that comes twice", lines("GET / HTTP/1.1", HOST, "A: b", "a: c")],
  ["a header by a name that every object has", lines("GET / HTTP/1.1", HOST, "__proto__: a")],
  ["another such name", lines("GET / HTTP/1.1", HOST, "Constructor: a")],
  ["a header without a name", lines("GET / HTTP/1.1", HOST, ": a")],
  ["a header without a colon", lines("GET / HTTP/1.1", HOST, "A")],
  ["a space before the colon", lines("GET / HTTP/1.1", HOST, "A : b")],
  ["a folded header", lines("GET / HTTP/1.1", HOST, "A: b", " c")],
  ["two spaces before a value", lines("GET / HTTP/1.1", HOST, "A:  b")],
  ["a space behind a value", lines("GET / HTTP/1.1", HOST, "A: b ")],
  ["a tabulator in a value", lines("GET / HTTP/1.1", HOST, "A: b\tc")],
  ["a zero byte", lines("GET / HTTP/1.1", HOST, "A: b\0c")],
  ["a byte beyond ASCII", lines("GET / HTTP/1.1", HOST, "A: \xe9")],
  ["a bare line feed", "GET / HTTP/1.1\nHost: venue\n\n"],
  ["a line feed in a header", "GET / HTTP/1.1\r\nHost: venue\nA: b\r\n\r\n"],
  ["a bare carriage return", "GET / HTTP/1.1\r\nHost: venue\rA: b\r\n\r\n"],
];

for (const [what, text] of NOT_PLAIN) {
  test(`${what} is not plain`, () => assert.equal(read(text), undefined));
}

/** What Node's own parser makes of bytes: the requests before it found something wrong, or had to wait for more. */
class ReadByNode {
  readonly #server = createServer({ insecureHTTPParser: false, requireHostHeader: false });
  readonly #seen: { method: string; url: string; headers: object; body: string }[] = [];

  async open(): Promise<void> {
    this.#server.on("request", (request, response) => {
      const seen = {
        method: request.method as string,
        url: request.url as string,
        headers: { ...request.headers },
        body: "",
      };
      request.setEncoding("latin1");
      request.on("data", (piece: string) => (seen.body += piece));
      request.on("end", () => this.#seen.push(seen));
      response.end();
    });
    this.#server.on("clientError", (_error, socket) => socket.destroy());
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async of(text: string): Promise<readonly { method: string; url: string; headers: object; body: string }[]> {
    this.#seen.length = 0;
    const { port } = this.#server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      socket.on("data", () => {});
      socket.end(text, "latin1");
    });
    return [...this.#seen];
  }

  close(): void {
    this.#server.close();
  }
}

const node = new ReadByNode();
before(() => node.open());
after(() => node.close());

/** A part of a request as it should be, or as it should not. */
const target = fc.oneof(
  fc.constantFrom("/", "/v2/spot/order", "/a?b=c&d=%7B%22", "/;a=b", "*", "//x", "/a b", "/#"),
  fc.string({ maxLength: 8 }).map((text) => `/${text}`),
);
const nameOrNot = fc.oneof(
  fc.constantFrom(
    "Content-Length",
    "content-length",
    "Transfer-Encoding",
    "Connection",
    "Host",
    "Expect",
    "Upgrade",
    "X-A",
    "x-a",
    "__proto__",
  ),
  fc.string({ minLength: 0, maxLength: 6 }),
);
const valueOrNot = fc.oneof(
  fc.constantFrom(
    "0",
    "4",
    "5",
    "04",
    "+4",
    "4, 4",
    "chunked",
    "keep-alive",
    "close",
    "venue",
    "a\tb",
    " a",
    "a ",
    "",
    "\xe9",
  ),
  fc.string({ maxLength: 6 }),
);
const separator = fc.constantFrom(...Array(12).fill(": "), ":", " : ", ":  ");
const newline = fc.constantFrom(...Array(12).fill("\r\n"), "\n", "\r", "\r\n ");
const header = fc.oneof(
  fc.constantFrom("X-B: 1\r\n", "Content-Length: 4\r\n", "Content-Length: 0\r\n", "Connection: keep-alive\r\n"),
  fc.tuple(nameOrNot, separator, valueOrNot, newline).map((parts) => parts.join("")),
);
const request = fc
  .tuple(
    fc.constantFrom("GET", "POST", "DELETE", "PUT", "POST", "HEAD"),
    target,
    fc.constantFrom(...Array(8).fill("HTTP/1.1"), "HTTP/1.0", "HTTP/2.0"),
    fc.array(header, { maxLength: 3 }),
    fc.constantFrom("", "body", "bodybody", "4\r\nbody\r\n0\r\n\r\n"),
  )
  .map(
    ([method, url, version, headers, body]) =>
      `${method} ${url} ${version}\r\nHost: venue\r\n${headers.join("")}\r\n${body}`,
  );

test("what is read as plain, Node reads in the same way", async () => {
  let plain = 0;
  const tries = runs(1_000);
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 3 }), async (requests) => {
      const text = requests.join("");
      const ours: PlainRequest[] = [];
      for (let at = 0; at < text.length; ) {
        const next = read(text, at);
        if (next === undefined) break;
        ours.push(next);
        at = next.end;
      }
      plain += ours.length;
      if (ours.length === 0) return;
      const theirs = (await node.of(text)).slice(0, ours.length);
      const ourReading = ours.map((each) => {
        const { method, url, headers, bodyFrom, end } = shown(each);
        return { method, url, headers, body: text.slice(bodyFrom, end) };
      });
      assert.deepEqual(ourReading, theirs);
    }),
    tries,
  );
  assert.ok(plain > tries.numRuns / 10, `${plain} plain requests were tried`);
});
