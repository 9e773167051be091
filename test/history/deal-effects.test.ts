import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FuturesVenue } from "../support/futures-venue.ts";
import { openView, takeInto } from "../support/history-view.ts";

test("what deals did to positions is told, and stays unknown of those from before that was kept", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-effects-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "history.sqlite");
  const venue = new FuturesVenue();
  const view = await openView(path);
  const [maker, taker] = [venue.addTrader("maker", { USDT: "100000" }), venue.addTrader("taker", { USDT: "100000" })];
  const trade = async (text: string, against: string) => {
    venue.rest(maker, against);
    await takeInto(view, venue.engine.events.copy());
    venue.rest(taker, text);
    await takeInto(view, venue.engine.events.copy());
  };
  await trade("buy 0.1 @ 30000", "sell 0.1 @ 30000");
  // Closes 0.1 at a profit of 10 and opens 0.2 the other way.
  await trade("sell 0.3 @ 30100", "buy 0.3 @ 30100");
  await view.writer.commit();
  const user = { userId: taker, account: "futures", marketId: undefined, page: 1, limit: 10 } as const;
  const { rows: deals } = await view.ask.userDeals(user);
  const effects = await view.ask.dealEffects({ deals });
  assert.deepEqual(
    effects.map((effect) => effect && [effect.reason, effect.finishedType, effect.pnl]),
    [
      ["increase", "", 1_000_000_000n],
      ["increase", "", 0n],
    ],
  );
  assert.deepEqual(
    effects.map((effect) => effect?.amount),
    [2n * (effects[1]?.amount as bigint), effects[1]?.amount],
  );
  // The other side of the same deals, and a deal that there is not.
  const others = await view.ask.userDeals({ ...user, userId: maker });
  const [of] = await view.ask.dealEffects({ deals: others.rows });
  assert.equal(of?.pnl, -1_000_000_000n);
  assert.deepEqual(await view.ask.dealEffects({ deals: [{ dealId: 99, orderId: 99 }] }), [undefined]);

  for (const column of ["flags", "amount", "entry_cost", "margin", "pnl", "margin_change", "covered"]) {
    await view.run(`alter table deal_positions drop column ${column}`);
  }
  await view.run("update parts set version = 1 where name = 'positions'");
  await view.close();
  const migrated = await openView(path);
  assert.deepEqual((await migrated.ask.userDeals(user)).rows, deals);
  assert.deepEqual(await migrated.ask.dealEffects({ deals }), [undefined, undefined]);
  await migrated.close();
});
