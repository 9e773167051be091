import assert from "node:assert/strict";
import { test } from "node:test";
import { aDeal, anOrder, EventWriter } from "../../test/support/event-writer.ts";
import { Engine } from "../engine/engine.ts";
import type { OrderRecord } from "../engine/event.ts";
import { WordBuffer } from "../engine/words.ts";
import { PrivateFeed, type PrivateListener } from "./private-feed.ts";

/** Somebody who keeps what he hears. */
class Ear implements PrivateListener {
  readonly orders: OrderRecord[] = [];
  readonly clientIds: string[] = [];
  order: PrivateListener["order"] = (_event, order) => void this.orders.push(order);
  deal: PrivateListener["deal"] = (_userId, { clientId }) => void this.clientIds.push(clientId);
  stop(): void {}
  position(): void {}
  balances(): void {}
}

/** A deal in which an order of user 1 ends. */
function group(orderId: number): WordBuffer {
  const events = new EventWriter()
    .command(orderId, 1_000)
    .deal(aDeal({ dealId: orderId, taker: { userId: 1, orderId } }))
    .order("finish", anOrder({ orderId, userId: 1, clientId: `id-${orderId}` }));
  return WordBuffer.over(events.take());
}

function feedWith(...ears: Ear[]) {
  const feed = new PrivateFeed(new Engine().state);
  for (const ear of ears) feed.listen(ear);
  const apply = (events: WordBuffer) => feed.apply(events, 0, events.length);
  return { feed, apply };
}

test("a record is read once for all who listen, and a deal carries the client id of its order", () => {
  const [one, other] = [new Ear(), new Ear()];
  const { feed, apply } = feedWith(one, other);
  feed.watch(1);
  apply(group(7));
  assert.equal(one.orders.length, 2, "it was put and ended");
  for (const [at, order] of one.orders.entries()) assert.equal(order, other.orders[at]);
  assert.deepEqual(one.clientIds, ["id-7"]);
});

test("who is watched twice is told of until he has been unwatched twice", () => {
  const ear = new Ear();
  const { feed, apply } = feedWith(ear);
  const heardOf = (orderId: number) => {
    apply(group(orderId));
    return ear.orders.some((order) => order.orderId === orderId);
  };
  assert.equal(heardOf(1), false);
  feed.watch(1);
  feed.watch(1);
  assert.equal(heardOf(2), true);
  feed.unwatch(1);
  assert.equal(heardOf(3), true);
  feed.unwatch(1);
  assert.equal(heardOf(4), false);
  feed.unwatch(1);
  feed.watch(1);
  assert.equal(heardOf(5), true);
});
