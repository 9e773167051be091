/**
 * `node bench/attack-peers.ts KIND PORT COUNT [ACCESS_ID]`: so many connections that attack a listener in one way, for as long as
 * their parent lives. Whoever is cut comes again.
 */
import { connect, type Socket } from "node:net";

const [kind, port, count, accessId = ""] = process.argv.slice(2) as [Kind, string, string, string?];
const HEAD = `Host: 127.0.0.1\r\nX-SVC-KEY: ${accessId}\r\nX-SVC-SIGN: ${"a".repeat(64)}\r\n`;
const AGAIN_MS = 1_000;
/** An address of its own, so that the quota of the attackers is not that of honest clients. */
const FROM = "127.0.0.2";
/** One below what a listener takes at most; older ones took a mebibyte. */
const BODY_BYTES = Number(process.env.ATTACK_BODY_BYTES ?? 131_072);

type Kind = keyof typeof ATTACKS;

const ATTACKS = {
  /** Uploads that lack their last byte. */
  stall: (socket: Socket) => {
    socket.write(`POST /v2/spot/order HTTP/1.1\r\n${head()}Content-Length: ${BODY_BYTES}\r\n\r\n`);
    socket.write(Buffer.alloc(BODY_BYTES - 1, 0x20));
  },
  /** Bodies in chunks of one byte, as fast as they are taken. */
  crumbs: (socket: Socket) => {
    socket.write(`POST /v2/spot/order HTTP/1.1\r\n${head()}Transfer-Encoding: chunked\r\n\r\n`);
    const more = () => {
      while (socket.writable && socket.write(CRUMBS));
    };
    socket.on("drain", more);
    more();
  },
  /** Sockets that follow markets that there are not, a thousand with each message, as often as the address may send one. */
  names: (socket: Socket) => {
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    socket.write(`GET /v2/spot HTTP/1.1\r\n${HEAD}${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    const following = setInterval(() => socket.write(followFrame()), FOLLOWS_EVERY_MS);
    socket.once("close", () => clearInterval(following));
  },
  /** Connections that say nothing. */
  idle: () => {},
  /** Wrong tokens, one after the other. */
  tokens: (socket: Socket) => {
    const ask = () =>
      socket.write(`GET /admin/status HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${"b".repeat(43)}\r\n\r\n`);
    socket.on("data", () => {
      answers++;
      ask();
    });
    ask();
  },
};

/** Together they stay below the quota of an address. */
const FOLLOWS_EVERY_MS = 600;
let names = 0;

/** A masked text frame, RFC 6455, whose mask is nothing. */
function followFrame(): Buffer {
  const market_list = Array.from({ length: 1_000 }, () => [`NAME${names++}`, 5, "0", false]);
  const text = Buffer.from(JSON.stringify({ id: 1, method: "depth.subscribe", params: { market_list } }));
  const frame = Buffer.alloc(8 + text.length);
  frame.set([0x81, 0x80 | 126], 0);
  frame.writeUInt16BE(text.length, 2);
  frame.set(text, 8);
  return frame;
}

const CRUMBS = Buffer.from("1\r\n \r\n".repeat(10_000));
let answers = 0;

function head(): string {
  return `${HEAD}X-SVC-TIMESTAMP: ${Date.now()}\r\nX-SVC-WINDOWTIME: 60000\r\n`;
}

function attack(): void {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: FROM, noDelay: true });
  socket.on("error", () => {});
  socket.resume();
  socket.once("connect", () => ATTACKS[kind](socket));
  socket.once("close", () => setTimeout(attack, AGAIN_MS * (0.5 + Math.random())));
}

for (let index = 0; index < Number(count); index++) attack();
process.stdout.write("attacking\n");
setInterval(() => process.send?.({ answers }), 500);
process.once("disconnect", () => process.exit(0));
