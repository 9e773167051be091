import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { Engine } from "../../src/engine/engine.ts";
import { decodeEvents } from "../../src/engine/event.ts";
import { VENUE } from "../../src/engine/ledger/cell.ts";
import type { StatementLine, StatementQuery } from "../../src/history/statement/statement-queries.ts";
import { actionLists, doAction, EVERYDAY, SHORT_OF_COINS, sceneVenue } from "../engine/actions.ts";
import { contentOf, openView, takeInto, testDatabases, type View } from "../support/history-view.ts";
import { runs } from "../support/runs.ts";
import type { Venue } from "../support/venue.ts";

const LIMIT = 50_000;

const databases = testDatabases();
after(() => databases.end());

for (const [scene, database] of [EVERYDAY, SHORT_OF_COINS].flatMap((each) =>
  databases.all.map((of) => [each, of] as const),
)) {
  const name =
    `in ${scene.name} every statement of ${database.name} sums to its balance, and each line continues the one ` +
    "before";
  test(name, { skip: database.skip }, async () => {
    await fc.assert(
      fc.asyncProperty(actionLists(scene, 150), fc.nat({ max: 40 }), async (actions, groups) => {
        const venue = sceneVenue(scene);
        for (const action of actions) doAction(venue, scene, action);
        const { view, fees } = await viewOf(await database.open(), venue, groups + 1);
        await assertSound(venue, view, fees);
      }),
      runs(database.name === "SQLite" ? 40 : 8),
    );
  });
}

test("a history that was closed and opened again numbers lines as one that never was", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-statement-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const venue = sceneVenue(SHORT_OF_COINS);
  const trade = (side: "buy" | "sell", userId: number) => venue.put(userId, `${side} 0.05 @ 3.00`, "AAAUSD");
  const whole = await openView();
  let reopened = await openView(join(dir, "history.sqlite"));
  for (const [at, step] of [
    () => trade("sell", 1),
    () => trade("buy", 2),
    () => venue.deposit(3, "USD", "1"),
  ].entries()) {
    step();
    const events = venue.engine.events.copy();
    await takeInto(whole, events);
    await takeInto(reopened, events);
    await reopened.writer.commit();
    await reopened.close();
    reopened = await openView(join(dir, "history.sqlite"));
    if (at === 0) continue;
    whole.writer.settle();
    assert.deepEqual(await contentOf(reopened), await contentOf(whole));
  }
  await reopened.close();
});

/** History of all that the venue did, settled every so many commands; and what it was paid in fees, by asset. */
async function viewOf(view: View, venue: Venue, every: number): Promise<{ view: View; fees: bigint[] }> {
  const fees = venue.state.assets.map(() => 0n);
  const twin = new Engine();
  for (const [at, { command, stamp }] of venue.log.entries()) {
    twin.events.clear();
    twin.execute(command, stamp);
    await takeInto(view, twin.events.copy());
    if (at % every === 0) view.writer.settle();
    for (const event of decodeEvents(twin.events)) {
      if (event.kind !== "posting" || event.posting !== "fee" || event.userId !== VENUE) continue;
      fees[event.assetId] = (fees[event.assetId] as bigint) + event.available;
    }
  }
  await view.writer.commit();
  return { view, fees };
}

async function assertSound(venue: Venue, view: View, fees: readonly bigint[]): Promise<void> {
  const { ledger, assets, users } = venue.state;
  const paid = assets.map(() => 0n);
  for (let userId = 1; userId < users.count; userId++) {
    const all = await linesOf(view, { userId });
    for (const { id: assetId } of assets) {
      const lines = await linesOf(view, { userId, assetId });
      assert.deepEqual(
        lines,
        all.filter((line) => line.assetId === assetId),
      );
      const cell = ledger.findSpotCell(userId, assetId);
      let balance = cell < 0 ? 0n : ledger.available(cell) + ledger.frozen(cell);
      for (const line of lines) {
        assert.equal(line.balance, balance, `line ${line.id} of user ${userId}`);
        assert.notEqual(line.change, 0n);
        balance -= line.change;
        if (line.kind === "fee") paid[assetId] = (paid[assetId] as bigint) - line.change;
      }
      assert.equal(balance, 0n, `the first line of user ${userId} does not start from nothing`);
    }
    assert.deepEqual(
      all.map(({ id }) => id),
      all.map(({ id }) => id).sort((left, right) => right - left),
    );
    for (const kinds of [["trade"], ["fee"], ["deposit"], ["adjust"], ["trade", "fee"]] as const) {
      const some = all.filter(({ kind }) => (kinds as readonly string[]).includes(kind));
      assert.deepEqual(await linesOf(view, { userId, kinds }), some, kinds.join());
    }
    const middle = all[all.length >> 1]?.createdAt ?? 0;
    assert.deepEqual(
      await linesOf(view, { userId, startTime: middle }),
      all.filter(({ createdAt }) => createdAt >= middle),
    );
    assert.deepEqual(
      await linesOf(view, { userId, endTime: middle, cells: ["spot"] }),
      all.filter(({ createdAt }) => createdAt <= middle),
    );
    assert.deepEqual((await view.ask.statement({ userId, page: 2, limit: 3 })).rows, all.slice(3, 6));
  }
  assert.deepEqual(paid, fees, "what users paid in fees is not what the venue got");
}

async function linesOf(view: View, query: Omit<StatementQuery, "page" | "limit">): Promise<readonly StatementLine[]> {
  const { rows, hasNext } = await view.ask.statement({ ...query, page: 1, limit: LIMIT });
  assert.equal(hasNext, false);
  return rows;
}
