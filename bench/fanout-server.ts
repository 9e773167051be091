/**
 * What bench fanout measures, in a process of its own: `bourse`, the venue's own way from commands through engine,
 * feeds and channels to the sockets, or `bare`, the package ws calling `send` for each client with the same bytes,
 * ready-made.
 */
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { SecretVault } from "../src/gateway/auth/secret-vault.ts";
import { loadContract } from "../src/gateway/current/contract.ts";
import { createGateway } from "../src/gateway/gateway.ts";
import { loadSocketContract } from "../src/gateway/ws/contract.ts";
import type { History } from "../src/history/history.ts";
import { BusyVenue } from "./busy-market.ts";
import { GROUPS, type Look, type Mode, type Order, type Ran } from "./fanout-orders.ts";

interface Sender {
  readonly port: number;
  tick(mode: Mode): void;
}

/** A run goes on when no socket has more than this waiting, so that it is the readers that set the pace. */
const BACKLOG_BYTES_MAX = 65_536;
const BEAT_MS = 200;
/** A look at the memory costs as much as some writes, so that it is taken in runs with a pace only. */
const LOOKS_EVERY_MS = 20;

const sockets = new Set<Socket>();
subscribe("net.server.socket", (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});
process.once("disconnect", () => process.exit());

/**
 * Methods of the sockets call these endpoints; a gateway whose handlers lack one does not open. Nobody calls them here.
 */
const calledBySockets = loadSocketContract(loadContract()).calls.flatMap(({ endpoint }) =>
  Object.values(endpoint ?? {}),
);
const nobody = () => {
  throw new Error("Nobody places orders here.");
};

const payloads: Record<Mode, Buffer[][]> = { apart: [], joined: [], flood: [] };
const sender = process.argv[2] === "bare" ? await bare() : await bourse();
process.on("message", async (order: Order) => {
  if (order.kind === "run") process.send?.(await run(order));
  else if (order.kind === "look") process.send?.(look());
  else process.send?.(load(order));
});
process.send?.({ port: sender.port });

/** The gateway as the venue has it, over an engine whose commands and beats this process makes. */
async function bourse(): Promise<Sender> {
  const venue = await BusyVenue.start(20_261);
  let evenMs = 0;
  /** Of the hubs of both products, and of what else looks after sockets now and then. */
  const beats: (() => void)[] = [];
  const gateway = createGateway({
    handlers: Object.fromEntries(calledBySockets.map((endpoint) => [endpoint, nobody])),
    sockets: {
      backend: {
        state: venue.engine.state,
        feeds: venue.feeds,
        history: {} as History,
        isBusy: false,
        submit: () => false,
        now: Date.now,
      },
      limits: { idleCloseMs: Number.POSITIVE_INFINITY },
      now: () => evenMs,
      every: (_, called) => {
        beats.push(called);
        return () => {};
      },
    },
    directory: {
      find: () => undefined,
      isFrozen: () => false,
      isSubAccount: () => false,
      hasSubPermission: () => false,
    },
    vault: SecretVault.inMemory(),
    log: { error: console.error },
    now: Date.now,
    serviceNames: ["SVC"],
    compat: false,
    explainSignatures: false,
    limits: { connectionsPerAddressMax: 10_000 },
  });
  const { port } = await gateway.listen("127.0.0.1", 0);
  gateway.open();

  const beatOnce = () => {
    evenMs += BEAT_MS;
    for (const beat of beats) beat();
  };
  /** One channel after the other has something to say, each of a market of its own. */
  let turn = 0;
  const apart = [
    () => {
      venue.deal(0);
      venue.apply();
    },
    () => {
      for (let move = 0; move < 8; move++) venue.move(1);
      // Moves may all be out of sight; a deal changes what is seen.
      venue.deal(1);
      venue.apply();
      beatOnce();
    },
    () => {
      for (let deal = 0; deal < 3; deal++) venue.deal(2);
      venue.apply();
      beatOnce();
    },
  ];
  const joined = (groups: number) => {
    for (let group = 0; group < groups; group++) {
      for (let move = 0; move < 4; move++) venue.move(0);
      venue.deal(0);
      venue.apply();
    }
    beatOnce();
  };
  return { port, tick: (mode) => (mode === "apart" ? apart[turn++ % apart.length]?.() : joined(GROUPS[mode])) };
}

async function bare(): Promise<Sender> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  let turn = 0;
  const tick = (mode: Mode) => {
    for (const payload of payloads[mode][turn++ % payloads[mode].length] as Buffer[]) {
      for (const client of server.clients) client.send(payload);
    }
  };
  return { port: (server.address() as AddressInfo).port, tick };
}

function load({ mode, ticks }: Extract<Order, { kind: "load" }>): Look {
  payloads[mode] = ticks.map((tick) => tick.map((payload) => Buffer.from(payload, "base64")));
  return look();
}

async function run({ mode, ms, everyMs }: Extract<Order, { kind: "run" }>): Promise<Ran> {
  const beganUs: number[] = [];
  let rssBytesMax = 0;
  const cpuBefore = process.cpuUsage();
  const startMs = performance.now();
  let looksAtMs = startMs;
  let ticks = 0;
  for (let nowMs = startMs; nowMs < startMs + ms; nowMs = performance.now()) {
    if (everyMs !== undefined) beganUs.push(Number(process.hrtime.bigint() / 1_000n));
    sender.tick(mode);
    ticks++;
    if (everyMs !== undefined && nowMs >= looksAtMs) {
      looksAtMs = nowMs + LOOKS_EVERY_MS;
      rssBytesMax = Math.max(rssBytesMax, process.memoryUsage.rss());
    }
    if (everyMs === undefined) await taken();
    else await sleep(Math.max(0, startMs + ticks * everyMs - performance.now()));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ticks, cpuMs: (user + system) / 1_000, beganUs, rssBytesMax };
}

/** Resolves in a later turn of the loop, when no socket has much waiting. */
async function taken(): Promise<void> {
  do await new Promise(setImmediate);
  while ([...sockets].some((socket) => socket.writableLength > BACKLOG_BYTES_MAX));
}

function look(): Look {
  const backlogged = [...sockets].filter((socket) => socket.writableLength > 0).length;
  return { sockets: sockets.size, backlogged, rssBytes: process.memoryUsage.rss() };
}
