import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { contentOf, openView, takeInto } from "../support/history-view.ts";
import { marginVenue } from "../support/margin-venue.ts";

test("what margin accounts held after transfers is told, and found out for a history of before", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "bourse-margin-"));
  t.after(() => rmSync(dir, { recursive: true }));
  const path = join(dir, "history.sqlite");
  const venue = marginVenue();
  const view = await openView(path);
  const users = [venue.addUser("ann", { USDT: "1000", BTC: "2" }), venue.addUser("ben", { USDT: "1000" })] as const;
  const move = async (user: 0 | 1, ccy: string, amount: string, isIn: boolean) => {
    const command = { kind: "transfer_margin", userId: users[user], market: "BTCUSDT", ccy, amount, isIn } as const;
    venue.accept(command);
    await takeInto(view, venue.engine.events.copy());
  };
  await move(0, "USDT", "100", true);
  await move(1, "USDT", "70", true);
  await move(0, "BTC", "2", true);
  // Twice the same at one instant.
  await move(0, "USDT", "10", false);
  await move(0, "USDT", "10", false);
  await move(0, "BTC", "0.5", false);
  await view.writer.commit();
  const { rows } = await view.ask.marginTransfers({ userId: users[0], page: 1, limit: 10 });
  assert.deepEqual(
    rows.map(({ ccy, balance }) => `${ccy} ${balance}`),
    ["BTC 150000000", "USDT 8000000000", "USDT 9000000000", "BTC 200000000", "USDT 10000000000"],
  );
  const out = await view.ask.marginTransfers({ userId: users[0], isIn: false, page: 1, limit: 10 });
  assert.equal(out.total, 3);

  const whole = await contentOf(view);
  await view.run("alter table margin_transfers drop column balance");
  await view.run("update parts set version = 1 where name = 'margin'");
  await view.close();
  const migrated = await openView(path);
  assert.deepEqual(await contentOf(migrated), whole);
  await migrated.close();
});
