/** What venues of every kind came to lies in both databases alike, and both answer alike. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { RULES_VERSION } from "../../src/engine/rules-version.ts";
import { replay } from "../../src/log/replay.ts";
import { EngineMachine } from "../../src/venue/machine.ts";
import { goldenVenues, unpack } from "../golden/golden.ts";
import { questionsOf } from "../support/history-questions.ts";
import { contentOf, takeInto, testDatabases, type View } from "../support/history-view.ts";

const databases = testDatabases();
after(() => databases.end());
const [file, database] = databases.all;

const USERS = 6;

/** What each group of a log brought about, and the time of the last one. */
async function eventsOf(data: string) {
  const groups: Uint8Array<ArrayBuffer>[] = [];
  const machine = new EngineMachine((events) => groups.push(events.copy()));
  const apply = machine.applyGroup.bind(machine);
  machine.applyGroup = (group) => {
    apply(group);
    machine.flush();
  };
  await replay(data, machine, { from: "start" });
  return { groups, timeMs: machine.engine.state.timeMs };
}

async function answersOf({ ask }: View, untilMs: number): Promise<[string, unknown][]> {
  const answers: [string, unknown][] = [];
  for (let userId = 1; userId <= USERS; userId++) {
    for (const [name, question] of questionsOf(userId, untilMs))
      answers.push([`${userId}: ${name}`, await question(ask)]);
  }
  return answers;
}

for (const venue of goldenVenues().filter(({ rulesVersion }) => rulesVersion === RULES_VERSION)) {
  test(`the history of ${venue.name} is the same in both databases`, { skip: database?.skip ?? true }, async (t) => {
    const data = unpack(venue);
    t.after(() => rmSync(data, { recursive: true }));
    const { groups, timeMs } = await eventsOf(data);
    assert.ok(groups.length > 10, "nothing happened");
    const [one, other] = [await (file as typeof database)?.open(), await database?.open()];
    assert.ok(one !== undefined && other !== undefined);
    await takeInto(one, ...groups);
    await one.writer.commit();
    // Batches end elsewhere here, and some rows are found before they are committed.
    for (const [at, group] of groups.entries()) {
      await takeInto(other, group);
      if (at % 7 === 3) other.writer.settle();
      if (at % 20 === 0) await other.writer.commit();
    }
    await other.writer.commit();
    assert.deepEqual(await contentOf(other), await contentOf(one));
    assert.deepEqual(await answersOf(other, timeMs), await answersOf(one, timeMs));
    await one.close();
  });
}
