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
  const view = openView(path);
  const users = [venue.addUser("ann", { USDT: "1000", BTC: "2" }), venue.addUser("ben", { USDT: "1000" })] as const;
  const move = (user: 0 | 1, ccy: string, amount: string, isIn: boolean) => {
    const command = { kind: "transfer_margin", userId: users[user], market: "BTCUSDT", ccy, amount, isIn } as const;
    venue.accept(command);
    takeInto(view, venue.engine.events.copy());
  };
  move(0, "USDT", "100", true);
  move(1, "USDT", "70", true);
  move(0, "BTC", "2", true);
  // Twice the same at one instant.
  move(0, "USDT", "10", false);
  move(0, "USDT", "10", false);
  move(0, "BTC", "0.5", false);
  view.writer.commit();
  const { rows } = await view.ask.marginTransfers({ userId: users[0], page: 1, limit: 10 });
  assert.deepEqual(
    rows.map(({ ccy, balance }) => `${ccy} ${balance}`),
    ["BTC 150000000", "USDT 8000000000", "USDT 9000000000", "BTC 200000000", "USDT 10000000000"],
  );
  const out = await view.ask.marginTransfers({ userId: users[0], isIn: false, page: 1, limit: 10 });
  assert.equal(out.total, 3);

  const whole = contentOf(view);
  view.database.exec(
    "alter table margin_transfers drop column balance; update parts set version = 1 where name = 'margin'",
  );
  await view.db.destroy();
  const migrated = openView(path);
  assert.deepEqual(contentOf(migrated), whole);
  await migrated.db.destroy();
});
