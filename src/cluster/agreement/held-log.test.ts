import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldLog } from "./held-log.ts";
import { hexOf } from "./ports.ts";

const SELF = { node: "a", nodes: ["a", "b", "c"], boot: "a1" };
const TAIL = { seq: 0, hash: new Uint8Array(32), timeMs: 0 };
const GENERATION = 1;
const MIB = 1024 * 1024;

/** A log, and what it has committed. */
function emptyLog() {
  const committed: number[] = [];
  const log = new HeldLog(SELF, TAIL, { store: () => {}, commit: ({ firstSeq }) => void committed.push(firstSeq) });
  const append = (bytes: number) => {
    const { seq } = log.tail;
    log.append({ firstSeq: seq + 1, count: 1, timeMs: 1, payload: new Uint8Array(bytes) }, undefined, undefined);
  };
  const heard = (from: string, seq: number, hash: string) =>
    log.heard({ kind: "position", from, generation: GENERATION, seq, hash }, GENERATION);
  return { log, committed, append, heard };
}

test("what is on the disks of a quorum is committed, and nothing that this node's own disk has not", () => {
  const { log, committed, append, heard } = emptyLog();
  append(8);
  const hash = hexOf(log.tail.hash);
  heard("b", 1, hash);
  heard("c", 1, hash);
  assert.equal(log.commit(GENERATION), undefined);
  assert.deepEqual(committed, []);
  log.stored(1);
  assert.equal(log.commit(GENERATION), undefined);
  assert.deepEqual(committed, [1]);
});

test("a node whose log has another group at the same seq is told of, and nothing is committed", () => {
  const { log, committed, append, heard } = emptyLog();
  append(8);
  log.stored(1);
  heard("b", 1, "ab".repeat(32));
  assert.match(log.commit(GENERATION)?.message ?? "", /seq 1 the log of node b is not the one of this node/);
  assert.deepEqual(committed, []);
});

test("a log is full while a disk does not take what is under way, and no longer when it does", () => {
  const { log, append, heard } = emptyLog();
  while (!log.isFull) append(8 * MIB);
  const { seq, hash } = log.tail;
  assert.ok(seq * 8 <= 128);
  heard("b", seq, hexOf(hash));
  log.commit(GENERATION);
  assert.ok(log.isFull);
  log.stored(seq);
  log.commit(GENERATION);
  assert.ok(!log.isFull);
  assert.ok(log.isSettled);
});
