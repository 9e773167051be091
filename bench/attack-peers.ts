/**
 * `node bench/attack-peers.ts KIND PORT COUNT [ACCESS_ID]`: so many connections that attack a listener in one way, for
 * as long as their parent lives. Anyone who is cut comes again. KIND `busy` attacks nothing, and takes COUNT (0 to 1)
 * of a processor.
 */
import { connect, type Socket } from "node:net";

const [kind, port, count, accessId = ""] = process.argv.slice(2) as [Kind, string, string, string?];
const HEAD = `Host: 127.0.0.1\r\nX-SVC-KEY: ${accessId}\r\nX-SVC-SIGN: ${"a".repeat(64)}\r\n`;
const AGAIN_MS = 1_000;
const RESET_AGAIN_MS = 100;
/** Addresses of their own, so that the quota of the attackers is not that of honest clients. */
const FROM = "127.0.0.2";
const anyAddress = () => `127.7.${Math.floor(Math.random() * 256)}.${1 + Math.floor(Math.random() * 254)}`;
/** One below what a listener takes at most; older ones took a mebibyte. */
const BODY_BYTES = Number(process.env.ATTACK_BODY_BYTES ?? 131_072);

type Kind = keyof typeof ATTACKS | "busy";

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
  /**
   * Sockets that follow markets that there are not, a thousand with each message, as often as the address may send one.
   */
  names: (socket: Socket) => {
    const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    socket.write(`GET /v2/spot HTTP/1.1\r\n${HEAD}${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
    const following = setInterval(
      () => socket.write(FOLLOW_FRAMES[follows++ % FOLLOW_FRAMES.length] as Buffer),
      FOLLOWS_EVERY_MS,
    );
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
  /** A pipeline of requests that fills one read, nearly all beyond the quota. */
  refused: (socket: Socket) => socket.write(pipelineOf("GET /v2/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")),
  /** The same that Node's parser reads. */
  parsed: (socket: Socket) =>
    socket.write(pipelineOf("GET /v2/ping HTTP/1.1\r\nHost: 127.0.0.1\r\nTE: trailers\r\n\r\n")),
  /** The same of health checks, which no quota of requests bounds. */
  health: (socket: Socket) => socket.write(pipelineOf("GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")),
  /** All connections together send so many bits a second, whatever is answered. */
  flood: (socket: Socket) => {
    const request = "GET /v2/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    const bytes = (FLOOD_BITS_PER_SECOND / 8 / Number(count)) * (FLOOD_EVERY_MS / 1_000);
    const piece = request.repeat(Math.max(1, Math.round(bytes / request.length)));
    const flooding = setInterval(() => socket.write(piece), FLOOD_EVERY_MS);
    socket.once("close", () => clearInterval(flooding));
  },
  /** Half the states between two owners of a socket, each reset as soon as something is answered. */
  resets: (socket: Socket) => {
    const upgrade =
      "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: " +
      "dGhlIHNhbXBsZSBub25jZQ==\r\n";
    socket.write(
      Math.random() < 0.5
        ? "CONNECT venue:443 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        : `GET /v2/spot HTTP/1.1\r\nHost: 127.0.0.1\r\n${upgrade}\r\n`,
    );
    socket.once("data", () => socket.resetAndDestroy());
  },
  /** Wrong passwords of nobody, one after the other, from addresses that change with every connection. */
  passwords: (socket: Socket) => {
    let tries = 0;
    const ask = () => {
      const body = JSON.stringify({ email: `nobody${Math.random()}@example.com`, password: "a guess of somebody" });
      socket.write(
        `POST /web/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ` +
          `${body.length}\r\n\r\n${body}`,
      );
    };
    socket.on("data", () => {
      answers++;
      if (++tries < 20) ask();
      else socket.destroy();
    });
    ask();
  },
};

const PIPELINE_BYTES = 62_000;
const FLOOD_BITS_PER_SECOND = 5_000_000;
const FLOOD_EVERY_MS = 20;
const BURN_EVERY_MS = 5;

function pipelineOf(request: string): string {
  return request.repeat(Math.floor(PIPELINE_BYTES / request.length));
}

/** Together they stay below the quota of an address. */
const FOLLOWS_EVERY_MS = 600;
const NAMES = 1_000;
/**
 * Made before the attack, so that to make them takes nothing of the processor that the honest clients have, and sent
 * again and again: what is refused is not remembered.
 */
const FOLLOW_FRAMES = kind === "names" ? Array.from({ length: 2 * Number(count) }, (_, at) => followFrame(at)) : [];
let follows = 0;

/** A masked text frame, RFC 6455, whose mask is nothing. */
function followFrame(at: number): Buffer {
  const market_list = Array.from({ length: NAMES }, (_, name) => [`NAME${at * NAMES + name}`, 5, "0", false]);
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

/** Attacks nothing: takes a share of a processor, as those do who attack. */
function burn(share: number): void {
  const end = performance.now() + share * BURN_EVERY_MS;
  while (performance.now() < end);
}

function attack(): void {
  if (kind === "busy") return;
  const localAddress = kind === "passwords" ? anyAddress() : FROM;
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress, noDelay: true });
  socket.on("error", () => {});
  socket.resume();
  socket.once("connect", () => ATTACKS[kind](socket));
  const againMs = kind === "resets" ? RESET_AGAIN_MS : AGAIN_MS;
  socket.once("close", () => setTimeout(attack, againMs * (0.5 + Math.random())));
}

if (kind === "busy") setInterval(() => burn(Number(count)), BURN_EVERY_MS);
else for (let index = 0; index < Number(count); index++) attack();
process.stdout.write("attacking\n");
setInterval(() => process.send?.({ answers }), 500);
process.once("disconnect", () => process.exit(0));
