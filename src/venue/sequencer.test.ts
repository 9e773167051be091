import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type Command, encodeCommand } from "../engine/command.ts";
import { Engine } from "../engine/engine.ts";
import { decodeEvents } from "../engine/event.ts";
import { WordBuffer } from "../engine/words.ts";
import type { LogGroup } from "../log/chain.ts";
import type { CommittedGroup, Log, LogFollower } from "../log/log.ts";
import { Sequencer, SequencerClosed } from "./sequencer.ts";

/** A log whose disk answers when the test says so. */
class PatientLog implements Log {
  readonly groups: CommittedGroup[] = [];
  readonly clock = { ms: 1_000 };
  #reported = 0;
  #lastSeq = 0;
  #follower: LogFollower | undefined;

  propose(payload: Uint8Array, count: number, token: number): void {
    this.groups.push({ firstSeq: this.#lastSeq + 1, count, timeMs: this.now(), payload: payload.slice(), token });
    this.#lastSeq += count;
  }

  follow(follower: LogFollower): void {
    this.#follower = follower;
  }

  *read(): Generator<LogGroup> {}

  now(): number {
    return Math.max(this.clock.ms, this.groups.at(-1)?.timeMs ?? 0);
  }

  async cut(): Promise<undefined> {}

  async close(): Promise<void> {}

  /** The oldest group that is under way is on the disk. */
  durable(): void {
    this.#follower?.onCommitted(this.groups[this.#reported++] as CommittedGroup, 1);
  }

  /** Another one proposed this. */
  other(command: Command): void {
    const records = new WordBuffer(64);
    encodeCommand(records, command);
    this.propose(records.written(), 1, 0);
    const group = this.groups.pop() as CommittedGroup;
    this.groups.push({ ...group, token: undefined });
  }
}

function newSequencer(options: { timeMs?: number; isBehind?: () => boolean } = {}) {
  const engine = new Engine();
  const log = new PatientLog();
  const { clock } = log;
  clock.ms = options.timeMs ?? 1_000;
  const seen: number[] = [];
  const sequencer = new Sequencer(engine, log, {
    onEvents: (events) => {
      for (const event of decodeEvents(events)) if (event.kind === "command") seen.push(event.seq);
    },
    onFault: (fault) => {
      throw fault;
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
  log.durable();
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
  log.durable();
  assert.deepEqual(
    log.groups.map(({ firstSeq, count }) => [firstSeq, count]),
    [
      [1, 1],
      [2, 1],
      [3, 3],
    ],
  );
  log.durable();
  log.durable();
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
  log.durable();
  assert.deepEqual(
    log.groups.map((group) => group.count),
    [4_096, 904],
  );
  log.durable();
  assert.equal(engine.state.seq, 5_000);
});

test("stamps never fall when the clock does", async () => {
  const { log, clock, sequencer } = newSequencer({ timeMs: 5_000 });
  sequencer.submit({ kind: "tick" });
  await turn();
  clock.ms = 1_000;
  log.durable();
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
  log.durable();
  assert.equal(log.groups.length, 1);
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
  const { engine, log, sequencer } = newSequencer();
  sequencer.submit(user("last"));
  const closed = sequencer.close();
  assert.equal(sequencer.submit(user("late")), false);
  await assert.rejects(
    sequencer.ask(user("later"), () => undefined),
    SequencerClosed,
  );
  await turn();
  log.durable();
  await closed;
  assert.deepEqual(engine.state.users.names.slice(1), ["last"]);
});

test("what another one proposed is applied in its place, and one's own commands hear only of themselves", async () => {
  const { engine, log, sequencer } = newSequencer();
  const heard: string[] = [];
  sequencer.submit(user("own"), () => heard.push("own"));
  log.other(user("theirs"));
  await turn();
  log.durable();
  assert.deepEqual([engine.state.users.names.slice(1), heard], [["theirs"], []]);
  log.durable();
  assert.deepEqual([engine.state.users.names.slice(1), heard], [["theirs", "own"], ["own"]]);
});
