import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiKey } from "../auth/key-directory.ts";
import { Client } from "./client.ts";
import { Sessions } from "./sessions.ts";

function sessionsWatched() {
  const watched = new Set<number>();
  const sessions = new Sessions({
    watch: (userId) => void watched.add(userId),
    unwatch: (userId) => void watched.delete(userId),
  });
  const login = (userId: number) => {
    const client = new Client({ remoteAddress: "", hasRoom: true, send: () => {}, cut: () => {} });
    const key: Partial<ApiKey> = { userId };
    sessions.begin(client, key as ApiKey);
    return client;
  };
  return { sessions, watched, login };
}

test("an account is watched from its first login to the end of its last", () => {
  const { sessions, watched, login } = sessionsWatched();
  const [first, second] = [login(7), login(7)];
  assert.deepEqual(sessions.of(7), [first, second]);
  sessions.end(first);
  assert.ok(watched.has(7));
  sessions.end(second);
  assert.ok(!watched.has(7));
  assert.equal(sessions.has(7), false);
});

test("whoever goes through the connections of an account may end each of them meanwhile", () => {
  const { sessions, login } = sessionsWatched();
  const clients = [login(7), login(7), login(7)];
  const seen: Client[] = [];
  for (const client of sessions.of(7)) {
    seen.push(client);
    sessions.end(client);
  }
  assert.deepEqual(seen, clients);
});
