/** The states that a listener knows of a connection: how a client brings one there. */
import type { NetConnectOpts } from "node:net";
import type { Peer } from "./peer.ts";

/** A listener, as a client finds it. */
export interface Listener {
  readonly name: string;
  readonly to: NetConnectOpts;
  /** Speaks TLS, as a proxy in front of a venue does. */
  readonly isSecure?: boolean;
  /** A proxy stands in front of it, which answers some requests itself. */
  readonly isProxied?: boolean;
  /** A path that answers GET at once, */
  readonly small: string;
  /** one whose answers are long, */
  readonly large: string;
  /** and one that takes a body. */
  readonly taking: string;
  /** Header lines that let requests through, as far as nobody has seen their body. */
  readonly signed: string;
  /** Where a socket can be opened; undefined where none can. */
  readonly socketPath?: string | undefined;
  /** Parameters that log a socket in, with a key that trades; undefined where none is at hand. */
  readonly login?: (() => object) | undefined;
  /** Refuses sockets for pages of other origins. */
  readonly mindsOrigin?: boolean;
  /** Its clients have quotas. */
  readonly hasQuotas?: boolean;
}

/** Brings a connection into a state, as far as the venue plays along. */
export type Bring = (peer: Peer, at: Listener) => unknown;

export interface State {
  readonly name: string;
  readonly bring: Bring;
  /** Whether the listener knows it; undefined: every listener does. */
  readonly isKnownTo?: (at: Listener) => boolean | undefined;
  /** Comes from an address of its own whose quota it uses up. */
  readonly isGreedy?: boolean;
}

/** More than any quota of an address that a test sets. */
const SPENT = 300;
const HOST = "Host: localhost\r\n";
const ANSWER = /^HTTP\/1\.1 \d{3} /;
const ask = (first: string, { signed }: Listener, lines: string) => `${first} HTTP/1.1\r\n${HOST}${signed}${lines}\r\n`;
const get = (at: Listener, lines = "") => ask(`GET ${at.small}`, at, lines);
const getLarge = (at: Listener, lines = "") => ask(`GET ${at.large}`, at, lines);
const shake = (at: Listener, lines = UPGRADE) => ask(`GET ${at.socketPath}`, at, lines);
const post = (at: Listener, lines: string) =>
  ask(`POST ${at.taking}`, at, `Content-Type: application/json\r\n${lines}`);
const CONNECT = `CONNECT venue:443 HTTP/1.1\r\n${HOST}\r\n`;
/** What no plain request has: Node's parser reads it, and what follows. */
const NOT_PLAIN = "TE: trailers\r\n";
const UPGRADE =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
  "dGhlIHNhbXBsZSBub25jZQ==\r\n";
const FOREIGN = "Origin: https://elsewhere.example\r\n";

/** A frame of a client, RFC 6455, whose mask is nothing; `text` is below 64 KiB. */
function frame(text: string, opcode = 1): Buffer {
  const payload = Buffer.from(text, "latin1");
  const { length } = payload;
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size, 0, 0, 0, 0]), payload]);
}

const request = (id: number, method: string, params: object) => frame(JSON.stringify({ id, method, params }));

/** They rest, since nobody asks so little, as far as the account can pay for them. */
const ORDERS = Buffer.concat(
  Array.from({ length: 20 }, (_, at) =>
    request(10 + at, "order.place", {
      ...{ market: "BTCUSDT", market_type: "SPOT", side: "buy", type: "limit", amount: "0.01", price: "20000" },
    }),
  ),
);
const WATCHED = request(2, "session.cancel_on_disconnect", { active: true });

const SUBSCRIBE = JSON.stringify({ id: 1, method: "state.subscribe", params: { market_list: [] } });
const CLOSE = 8;
const PING = 9;

async function openSocket(peer: Peer, at: Listener): Promise<boolean> {
  peer.write(shake(at));
  return (await peer.until(/^HTTP\/1\.1 \d{3} .*\r\n\r\n/s)) && peer.text.startsWith("HTTP/1.1 101 ");
}

const overSocket =
  (then: (peer: Peer) => unknown): Bring =>
  async (peer, at) => {
    if (await openSocket(peer, at)) await then(peer);
  };

/** As `overSocket`, logged in, as far as what comes next finds it so: nothing is waited for. */
const loggedIn =
  (then: (peer: Peer, login: Buffer) => unknown): Bring =>
  async (peer, at) => {
    if (await openSocket(peer, at)) await then(peer, request(1, "server.sign", at.login?.() ?? {}));
  };

