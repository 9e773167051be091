import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "../../engine/command.ts";
import { Engine, type Outcome } from "../../engine/engine.ts";
import type { SocketBackend } from "./channel.ts";
import { Client } from "./client.ts";
import type { SocketCall } from "./socket-call.ts";
import { WatchedClients } from "./watched-clients.ts";

const WATCHING = { active: true, scope: "ALL", markets: new Map(), graceMs: 0 } as const;
const KEY = { userId: 1, accessId: "A", secretCipher: "", permissions: [], ipWhitelist: [], expiredAt: 0 };

/** Connections over a log that takes what it is given only while it is not held. */
function overALog(isOneOfSeveral: boolean) {
  const told: Command[] = [];
  const log = { isHeld: false, told };
  const outcome = { refusal: 0, orderEvent: -1, result: { isNew: false } } as unknown as Outcome;
  const engine = new Engine();
  const backend = {
    isBusy: false,
    state: engine.state,
    submit(command: Command, applied: (outcome: Outcome, engine: Engine) => void) {
      if (log.isHeld) return false;
      told.push(command);
      applied(outcome, engine);
      return true;
    },
  } as Partial<SocketBackend> as SocketBackend;
  const watched = new WatchedClients(backend, { name: "n", isOneOfSeveral });
  const watch = () => {
    const client = new Client({ remoteAddress: "", hasRoom: true, send: () => {}, cut: () => {} });
    client.key = KEY;
    let answered = "";
    const call = { answer: () => (answered = "ok"), refuse: (refusal: string) => (answered = refusal) };
    watched.set(client, call as unknown as SocketCall, WATCHING);
    return { client, answered };
  };
  /** What the log was told since it was asked last. */
  const news = () => told.splice(0).map((command) => [command.kind, ...numbersIn(command)].join(" "));
  return { log, watched, watch, news };
}

const numbersIn = (command: Command): readonly number[] => {
  if (command.kind === "end_connections") return command.connections ?? [];
  return command.kind === "watch_connection" ? [command.connection] : [];
};
const turn = () => new Promise(setImmediate);

test("ends that come while the log takes nothing are told when it does again, in their order, and once", async () => {
  const { log, watched, watch, news } = overALog(false);
  const clients = [1, 2, 3].map(() => watch().client);
  assert.deepEqual(news(), ["renew_connections", "watch_connection 1", "watch_connection 2", "watch_connection 3"]);
  log.isHeld = true;
  for (const client of clients.slice(0, 2)) watched.ended(client);
  await turn();
  watched.ended(clients[2] as Client);
  await turn();
  watched.beat(1_000);
  assert.deepEqual(news(), []);
  log.isHeld = false;
  watched.beat(2_000);
  watched.beat(3_000);
  assert.deepEqual(news(), ["end_connections 1 2", "end_connections 3"]);
});

test("an end that is owed is told before anything that comes later", async () => {
  const { log, watched, watch, news } = overALog(false);
  const { client } = watch();
  news();
  log.isHeld = true;
  watched.ended(client);
  await turn();
  assert.equal(watch().answered, "stopping");
  log.isHeld = false;
  assert.equal(watch().answered, "ok");
  assert.deepEqual(news(), ["end_connections 1", "watch_connection 2"]);
});

test("more ends than a command holds are told in several, also when they were owed", async () => {
  const { log, watched, watch, news } = overALog(false);
  const clients = Array.from({ length: 600 }, () => watch().client);
  news();
  log.isHeld = true;
  for (const client of clients) watched.ended(client);
  await turn();
  log.isHeld = false;
  watched.beat(1);
  assert.deepEqual(
    log.told.map((command) => numbersIn(command).length),
    [256, 256, 88],
  );
});

test("a renewal that was not taken is told again: nobody is watched by a run that the log does not know", () => {
  const { log, watched, watch, news } = overALog(true);
  log.isHeld = true;
  assert.equal(watch().answered, "stopping");
  log.isHeld = false;
  assert.equal(watch().answered, "ok");
  assert.deepEqual(news(), ["renew_connections", "watch_connection 1"]);
  log.isHeld = true;
  watched.beat(3_000);
  log.isHeld = false;
  watch();
  watched.beat(3_100);
  assert.deepEqual(news(), ["renew_connections", "watch_connection 2"]);
});
