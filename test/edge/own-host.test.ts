/**
 * Who may use a venue whose keys everybody can work out: nobody by a name or from a page that is not this machine's.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { IN_MEMORY } from "../../src/venue/settings.ts";
import { VenueProcess } from "../support/venue-process.ts";

const HANDSHAKE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
  "dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Status and what follows the head, of bytes that no library would send. */
async function asked(venue: VenueProcess, head: string): Promise<{ status: number; text: string }> {
  const socket = connect(Number(new URL(venue.url).port), "127.0.0.1");
  socket.write(`${head}\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  const text = first.toString("latin1");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const get = (host: string, path = "/v2/ping") => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
const socketAt = (host: string, path: string, origin?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${HANDSHAKE}${origin === undefined ? "" : `Origin: ${origin}\r\n`}`;

describe("a venue with fixed accounts", () => {
  let venue: VenueProcess;
  before(async () => {
    venue = await VenueProcess.start(IN_MEMORY, "--makers", "off", "--web-origin", "http://trade.test");
  });
  after(() => venue.end("SIGKILL"));

  test("serves whoever asks for an address, localhost or the name of web-origin", async () => {
    for (const host of [
      "127.0.0.1",
      "127.0.0.1:1",
      "localhost:7400",
      "LOCALHOST",
      "[::1]:7400",
      "192.168.1.7",
      "trade.test",
    ])
      assert.equal((await asked(venue, get(host))).status, 200, host);
    assert.equal((await asked(venue, "GET /v2/ping HTTP/1.0\r\n")).status, 200, "old clients send no host");
  });

  test("refuses every other name with 421, wherever it asks, before a body has come", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7400", "0x7f000001.evil"]) {
      for (const path of ["/v2/ping", "/", "/docs", "/v1/market/list", "/nowhere"]) {
        const { status, text } = await asked(venue, get(host, path));
        assert.equal(status, 421, `${host} ${path}`);
        assert.match(text, /The Host header must be an IP address, localhost/);
      }
    }
    const post = "POST /v2/spot/order HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100000\r\n";
    assert.equal((await asked(venue, post)).status, 421);
  });

  test("opens sockets for programs and for pages of this machine, and for no others", async () => {
    for (const path of ["/v2/spot", "/v2/futures/", "/", "/perpetual"]) {
      assert.equal((await asked(venue, socketAt("evil.example", path))).status, 421, path);
      assert.equal((await asked(venue, socketAt("127.0.0.1", path))).status, 101, path);
      for (const own of ["http://localhost:5173", "http://127.0.0.1:7400", "http://[::1]", "http://trade.test"])
        assert.equal((await asked(venue, socketAt("127.0.0.1", path, own))).status, 101, `${path} ${own}`);
      for (const other of ["https://evil.example", "http://localhost.evil.example", "null", "file://", "nonsense"]) {
        const { status, text } = await asked(venue, socketAt("127.0.0.1", path, other));
        assert.equal(status, 403, `${path} ${other}`);
        assert.match(text, /The Origin header must name an IP address, localhost/);
      }
    }
  });
});

test("with random accounts the API may be asked by any name and from any page: its keys are nobody else's business", async (t) => {
  const venue = await VenueProcess.start(IN_MEMORY, "--makers", "off", "--accounts", "random");
  t.after(() => venue.end("SIGKILL"));
  assert.equal((await asked(venue, get("exchange.example"))).status, 200);
  assert.equal((await asked(venue, socketAt("exchange.example", "/v2/spot", "https://page.example"))).status, 101);
});
