import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Engine } from "../engine/engine.ts";
import { decodeEvents } from "../engine/event.ts";
import type { LogGroup } from "../log/chain.ts";
import type { LogWriter } from "../log/log-writer.ts";
import { Sequencer, SequencerClosed } from "./sequencer.ts";

/** A log whose disk answers when the test says so. */
class PatientLog implements LogWriter {
  readonly groups: LogGroup[] = [];
  lastSeq = 0;
  pendingGroups = 0;

  append(group: LogGroup): void {
    this.groups.push({ ...group, payload: group.payload.slice() });
    this.lastSeq = group.firstSeq + group.count - 1;
  }

  async close(): Promise<void> {}
}

function newSequencer(options: { timeMs?: number; isBehind?: () => boolean } = {}) {
  const engine = new Engine();
  const log = new PatientLog();
  const clock = { ms: options.timeMs ?? 1_000, now: () => clock.ms };
  const seen: number[] = [];
  const sequencer = new Sequencer(engine, log, clock, {
    onEvents: (events) => {
      for (const event of decodeEvents(events)) if (event.kind === "command") seen.push(event.seq);
    },
    isBehind: options.isBehind ?? (() => false),
  });
  return { engine, log, clock, sequencer, seen };
}

const user = (name: string) => ({ kind: "create_user", name }) as const;

test("a command is applied when it is durable and not before", async () => {
  const { engine, log, sequencer } = newSequencer();
  let answered = false;
  sequencer.submit(user("ann"), () => {
    answered = true;
  });
  await turn();
  assert.equal(log.groups.length, 1);
  assert.equal(engine.state.users.count, 1, "the state shows nothing that a crash could take back");
  assert.equal(answered, false);
  sequencer.durable();
  assert.equal(engine.state.users.count, 2);
  assert.equal(answered, true);
});

test("commands that arrive while the log is busy form one group, in the order of their arrival and without a gap", async () => {
  const { engine, log, sequencer, seen } = newSequencer();
  for (const name of ["a", "b"]) {
    sequencer.submit(user(name));
    await turn();
  }
  for (const name of ["c", "d", "e"]) sequencer.submit(user(name));
  await turn();
  assert.equal(log.groups.length, 2, "the log has two groups at a time");
  sequencer.durable();
  assert.deepEqual(
    log.groups.map(({ firstSeq, count }) => [firstSeq, count]),
    [
      [1, 1],
      [2, 1],
      [3, 3],
    ],
  );
  sequencer.durable();
  sequencer.durable();
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
  assert.deepEqual(engine.state.users.names.slice(1), ["a", "b", "c", "d", "e"]);
});

test("commands submitted in one go stand next to each other in one group", async () => {
  const { log, sequencer } = newSequencer();
  for (let index = 0; index < 100; index++) sequencer.submit(user(`u${index}`));
  await turn();
  assert.deepEqual([log.groups.length, log.groups[0]?.count], [1, 100]);
});

test("a full group closes and the next one follows it", async () => {
  const { engine, log, sequencer } = newSequencer();
  for (let index = 0; index < 5_000; index++) sequencer.submit({ kind: "tick" });
  await turn();
  sequencer.durable();
  assert.deepEqual(
    log.groups.map((group) => group.count),
    [4_096, 904],
  );
  sequencer.durable();
  assert.equal(engine.state.seq, 5_000);
});

test("stamps never fall when the clock does", async () => {
  const { log, clock, sequencer } = newSequencer({ timeMs: 5_000 });
  sequencer.submit({ kind: "tick" });
  await turn();
  clock.ms = 1_000;
  sequencer.durable();
  sequencer.submit({ kind: "tick" });
  await turn();
  assert.deepEqual(
    log.groups.map((group) => group.timeMs),
    [5_000, 5_000],
  );
});

test("a refused command is in the log like any other, and its sender hears the refusal", async () => {
  const { log, sequencer } = newSequencer();
  const refusal = sequencer.ask({ kind: "delete_api_key", accessId: "none" }, (outcome) => outcome.detail);
  await turn();
  sequencer.durable();
  assert.equal(log.lastSeq, 1);
  assert.match((await refusal) as string, /no key/);
});

test("what waits is bounded: beyond it, and when readers lag, the sequencer says that it is busy", () => {
  const { sequencer } = newSequencer();
  assert.equal(sequencer.isBusy, false);
  for (let index = 0; index < 65_536; index++) sequencer.submit({ kind: "tick" });
  assert.equal(sequencer.isBusy, true);
  assert.equal(newSequencer({ isBehind: () => true }).sequencer.isBusy, true);
});

test("closing applies what was taken and takes no more", async () => {
  const { engine, sequencer } = newSequencer();
  sequencer.submit(user("last"));
  const closed = sequencer.close();
  assert.equal(sequencer.submit(user("late")), false);
  await assert.rejects(
    sequencer.ask(user("later"), () => undefined),
    SequencerClosed,
  );
  await turn();
  sequencer.durable();
  await closed;
  assert.deepEqual(engine.state.users.names.slice(1), ["last"]);
});
