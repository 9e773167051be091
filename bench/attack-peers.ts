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
