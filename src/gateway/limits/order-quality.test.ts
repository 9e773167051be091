import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runs } from "../../../test/support/runs.ts";
import { type Done, Venue } from "../../../test/support/venue.ts";
import { OrderQuality } from "./order-quality.ts";

/** A venue with a market whose smallest amount is 0.0001, and what was counted of its orders. */
function watchedVenue() {
  const venue = new Venue();
  venue.listAsset("USDT");
  venue.listAsset("BTC");
  venue.listMarket("BTC", "USDT", { minAmount: "0.01" });
  const users = ["one", "two", "three"].map((name) => venue.addUser(name, { USDT: "1000000", BTC: "100" }));
  const counted: string[] = [];
  const quality = new OrderQuality(venue.state, {
    placed: (userId, nowMs) => counted.push(`${nowMs} ${userId} placed`),
    effective: (userId, nowMs) => counted.push(`${nowMs} ${userId} effective`),
    ended: (userId, lifeMs, nowMs) => counted.push(`${nowMs} ${userId} ended after ${lifeMs}`),
  });
  const take = (done: Done): Done => {
    quality.apply(venue.engine.events);
    return done;
  };
  return { venue, users, counted, take };
}

test("orders count once each: when accepted, when enough of them is executed, and when they end", () => {
  const { venue, users, counted, take } = watchedVenue();
  const [one, two] = users as [number, number];
  take(venue.place(one, "sell 0.03 @ 30000.00"));
  venue.timeMs = 1_500;
  take(venue.place(two, "buy 0.01 @ 30000.00"));
  venue.timeMs = 1_700;
  take(venue.place(two, "buy 0.05 @ 30000.00"));
  take(venue.cancel(two, 3));
  take(venue.place(two, "buy 1 @ 29000.00"));
  venue.timeMs = 1_900;
  take(venue.cancel(two, 4));
  assert.deepEqual(counted, [
    `1000 ${one} placed`,
    // The maker's event comes before the taker's.
    `1500 ${one} effective`,
    `1500 ${two} placed`,
    `1500 ${two} effective`,
    `1500 ${two} ended after 0`,
    `1700 ${one} ended after 700`,
    `1700 ${two} placed`,
    `1700 ${two} effective`,
    `1700 ${two} ended after 0`,
    `1700 ${two} placed`,
    `1900 ${two} ended after 200`,
  ]);
});

test("a sub-account's orders count for its main account", () => {
  const { venue, users, counted, take } = watchedVenue();
  const sub = venue.accept({ kind: "create_user", name: "sub", mainUserId: users[0] }).result as { userId: number };
  venue.deposit(sub.userId, "USDT", "1000");
  take(venue.place(sub.userId, "buy 0.01 @ 30000.00"));
  assert.deepEqual(counted, [`1000 ${users[0]} placed`]);
});

test("whatever is traded, counting is the same as looking at each order by itself", () => {
  const action = fc.record({
    user: fc.nat(2),
    what: fc.constantFrom("buy", "sell", "buy", "sell", "cancel", "modify"),
    amount: fc.constantFrom("0.01", "0.012", "0.03", "0.1"),
    price: fc.constantFrom("29990.00", "30000.00", "30010.00"),
    kind: fc.constantFrom("", "", " ioc", " maker_only", " hidden", " stp:both"),
    order: fc.nat(),
    stepMs: fc.constantFrom(0, 1, 700),
  });
  fc.assert(
    fc.property(fc.array(action, { minLength: 20, maxLength: 60 }), (actions) => {
      const { venue, users, counted, take } = watchedVenue();
      const plain: string[] = [];
      const filledBefore = new Map<number, bigint>();
      for (const { user, what, amount, price, kind, order, stepMs } of actions) {
        venue.timeMs += stepMs;
        const userId = users[user] as number;
        const orderId = 1 + (order % venue.state.nextOrderId);
        const done = take(
          what === "cancel"
            ? venue.cancel(userId, orderId)
            : what === "modify"
              ? venue.modify(userId, orderId, `amount ${amount} price ${price}`)
              : venue.place(userId, `${what} ${amount} @ ${price}${kind}`),
        );
        for (const each of done.events) {
          if (each.kind !== "order") continue;
          const { orderId: id, userId: owner, filledLots, createdAt } = each.order;
          const before = filledBefore.get(id);
          if (before === undefined) plain.push(`${venue.timeMs} ${owner} placed`);
          if (filledLots >= 10_000n && (before ?? 0n) < 10_000n) plain.push(`${venue.timeMs} ${owner} effective`);
          filledBefore.set(id, filledLots);
          if (each.event === "finish") plain.push(`${venue.timeMs} ${owner} ended after ${venue.timeMs - createdAt}`);
        }
      }
      assert.deepEqual(counted, plain);
    }),
    runs(60),
  );
});