const refused =
  (sent: (at: Listener) => string, status: number): Bring =>
  async (peer, at) => {
    peer.write(sent(at));
    // A proxy has statuses of its own for some of it, and now and then for a connection that was closed behind it.
    await peer.until(new RegExp(`^HTTP/1\\.1 ${at.isProxied ? "..." : status} .*\\r\\n\\r\\n`, "s"));
  };

const sends =
  (sent: (at: Listener) => string): Bring =>
  (peer, at) =>
    peer.write(sent(at));

const hasSockets = ({ socketPath }: Listener) => socketPath !== undefined;
const hasLogin = (at: Listener) => hasSockets(at) && at.login !== undefined;

export const STATES: readonly State[] = [
  { name: "nothing sent", bring: () => {} },
  { name: "half a head", bring: sends(({ small }) => `GET ${small} HTTP/1.1\r\nHost: loc`) },
  { name: "half a head for Node's parser", bring: sends((at) => get(at, NOT_PLAIN).slice(0, -2)) },
  { name: "head complete", bring: sends((at) => get(at)) },
  { name: "head complete for Node's parser", bring: sends((at) => get(at, NOT_PLAIN)) },
  {
    name: "answered on the fast path",
    bring: async (peer, at) => {
      peer.write(get(at));
      await peer.until(ANSWER);
    },
  },
  {
    name: "answered behind Node's parser",
    bring: async (peer, at) => {
      peer.write(get(at, NOT_PLAIN));
      await peer.until(ANSWER);
    },
  },
  {
    name: "from the fast path to Node's parser in one piece",
    bring: sends((at) => get(at) + get(at, NOT_PLAIN) + get(at)),
  },
  {
    name: "answered on the fast path, half a head behind it",
    bring: async (peer, at) => {
      peer.write(get(at) + get(at).slice(0, -2));
      await peer.until(ANSWER);
    },
  },
  { name: "body awaited", bring: sends((at) => post(at, "Content-Length: 1000\r\n")) },
  { name: "body half", bring: sends((at) => `${post(at, "Content-Length: 1000\r\n")}{"market":`) },
  { name: "body asked for", bring: sends((at) => post(at, "Content-Length: 1000\r\nExpect: 100-continue\r\n")) },
  { name: "chunk half", bring: sends((at) => `${post(at, "Transfer-Encoding: chunked\r\n")}40\r\nabc`) },
  { name: "last chunk awaited", bring: sends((at) => `${post(at, "Transfer-Encoding: chunked\r\n")}2\r\n{}\r\n`) },
  { name: "body whole", bring: sends((at) => `${post(at, "Content-Length: 2\r\n")}{}`) },
  {
    name: "answer under way",
    bring: async (peer, at) => {
      peer.write(getLarge(at));
      await peer.until(ANSWER);
      peer.stopReading();
    },
  },
  {
    name: "answers that nobody takes, reading paused",
    bring: async (peer, at) => {
      peer.write(getLarge(at).repeat(50));
      await peer.until(ANSWER);
      peer.stopReading();
    },
  },
  {
    name: "answers that nobody takes behind Node's parser",
    bring: async (peer, at) => {
      peer.write(getLarge(at, NOT_PLAIN).repeat(50));
      await peer.until(ANSWER);
      peer.stopReading();
    },
  },
  { name: "CONNECT sent", bring: sends(() => CONNECT) },
  { name: "CONNECT refused", bring: refused(() => CONNECT, 400) },
  {
    name: "CONNECT refused before its body",
    bring: refused(() => CONNECT.replace("\r\n\r\n", "\r\nContent-Length: 10\r\n\r\n12345"), 400),
  },
  {
    name: "CONNECT refused within its chunks",
    bring: refused(() => CONNECT.replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12"), 400),
  },
  {
    name: "CONNECT behind answers",
    bring: sends((at) => `${get(at).repeat(20)}${CONNECT}rest`),
  },
  { name: "no HTTP", bring: refused(() => "hello venue\r\n\r\n", 400) },
  { name: "malformed behind answers", bring: sends((at) => `${get(at, NOT_PLAIN).repeat(20)}hello\r\n\r\n`) },
  { name: "head too large", bring: refused((at) => get(at, `X-Big: ${"a".repeat(40_000)}\r\n`), 431) },
  { name: "body too large", bring: refused((at) => post(at, "Content-Length: 99999999\r\n"), 413) },
  { name: "closed by request", bring: sends((at) => get(at, "Connection: close\r\n")) },
  { name: "HTTP/1.0", bring: sends(({ small }) => `GET ${small} HTTP/1.0\r\n\r\n`) },
  { name: "upgrade to another protocol", bring: sends((at) => get(at, "Connection: Upgrade\r\nUpgrade: h2c\r\n")) },
  { name: "upgrade where no socket is", bring: sends((at) => get(at, UPGRADE)) },
  { name: "half a handshake", bring: sends((at) => shake(at).slice(0, -4)), isKnownTo: hasSockets },
  { name: "upgrade offered", bring: sends((at) => shake(at)), isKnownTo: hasSockets },
  {
    name: "upgrade refused for its origin",
    bring: refused((at) => shake(at, FOREIGN + UPGRADE), 403),
    isKnownTo: ({ mindsOrigin }) => mindsOrigin,
  },
  {
    name: "upgrade refused for what it says",
    bring: refused((at) => shake(at, UPGRADE.replace("13", "99")), 400),
    isKnownTo: hasSockets,
  },
  {
    name: "upgrade refused for want of quota",
    isGreedy: true,
    bring: async (peer, at) => {
      peer.write(get(at).repeat(SPENT) + shake(at));
      // Where the machine is slow, there may be quota again for the last of them.
      await peer.until((text) => text.split("HTTP/1.1 ").length > SPENT + 1);
    },
    isKnownTo: (at) => at.hasQuotas === true && hasSockets(at),
  },
  {
    name: "request refused for want of quota",
    isGreedy: true,
    bring: async (peer, at) => {
      peer.write(get(at).repeat(SPENT));
      // Where the machine is very slow, all of them are within the quota.
      await peer.until((text) => text.includes("HTTP/1.1 429 ") || text.split("HTTP/1.1 ").length > SPENT);
    },
    isKnownTo: ({ hasQuotas }) => hasQuotas,
  },
  { name: "socket open", bring: overSocket(() => {}), isKnownTo: hasSockets },
  {
    name: "socket with half a frame",
    bring: overSocket((peer) => peer.write(frame(SUBSCRIBE).subarray(0, 9))),
    isKnownTo: hasSockets,
  },
  {
    name: "socket that follows and does not read",
    bring: overSocket((peer) => {
      peer.write(frame(SUBSCRIBE));
      peer.stopReading();
    }),
    isKnownTo: hasSockets,
  },
  {
    name: "socket with a flood of pings",
    bring: overSocket((peer) => peer.write(Buffer.concat(Array.from({ length: 500 }, () => frame("p", PING))))),
    isKnownTo: hasSockets,
  },
  {
    name: "socket with orders under way",
    bring: loggedIn((peer, login) => peer.write(Buffer.concat([login, ORDERS]))),
    isKnownTo: hasLogin,
  },
  {
    name: "socket with half an order",
    bring: loggedIn((peer, login) => peer.write(Buffer.concat([login, ORDERS.subarray(0, ORDERS.length - 40)]))),
    isKnownTo: hasLogin,
  },
  {
    name: "socket whose end cancels orders, with orders under way",
    bring: loggedIn((peer, login) => peer.write(Buffer.concat([login, WATCHED, ORDERS]))),
    isKnownTo: hasLogin,
  },
  {
    name: "socket with orders under way that does not read",
    bring: loggedIn((peer, login) => {
      peer.write(Buffer.concat([login, WATCHED, ORDERS, ORDERS]));
      peer.stopReading();
    }),
    isKnownTo: hasLogin,
  },
  { name: "socket closing", bring: overSocket((peer) => peer.write(frame("\x03\xe8", CLOSE))), isKnownTo: hasSockets },
  {
    name: "socket closed for breaking the protocol",
    bring: overSocket((peer) => peer.write(Buffer.from([0xff, 0x7f, 1, 2, 3]))),
    isKnownTo: hasSockets,
  },
  {
    name: "socket with bytes behind its handshake",
    bring: (peer, at) => peer.write(Buffer.concat([Buffer.from(shake(at)), frame(SUBSCRIBE), frame("x", PING)])),
    isKnownTo: hasSockets,
  },
];

/** The ways in which a client ends a connection, or does not. */
export const ENDINGS = ["reset", "half-close", "close", "stall"] as const;
export type Ending = (typeof ENDINGS)[number];

/** Of a state, whether a listener knows it. */
export function knows(at: Listener, { isKnownTo }: State): boolean {
  return isKnownTo === undefined || isKnownTo(at) === true;
}
