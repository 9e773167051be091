/**
 * How fast a venue is back: commands per second replayed from a log on disk, verified on the way, to the same state
 * hash, beside what the engine alone does of the same commands in memory; and the time to load a snapshot of a million
 * open orders and a million balances.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeCommand } from "../src/engine/command.ts";
import { Engine } from "../src/engine/engine.ts";
import { RULES_VERSION } from "../src/engine/rules-version.ts";
import { loadSnapshot, SNAPSHOT_FORM, takeSnapshot } from "../src/engine/snapshot.ts";
import { recordWords, WordBuffer } from "../src/engine/words.ts";
import { openDataDir } from "../src/log/data-dir.ts";
import { openLogWriter } from "../src/log/log-writer.ts";
import { LogReader } from "../src/log/reader.ts";
import { recover } from "../src/log/recovery.ts";
import { readSnapshot, writeSnapshot } from "../src/log/snapshot-file.ts";
import { EngineMachine, hashOf } from "../src/venue/machine.ts";
import { report } from "./report.ts";
import { makeWorkload, setupCommands, spreadOrder } from "./workload.ts";

const COMMANDS = Number(process.env.BENCH_COMMANDS ?? 3_000_000);
/** What a venue under load of 64 connections puts into one row. */
const GROUP_COMMANDS = 64;
const USERS = 500_000;
const ORDERS = 1_000_000;
/** What the engine does of W1 on the machine that the goal of the snapshot is meant for. */
const USUAL_PER_SECOND = 4_500_000;

const dir = mkdtempSync(join(tmpdir(), "bourse-bench-"));
try {
  const replayed = await benchReplay(join(dir, "replay"));
  const loaded = benchSnapshot(dir);
  report("replay", [
    { name: "replay", value: replayed.perSecond, unit: "commands/s", gate: 1_000_000, goal: 4_000_000 },
    { name: "engine", value: replayed.enginePerSecond, unit: "commands/s" },
    { name: "replay_to_engine", value: replayed.perSecond / replayed.enginePerSecond, goal: 0.6 },
    { name: "replayed", value: replayed.commands, unit: "commands" },
    { name: "same_state_hash", value: replayed.sameHash ? 1 : 0, gate: 1 },
    { name: "snapshot_load", value: loaded.seconds, unit: "s", gate: 3, goal: 1, atMost: true },
    {
      name: "snapshot_load_on_usual_machine",
      value: (loaded.seconds * replayed.enginePerSecond) / USUAL_PER_SECOND,
      ...{ unit: "s", goal: 1, atMost: true },
    },
    { name: "snapshot_take", value: loaded.takeSeconds, unit: "s" },
    { name: "snapshot_size", value: loaded.bytes / 1e6, unit: "MB" },
    { name: "snapshot_orders", value: loaded.orders },
    { name: "snapshot_balances", value: loaded.balances },
    { name: "snapshot_same_hash", value: loaded.sameHash ? 1 : 0, gate: 1 },
  ]);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function benchReplay(data: string) {
  const dataDir = openDataDir(data);
  const created = await recover(dataDir, new EngineMachine());
  const engine = new Engine();
  const progress = { durableSeq: 0, wake: () => {} };
  const log = await openLogWriter(dataDir, created.end, {
    onDurable: (lastSeq) => {
      progress.durableSeq = lastSeq;
      progress.wake();
    },
    onFault: (fault) => {
      throw fault;
    },
  });

  const setup = new WordBuffer(1 << 20);
  // A log without an epoch would be replayed under the oldest rules. The state at its beginning is nobody's concern
  // here.
  const mark = { hash: "00".repeat(32), form: 0 };
  encodeCommand(setup, { kind: "begin_epoch", rulesVersion: RULES_VERSION, before: mark, after: mark });
  for (const command of setupCommands()) encodeCommand(setup, command);
  let firstSeq = 1;
  for (const records of [setup, makeWorkload(COMMANDS, 20_261).records]) {
    for (let at = 0; at < records.length; ) {
      const from = at;
      let count = 0;
      for (; count < GROUP_COMMANDS && at < records.length; count++) at += recordWords(records, at);
      const payload = records.bytes.subarray(from * 8, at * 8);
      log.append({ firstSeq, count, timeMs: 1, payload });
      engine.applyGroup(WordBuffer.over(payload), firstSeq, 1);
      engine.events.clear();
      firstSeq += count;
      while (log.pendingGroups >= 32) await new Promise<void>((resolve) => (progress.wake = resolve));
    }
  }
  await log.close();

  const machine = new EngineMachine();
  const recovered = await recover(dataDir, machine);
  const enginePerSecond = engineSpeed(dataDir.path);
  dataDir.release();
  return {
    enginePerSecond,
    perSecond: recovered.replayedCommands / (recovered.replayMs / 1000),
    commands: recovered.replayedCommands,
    sameHash: machine.stateHash() === hashOf(engine),
  };
}

/** Commands a second of an engine that has the groups of a log in memory. */
function engineSpeed(dir: string): number {
  const reader = new LogReader(dir);
  const groups = Array.from(reader.groups(), (group) => ({ ...group, payload: group.payload.slice() }));
  reader.close();
  const machine = new EngineMachine();
  const started = performance.now();
  for (const group of groups) machine.applyGroup(group);
  return (machine.seq * 1000) / (performance.now() - started);
}

function benchSnapshot(dir: string) {
  const engine = populated();
  const takeStarted = performance.now();
  const chunks = takeSnapshot(engine.state);
  const takeSeconds = (performance.now() - takeStarted) / 1000;
  const { file, stateHash } = writeSnapshot(dir, {
    seq: engine.state.seq,
    timeMs: 1,
    form: SNAPSHOT_FORM,
    rulesVersion: engine.state.rulesVersion,
    chunks,
  });

  const started = performance.now();
  const snapshot = readSnapshot(file);
  if (typeof snapshot === "string") throw new Error(snapshot);
  const restored = new Engine();
  loadSnapshot(restored.state, snapshot.chunks, snapshot.seq, snapshot.timeMs);
  const seconds = (performance.now() - started) / 1000;
  return {
    seconds,
    takeSeconds,
    bytes: statSync(file).size,
    orders: restored.state.orders.live,
    balances: restored.state.ledger.count,
    sameHash: hashOf(restored) === stateHash,
  };
}

/** A venue at rest: every user holds two currencies and has two orders in the book. */
function populated(): Engine {
  const engine = new Engine();
  let seq = 0;
  const apply = (command: Parameters<Engine["execute"]>[0]) => {
    engine.execute(command, { seq: ++seq, timeMs: 1 });
    engine.events.clear();
  };
  for (const command of setupCommands(0)) apply(command);
  for (let userId = 1; userId <= USERS; userId++) {
    apply({ kind: "create_user", name: `user-${userId}` });
    apply({ kind: "deposit", userId, ccy: "BTC", amount: "1", note: "" });
    apply({ kind: "deposit", userId, ccy: "USDT", amount: "100000", note: "" });
  }
  for (let index = 0; index < ORDERS; index++) {
    apply(spreadOrder(1 + (index >> 1), index));
  }
  return engine;
}
