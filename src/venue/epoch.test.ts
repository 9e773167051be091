import assert from "node:assert/strict";
import { test } from "node:test";
import { type Command, decodeCommand, encodeCommand } from "../engine/command.ts";
import { RULES_VERSION } from "../engine/rules-version.ts";
import { SNAPSHOT_FORM, takeSnapshot } from "../engine/snapshot.ts";
import { WordBuffer } from "../engine/words.ts";
import type { LogGroup } from "../log/chain.ts";
import { MemoryLog } from "../log/memory-log.ts";
import type { RecoveryReport } from "../log/recovery.ts";
import { realClock } from "./clock.ts";
import { beginEpochWhenDue } from "./epoch.ts";
import { EngineMachine, hashOf } from "./machine.ts";
import { Sequencer } from "./sequencer.ts";

/** Rules of before this program's, whichever those are. */
const OLD_RULES = RULES_VERSION - 1;

/** An engine under old rules, on a log in memory. */
function oldVenue() {
  const { engine } = new EngineMachine();
  engine.state.rulesVersion = OLD_RULES;
  const log = new MemoryLog(realClock);
  const onFault = (fault: Error) => {
    throw fault;
  };
  const sequencer = new Sequencer(engine, log.open(), { onEvents: () => {}, onFault, isBehind: () => false });
  return { engine, log, sequencer };
}

const user = (name: string): Command => ({ kind: "create_user", name });

function groupOf(firstSeq: number, command: Command): LogGroup {
  const records = new WordBuffer(64);
  encodeCommand(records, command);
  return { firstSeq, count: 1, timeMs: 1, payload: records.copy() };
}

test("an upgrade is a command of the log that says the state hash before and after, and needs no second one", async () => {
  const { engine, log, sequencer } = oldVenue();
  await sequencer.ask(user("ann"), () => {});
  const before = hashOf(engine);
  const epoch = await beginEpochWhenDue(engine, sequencer, undefined);
  assert.equal(engine.state.rulesVersion, RULES_VERSION);
  assert.deepEqual(epoch?.before, { hash: before, form: SNAPSHOT_FORM });
  assert.deepEqual(epoch?.after, { hash: hashOf(engine), form: SNAPSHOT_FORM });
  assert.notEqual(epoch?.after.hash, before, "the rules that hold are part of the state");
  assert.equal(await beginEpochWhenDue(engine, sequencer, undefined), undefined);
  await sequencer.ask(user("ben"), () => {});

  const machine = new EngineMachine(undefined, OLD_RULES);
  machine.engine.state.rulesVersion = OLD_RULES;
  for (const group of log.groups()) machine.applyGroup(group);
  assert.equal(machine.stateHash(), hashOf(engine), "each epoch is replayed under its own rules");
});

test("the state before is what the old program's last snapshot says, where nothing came after it", async () => {
  const { engine, sequencer } = oldVenue();
  await sequencer.ask(user("ann"), () => {});
  const snapshot = { file: "", seq: 1, timeMs: 1, stateHash: "ab".repeat(32), form: 9, rulesVersion: 1 };
  const epoch = await beginEpochWhenDue(engine, sequencer, { snapshot } as RecoveryReport);
  assert.deepEqual(epoch?.before, { hash: snapshot.stateHash, form: 9 });
});

test("a log whose epoch records another state than its commands come to does not belong to this program", () => {
  const mark = { hash: "ab".repeat(32), form: SNAPSHOT_FORM };
  const machine = new EngineMachine();
  const group = groupOf(1, { kind: "begin_epoch", rulesVersion: RULES_VERSION, before: mark, after: mark });
  assert.throws(() => machine.applyGroup(group), { code: "replay_diverged" });
});

test("the rules of a newer program are called newer, with both versions", () => {
  const mark = { hash: "ab".repeat(32), form: 0 };
  const epoch = { kind: "begin_epoch", rulesVersion: RULES_VERSION + 5, before: mark, after: mark } as const;
  const message = new RegExp(
    `seq 1 on, was written by a newer program: it has rules version ${RULES_VERSION + 5}, .* ${RULES_VERSION}\\.$`,
  );
  assert.throws(() => new EngineMachine().applyGroup(groupOf(1, epoch)), { code: "newer_program", message });
});

test("commands under rules that are gone are refused with the release to stop first; a snapshot of these rules is taken", () => {
  const gone = new EngineMachine(undefined, 2);
  const message =
    "The commands from seq 1 on were made under rules version 1, and this program has rules from version 2 on. " +
    "Start bourse 0.1.0 once, which has them, stop it cleanly, and start this program again.";
  assert.throws(() => gone.applyGroup(groupOf(1, user("ann"))), { code: "rules_missing", message });

  const old = new EngineMachine();
  old.applyGroup(groupOf(1, user("ann")));
  const meta = { seq: 1, timeMs: 1, stateHash: old.stateHash(), form: SNAPSHOT_FORM, rulesVersion: 1 };
  const upgraded = new EngineMachine(undefined, 2);
  upgraded.restore(meta, takeSnapshot(old.engine.state));
  const before = { hash: old.stateHash(), form: 0 };
  upgraded.applyGroup(groupOf(2, { kind: "begin_epoch", rulesVersion: RULES_VERSION, before, after: before }));
  assert.equal(upgraded.seq, 2);
});

test("an epoch comes out of its record as it went in", () => {
  const epoch = {
    kind: "begin_epoch",
    rulesVersion: 3,
    before: { hash: "0123456789abcdef".repeat(4), form: 4_294_967_295 },
    after: { hash: "fedcba9876543210".repeat(4), form: 9 },
  } as const;
  const records = new WordBuffer(64);
  encodeCommand(records, epoch);
  assert.deepEqual(decodeCommand(records, 0), epoch);
});
