/**
 * What clients of a venue see, on many connections and through a crash, is what one account after the other would show.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { VenueProcess } from "../support/venue-process.ts";
import { xorshift } from "../support/xorshift.ts";
import { type AccountHistory, accountModel, playAccount, record } from "./account.ts";
import { contradictionIn } from "./check.ts";

const USERS = 3;
const CLIENTS_EACH = 4;
const BTC = 10;
const ROUNDS = 2;
const ROUND_MS = 700;
/** Of each user: fewer show nothing. */
const OPERATIONS_LEAST = 50;

test("orders and balances are linearizable, through crashes too", async () => {
  const data = mkdtempSync(join(tmpdir(), "bourse-linearizable-"));
  const start = () => VenueProcess.start(data, "--makers", "off", "--limits", "off");
  let venue = await start();
  try {
    const keys = await Promise.all(
      Array.from({ length: USERS }, async (_, nth) => (await venue.trader(`user-${nth}`, { BTC: String(BTC) })).key),
    );
    const histories: AccountHistory[] = keys.map(() => []);
    const random = xorshift(5);
    for (let round = 0; round < ROUNDS; round++) {
      const played = Promise.all(
        keys.flatMap((key, user) =>
          Array.from({ length: CLIENTS_EACH }, (_, nth) =>
            playAccount(venue.client(key), `r${round}-${nth}`, histories[user] as AccountHistory, random, () => false),
          ),
        ),
      );
      await pause(ROUND_MS);
      await venue.end("SIGKILL");
      await played;
      venue = await start();
      // Who comes back sees all that was answered.
      for (const [user, key] of keys.entries()) {
        for (const kind of ["balance", "orders"] as const) {
          assert.ok(await record(venue.client(key), { kind }, histories[user] as AccountHistory));
        }
      }
    }
    for (const [user, history] of histories.entries()) {
      assert.ok(history.length >= OPERATIONS_LEAST, `${history.length} operations of user ${user}`);
      assert.equal(contradictionIn(history, accountModel(BTC * 100_000_000)), undefined, `user ${user}`);
    }
  } finally {
    await venue.end("SIGKILL");
    rmSync(data, { recursive: true, force: true });
  }
});
